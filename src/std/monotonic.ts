/** As it was: the fake timers of a test runner replace it in the process. */
const { hrtime } = process;

/**
 * Milliseconds that never jump, since some moment in the past. Not `performance.now()`: its first use loads the whole of `node:perf_hooks`,
 * a millisecond of every start and of every child.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
