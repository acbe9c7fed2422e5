import type { Change } from '../../deploy/index.ts';
import { shortened } from '../../std/index.ts';
import type { Io } from '../io.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { table } from '../terminal/table.ts';

const signs = { create: '+', update: '~', unchanged: ' ', delete: '-', keep: ' ' } as const;

/**
 * A plan as a table: created, changed (with sizes and config differences), deleted; then unchanged.
 * @param named only some functions were named, so the others may exist here as well
 */
export function changesText({ style }: Io, changes: readonly Change[], named = false): string {
  const shown = changes.filter(({ kind }) => kind !== 'unchanged' && kind !== 'keep');
  const colour = {
    create: style.green,
    update: style.yellow,
    delete: style.red,
    unchanged: style.dim,
    keep: style.dim,
  };
  const kinds: Change['kind'][] = [];
  const rows: string[][] = [];
  for (const change of shown) {
    kinds.push(change.kind);
    rows.push([`${signs[change.kind]} ${change.path}`, change.kind, change.type, sizeText(change)]);
    for (const { field, before, after } of change.config) {
      kinds.push(change.kind);
      rows.push([`    ${field}`, '', '', `${valueText(before)} → ${valueText(after)}`]);
    }
  }
  const counts = [
    countText(changes, 'unchanged', 'unchanged'),
    countText(
      changes,
      'keep',
      named ? 'live and not named: kept' : 'live, with no file in this folder: kept (to delete: --prune)',
    ),
  ].filter((text) => text !== undefined);
  const lines =
    rows.length === 0
      ? []
      : [table(rows, (cell, column, row) => (column === 0 ? colour[kinds[row] ?? 'keep'](cell) : cell))];
  return [...lines, ...counts.map((text) => style.dim(text))].join('\n');
}

function countText(changes: readonly Change[], kind: Change['kind'], what: string): string | undefined {
  const count = changes.filter((change) => change.kind === kind).length;
  return count === 0 ? undefined : `  ${count} ${what}`;
}

function sizeText({ bytesBefore, bytesAfter, code }: Change): string {
  if (bytesBefore === null) return bytesText(bytesAfter ?? 0);
  if (bytesAfter === null) return bytesText(bytesBefore);
  if (bytesBefore === bytesAfter) return code ? `${bytesText(bytesAfter)}, code` : '';
  const [before, after] = [bytesText(bytesBefore), bytesText(bytesAfter)];
  if (before !== after) return `${before} → ${after}`;
  return `${after} (${bytesAfter > bytesBefore ? '+' : '−'}${Math.abs(bytesAfter - bytesBefore)} B)`;
}

function valueText(value: unknown): string {
  if (value === undefined) return '–';
  return shortened(JSON.stringify(value), 60);
}
