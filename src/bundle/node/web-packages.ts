/**
 * Packages that only provide network access for Node, which functions have as `fetch`. They are replaced, because they look for
 * sockets and threads when loaded, and many other packages depend on them.
 */
export const webPackages: ReadonlySet<string> = new Set(['node-fetch', 'undici']);

/**
 * Text of a CommonJS module that looks like the package. Web globals and Node streams are looked up when used, because creating
 * them is expensive.
 */
export function webPackageText(name: string): string {
  return name === 'undici' ? undici : nodeFetch;
}

const shared = `'use strict';
const web = (target, names) => {
  for (const name of names.split(' ')) Object.defineProperty(target, name, { enumerable: true, configurable: true, get: () => globalThis[name] });
};
/** Reads Node streams completely, because fetch takes web streams. */
const bodyOf = async (body) => {
  if (body === null || body === undefined || typeof body.pipe !== 'function' || typeof body[Symbol.asyncIterator] !== 'function') return body;
  const parts = [];
  for await (const part of body) parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part);
  return new Blob(parts).arrayBuffer();
};
/** A form of the package form-data says its type itself. */
const headersFor = ({ body, headers }) => {
  if (!body || typeof body.getBoundary !== 'function') return headers;
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'multipart/form-data; boundary=' + body.getBoundary());
  return all;
};
const send = async (input, init) =>
  globalThis.fetch(input, init && init.body !== undefined ? { ...init, headers: headersFor(init), body: await bodyOf(init.body) } : init);
/** The failure itself, which fetch wraps and both packages tell. */
const reasonOf = (error) => (error instanceof TypeError && error.cause instanceof Error ? error.cause : error);
/** Both packages return bodies as Node streams, which do not touch the response until they are read. The web methods for reading remain. */
const bodyFrom = (web) => {
  const { Readable } = require('node:stream');
  let reader;
  const body = new Readable({
    read() {
      reader ??= web ? web.getReader() : { read: async () => ({ done: true }) };
      reader.read().then(({ done, value }) => this.push(done ? null : Buffer.from(value)), (error) => this.destroy(error));
    },
    destroy(error, done) {
      if (reader && reader.cancel) reader.cancel(error).catch(() => {});
      done(error);
    },
  });
  for (const name of ['cancel', 'getReader', 'pipeThrough', 'pipeTo', 'tee']) body[name] = (...given) => web[name](...given);
  return body;
};
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
/** Adds the members of node-fetch to a response of the function's fetch. */
const dressed = (response) => {
  let body;
  const hidden = (target, name, value) => Object.defineProperty(target, name, { configurable: true, writable: true, value });
  const own = Object.getPrototypeOf(response);
  Object.defineProperty(response, 'body', { configurable: true, get: () => (body ??= bodyFrom(Reflect.get(own, 'body', response))) });
  hidden(response, 'buffer', async () => Buffer.from(await response.arrayBuffer()));
  hidden(response, 'textConverted', () => response.text());
  hidden(response, 'clone', () => dressed(own.clone.call(response)));
  hidden(response.headers, 'raw', () => {
    const raw = {};
    for (const [name, value] of response.headers) (raw[name] ??= []).push(value);
    return raw;
  });
  return response;
};
async function fetch(input, init) {
  const { timeout, signal } = init || {};
  const late = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
  try {
    return dressed(await send(input, late ? { ...init, signal: signal ? AbortSignal.any([signal, late]) : late } : init));
  } catch (error) {
    if (error && error.name === 'AbortError') throw new AbortError('The operation was aborted.');
    const url = typeof input === 'string' ? input : (input && (input.url || input.href)) || input;
    if (late && late.aborted && !(signal && signal.aborted)) throw new FetchError('network timeout at: ' + url, 'request-timeout');
    const reason = reasonOf(error);
    throw new FetchError('request to ' + url + ' failed, reason: ' + (reason && reason.message), 'system', reason);
  }
}
web(fetch, 'Headers Request Response FormData Blob File');
Object.assign(fetch, { FetchError, AbortError, isRedirect: (code) => [301, 302, 303, 307, 308].includes(code) });
for (const name of ['blobFrom', 'blobFromSync', 'fileFrom', 'fileFromSync']) fetch[name] = missing('node-fetch.' + name);
Object.defineProperty(fetch, '__esModule', { value: true });
fetch.default = fetch;
module.exports = fetch;
`;

const undiciErrors = Object.entries({
  AbortError: 'UND_ERR_ABORT',
  BalancedPoolMissingUpstreamError: 'UND_ERR_BPL_MISSING_UPSTREAM',
  BodyTimeoutError: 'UND_ERR_BODY_TIMEOUT',
  ClientClosedError: 'UND_ERR_CLOSED',
  ClientDestroyedError: 'UND_ERR_DESTROYED',
  ConnectTimeoutError: 'UND_ERR_CONNECT_TIMEOUT',
  HeadersOverflowError: 'UND_ERR_HEADERS_OVERFLOW',
  HeadersTimeoutError: 'UND_ERR_HEADERS_TIMEOUT',
  HTTPParserError: 'HPE',
  InformationalError: 'UND_ERR_INFO',
  InvalidArgumentError: 'UND_ERR_INVALID_ARG',
  InvalidReturnValueError: 'UND_ERR_INVALID_RETURN_VALUE',
  NotSupportedError: 'UND_ERR_NOT_SUPPORTED',
  RequestAbortedError: 'UND_ERR_ABORTED',
  RequestContentLengthMismatchError: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  RequestRetryError: 'UND_ERR_REQ_RETRY',
  ResponseContentLengthMismatchError: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  ResponseError: 'UND_ERR_RESPONSE',
  ResponseExceededMaxSizeError: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  ResponseStatusCodeError: 'UND_ERR_RESPONSE_STATUS_CODE',
  SecureProxyConnectionError: 'UND_ERR_PRX_TLS',
  SocketError: 'UND_ERR_SOCKET',
});

