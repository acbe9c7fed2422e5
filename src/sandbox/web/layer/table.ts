import { textWidth } from './columns.ts';
import { inspect } from './inspect.ts';

const maxRows = 1000;

/** console.table; undefined if the data is not tabular. */
export function showTable(data: unknown, columns: unknown): string | undefined {
  if (data === null || typeof data !== 'object') return undefined;
  const rows = readRows(data);
  const names: string[] = [];
  let values = false;
  for (const [, row] of rows) {
    if (row === null || typeof row !== 'object') values = true;
    else for (const key of Object.keys(row)) if (!names.includes(key) && names.length < 50) names.push(key);
  }
  const wanted = Array.isArray(columns) ? columns.map(String) : undefined;
  const heads = wanted ?? names;
  const iterated = data instanceof Map || data instanceof Set;
  const table = [[iterated ? '(iteration index)' : '(index)', ...heads, ...(values && !wanted ? ['Values'] : [])]];
  for (const [index, row] of rows) {
    const isObject = row !== null && typeof row === 'object';
    const line = [index];
    for (const head of heads)
      line.push(isObject && Object.hasOwn(row, head) ? cell((row as Record<string, unknown>)[head]) : '');
    if (values && !wanted) line.push(isObject ? '' : cell(row));
    table.push(line);
  }
  return draw(table);
}

function readRows(data: object): [string, unknown][] {
  if (data instanceof Map)
    return [...data].slice(0, maxRows).map(([key, value], i) => [`${i}`, { Key: key, Values: value }]);
  if (data instanceof Set) return [...data].slice(0, maxRows).map((value, i) => [`${i}`, value]);
  return Object.keys(data)
    .slice(0, maxRows)
    .map((key) => [key, (data as Record<string, unknown>)[key]]);
}

const cell = (value: unknown) => inspect(value, { depth: 0, breakLength: 200 }).replaceAll('\n', ' ');

function draw(table: string[][]): string {
  const widths = (table[0] as string[]).map((_, i) => Math.max(...table.map((row) => textWidth(row[i] ?? ''))) + 2);
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
  const line = (row: string[]) => `│${widths.map((width, i) => padded(row[i] ?? '', width)).join('│')}│`;
  const [head, ...body] = table as [string[], ...string[][]];
  return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘')].join('\n');
}

const padded = (text: string, width: number) => ` ${text}${' '.repeat(width - 1 - textWidth(text))}`;
