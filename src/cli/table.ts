import { sanitise } from './sanitise.ts';

/** Rows as aligned columns, two spaces apart; the last one is not padded. Values are sanitised, styles are put on by `paint`. */
export function table(
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): string {
  const clean = rows.map((row) => row.map((cell) => sanitise(cell).replaceAll('\n', ' ')));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  }
  return clean
    .map((row, r) =>
      row
        .map(
          (cell, c) =>
            paint(cell, c, r) + (c === row.length - 1 ? '' : ' '.repeat((widths[c] ?? 0) - widthOf(cell) + 2)),
        )
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/** Columns a text takes: wide characters (East Asian, emoji) take two, combining marks none. */
function widthOf(text: string): number {
  let width = 0;
  for (const char of text) {
    if (/\p{Mark}|\u200d|\ufe0f/u.test(char)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        char,
      )
        ? 2
        : 1;
  }
  return width;
}
