import {
  type CallOptions,
  type Door,
  type Input,
  type OperationName,
  type Output,
  operationOf,
  parseBaseUrl,
  parseSlug,
} from '../contract/index.ts';
import {
  type Clock,
  type Environment,
  type FnError,
  millisecondsOf,
  systemClock,
  UnknownOutcomeError,
  UsageError,
} from '../std/index.ts';
import { jsonOf, problemOf, refusalOf, strangerOf } from './answer.ts';
import { callApi } from './call-api.ts';
import { transportOf } from './choose-transport.ts';
import { fits } from './fits.ts';
import { sendableHeaders } from './headers.ts';
import { type KeptAnswer, misfitOf } from './misfit.ts';
import { failureUnsent, repeatHint, unknownOutcome } from './outcome.ts';
import { changesSomething, isRepeatable } from './repeat.ts';
import type { RemoteWorkspace } from './target.ts';
import {
  type Deadlines,
  readAll,
  type Transport,
  TransportFailure,
  type WireAnswer,
  type WireRequest,
} from './transport.ts';
import { addressOf } from './wire.ts';

export interface ClientOptions extends RemoteWorkspace {
  /**
   * `light` (default): Node's HTTP, one connection for each request. `pooled`: undici, loaded at the first request. `auto`: light
   * for the first eight requests, because loading undici takes longer than they do; pooled from then on.
   */
  readonly transport?: 'light' | 'pooled' | 'auto' | Transport;
  readonly deadlines?: Partial<Deadlines>;
  readonly clock?: Clock;
  readonly env?: Environment;
  /** Name and version of this program. */
  readonly userAgent?: string;
  /** `agt_…` of the person for whom it acts; a workspace believes this only to the token of its own machine. */
  readonly agentId?: string;
}

/** An answer with its metadata. */
export interface Answered<T> {
  readonly output: T;
  readonly status: number;
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** Whether the workspace had already carried out the call under the same idempotency key. */
  readonly replayed: boolean;
}

