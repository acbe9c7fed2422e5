import { createParser } from 'eventsource-parser';
import { isJsonType, messageOf, shortened, signMessage, verifySignature, wait } from '../../std/index.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { quoteForeign, type RunErrorCode, RunFailure } from '../run-error.ts';
import { type HttpReply, sendRequest, TransportFailure } from '../transport.ts';
import type { HarnessConfig, RunEvent, RunHost, RunLimits } from '../types.ts';
import type { Batches } from './batches.ts';
import { parseHarnessUrl } from './check.ts';
import type { LegRequest } from './request.ts';
import { eventsOfJson } from './short-form.ts';

const retriedStatuses: readonly number[] = [408, 429, 502, 503, 504];
/** What carries a leg. */
export interface Line {
  readonly harness: HarnessConfig;
  readonly host: RunHost;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Takes the events of an answer that comes later; undefined where nothing listens. */
  readonly batches?: Batches | undefined;
}

/**
 * Posts a leg, signed, again where that is safe: before the first byte of a reply, with the same id and a new timestamp.
 * @returns the reply's events, in whichever form it came
 * @throws RunFailure `harness_…`
 */
export async function* sendLeg(
  request: LegRequest,
  { harness, host, limits, signal, batches }: Line,
): AsyncGenerator<RunEvent, AsyncIterable<unknown> | 'stopped'> {
  const url = parseHarnessUrl(harness);
  for (let retry = 0; ; retry++) {
    const failure = await post(url, request, harness, limits, signal);
    if (!(failure instanceof Failed))
      return failure.status === 202
        ? readLater(harness, batches, signal)
        : readReply(failure, request, harness, limits);
    if (signal.aborted) return 'stopped';
    const pauseMs = limits.retryMs[retry];
    const askedMs = failure.retryAfterMs ?? 0;
    if (!failure.mayRetry || pauseMs === undefined || askedMs > limits.maxRetryAfterMs) throw failure.failure;
    yield { type: 'warning', code: 'harness_retry', message: `${failure.failure.message}; it is asked again` };
    const waitMs = Math.max(askedMs, pauseMs * (0.8 + 0.4 * Math.random()));
    await (host.wait?.(waitMs, signal) ?? wait(waitMs, signal));
    if (signal.aborted) return 'stopped';
  }
}

class Failed {
  readonly failure: RunFailure;
  readonly mayRetry: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(failure: RunFailure, mayRetry: boolean, retryAfterMs?: number) {
    this.failure = failure;
    this.mayRetry = mayRetry;
    this.retryAfterMs = retryAfterMs;
  }
}

async function post(
  url: URL,
  { runId, body, traceHeaders }: LegRequest,
  { secrets = [] }: HarnessConfig,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<HttpReply | Failed> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = secrets.length === 0 ? {} : signMessage({ id: runId, timestamp, body }, secrets);
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    ...traceHeaders,
    ...signature,
  };
  let reply: HttpReply;
  try {
    reply = await sendRequest({ url, method: 'POST', headers, body }, limits, signal);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    // A server that has not begun to answer may be at work; one that was never reached is not.
    const code: RunErrorCode = error.kind === 'first-byte-timeout' ? 'harness_timeout' : 'harness_unavailable';
    return new Failed(
      new RunFailure(code, `The agent’s server: ${error.message}`, { cause: error }),
      error.kind !== 'first-byte-timeout',
    );
  }
  const { status } = reply;
  if (status === 200 || status === 202) {
    if (status === 202) for await (const _ of reply.body) break;
    return reply;
  }
  const said = quoteForeign(await readStart(reply), 200, secrets);
  const failure = new RunFailure(codeOfStatus(status), describeStatus(status, said));
  return new Failed(failure, retriedStatuses.includes(status), parseRetryAfter(reply.headers['retry-after']));
}

function codeOfStatus(status: number): RunErrorCode {
  if (status === 401 || status === 403) return 'harness_unauthorized';
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return 'harness_endpoint';
  if (status === 409) return 'harness_duplicate';
  if (status === 408 || status === 429 || status >= 500) return 'harness_unavailable';
  return status < 300 ? 'harness_protocol' : 'harness_failed';
}

