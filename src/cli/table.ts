import type { Io } from './io.ts';
import { sanitise } from './sanitise.ts';

/** Where a table has to fit in. */
export interface Room {
  readonly width: number;
  /** Columns (from 0) of which less may be shown where the width does not do; never what people copy: ids, addresses. */
  readonly elastic: readonly number[];
}

/** A column gives no more than what leaves it so much. */
const leastWidth = 10;

/** Rows as aligned columns, two spaces apart; the last one is not padded. Values are sanitised, styles are put on by `paint`. */
export function table(
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
  room?: Room,
): string {
  const clean = rows.map((row) => row.map((cell) => sanitise(cell).replaceAll('\n', ' ')));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  }
  if (room) narrow(widths, room);
  return clean
    .map((row, r) =>
      row
        .map((cell, c) => {
          const shown = cut(cell, widths[c] ?? 0);
          const painted = shown === '' ? '' : paint(shown, c, r);
          return painted + (c === row.length - 1 ? '' : ' '.repeat((widths[c] ?? 0) - widthOf(shown) + 2));
        })
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/** A table with a heading, for standard output. @param elastic see `Room` */
export function listing(io: Io, rows: readonly (readonly string[])[], elastic: readonly number[]): string {
  return table(rows, (cell, _, row) => (row === 0 ? io.style.dim(cell) : cell), roomOn(io, elastic));
}

/** What standard output has room for: a terminal its width, a file or a pipe everything. */
export function roomOn({ outIsTerminal, columns }: Io, elastic: readonly number[]): Room | undefined {
  return outIsTerminal ? { width: columns, elastic } : undefined;
}

/** Takes from the widest of the elastic columns until all fit, or none can give more. */
function narrow(widths: number[], { width, elastic }: Room): void {
  // An empty last column takes no room.
  const used = widths.length - (widths.at(-1) === 0 ? 1 : 0);
  let surplus = widths.reduce((sum, one) => sum + one, 2 * (used - 1)) - width;
  while (surplus > 0) {
    const [widest] = elastic.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    const now = widest === undefined ? 0 : (widths[widest] ?? 0);
    if (widest === undefined || now <= leastWidth) return;
    widths[widest] = now - 1;
    surplus--;
  }
}

/** As much of a text as the width takes, with an ellipsis where something is left out. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let shown = '';
  let taken = 1;
  for (const char of text) {
    taken += widthOf(char);
    if (taken > width) break;
    shown += char;
  }
  return `${shown.trimEnd()}…`;
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
