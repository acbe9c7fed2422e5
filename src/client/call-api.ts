import { isLoopback } from '../contract/index.ts';
import { type Clock, UnreachableError, wait } from '../std/index.ts';
import { problemOf } from './answer.ts';
import { interrupted, leavesOpen, promisesNothing, unknownOutcome, unreachable } from './outcome.ts';
import { maxAttempts, maxTimeouts, timeThere, waitBefore, wasDoneBefore } from './repeat.ts';
import { TransportFailure, type WireAnswer } from './transport.ts';

/** One logical call, however many requests it takes. */
export interface Intent {
  /** The operation's name; for a raw request, method and path. */
  readonly operation: string;
  /** Whether a second attempt is safe while the outcome of the first is unknown. */
  readonly repeatable: boolean;
  /** Whether the call changes anything: if so, a request without an answer leaves the outcome unknown, however safe a repeat is. */
  readonly changes: boolean;
  readonly host: string;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const graceMs = 5_000;

/**
 * The only place that sends anything twice. A repeatable call is tried four times in all, or twice when it is not answered in time; any
 * other call is tried again only when it is certain that nothing was done: no connection, 429, or a refusal that promises it.
 * @param send   one attempt; calls `onWritten` before bytes leave
 * @throws UnreachableError when certain that nothing was changed; UnknownOutcomeError when not
 */
export async function callApi(
  intent: Intent,
  send: (attempt: { signal: AbortSignal; onWritten: () => void }) => Promise<WireAnswer>,
  clock: Clock,
): Promise<WireAnswer> {
  let lost = false;
  let silent = 0;
  for (let attempt = 1; ; attempt++) {
    const result = await once(intent, send);
    if (result instanceof TransportFailure) {
      lost ||= result.written;
      const open = lost && intent.changes;
      if (result.kind === 'aborted' && !open) throw interrupted();
      const silences = result.kind === 'answer_timeout' ? ++silent : silent;
      const again = attempt < maxAttempts && silences < maxTimeouts && mayPass(result, intent.host);
      if (!again || (!intent.repeatable && lost))
        throw open ? unknownOutcome(intent, result.message, result) : unreachable(result);
      await pause(waitOrThrow(attempt, {}, intent, open, clock), intent, open);
      continue;
    }
    const code = result.status < 400 ? undefined : problemOf(result)?.['code'];
    if (lost && wasDoneBefore(intent.operation, result.status, typeof code === 'string' ? code : undefined)) {
      return { status: 200, headers: result.headers, body: Buffer.from('{}') };
    }
    const busy = result.status === 429 || promisesNothing(result.status, code);
    const failed = leavesOpen(result.status, code, intent.operation);
    lost ||= failed;
    const open = lost && intent.changes;
    // 507: waiting a few seconds does not free disk space.
    const passes = busy && result.status !== 507;
    if ((passes || (intent.repeatable && failed)) && attempt < maxAttempts) {
      await pause(waitOrThrow(attempt, result.headers, intent, open, clock), intent, open);
      continue;
    }
    if (open && (busy || failed)) {
      throw unknownOutcome(intent, `${intent.host} answered ${result.status} after the request was sent`, undefined);
    }
    return result;
  }
}

async function once(
  intent: Intent,
  send: (attempt: { signal: AbortSignal; onWritten: () => void }) => Promise<WireAnswer>,
): Promise<WireAnswer | TransportFailure> {
  const stop = new AbortController();
  let written = false;
  let grace: NodeJS.Timeout | undefined;
  // After Ctrl-C, a request that may have been carried out gets a moment to be answered: knowing the outcome matters more than speed.
  const onAbort = () => {
    if (!intent.changes || !written) stop.abort();
    else grace = setTimeout(() => stop.abort(), graceMs);
  };
  if (intent.signal?.aborted) throw interrupted();
  intent.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await send({ signal: stop.signal, onWritten: () => (written = true) });
  } catch (error) {
    if (error instanceof TransportFailure) return error;
    throw error;
  } finally {
    clearTimeout(grace);
    intent.signal?.removeEventListener('abort', onAbort);
  }
}

/** Waiting does not help against a wrong address or certificate, nor against a missing server on this machine. */
function mayPass(failure: TransportFailure, host: string): boolean {
  if (failure.kind === 'connection_refused' && isLoopback(new URL(`http://${host}`).hostname)) return false;
  return ![
    'dns_failed',
    'tls_untrusted',
    'tls_expired',
    'tls_wrong_host',
    'tls_failed',
    'proxy_refused',
    'answer_too_large',
    'aborted',
  ].includes(failure.kind);
}

/**
 * @param headers headers of the answer, if there was one
 * @param open    whether an earlier attempt may have been carried out
 */
function waitOrThrow(
  attempt: number,
  headers: WireAnswer['headers'],
  intent: Intent,
  open: boolean,
  clock: Clock,
): number {
  const before = waitBefore(attempt, headers['retry-after'], timeThere(headers, clock.now()));
  if ('ms' in before) return before.ms;
  const until = new Date(clock.now() + before.tooLong * 1_000).toISOString();
  if (open) throw unknownOutcome(intent, `${intent.host} accepts no requests before ${until}`, undefined);
  throw new UnreachableError('rate_limited', `${intent.host} accepts no requests before ${until}`, {
    hint: `Nothing was changed. Try again in ${before.tooLong} seconds.`,
  });
}

async function pause(ms: number, intent: Intent, open: boolean): Promise<void> {
  await wait(ms, intent.signal);
  if (!intent.signal?.aborted) return;
  throw open ? unknownOutcome(intent, 'it was stopped before it was answered', undefined) : interrupted();
}
