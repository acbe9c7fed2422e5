import type { FetchRequest, FetchResponse } from '../sandbox/index.ts';
import { messageOf } from '../std/index.ts';
import { HeldBytes } from './held-bytes.ts';
import { chooseWayOut } from './way-out.ts';

/**
 * `answerMs`: a request ends after this, its redirects and its answer included, whatever the function's own limit.
 * `heldBytes`: of all answers that are on their way at once, of all functions.
 */
export const fetchLimits = {
  answerMs: 60_000,
  answerBytes: 10 * 1024 * 1024,
  heldBytes: 256 * 1024 * 1024,
  redirects: 20,
} as const;
const { answerMs: mostMs, answerBytes: mostBytes, redirects: mostRedirects } = fetchLimits;
const held = new HeldBytes(fetchLimits.heldBytes);

/** Carries one request out, without following redirects. */
export type Network = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * The `fetch` of functions, made on the host: only http and https, only hosts the app allows, every redirect looked at anew,
 * bodies counted while they arrive. Rejects with the words that the function's TypeError will have.
 */
export async function outgoingFetch(
  request: FetchRequest,
  allow: readonly string[] | undefined,
  signal: AbortSignal,
  network: Network = ofThisMachine,
): Promise<FetchResponse> {
  let url = allowed(request.url, allow);
  let { method, body } = request;
  const given = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
  // Who passes on the headers of a request has its length among them. Undici waits for ever where the body is longer.
  let headers = without(given, ['content-length']);
  const ends = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
  for (let hops = 0; ; hops++) {
    const init: RequestInit = { method, headers, ...(body && { body }), redirect: 'manual', signal: ends };
    const answer = await network(url, init).catch((error: unknown) => {
      throw failure(error, url, ends);
    });
    const location = isRedirect(answer.status) ? answer.headers.get('location') : null;
    if (location === null || request.redirect === 'manual') return taken(answer, url, hops > 0);
    await answer.body?.cancel();
    if (request.redirect === 'error') throw new Error(`fetch failed: ${url.origin} redirects`);
    if (hops === mostRedirects) throw new Error(`fetch failed: more than ${mostRedirects} redirects`);
    const next = allowed(new URL(location, url).href, allow);
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

/** `api.shop.example`, `*.shop.example`, each with a port or without one. */
function matches(url: URL, pattern: string): boolean {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
}

async function ofThisMachine(url: URL, init: RequestInit): Promise<Response> {
  chooseWayOut();
  return await (init.method === 'patch' ? withoutWarning(() => fetch(url, init)) : fetch(url, init));
}

function failure(error: unknown, { host }: URL, ends: AbortSignal): Error {
  if (ends.aborted) return new Error('fetch failed: it took too long, or the invocation has ended');
  const cause = rootOf(error);
  const code = cause && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  if (cause?.message.startsWith('Proxy response')) {
    return new Error(`fetch failed: the proxy of this machine refused the way to ${host} (${cause.message})`);
  }
  return new Error(`fetch failed: ${host}${code || `: ${messageOf(cause ?? error)}`}`);
}

/** What the socket, or the proxy, said first. */
function rootOf(error: unknown): Error | undefined {
  let root: Error | undefined;
  for (let e: unknown = error; e instanceof Error && e.cause instanceof Error; e = e.cause) root = e.cause;
  return root;
}

/** Undici says on our terminal that `PATCH` may be meant. The function's own Request has said it, in the function's log. */
function withoutWarning<T>(start: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return start();
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function taken(answer: Response, url: URL, redirected: boolean): Promise<FetchResponse> {
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
    url: url.href,
    redirected,
    body: await bodyOf(answer, url),
  };
}

async function bodyOf(answer: Response, { host }: URL): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const hold = held.hold();
  let bytes = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) throw new Error(`fetch failed: the answer of ${host} is larger than ${mostBytes} bytes`);
      if (!hold.add(chunk.byteLength)) throw new Error('fetch failed: too many large answers are on their way at once');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } finally {
    hold.end();
  }
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

function without(headers: Headers, names: readonly string[]): Headers {
  const rest = new Headers(headers);
  for (const name of names) rest.delete(name);
  return rest;
}
