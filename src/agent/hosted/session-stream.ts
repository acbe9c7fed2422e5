import { type RunErrorCode, RunFailure, withoutSecrets } from '../run-error.ts';
import { toClientFailure } from '../vendors/client-failure.ts';
import type { HostedEvent } from './service.ts';

/** Asks a vendor's client; its errors are read like those of models. */
export async function askVendor<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw toClientFailure(error);
  }
}

/** Opens the stream of a session and reads it as far as its reader wants: it does not end by itself. */
export async function* followSession<Event>(
  signal: AbortSignal,
  open: (options: { signal: AbortSignal }) => Promise<AsyncIterable<Event>>,
  read: (stream: AsyncIterable<Event>) => AsyncGenerator<HostedEvent, void>,
): AsyncGenerator<HostedEvent, void> {
  const leave = new AbortController();
  try {
    yield* read(await open({ signal: AbortSignal.any([signal, leave.signal]) }));
  } catch (error) {
    throw toClientFailure(error);
  } finally {
    leave.abort();
  }
}

/** A stream that ended before its turn was over. */
export const toLostSession = (): RunFailure =>
  new RunFailure('harness_connection_lost', 'The stream of the session ended in the middle of a turn', {
    hint: 'Try again later.',
  });

/**
 * Why a session or a turn failed, in our words where we have some for the vendor's code.
 * @param where what the vendor calls the place in which one can look at the session
 */
export function toSessionFailure(
  text: string,
  known: RunErrorCode | undefined,
  { apiKey, where }: { readonly apiKey: string | undefined; readonly where: string },
): RunFailure {
  const clean = withoutSecrets(text, [apiKey]);
  return known === undefined
    ? new RunFailure('harness_failed', clean, { hint: `See the session in the vendor’s ${where}.` })
    : new RunFailure(known, clean);
}
