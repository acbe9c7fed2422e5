import { monotonicMs } from '../../../std/index.ts';
import { isDevNoted } from './state-files.ts';

/** How long a command waits for another one that uses the app's workspace. */
const mostMs = 10_000;
/** How long it waits without saying so. */
const quietMs = 1_000;

/**
 * Decides how long to wait for the owner of an app's workspace: other commands finish, but a `fn dev` does not.
 * @param tell called once, if it takes a while
 * @returns whether to wait any longer, each time it is called. It throws when the command is cancelled.
 */
export function patience(stateDir: string, signal: AbortSignal, tell: () => void): () => boolean {
  const startedAt = monotonicMs();
  let told = false;
  return () => {
    signal.throwIfAborted();
    const ms = monotonicMs() - startedAt;
    if (ms > mostMs || isDevNoted(stateDir)) return false;
    if (ms > quietMs && !told) {
      told = true;
      tell();
    }
    return true;
  };
}
