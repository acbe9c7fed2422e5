import { type FetchRequest, type FetchResponse, wholeBody } from '../../../sandbox/index.ts';
import { isProxyRefusal, messageOf } from '../../../std/index.ts';
import { HeldBytes, type Hold } from './held-bytes.ts';
import { matchesIntegrity } from './integrity.ts';
import { chooseWayOut } from './way-out.ts';

/**
 * `answerMs`: time limit of a request, including redirects and the answer, whatever the function's own limit.
 * `heldBytes`: total size of the answers in transit, of all functions. `wholeWithinMs`: a body that is not complete this long after its
 * head is streamed. `headerBytes`: limit of a request's headers; hardly any server accepts an eighth of it, and sorting many takes long.
 */
export const fetchLimits = {
  answerMs: 60_000,
  answerBytes: 10 * 1024 * 1024,
  headerBytes: 128 * 1024,
  heldBytes: 256 * 1024 * 1024,
  redirects: 20,
  wholeWithinMs: 20,
} as const;
const { answerMs: mostMs, answerBytes: mostBytes, redirects: mostRedirects } = fetchLimits;
const held = new HeldBytes(fetchLimits.heldBytes);

/** Carries one request out, without following redirects. */
export type Network = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * Carries out the `fetch` of functions on the host: only http and https, only hosts that the app allows, every redirect checked again,
 * bodies counted while they arrive. Rejects with the message of the function's TypeError.
 */
export async function outgoingFetch(
  request: FetchRequest,
  allow: readonly string[] | undefined,
  signal: AbortSignal,
  network: Network = ofThisMachine,
): Promise<FetchResponse> {
  let url = allowed(request.url, allow);
  const { cache, integrity } = request;
  let { method, body } = request;
  refuseManyHeaders(request.headers);
  const given = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
  // Forwarded request headers include a length. Undici waits for ever if the body is longer.
  let headers = without(given, ['content-length']);
  const ends = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
  for (let hops = 0; ; hops++) {
    const init: RequestInit = {
      method,
      headers,
      ...(body && { body }),
      ...(cache && { cache }),
      redirect: 'manual',
      signal: ends,
    };
    const answer = await network(url, init).catch((error: unknown) => {
      throw failure(error, url, ends);
    });
    const location = isRedirect(answer.status) ? answer.headers.get('location') : null;
    if (location === null || request.redirect === 'manual') {
      const whole = request.whole === true || integrity !== undefined;
      const response = await taken(answer, { url, redirected: hops > 0, ends, whole });
      return integrity === undefined ? response : intact(response, integrity);
    }
    await answer.body?.cancel();
    if (request.redirect === 'error') throw new Error(`fetch failed: ${url.origin} redirects`);
    if (hops === mostRedirects) throw new Error(`fetch failed: more than ${mostRedirects} redirects`);
    const next = allowed(redirectedTo(location, url), allow);
    if (next.origin !== url.origin) headers = without(headers, ['authorization', 'cookie', 'proxy-authorization']);
    if (answer.status === 303 || ((answer.status === 301 || answer.status === 302) && method === 'POST')) {
      if (method !== 'HEAD') method = 'GET';
      body = undefined;
      headers = without(headers, [
        'content-type',
        'content-length',
        'content-encoding',
        'content-language',
        'content-location',
      ]);
    }
    url = next;
  }
}

function refuseManyHeaders(headers: FetchRequest['headers']): void {
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > fetchLimits.headerBytes)
    throw new Error(`fetch failed: the headers of the request are larger than ${fetchLimits.headerBytes} bytes`);
}

function allowed(address: string, allow: readonly string[] | undefined): URL {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`fetch failed: the scheme ${url.protocol} is not available in functions`);
  }
  if (allow !== undefined && !allow.some((pattern) => matches(url, pattern))) {
    throw new Error(`fetch failed: ${url.host} is not in fetch.allow of fn.config.json`);
  }
  return url;
}

function redirectedTo(location: string, from: URL): string {
  const to = URL.parse(location, from.href);
  if (!to) throw new Error(`fetch failed: ${from.origin} redirects to an invalid address: ${location.slice(0, 200)}`);
  return to.href;
}

/** Patterns are `api.shop.example` or `*.shop.example`, with or without a port. */
function matches(url: URL, pattern: string): boolean {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
}

