/**
 * Packages whose only job is the network of Node, which a function has as `fetch`: what stands for them there. Loaded on their own
 * they look for sockets and threads; many other packages bring them along.
 */
export const webPackages: ReadonlySet<string> = new Set(['node-fetch', 'undici']);

/** The text of a CommonJS module that looks like the package. Web globals are read when they are used: making them costs. */
export function webPackageText(name: string): string {
  return name === 'undici' ? undici : nodeFetch;
}

const shared = `'use strict';
const web = (target, names) => {
  for (const name of names.split(' ')) Object.defineProperty(target, name, { enumerable: true, configurable: true, get: () => globalThis[name] });
};
/** Streams of Node's are read first: fetch takes those of the web. */
const bodyOf = async (body) => {
  if (body === null || body === undefined || typeof body.pipe !== 'function' || typeof body[Symbol.asyncIterator] !== 'function') return body;
  const parts = [];
  for await (const part of body) parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part);
  return new Blob(parts).arrayBuffer();
};
const send = async (input, init) => globalThis.fetch(input, init && init.body !== undefined ? { ...init, body: await bodyOf(init.body) } : init);
const missing = (path) => function () {
  const error = new Error(path + ' is not available in functions. Use fetch.');
  error.code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
  throw error;
};
`;

const nodeFetch = `${shared}
class FetchBaseError extends Error {
  constructor(message, type) { super(message); this.type = type; }
  get [Symbol.toStringTag]() { return this.name; }
}
class FetchError extends FetchBaseError {
  constructor(message, type, cause) {
    super(message, type);
    if (cause) { this.code = this.errno = cause.code; this.erroredSysCall = cause.syscall; }
  }
  get name() { return 'FetchError'; }
}
class AbortError extends FetchBaseError {
  constructor(message, type = 'aborted') { super(message, type); }
  get name() { return 'AbortError'; }
}
async function fetch(input, init) {
  try {
    return await send(input, init);
  } catch (error) {
    if (error && error.name === 'AbortError') throw new AbortError('The operation was aborted.');
    const url = typeof input === 'string' ? input : (input && (input.url || input.href)) || input;
    throw new FetchError('request to ' + url + ' failed, reason: ' + (error && error.message), 'system', error);
  }
}
web(fetch, 'Headers Request Response FormData Blob File');
Object.assign(fetch, { FetchError, AbortError, isRedirect: (code) => [301, 302, 303, 307, 308].includes(code) });
for (const name of ['blobFrom', 'blobFromSync', 'fileFrom', 'fileFromSync']) fetch[name] = missing('node-fetch.' + name);
Object.defineProperty(fetch, '__esModule', { value: true });
fetch.default = fetch;
module.exports = fetch;
`;

const undici = `${shared}
const addressOf = (url, query) => {
  const address = new URL(typeof url === 'string' || url instanceof URL ? url : (url.origin || url.protocol + '//' + (url.host || url.hostname)) + (url.path || url.pathname || '/'));
  for (const [key, value] of Object.entries(query || {}))
    for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(key, String(one));
  return address;
};
/** A list of names and values in turn, as undici takes it, or what fetch takes. */
const headersOf = (headers) =>
  Array.isArray(headers) && typeof headers[0] === 'string'
    ? headers.flatMap((name, at) => (at % 2 === 0 ? [[name, String(headers[at + 1])]] : []))
    : headers || {};
class BodyReadable {
  #response;
  constructor(response) { this.#response = response; }
  get body() { return this.#response.body; }
  get bodyUsed() { return this.#response.bodyUsed; }
  json() { return this.#response.json(); }
  text() { return this.#response.text(); }
  blob() { return this.#response.blob(); }
  bytes() { return this.#response.bytes(); }
  arrayBuffer() { return this.#response.arrayBuffer(); }
  formData() { return this.#response.formData(); }
  async dump() { await this.#response.arrayBuffer(); return null; }
  async *[Symbol.asyncIterator]() {
    if (this.#response.body) for await (const part of this.#response.body) yield Buffer.from(part);
  }
}
async function request(url, { method = 'GET', headers, body, query, signal } = {}) {
  const response = await send(addressOf(url, query), { method, headers: headersOf(headers), body, signal, redirect: 'manual' });
  const received = {};
  for (const [name, value] of response.headers) if (name !== 'set-cookie') received[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) received['set-cookie'] = cookies;
  return { statusCode: response.status, statusText: response.statusText, headers: received, trailers: {}, opaque: null, context: {}, body: new BodyReadable(response) };
}
const undici = { fetch: (input, init) => send(input, init), request, errors: {}, interceptors: {}, getGlobalDispatcher: () => ({}), setGlobalDispatcher: missing('undici.setGlobalDispatcher') };
web(undici, 'Headers Request Response FormData WebSocket CloseEvent MessageEvent EventSource');
for (const name of ['Agent', 'BalancedPool', 'Client', 'Dispatcher', 'EnvHttpProxyAgent', 'H2CClient', 'MockAgent', 'MockClient', 'MockPool', 'Pool', 'ProxyAgent', 'RetryAgent', 'RetryHandler', 'RoundRobinPool', 'Socks5ProxyAgent', 'buildConnector', 'connect', 'pipeline', 'stream', 'upgrade'])
  undici[name] = missing('undici.' + name);
Object.defineProperty(undici, '__esModule', { value: true });
undici.default = undici;
module.exports = undici;
`;