const undici = `${shared}
const addressOf = (url, query) => {
  const address = new URL(typeof url === 'string' || url instanceof URL ? url : (url.origin || url.protocol + '//' + (url.host || url.hostname)) + (url.path || url.pathname || '/'));
  for (const [key, value] of Object.entries(query || {}))
    for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(key, String(one));
  return address;
};
/** Headers as an alternating list of names and values, which undici accepts, or in any form that fetch accepts. */
const headersOf = (headers) =>
  Array.isArray(headers) && typeof headers[0] === 'string'
    ? headers.flatMap((name, at) => (at % 2 === 0 ? [[name, String(headers[at + 1])]] : []))
    : headers || {};
const bodyReadable = (response) => {
  const body = bodyFrom(response.body);
  for (const name of ['json', 'text', 'blob', 'bytes', 'arrayBuffer', 'formData']) body[name] = () => response[name]();
  body.dump = async () => (await response.arrayBuffer(), null);
  for (const name of ['body', 'bodyUsed']) Object.defineProperty(body, name, { get: () => response[name] });
  return body;
};
/** Ends what it guards with an error of undici's if that takes too long. */
const stopwatch = () => {
  const controller = new AbortController();
  let timer;
  const stop = () => clearTimeout(timer);
  const start = (ms, name) => {
    stop();
    if (ms > 0) timer = setTimeout(() => controller.abort(new errors[name]()), ms);
  };
  return { signal: controller.signal, start, stop };
};
/** The response, each part of whose body comes in time. */
const timed = (response, watch, ms) => {
  if (!(ms > 0) || !response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream({
    async pull(to) {
      watch.start(ms, 'BodyTimeoutError');
      const { done, value } = await reader.read().finally(watch.stop);
      done ? to.close() : to.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
};
async function request(url, { method = 'GET', headers, body, query, signal, headersTimeout, bodyTimeout } = {}) {
  const watch = headersTimeout > 0 || bodyTimeout > 0 ? stopwatch() : undefined;
  let response;
  try {
    if (watch) watch.start(headersTimeout, 'HeadersTimeoutError');
    response = await send(addressOf(url, query), { method, headers: headersOf(headers), body, signal: watch ? AbortSignal.any(signal ? [signal, watch.signal] : [watch.signal]) : signal, redirect: 'manual' });
  } catch (error) {
    throw reasonOf(error);
  } finally {
    if (watch) watch.stop();
  }
  if (watch) response = timed(response, watch, bodyTimeout);
  const received = {};
  for (const [name, value] of response.headers) if (name !== 'set-cookie') received[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) received['set-cookie'] = cookies;
  return { statusCode: response.status, statusText: response.statusText, headers: received, trailers: {}, opaque: null, context: {}, body: bodyReadable(response) };
}
/** As in undici, an error belongs to the class that has its code. */
const errors = {};
const families = ['UND_ERR', 'HPE'];
const errorClass = (name, code, Base) =>
  (errors[name] = Object.defineProperty(class extends Base {
    constructor(message = name, options) {
      super(message, options);
      Object.assign(this, { name, code });
    }
    static [Symbol.hasInstance](error) {
      const given = error && error.code;
      return given === code || (families.includes(code) && typeof given === 'string' && given.startsWith(code + '_'));
    }
  }, 'name', { value: name }));
const UndiciError = errorClass('UndiciError', 'UND_ERR', Error);
for (const pair of ${JSON.stringify(undiciErrors)}) errorClass(pair[0], pair[1], UndiciError);
const undici = { fetch: (input, init) => send(input, init), request, errors, interceptors: {}, getGlobalDispatcher: () => ({}), setGlobalDispatcher() {} };
web(undici, 'Headers Request Response FormData WebSocket CloseEvent MessageEvent EventSource');
/** Like an agent of node:http, it keeps its settings, except those that change the destination. Functions do not use a proxy of the environment. */
for (const name of ['Agent', 'EnvHttpProxyAgent'])
  undici[name] = class {
    constructor(options = {}) {
      const connect = typeof options.connect === 'function' ? { connect: true } : options.connect || {};
      for (const lost of ['ca', 'cert', 'connect', 'key', 'lookup', 'pfx', 'servername', 'checkServerIdentity', 'socketPath'])
        if (connect[lost] !== undefined) missing('The option connect.' + lost + ' of undici.' + name)();
      for (const lost of ['factory', 'httpProxy', 'httpsProxy', 'uri']) if (options[lost] !== undefined) missing('The option ' + lost + ' of undici.' + name)();
    }
    async close() {}
    async destroy() {}
  };
for (const name of ['BalancedPool', 'Client', 'Dispatcher', 'H2CClient', 'MockAgent', 'MockClient', 'MockPool', 'Pool', 'ProxyAgent', 'RetryAgent', 'RetryHandler', 'RoundRobinPool', 'Socks5ProxyAgent', 'buildConnector', 'connect', 'pipeline', 'stream', 'upgrade'])
  undici[name] = missing('undici.' + name);
Object.defineProperty(undici, '__esModule', { value: true });
undici.default = undici;
module.exports = undici;
`;
