import type { Io } from '../io.ts';
import { inLine } from './sanitise.ts';
import { cutTo, widthOf } from './width.ts';

/** The space for a table. */
export interface Room {
  readonly width: number;
  /** Columns (from 0) that may be truncated; never those that people copy, such as ids and addresses. */
  readonly elastic: readonly number[];
}

/** Minimum width of a truncated column. */
const leastWidth = 10;

/** Aligns rows in columns, two spaces apart; the last column is not padded. Values are sanitised; `paint` adds styles. */
export function table(
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
  room?: Room,
): string {
  const clean = rows.map((row) => row.map((cell) => inLine(cell)));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  }
  if (room) narrow(widths, room);
  return clean
    .map((row, r) =>
      row
        .map((cell, c) => {
          const shown = cutTo(cell, widths[c] ?? 0);
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

/** The space on standard output: a terminal's width; unlimited for a file or pipe. */
export function roomOn({ outIsTerminal, columns }: Io, elastic: readonly number[]): Room | undefined {
  return outIsTerminal ? { width: columns, elastic } : undefined;
}

/** Shrinks the widest elastic column until all fit, or none can shrink further. */
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
