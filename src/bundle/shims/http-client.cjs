'use strict';
const { EventEmitter } = require('node:events');
const { Readable, Writable } = require('node:stream');
const { Buffer } = require('node:buffer');
const { STATUS_CODES } = require('./http-constants.json');
const { agentOf, refuseLost, refuseOption } = require('./http-agent.cjs');
const { settingsOf } = require('./http-address.cjs');
const { validateHeaderName, validateHeaderValue } = require('./http-headers.cjs');

const Agent = agentOf('http', 80);
const globalAgent = new Agent();

const failure = (code, message, cause) => Object.assign(new Error(message, cause && { cause }), { code });
const hungUp = () => failure('ECONNRESET', 'socket hang up');

/** Of a failed fetch what Node tells: what happened to the connection. */
function ofFetch(error) {
  const { cause } = error ?? {};
  return cause?.code === undefined ? error : failure(cause.code, cause.message, error);
}

/** What code asks of a socket before it sends: whether it is there. */
class Socket extends EventEmitter {
  constructor(request, isSecure) {
    super();
    Object.assign(this, { connecting: false, writable: true, readable: true, destroyed: false, encrypted: isSecure });
    if (isSecure) this.authorized = true;
    this.setTimeout = (ms, callback) => {
      request.setTimeout(ms, callback);
      return this;
    };
    this.destroy = (error) => {
      request.destroy(error);
      return this;
    };
  }
  address() {
    return {};
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

class IncomingMessage extends Readable {
  #reader;
  #alive = () => {};

  constructor(socket) {
    super();
    this.socket = this.connection = socket;
    Object.assign(this, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, url: '', method: null });
    Object.assign(this, {
      statusCode: null,
      statusMessage: null,
      headers: {},
      rawHeaders: [],
      trailers: {},
      rawTrailers: [],
    });
    Object.assign(this, { complete: false, aborted: false, upgrade: false });
  }

  /** @param alive called whenever something arrives */
  static of(response, request, alive) {
    const message = new IncomingMessage(request.socket);
    message.statusCode = response.status;
    message.statusMessage = response.statusText || STATUS_CODES[response.status] || '';
    message.req = request;
    message.#takeHeaders(response.headers, request.method);
    message.#reader = response.body?.getReader();
    message.#alive = alive;
    return message;
  }

  /** Bodies arrive unpacked, so what says how they were packed is left out. */
  #takeHeaders(headers, method) {
    const isUnpacked =
      method !== 'HEAD' && /^(?:(?:x-)?gzip|deflate|br|zstd)$/i.test(headers.get('content-encoding') ?? '');
    for (const [name, value] of headers) {
      if (isUnpacked && (name === 'content-encoding' || name === 'content-length')) continue;
      this.rawHeaders.push(name, value);
      this.headers[name] = name === 'set-cookie' ? [...(this.headers[name] ?? []), value] : value;
    }
  }

  get headersDistinct() {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value].flat()]));
  }

  setTimeout(ms, callback) {
    this.req?.setTimeout(ms, callback);
    return this;
  }

  _read() {
    const chunk = this.#reader ? this.#reader.read() : Promise.resolve({ done: true });
    chunk.then(
      ({ done, value }) => {
        this.#alive();
        if (done) this.complete = true;
        this.push(done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      },
      (error) => this.destroy(ofFetch(error)),
    );
  }

  _destroy(error, done) {
    if (!this.complete) {
      this.aborted = true;
      this.#reader?.cancel().catch(() => {});
      this.emit('aborted');
    }
    done(this.listenerCount('error') > 0 ? error : null);
  }
}

/** A request that goes out by fetch, whole, when it is ended. */
class ClientRequest extends Writable {
  #headers = new Map();
  #parts = [];
  #controller = new AbortController();
  #isAnswered = false;
  #idleMs = 0;
  #idle;
  #url;

  constructor(input, options, callback) {
    const { settings, heard } = settingsOf(input, options, callback);
    super({ autoDestroy: false });
    const defaults = settings.agent?.protocol ? settings.agent : (settings._defaultAgent ?? globalAgent);
    const host = settings.hostname || settings.host || 'localhost';
    const port = settings.port || settings.defaultPort || defaults.defaultPort;
    refuse(settings, defaults, host);
    this.method = String(settings.method ?? 'GET').toUpperCase();
    this.path = settings.path || '/';
    this.host = host;
    this.protocol = settings.protocol ?? defaults.protocol;
    Object.assign(this, {
      agent: settings.agent,
      aborted: false,
      reusedSocket: false,
      maxHeadersCount: null,
      res: null,
    });
    const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    const authority = Number(port) === (this.protocol === 'https:' ? 443 : 80) ? name : `${name}:${port}`;
    this.#url = `${this.protocol}//${authority}${this.path.startsWith('/') ? '' : '/'}${this.path}`;
    this.#takeHeaders(settings, authority);
    this.socket = this.connection = new Socket(this, this.protocol === 'https:');
    if (heard) this.once('response', heard);
    if (settings.timeout) this.setTimeout(settings.timeout);
    this.#follow(settings.signal);
    queueMicrotask(() => this.destroyed || this.emit('socket', this.socket));
  }

