import { crc32, deflateSync } from 'node:zlib';

/** Pixels as four bytes each: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

const maxColors = 256;

/**
 * A PNG of at most 256 colours, much smaller than one with all of them. Pages are flat: what is lost are shades at the edges of letters.
 * Own code, as everyone who works here would have to install a native library for a few pictures.
 */
export function paletteImage({ width, height, bytes }: Pixels): Buffer {
  const colors = frequentColors(bytes);
  const indexes = new Map(colors.map((color, index) => [color, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++; // a row begins with its filter: none
    for (let x = 0; x < width; x++, from += 4) {
      const color = colorAt(bytes, from);
      let index = indexes.get(color);
      if (index === undefined) {
        index = nearestOf(colors, color);
        indexes.set(color, index);
      }
      rows[to++] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits, each the number of a colour
  const palette = Buffer.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const colorAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);

/** Of colours that are almost alike the most frequent one first: many shades of grey leave room for the few marks of another colour. */
function frequentColors(bytes: Uint8Array): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 4) {
    const color = colorAt(bytes, at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  if (byCount.length <= maxColors) return byCount;
  const taken = new Set<number>();
  const chosen = byCount.filter((color) => {
    const alike = color & 0xf0f0f0;
    if (taken.has(alike)) return false;
    taken.add(alike);
    return true;
  });
  const rest = byCount.filter((color) => !chosen.includes(color));
  return [...chosen, ...rest].slice(0, maxColors);
}

function nearestOf(colors: readonly number[], color: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, one] of colors.entries()) {
    const red = (one >> 16) - (color >> 16);
    const green = ((one >> 8) & 0xff) - ((color >> 8) & 0xff);
    const blue = (one & 0xff) - (color & 0xff);
    const distance = red * red + green * green + blue * blue;
    if (distance < least) [least, best] = [distance, index];
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
