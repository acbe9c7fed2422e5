/** Arranges items of a list in columns, calculated as in Node. */

interface Page {
  /** Characters in a line. */
  readonly width: number;
  readonly indent: number;
  readonly compact: number;
  /** Number of items shown; one more says how many are left out, on its own line. */
  readonly maxItems: number;
}

/** Between two items: a comma and a space. */
const between = 2;

/** @returns the items unchanged if their lengths differ too much for columns */
export function inColumns(items: string[], list: ArrayLike<unknown>, page: Page): string[] {
  const shown = items.length > page.maxItems ? items.slice(0, -1) : items;
  const lengths = shown.map(textWidth);
  const longest = Math.max(...lengths) + between;
  const total = lengths.reduce((sum, length) => sum + length + between, 0);
  const similar = total / longest > 5 || longest - between <= 6;
  if (longest * 3 + page.indent >= page.width || !similar) return items;
  const typical = Math.max(longest - 3 - Math.sqrt(longest - total / items.length), 1);
  const columns = Math.min(
    // A character is about two and a half times as high as wide; this makes the whole a square.
    Math.round(Math.sqrt(2.5 * typical * shown.length) / typical),
    Math.floor((page.width - page.indent) / longest),
    page.compact * 4,
    15,
  );
  if (columns <= 1) return items;
  const widths = lengths.slice(0, columns).map((_, column) => {
    const below = lengths.filter((_, i) => i % columns === column);
    return Math.max(...below) + between;
  });
  const numeric = items.every((_, i) => typeof list[i] === 'number' || typeof list[i] === 'bigint');
  const lines: string[] = [];
  for (let from = 0; from < shown.length; from += columns) {
    const row = shown.slice(from, from + columns);
    const cells = row.map((item, i) => {
      const isLast = i === row.length - 1;
      const room = ' '.repeat((widths[i] as number) - between - (lengths[from + i] as number));
      return (numeric ? room : '') + item + (isLast ? '' : ', ') + (numeric || isLast ? '' : room);
    });
    lines.push(cells.join(''));
  }
  return [...lines, ...items.slice(shown.length)];
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Width of a text in terminal columns. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text.normalize('NFC')) {
    if (/[\p{Mark}\p{Cc}\p{Cf}]/u.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