  #takeHeaders({ headers, auth, setHost = true }, authority) {
    if (Array.isArray(headers)) {
      const pairs = Array.isArray(headers[0])
        ? headers
        : headers.flatMap((name, at) => (at % 2 ? [] : [[name, headers[at + 1]]]));
      for (const [name, value] of pairs) this.appendHeader(name, value);
    } else for (const [name, value] of Object.entries(headers ?? {})) this.setHeader(name, value);
    if (setHost && !this.hasHeader('host')) this.setHeader('Host', authority);
    if (auth && !this.hasHeader('authorization'))
      this.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
  }

  #follow(signal) {
    if (!signal) return;
    const abort = () => {
      const error = failure('ABORT_ERR', 'The operation was aborted', signal.reason);
      error.name = 'AbortError';
      this.destroy(error);
    };
    if (signal.aborted) queueMicrotask(abort);
    else signal.addEventListener('abort', abort, { once: true });
  }

  get finished() {
    return this.writableEnded;
  }

  get headersSent() {
    return this.writableFinished;
  }

  setHeader(name, value) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    this.#headers.set(name.toLowerCase(), [name, value]);
    return this;
  }

  appendHeader(name, value) {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [before, value].flat());
  }

  setHeaders(headers) {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  getHeader(name) {
    return this.#headers.get(String(name).toLowerCase())?.[1];
  }

  hasHeader(name) {
    return this.#headers.has(String(name).toLowerCase());
  }

  removeHeader(name) {
    this.#headers.delete(String(name).toLowerCase());
  }

  getHeaderNames() {
    return [...this.#headers.keys()];
  }

  getRawHeaderNames() {
    return [...this.#headers.values()].map(([name]) => name);
  }

  getHeaders() {
    return Object.assign(
      Object.create(null),
      Object.fromEntries([...this.#headers].map(([name, [, value]]) => [name, value])),
    );
  }

  flushHeaders() {}
  setNoDelay() {}
  setSocketKeepAlive() {}

  setTimeout(ms, callback) {
    if (callback) this.once('timeout', callback);
    this.#idleMs = ms;
    this.#stayAlive();
    return this;
  }

  #stayAlive() {
    clearTimeout(this.#idle);
    if (this.#idleMs > 0 && !this.destroyed) this.#idle = setTimeout(() => this.emit('timeout'), this.#idleMs);
  }

  _write(chunk, _encoding, done) {
    this.#parts.push(chunk);
    done();
  }

  _final(done) {
    this.#send().catch((error) => this.destroy(ofFetch(error)));
    done();
  }

  async #send() {
    const body = this.#parts.length > 0 ? Buffer.concat(this.#parts) : undefined;
    const response = await fetch(this.#url, {
      method: this.method,
      headers: this.#sentHeaders(),
      ...(body?.length > 0 && { body }),
      redirect: 'manual',
      signal: this.#controller.signal,
    });
    if (this.destroyed) return;
    this.#stayAlive();
    this.res = IncomingMessage.of(response, this, () => this.#stayAlive());
    this.res.once('close', () => {
      this.#isAnswered = true;
      this.destroy();
    });
    if (!this.emit('response', this.res)) this.res.resume();
  }

  /** Those that speak of the connection are not a request's to give by fetch. */
  #sentHeaders() {
    const headers = new Headers();
    for (const [key, [name, value]] of this.#headers) {
      if (ofConnection.has(key) || (key === 'host' && value === new URL(this.#url).host)) continue;
      for (const one of [value].flat()) headers.append(name, String(one));
    }
    return headers;
  }

  abort() {
    if (this.aborted) return;
    this.aborted = true;
    queueMicrotask(() => this.emit('abort'));
    this.destroy();
  }

  _destroy(error, done) {
    clearTimeout(this.#idle);
    this.socket.destroyed = true;
    if (this.#isAnswered) return done(error);
    this.#controller.abort();
    if (!this.res) return done(error ?? hungUp());
    this.res.destroy(error ?? failure('ECONNRESET', 'aborted'));
    return done(error);
  }
}

const ofConnection = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);

function refuse(settings, { protocol }, host) {
  if (settings.protocol && settings.protocol !== protocol)
    throw failure('ERR_INVALID_PROTOCOL', `Protocol "${settings.protocol}" not supported. Expected "${protocol}"`);
  const path = `${protocol.slice(0, -1)}.request`;
  refuseLost(settings, path, host);
  const { agent } = settings;
  // An agent that is not ours has a way of its own, mostly through a proxy; a path with a host is for a proxy, too.
  if (typeof agent === 'object' && agent !== null && !(agent instanceof Agent)) refuseOption('agent', path);
  if (/^[a-z]+:\/\//i.test(settings.path ?? '')) refuseOption('path', path);
}

module.exports = { Agent, ClientRequest, IncomingMessage, globalAgent };
