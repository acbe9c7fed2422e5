import type { Client } from '../client/index.ts';
import { FnError, messageOf, UnknownOutcomeError, WorkspaceError } from '../std/index.ts';
import { type Live, readLive } from './live.ts';

export interface Switch {
  readonly client: Client;
  readonly app: string;
  /** The id of what was live when the switch was planned; null for nothing. */
  readonly before: string | null;
  /** Requests the switch once, provided that `before` is still live. */
  readonly ask: () => Promise<void>;
  /** @param live id of what is live now */
  readonly isDone: (live: string | null) => boolean;
  readonly conflict: (now: Live | undefined) => Error;
  readonly onLost?: ((why: string) => void) | undefined;
}

const maxAttempts = 4;

/**
 * Switches to another version; after a lost answer, the current state decides whether anything is left to do.
 * @throws UnknownOutcomeError when the workspace stops answering; what `ask` throws when the switch was certainly not made
 */
export async function switchOver({ client, app, before, ask, isDone, conflict, onLost }: Switch): Promise<void> {
  let lost: UnknownOutcomeError | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isLost = error instanceof UnknownOutcomeError;
      // The first request may have been carried out late, so that the second one conflicts with it.
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

/** Reads what is live after a switch was requested. @param what what is known so far, for the message if reading fails */
export async function readAfter(client: Client, app: string, what: string): Promise<Live | undefined> {
  try {
    // No signal: after Ctrl-C, this answer is the one thing still worth waiting for.
    return await readLive(client, app);
  } catch (cause) {
    // "Nothing was changed" refers to this read request, not to the switch: leave it out.
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
  return `The switch was requested, and its answer was lost (${message.replace(/^.*?carried out: /, '')})`;
}
