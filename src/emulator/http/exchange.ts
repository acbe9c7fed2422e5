import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, errorCodes, limits, refusal } from '../../contract/index.ts';
import { parseTraceDepth, parseTraceparent, type WorkspaceError } from '../../std/index.ts';
import { HeldBytes, type Hold } from '../invoke/fetch/held-bytes.ts';
import { answerAndClose } from './last-answer.ts';

/** Created by the first request, because it loads node:crypto, which would delay the start. */
let prefix: string | undefined;
let count = 0;

const mostTakenAtOnce = 64 * 1024;
/** A connection is closed if no byte of its answer could be sent for this long. */
const unreadMs = 60_000;

export const onEveryAnswer = [
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
] as const;

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path, still encoded: `/api/dev/customers`. */
  readonly path: string;
  /** Query without the question mark. */
  readonly query: string;
  readonly method: string;
  readonly requestId: string;
  /** Additional headers for every answer to this request. */
  extra: string[] = [];
  /** Whether even a public method requires a token. */
  demandsToken = false;
  /** The scheme that the client used, in front of any tunnel. */
  scheme: 'http' | 'https' = 'http';
  #expectsContinue: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) {
    this.request = request;
    this.response = response;
    const target = request.url ?? '/';
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.method = request.method ?? 'GET';
    const given = request.headers['x-request-id'];
    this.requestId = typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : newRequestId();
    this.#expectsContinue = expectsContinue;
  }

  /** The caller of this request: with its id, and in the trace that it names, if it does. */
  callerOf(caller: Caller): Caller {
    const { traceparent, tracestate } = this.request.headers;
    const traceId = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
    if (traceId === undefined) return { ...caller, requestId: this.requestId };
    const depth = typeof tracestate === 'string' ? parseTraceDepth(tracestate) : 0;
    return { ...caller, requestId: this.requestId, trace: { traceId, causeId: null, depth } };
  }

  /** Sends an answer with the common headers: no caching, no sniffing, no access for other origins. */
  send(status: number, headers: readonly string[], body?: string | Uint8Array, statusText?: string): void {
    const { response, request } = this;
    if (response.headersSent || response.destroyed) return;
    const length = body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    const bodyless = status === 204 || status === 304;
    const all = ['X-Request-Id', this.requestId, ...onEveryAnswer, ...this.extra, ...headers];
    if (!bodyless) all.push('Content-Length', String(length));
    // An unread body must not be taken for the next request.
    const last = this.#bodyLeft();
    if (last) all.push('Connection', 'close');
    if (statusText) response.writeHead(status, statusText, all);
    else response.writeHead(status, all);
    if (bodyless || request.method === 'HEAD' || body === undefined) response.end();
    else if (last) answerAndClose(request, response, body);
    else response.end(body);
    // The system accepts smaller answers at once. A large unread one would stay in memory for as long as the connection is open.
    if (length > mostTakenAtOnce) response.setTimeout(unreadMs);
  }

  json(status: number, value: unknown, headers: readonly string[] = []): void {
    this.send(
      status,
      ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...headers],
      JSON.stringify(value),
    );
  }

  problem(error: WorkspaceError): void {
    const { status, headers, body } = problemAnswer(error, this.requestId);
    this.send(status, headers, body);
  }

  /** The body, counted while it arrives. @throws WorkspaceError body_too_large */
  async body(most: number): Promise<Uint8Array | undefined> {
    if (!this.#hasBody()) return undefined;
    this.continue();
    const announced = Number(this.request.headers['content-length']);
    if (announced > most) throw tooLarge(most);
    const hold = held.hold();
    this.response.once('close', () => hold.end());
    return readBody(this.request, most, hold, announced || 0);
  }

  /** The body as it arrives; the caller limits its size. @throws WorkspaceError body_invalid */
  async *stream(): AsyncGenerator<Uint8Array> {
    this.continue();
    try {
      // A refusal half-way must leave the rest readable, or the client could not finish sending and read it.
      yield* this.request.iterator({ destroyOnReturn: false });
    } catch {
      throw cut();
    }
  }

  /** Lets a client that waits for permission send its body; only after the guard. */
  continue(): void {
    if (!this.#expectsContinue) return;
    this.#expectsContinue = false;
    this.response.writeContinue();
  }

  #hasBody(): boolean {
    const { headers } = this.request;
    return (
      headers['transfer-encoding'] !== undefined ||
      (headers['content-length'] !== undefined && headers['content-length'] !== '0')
    );
  }

  #bodyLeft(): boolean {
    return !this.request.complete && this.#hasBody();
  }
}

