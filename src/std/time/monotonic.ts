/** Captured early, because the fake timers of a test runner replace it. */
const { hrtime } = process;

/**
 * Milliseconds that never jump, counted from some moment in the past. `performance.now()` is avoided: its first use loads all of
 * `node:perf_hooks`, which takes a millisecond of every start and of every child.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
