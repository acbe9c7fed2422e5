import type { Limits } from './types.ts';

// Each is told the limits of the invocation; none where the function itself did not run, only its module was loaded.

export function usedTooMuch(limits: Limits | undefined): string {
  return limits
    ? `The function used more than ${limits.memoryMb} MB of memory (limits.memoryMb)`
    : 'The module used more memory than its limit while it was loaded';
}

export function tookTooLong(clock: 'cpu' | 'wall', limits: Limits | undefined): string {
  if (clock === 'cpu') {
    return limits
      ? `The function used more than ${limits.cpuMs} ms of CPU time (limits.cpuMs)`
      : 'The module used more CPU time than its limit while it was loaded';
  }
  return limits
    ? `The function took longer than ${limits.wallMs} ms (limits.wallMs)`
    : 'The module did not finish loading within its time limit: a top-level await did not settle';
}

/** The message for an invocation stopped by one of its two time limits; its child could not report which. */
export function didNotStop(limits: Limits | undefined): string {
  return limits
    ? `The function did not stop at its limit of ${limits.wallMs} ms, or ${limits.cpuMs} ms of CPU time (limits.wallMs, limits.cpuMs), and was killed`
    : 'The module did not stop at its time limit while it was loaded, and was killed';
}
