/** A measured figure beside its limit and the target for the ratio of the two. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'µs' | 'MiB' | 'kB' | 'px' | '/s';
  readonly ours: number;
  readonly limit?: number;
  /** What the limit is: `node -e 0`, `warm isolate`. */
  readonly limitName?: string;
  /** `≤ 1.25×`, `≥ 1000/s`: as performance targets are written. */
  readonly target?: string;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, ours, limit, limitName, target }) => [
    name,
    `${short(ours)} ${unit}`,
    limit === undefined ? '' : `${short(limit)} ${unit} (${limitName})`,
    limit === undefined ? '' : `${(ours / limit).toFixed(2)}×`,
    target ?? '',
  ]);
  const all = [['figure', 'fn', 'limit', 'ratio', 'target'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`).join('\n');
}

function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
