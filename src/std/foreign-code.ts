import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * Packages of an app run in this process. What they throw outside of any call – a promise that nobody waits for, a timer – would end it, as
 * an own bug must. Node tells from which work such an error came, so it ends that work only.
 */

type Listener = (error: unknown) => void;

const work = new AsyncLocalStorage<Listener | undefined>();
let isWatching = false;

/** Runs foreign code. @param onThrown hears of what it throws outside of any call, even long after it has returned */
export function runForeign<T>(onThrown: Listener, code: () => T): T {
  if (!isWatching) {
    isWatching = true;
    process.on('unhandledRejection', (error) => {
      // As without a listener: it becomes an uncaught exception.
      if (!tookForeign(error)) throw error;
    });
  }
  return work.run(onThrown, code);
}

/** Runs own code that foreign code has called: its bugs are ours. */
export const runOwn = <T>(code: () => T): T => work.run(undefined, code);

/** For the handler of uncaught exceptions of a process. @returns whether foreign code threw it; its listener was told */
export function tookForeign(error: unknown): boolean {
  const onThrown = work.getStore();
  onThrown?.(error);
  return onThrown !== undefined;
}
