/**
 * Milliseconds that never jump, since some moment in the past. Not `performance.now()`: its first use loads the whole of `node:perf_hooks`,
 * a millisecond of every start and of every child.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
