/**
 * Reads the header `Retry-After`: seconds or a date.
 * @returns milliseconds from now; undefined when it says nothing
 */
export function parseRetryAfter(value: unknown): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