export function newRequestId(): string {
  prefix ??= `req_${randomBytes(6).toString('hex')}`;
  return `${prefix}${(++count).toString(36)}`;
}

function tooLarge(most: number): WorkspaceError {
  return refusal('body_too_large', `The body is larger than ${most} bytes`, { details: { most } });
}

/** Bytes of all bodies in memory: arriving ones, and those of unanswered requests. */
const held = new HeldBytes(limits.request.heldBytes);

/**
 * Not with an async iterator: most bodies arrive in one piece, and this takes half the time.
 * @param announced its length, if the client has told
 */
function readBody(request: IncomingMessage, most: number, hold: Hold, announced: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts = new Parts(announced);
    request.on('data', (chunk: Uint8Array) => {
      try {
        if (parts.bytes + chunk.byteLength > most) throw tooLarge(most);
        if (!hold.add(chunk.byteLength)) throw tooMuchAtOnce();
        parts.add(chunk);
      } catch (error) {
        request.pause();
        request.removeAllListeners('data');
        parts.drop();
        hold.end();
        reject(error);
      }
    });
    request.on('end', () => resolve(parts.whole()));
    request.on('error', () => reject(cut()));
    request.on('close', () => {
      if (!request.complete) reject(cut());
    });
  });
}

/** A body in the making. One of a known length is put together while it arrives: in the end it would be in memory twice. */
class Parts {
  bytes = 0;
  readonly #announced: number;
  #chunks: Uint8Array[] = [];
  #place: Buffer | undefined;

  constructor(announced: number) {
    this.#announced = announced;
  }

  add(chunk: Uint8Array): void {
    // One that is already whole needs no other place.
    if (this.bytes === 0 && chunk.byteLength < this.#announced) this.#place = Buffer.allocUnsafeSlow(this.#announced);
    if (this.#place) this.#place.set(chunk, this.bytes);
    else this.#chunks.push(chunk);
    this.bytes += chunk.byteLength;
  }

  drop(): void {
    this.#chunks = [];
    this.#place = undefined;
  }

  whole(): Uint8Array {
    if (this.#place) return this.#place.subarray(0, this.bytes);
    const [only, ...others] = this.#chunks;
    return only && others.length === 0 ? only : Buffer.concat(this.#chunks);
  }
}

const tooMuchAtOnce = () =>
  refusal('workspace_busy', 'Too many large bodies are on their way at once', { retryAfterSeconds: 1 });
const cut = () => refusal('body_invalid', 'The body ended before it was complete');

/** RFC 9457 with a code that states the fact. */
export function problemAnswer(
  error: WorkspaceError,
  requestId: string,
): { status: number; headers: readonly string[]; body: string } {
  const { status, code, message, errors, details, hint, retryAfterSeconds } = error;
  const title = code in errorCodes ? errorCodes[code as keyof typeof errorCodes].title : message;
  const headers = ['Content-Type', 'application/problem+json; charset=utf-8', 'Cache-Control', 'no-store'];
  if (status === 401) headers.push('WWW-Authenticate', 'Bearer');
  if (status === 429 || status === 503) headers.push('Retry-After', String(retryAfterSeconds ?? 1));
  const body = {
    type: 'about:blank',
    title,
    status,
    detail: message,
    code,
    requestId,
    ...(errors && { errors }),
    ...(hint !== undefined && { hint }),
    ...(details && { details }),
  };
  return { status, headers, body: JSON.stringify(body) };
}
