import type { Limits } from './types.ts';

// Each takes the limits of the invocation; undefined if only the module was loaded.

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

/** The child could not report which of its two time limits was exceeded. */
export function didNotStop(limits: Limits | undefined): string {
  return limits
    ? `The function did not stop at its limit of ${limits.wallMs} ms, or ${limits.cpuMs} ms of CPU time (limits.wallMs, limits.cpuMs), and was killed`
    : 'The module did not stop at its time limit while it was loaded, and was killed';
}

/** The last line of a log; child/bridge/outgoing.ts says the same of the function's own lines. */
export function logEnds({ logLines, logBytes }: Pick<Limits, 'logLines' | 'logBytes'>): string {
  return `[fn] the log ends here: its limit of ${logLines} lines or ${logBytes} bytes is reached`;
}