async function ofThisMachine(url: URL, init: RequestInit): Promise<Response> {
  chooseWayOut();
  return await (init.method === 'patch' ? withoutWarning(() => fetch(url, init)) : fetch(url, init));
}

/**
 * Failures that a retry may fix have undici's message and shape, by which libraries decide whether to retry; the cause says what
 * happened. Any other failure is reported directly.
 */
function failure(error: unknown, { host }: URL, ends: AbortSignal): Error {
  if (ends.aborted) return networkError('it took too long, or the invocation has ended');
  const root = rootOf(error);
  if (root && isProxyRefusal(root)) {
    return new Error(`fetch failed: the proxy of this machine refused to connect to ${host} (${root.message})`);
  }
  if (root && 'code' in root && typeof root.code === 'string') return networkError(`${host} (${root.code})`, root.code);
  return new Error(`fetch failed: ${host}: ${messageOf(root ?? error)}`);
}

function networkError(told: string, code?: string): Error {
  return new Error('fetch failed', { cause: Object.assign(new Error(told), code !== undefined && { code }) });
}

/** The original error of the socket or the proxy. */
function rootOf(error: unknown): Error | undefined {
  let root: Error | undefined;
  for (let e: unknown = error; e instanceof Error && e.cause instanceof Error; e = e.cause) root = e.cause;
  return root;
}

/** Suppresses undici's warning on our terminal that `PATCH` may be meant: the function's own Request has logged it already. */
function withoutWarning<T>(start: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return start();
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface Wanted {
  readonly url: URL;
  readonly redirected: boolean;
  readonly ends: AbortSignal;
  /** Whether the whole body has to be read first. */
  readonly whole: boolean;
}

async function taken(answer: Response, wanted: Wanted): Promise<FetchResponse> {
  const { url, redirected } = wanted;
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
    url: url.href,
    redirected,
    body: await bodyOf(answer, wanted),
  };
}

/** @param integrity the expected integrity metadata */
async function intact(response: FetchResponse, integrity: string): Promise<FetchResponse> {
  const body = await wholeBody(response.body);
  if (matchesIntegrity(body, integrity)) return { ...response, body };
  throw new Error(`fetch failed: what ${response.url} answered does not match ${integrity}`);
}

/** The whole body if it arrives soon after its head, as most do; otherwise a stream, which may last as long as the function runs. */
async function bodyOf(answer: Response, { url, ends, whole }: Wanted): Promise<NonNullable<FetchResponse['body']>> {
  const pieces = piecesOf(answer, url);
  const come: Uint8Array[] = [];
  const hold = held.hold();
  // An answer that is abandoned before anybody reads it must release its bytes.
  ends.addEventListener('abort', hold.end, { once: true });
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = whole ? undefined : setTimeout(resolve, fetchLimits.wholeWithinMs, 'late');
  try {
    for (;;) {
      const next = pieces.next();
      const first = await Promise.race([next, late]);
      if (first === 'late') return fromHereOn(come, next, pieces, hold);
      if (first.done) break;
      if (!hold.add(first.value.byteLength)) {
        await pieces.return(undefined);
        throw new Error('fetch failed: too many large answers are on their way at once');
      }
      come.push(first.value);
    }
    hold.end();
    return Buffer.concat(come);
  } catch (error) {
    hold.end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes received so far form one chunk, held until it is requested; after that, one chunk at a time is held. */
function fromHereOn(
  come: readonly Uint8Array[],
  next: Promise<IteratorResult<Uint8Array>>,
  rest: AsyncGenerator<Uint8Array>,
  hold: Hold,
): AsyncIterable<Uint8Array> {
  // Possibly nobody ever reads it.
  next.catch(() => {});
  return (async function* () {
    hold.end();
    if (come.length > 0) yield Buffer.concat(come);
    const { done, value } = await next;
    if (done) return;
    yield value;
    yield* rest;
  })();
}

async function* piecesOf(answer: Response, { host }: URL): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new Error(`fetch failed: the answer of ${host} is larger than ${mostBytes} bytes`);
    yield piece;
  }
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

function without(headers: Headers, names: readonly string[]): Headers {
  const rest = new Headers(headers);
  for (const name of names) rest.delete(name);
  return rest;
}