/** The door of a remote workspace, plus what a door does not offer: bytes, streams, raw requests. */
export interface Client extends Door {
  readonly workspace: RemoteWorkspace;
  /** The same call with ETag and request id. */
  answer<N extends OperationName>(name: N, input: Input<N>, options?: CallOptions): Promise<Answered<Output<N>>>;
  /** Sends bytes as the body (`deployments.putFile`, `media.upload`). */
  sendBytes<N extends OperationName>(
    name: N,
    input: Input<N>,
    bytes: Uint8Array,
    options?: CallOptions,
  ): Promise<Output<N>>;
  /** Reads bytes (`deployments.getFile`, `media.get`). */
  readBytes<N extends OperationName>(
    name: N,
    input: Input<N>,
    maxBytes: number,
    options?: CallOptions,
  ): Promise<Uint8Array>;
  /** Opens an event stream. @throws WorkspaceError, UnreachableError */
  stream<N extends OperationName>(
    name: N,
    input: Input<N>,
    options: { lastEventId?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<AsyncIterable<Uint8Array>>;
  /** Sends a raw request below `/api/<slug>`. It is never repeated, and redirects are not followed. */
  request(request: RawRequest): Promise<WireAnswer>;
  /** Explains why a command could not use the answers, when one of them does not have its expected shape. */
  misfit(): Promise<FnError | undefined>;
  close(): Promise<void>;
}

export interface RawRequest {
  readonly method: string;
  /** A path below `/api/<slug>`, starting with `/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
}

const defaultDeadlines: Deadlines = { connectMs: 10_000, firstByteMs: 90_000, totalMs: 300_000 };
const maxKeptAnswers = 20;
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Opens the door of a workspace behind HTTP. Nothing is sent before the first call.
 * @throws UsageError base_url_insecure, base_url_invalid, slug_invalid, token_malformed
 */
export function openClient(options: ClientOptions): Client {
  const workspace: RemoteWorkspace = {
    baseUrl: parseBaseUrl(options.baseUrl),
    slug: parseSlug(options.slug),
    token: options.token === undefined ? undefined : checkToken(options.token),
    routes: options.routes,
  };
  const deadlines = { ...defaultDeadlines, ...patience(options.env), ...options.deadlines };
  const clock = options.clock ?? systemClock;
  const host = new URL(workspace.baseUrl).host;
  const { transport: chosen = 'light' } = options;
  const transport = typeof chosen === 'object' ? chosen : transportOf(chosen, deadlines, options.env);
  const kept: KeptAnswer[] = [];
  const common: Record<string, string> = {
    'user-agent': options.userAgent ?? 'fn',
    ...(workspace.token === undefined ? {} : { authorization: `Bearer ${workspace.token}` }),
    ...(options.agentId === undefined ? {} : { 'fn-agent': options.agentId }),
  };

  const perform = async (name: OperationName, input: object, call: CallOptions, more: Partial<WireRequest>) => {
    const { method, url, rest } = addressOf(workspace, name, input);
    const carriesJson = more.body === undefined && (method === 'POST' || method === 'PUT' || method === 'PATCH');
    const request: WireRequest = {
      method,
      url,
      headers: {
        ...common,
        accept: 'application/json',
        ...(carriesJson ? { 'content-type': 'application/json' } : {}),
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': `"${checkKey(call.idempotencyKey)}"` }),
        ...(call.ifMatch === undefined ? {} : sendableHeaders({ 'if-match': call.ifMatch })),
        ...more.headers,
      },
      body: carriesJson ? JSON.stringify(rest) : more.body,
    };
    const repeatable = isRepeatable(name, method);
    const intent = {
      operation: name,
      repeatable,
      changes: changesSomething(name),
      host,
      idempotencyKey: call.idempotencyKey,
      signal: call.signal,
    };
    const answer = await callApi(
      intent,
      async ({ signal, onWritten }) => {
        const stream = await transport.open(request, { deadlines, signal, onWritten });
        return await readAll(stream, maxAnswerBytes);
      },
      clock,
    );
    return await followSafely(answer, request, intent);
  };

  // Redirects are followed only for reads, and only within the origin that the token belongs to.
  const followSafely = async (answer: WireAnswer, request: WireRequest, intent: Parameters<typeof callApi>[0]) => {
    let current = answer;
    let url = request.url;
    for (let hops = 0; hops < 3 && request.method === 'GET' && current.status >= 300 && current.status < 400; hops++) {
      const location = current.headers['location'];
      if (location === undefined || !URL.canParse(location, url)) break;
      const next = new URL(location, url);
      if (next.origin !== new URL(workspace.baseUrl).origin) break;
      url = next.href;
      const moved = { ...request, url };
      current = await callApi(
        intent,
        async ({ signal, onWritten }) =>
          readAll(await transport.open(moved, { deadlines, signal, onWritten }), maxAnswerBytes),
        clock,
      );
    }
    return current;
  };

  const understand = (name: OperationName, given: WireAnswer, call: CallOptions): unknown => {
    const answer = withoutToken(given, workspace.token);
    if (answer.status >= 200 && answer.status < 300) {
      const parsed = answer.status === 204 ? { json: {} } : jsonOf(answer);
      if (parsed !== undefined && fits(name, parsed.json)) {
        if (kept.push({ name, json: parsed.json }) > maxKeptAnswers) kept.shift();
        return parsed.json;
      }
      throw outcomeOfStrangeSuccess(workspace, name, answer, call);
    }
    const problem = problemOf(answer);
    if (problem !== undefined) throw refusalOf(workspace, name, answer, problem, clock.now());
    // Many servers answer a completed request with a redirect to its result.
    if (answer.status < 400 && !isMovedWhole(answer.status) && changesSomething(name)) {
      throw outcomeOfStrangeSuccess(workspace, name, answer, call);
    }
    throw strangerOf(workspace, name, answer);
  };

  const answered = async <N extends OperationName>(
    name: N,
    input: Input<N>,
    call: CallOptions = {},
  ): Promise<Answered<Output<N>>> => {
    const answer = await perform(name, asObject(input), call, {});
    return {
      output: understand(name, answer, call) as Output<N>,
      status: answer.status,
      etag: answer.headers['etag'],
      requestId: answer.headers['x-request-id'],
      replayed: answer.headers['idempotent-replayed'] === 'true',
    };
  };
  const door: Door = async (name, input, call) => {
    const { output, replayed } = await answered(name, input, call);
    if (replayed) call?.onReplay?.();
    return output;
  };

  return Object.assign(door, {
    workspace,
    answer: answered,
    async sendBytes<N extends OperationName>(name: N, input: Input<N>, bytes: Uint8Array, call: CallOptions = {}) {
      const headers = { 'content-type': 'application/octet-stream' };
      return understand(name, await perform(name, asObject(input), call, { body: bytes, headers }), call) as Output<N>;
    },
    async readBytes<N extends OperationName>(name: N, input: Input<N>, maxBytes: number, call: CallOptions = {}) {
      const answer = await perform(name, asObject(input), call, { headers: { accept: '*/*' } });
      if (answer.status < 200 || answer.status >= 300) understand(name, answer, call);
      if (answer.body.length > maxBytes) throw strangerOf(workspace, name, answer);
      return answer.body;
    },
    async stream<N extends OperationName>(
      name: N,
      input: Input<N>,
      call: { lastEventId?: string | undefined; signal?: AbortSignal | undefined },
    ) {
      const { method, url } = addressOf(workspace, name, asObject(input));
      const headers = {
        ...common,
        accept: 'text/event-stream',
        ...(call.lastEventId === undefined ? {} : { 'last-event-id': call.lastEventId }),
      };
      const stream = await transport.open({ method, url, headers }, { deadlines, signal: call.signal });
      if (stream.status === 200 && stream.headers['content-type']?.startsWith('text/event-stream')) return stream.body;
      const answer = await readAll(stream, maxAnswerBytes);
      understand(name, answer, {});
      throw strangerOf(workspace, name, answer);
    },
    async request(raw: RawRequest) {
      const request: WireRequest = {
        method: raw.method,
        url: `${workspace.baseUrl}/api/${workspace.slug}${safePath(raw.path)}`,
        headers: { ...common, ...sendableHeaders(raw.headers) },
        body: raw.body,
      };
      const send = async (signal: AbortSignal | undefined, onWritten?: () => void) => {
        const stream = await transport.open(request, { deadlines, signal, onWritten });
        return withoutToken(await readAll(stream, maxAnswerBytes), workspace.token);
      };
      const { method, path, signal } = raw;
      if (method === 'GET' || method === 'HEAD') {
        const reading = { operation: `${method} ${path}`, repeatable: true, changes: false };
        return await callApi(
          { ...reading, host, idempotencyKey: undefined, signal },
          (attempt) => send(attempt.signal, attempt.onWritten),
          clock,
        );
      }
      try {
        return await send(signal);
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        if (!error.written) throw failureUnsent(error);
        throw unknownOutcome(
          { operation: `${method} ${path}`, repeatable: false, idempotencyKey: undefined },
          error.message,
          error,
        );
      }
    },
    misfit: () => misfitOf(workspace, kept),
    close: () => transport.close(),
  });
}

/** Deadlines from FN_TIMEOUT, which says how long an answer may take. @throws UsageError timeout_invalid */
function patience(env: ClientOptions['env']): Partial<Deadlines> {
  const given = env?.['FN_TIMEOUT'];
  if (given === undefined || given === '') return {};
  const longest = 60 * 60_000;
  let ms = 0;
  try {
    ms = millisecondsOf(given);
  } catch {}
  if (ms <= 0 || ms > longest) {
    throw new UsageError('timeout_invalid', `FN_TIMEOUT cannot be "${given.slice(0, 40)}"`, {
      hint: 'Set it to how long an answer may take, such as 30s or 3m; at most 1h.',
    });
  }
  const { connectMs, totalMs } = defaultDeadlines;
  // A shorter timeout also gives up sooner on an answer that only trickles in.
  return { connectMs: Math.min(connectMs, ms), firstByteMs: ms, totalMs: Math.max(ms, Math.min(totalMs, 4 * ms)) };
}

/** Whether a redirect asks for the same request elsewhere, which means that it was not carried out here. */
const isMovedWhole = (status: number) => status === 301 || status === 307 || status === 308;

function outcomeOfStrangeSuccess(
  workspace: RemoteWorkspace,
  name: OperationName,
  answer: WireAnswer,
  call: CallOptions,
) {
  const stranger = strangerOf(workspace, name, answer);
  if (!changesSomething(name)) return stranger;
  return new UnknownOutcomeError(
    'outcome_unknown',
    `${name} may or may not have been carried out: ${stranger.message}`,
    {
      hint: repeatHint({
        repeatable: isRepeatable(name, methodOf(name)),
        idempotencyKey: call.idempotencyKey,
      }),
    },
  );
}

/** Removes the token from an answer: a server that echoes its request would otherwise leak it to screens and logs. */
function withoutToken(answer: WireAnswer, token: string | undefined): WireAnswer {
  // A value as short as an ordinary word would be removed from all text; no real token is that short.
  if (token === undefined || token.length < 12) return answer;
  const inBody = Buffer.from(answer.body).includes(token);
  const inHeaders = Object.values(answer.headers).some((value) => value.includes(token));
  if (!inBody && !inHeaders) return answer;
  const hidden = (text: string) => text.replaceAll(token, '***');
  // latin1 maps bytes one to one, so the rest of the body stays unchanged, text or not.
  return {
    status: answer.status,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, hidden(value)])),
    body: Buffer.from(hidden(Buffer.from(answer.body).toString('latin1')), 'latin1'),
  };
}

