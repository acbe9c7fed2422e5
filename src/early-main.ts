import { forkEarly } from './sandbox/early.ts';

/** Exit codes of a command that was stopped, as `runProcess` gives them. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;

/**
 * What is begun before the rest of `fn` is loaded, by commands that run functions here: the sandbox's process.
 * @returns to be called when the command line has taken over. Until then a signal ends this process in an orderly way, and the other with it
 */
export function beginEarly(): () => void {
  const stop = (signal: keyof typeof codes): never => process.exit(codes[signal]);
  const signals = Object.keys(codes) as (keyof typeof codes)[];
  for (const signal of signals) process.on(signal, stop);
  forkEarly();
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