function describeStatus(status: number, said: string): string {
  const words = said === '' ? '' : `: ${said}`;
  if (status >= 300 && status < 400) return `The agent’s server redirects (${status}), which is not followed`;
  return `The agent’s server answers ${status}${words}`;
}

/** @throws RunFailure `harness_protocol` where no batches can be taken */
function readLater({ name, secrets = [] }: HarnessConfig, batches: Batches | undefined, signal: AbortSignal) {
  const later = 'The agent’s server would answer later (202)';
  if (batches === undefined)
    throw new RunFailure('harness_protocol', `${later}, and nothing listens for it`, { hint: 'Start fn dev.' });
  if (secrets.length === 0) {
    const hint = `Make one: fn harness rotate ${name}`;
    throw new RunFailure('harness_protocol', `${later}, which needs a signing secret`, { hint });
  }
  return batches.read(signal);
}

async function readStart({ body }: HttpReply): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const part of body) {
      text += decoder.decode(part, { stream: true });
      if (text.length > 1_000) break;
    }
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** @returns the events of a reply, in whichever form it came */
export function readReply(
  reply: HttpReply,
  request: LegRequest,
  harness: HarnessConfig,
  limits: RunLimits,
): AsyncIterable<unknown> {
  const type = reply.headers['content-type'] ?? '';
  if (/^text\/event-stream\s*(?:;|$)/i.test(type)) return readStream(reply, limits);
  if (isJsonType(type)) return readJson(reply, request, harness);
  throw new RunFailure(
    'harness_protocol',
    `The agent’s server answers ${type === '' ? 'without a content-type' : type}; it must be text/event-stream or application/json`,
  );
}

/** The data of each message of an event stream, undefined where it is no JSON; comments keep the stream alive. */
async function* readStream(reply: HttpReply, limits: RunLimits): AsyncGenerator<unknown, void> {
  const ready: unknown[] = [];
  let failure: RunFailure | undefined;
  const parser = createParser({
    maxBufferSize: limits.eventBytes,
    onEvent({ data }) {
      ready.push(parseJson(data));
    },
    onError({ type }) {
      if (type !== 'max-buffer-size-exceeded') return;
      failure ??= new RunFailure('harness_reply_too_large', `An event is larger than ${limits.eventBytes / 1024} KiB`);
    },
  });
  const decoder = new TextDecoder();
  for await (const part of readBody(reply)) {
    parser.feed(decoder.decode(part, { stream: true }));
    yield* ready.splice(0);
    if (failure !== undefined) throw failure;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* readJson(
  reply: HttpReply,
  { runId, threadId }: LegRequest,
  { secrets = [], requireSignedReplies = false }: HarnessConfig,
): AsyncGenerator<unknown, void> {
  const parts: Uint8Array[] = [];
  for await (const part of readBody(reply)) parts.push(part);
  const body = Buffer.concat(parts);
  if (requireSignedReplies || reply.headers['webhook-signature'] !== undefined) {
    const checked = verifySignature({ headers: reply.headers, body }, { secrets });
    const problem = !checked.isValid
      ? checked.message
      : checked.id === runId
        ? undefined
        : `It signs ${shortened(checked.id, 80)} instead of ${runId}`;
    if (problem !== undefined)
      throw new RunFailure('harness_unauthorized', `The agent’s reply is not signed rightly: ${problem}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new RunFailure('harness_protocol', `The agent’s reply is no JSON: ${messageOf(error)}`);
  }
  yield* eventsOfJson(json, runId, threadId);
}

/** Names what the network does in the words of a harness. */
async function* readBody({ body }: HttpReply): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    if (error.kind === 'aborted') return;
    const code =
      error.kind === 'silence'
        ? 'harness_timeout'
        : error.kind === 'too-large'
          ? 'harness_reply_too_large'
          : 'harness_connection_lost';
    throw new RunFailure(code, `The agent’s server: ${error.message}`, { cause: error });
  }
}
