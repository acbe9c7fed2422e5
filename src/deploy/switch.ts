import type { Client } from '../client/index.ts';
import { FnError, messageOf, UnknownOutcomeError, WorkspaceError } from '../std/index.ts';
import { type Live, readLive } from './live.ts';

export interface Switch {
  readonly client: Client;
  readonly app: string;
  /** What was live when it was planned; null for nothing. */
  readonly before: string | null;
  /** Asks for it once, if `before` is still live. */
  readonly ask: () => Promise<void>;
  /** @param live what is live now */
  readonly isDone: (live: string | null) => boolean;
  readonly conflict: (now: Live | undefined) => Error;
  readonly onLost?: ((why: string) => void) | undefined;
}

const mostAsks = 4;

/**
 * Switches to another version; after a lost answer the present state decides whether there is anything left to do.
 * @throws UnknownOutcomeError when nobody answers any more; what `ask` throws, when it was certainly not done
 */
export async function switchOver({ client, app, before, ask, isDone, conflict, onLost }: Switch): Promise<void> {
  let lost: UnknownOutcomeError | undefined;
  for (let attempt = 1; attempt <= mostAsks; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isLost = error instanceof UnknownOutcomeError;
      // The first one may have been carried out late: then the second comes too late.
      const overtaken = lost !== undefined && error instanceof WorkspaceError && error.status === 412;
      if (isLost) {
        lost = error;
        onLost?.(error.message);
      }
      if (lost === undefined || !(isLost || overtaken)) throw error;
      const now = await readAfter(client, app, lostAnswer(lost));
      const live = now?.deployment.id ?? null;
      if (isDone(live)) return;
      if (live !== before) throw conflict(now);
      if (overtaken) throw error;
    }
  }
  if (lost !== undefined) throw lost;
}

/** What is live after a switch was asked for. @param what was known of it, for the message when this cannot be read */
export async function readAfter(client: Client, app: string, what: string): Promise<Live | undefined> {
  try {
    // Without a signal: after Ctrl-C this answer is the one thing still worth waiting for.
    return await readLive(client, app);
  } catch (cause) {
    // That nothing was changed is said of the request that reads.
    const why =
      cause instanceof FnError ? cause.hint?.replace(/^Nothing was changed[.;] (?:try again\.)?/, '') : undefined;
    const hint = why ? `\n${why}` : '';
    throw new UnknownOutcomeError('outcome_unknown', `${what}, and what is live cannot be read: ${messageOf(cause)}`, {
      hint: `Either the old or the new version is live, never a mixture. Run the same command again: it finds out and continues.${hint}`,
      cause,
    });
  }
}

export const switchedAnswer = 'The workspace said that it switched';

function lostAnswer({ message }: UnknownOutcomeError): string {
  return `The switch was asked for, and its answer is lost (${message.replace(/^.*?carried out: /, '')})`;
}