function methodOf(name: OperationName) {
  const method = operationOf(name).route?.split(' ')[0];
  return method === 'GET' || method === 'PUT' || method === 'DELETE' || method === 'PATCH' ? method : 'POST';
}

function asObject(input: unknown): object {
  if (typeof input === 'object' && input !== null) return input;
  throw new UsageError('input_invalid', 'The input of an operation is an object');
}

/** @throws UsageError token_malformed: a token with a line break or a space would break the header or be another header. */
function checkToken(token: string): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new UsageError('token_malformed', 'The API token is not valid: it is empty or contains spaces or line breaks', {
    hint: 'Pass only the token, exactly as it was shown when it was created.',
  });
}

/** @throws UsageError idempotency_key_invalid */
export function checkKey(key: string): string {
  if (/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(key)) return key;
  throw new UsageError('idempotency_key_invalid', 'The idempotency key is not valid', {
    hint: 'Use 1 to 255 printable ASCII characters, without quotation marks and backslashes.',
  });
}

function safePath(path: string): string {
  const before = path.split(/[?#]/)[0] ?? '';
  const climbs = before.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  if (path.startsWith('/') && !climbs && !/[\s\\\p{Cc}]/u.test(path)) return path;
  throw new UsageError('path_invalid', `"${path.slice(0, 200)}" cannot be a path below /api/<slug>`, {
    hint: 'It must begin with / and have no spaces or dot segments.',
  });
}
