/**
 * Renders a text as a QR code (ISO/IEC 18004) for a terminal, with half blocks. Byte mode, error correction L, versions 1 to 20.
 * @throws RangeError for more than 858 bytes
 */
export function qrText(text: string): string {
  const cells = qrCells(text);
  const size = cells.length;
  const at = (x: number, y: number) => cells[y]?.[x] ?? false;
  const lines: string[] = [];
  const quiet = 2;
  for (let y = -quiet; y < size + quiet; y += 2) {
    let line = '';
    for (let x = -quiet; x < size + quiet; x++) {
      // Light cells are drawn: most terminals have a dark background.
      const [upper, lower] = [!at(x, y), !at(x, y + 1)];
      line += upper ? (lower ? '█' : '▀') : lower ? '▄' : ' ';
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** [error correction bytes of a block, blocks, data bytes of the shorter blocks] at level L, by version. */
const layouts: readonly (readonly [number, number, number])[] = [
  [7, 1, 19],
  [10, 1, 34],
  [15, 1, 55],
  [20, 1, 80],
  [26, 1, 108],
  [18, 2, 68],
  [20, 2, 78],
  [24, 2, 97],
  [30, 2, 116],
  [18, 4, 68],
  [20, 4, 81],
  [24, 4, 92],
  [26, 4, 107],
  [30, 4, 115],
  [22, 6, 87],
  [24, 6, 98],
  [28, 6, 107],
  [30, 6, 120],
  [28, 7, 113],
  [28, 8, 107],
];
/** Total data bytes of versions whose last blocks have one more byte. */
const capacities = [
  19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861,
] as const;

/** True is dark; row by row. */
export function qrCells(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = capacities.findIndex((capacity, i) => bytes.length + (i < 9 ? 2 : 3) <= capacity) + 1;
  if (version === 0) throw new RangeError('the text is too long for a QR code');
  const words = codewords(bytes, version);
  const size = 17 + 4 * version;
  const best = Array.from({ length: 8 }, (_, mask) => draw(words, version, size, mask));
  return best.reduce((a, b) => (penalty(b) < penalty(a) ? b : a));
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const capacity = capacities[version - 1] ?? 0;
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(bits.slice(i, i + 8).reduce((byte, bit) => byte * 2 + bit, 0));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);

  const [correction, blocks, short] = layouts[version - 1] ?? [0, 1, 0];
  const longer = capacity - blocks * short;
  const parts: number[][] = [];
  for (let b = 0, from = 0; b < blocks; b++) {
    const length = short + (b >= blocks - longer ? 1 : 0);
    parts.push(data.slice(from, from + length));
    from += length;
  }
  const checks = parts.map((part) => remainder(part, correction));
  const woven = (lists: readonly number[][], most: number) =>
    Array.from({ length: most }, (_, i) => lists.flatMap((list) => (i < list.length ? [list[i] ?? 0] : []))).flat();
  return [...woven(parts, short + 1), ...woven(checks, correction)];
}

/** Multiplication in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

function remainder(data: readonly number[], degree: number): number[] {
  let divisor = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    const next = [...divisor, 0];
    for (const [j, factor] of divisor.entries()) next[j + 1] = (next[j + 1] ?? 0) ^ times(factor, root);
    divisor = next;
  }
  const rest: number[] = Array(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let i = 0; i < degree; i++) rest[i] = (rest[i] ?? 0) ^ times(divisor[i + 1] ?? 0, factor);
  }
  return rest;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function draw(words: readonly number[], version: number, size: number, mask: number): boolean[][] {
  const cells: (boolean | undefined)[][] = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = cells[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = dark;
  };
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  const centres = alignment(version, size);
  for (const [i, y] of centres.entries()) {
    for (const [j, x] of centres.entries()) {
      const corner =
        (i === 0 && j === 0) || (i === 0 && j === centres.length - 1) || (i === centres.length - 1 && j === 0);
      if (corner) continue;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  drawFormat(set, size, mask);
  if (version >= 7) drawVersion(set, size, version);

  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const upwards = ((right + 1) & 2) === 0;
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (cells[y]?.[x] !== undefined) continue;
        const dark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        bit++;
        set(x, y, dark !== (masks[mask]?.(x, y) ?? false));
      }
    }
  }
  return cells.map((row) => row.map((cell) => cell === true));
}

function alignment(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - (count - 2 - i) * step)];
}

type Set = (x: number, y: number, dark: boolean) => void;

function drawFormat(set: Set, size: number, mask: number): void {
  const data = (0b01 << 3) | mask;
  let rest = data;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const dark = (i: number) => ((bits >> i) & 1) === 1;
  for (let i = 0; i <= 5; i++) set(8, i, dark(i));
  set(8, 7, dark(6));
  set(8, 8, dark(7));
  set(7, 8, dark(8));
  for (let i = 9; i < 15; i++) set(14 - i, 8, dark(i));
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, dark(i));
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, dark(i));
  set(8, size - 8, true);
}

function drawVersion(set: Set, size: number, version: number): void {
  let rest = version;
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let i = 0; i < 18; i++) {
    const dark = ((bits >> i) & 1) === 1;
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
    set(a, b, dark);
    set(b, a, dark);
  }
}

/** Penalty of a mask: long runs, blocks, and an uneven share of dark cells. */
function penalty(cells: readonly boolean[][]): number {
  const size = cells.length;
  let points = 0;
  let dark = 0;
  const run = (get: (i: number, j: number) => boolean) => {
    for (let i = 0; i < size; i++) {
      let length = 0;
      for (let j = 0; j < size; j++) {
        length = j > 0 && get(i, j) === get(i, j - 1) ? length + 1 : 1;
        if (length === 5) points += 3;
        else if (length > 5) points++;
      }
    }
  };
  const at = (x: number, y: number) => cells[y]?.[x] ?? false;
  run((i, j) => at(j, i));
  run((i, j) => at(i, j));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (at(x, y)) dark++;
      if (
        x + 1 < size &&
        y + 1 < size &&
        at(x, y) === at(x + 1, y) &&
        at(x, y) === at(x, y + 1) &&
        at(x, y) === at(x + 1, y + 1)
      )
        points += 3;
    }
  }
  return points + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10;
}
