import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Environment, FnError } from '../std/index.ts';
import { authorities } from './certificates.ts';
import { failureOf } from './failure.ts';
import { proxyFor } from './proxy.ts';
import {
  isEventStream,
  type Transport,
  TransportFailure,
  tooLate,
  type WireOptions,
  type WireRequest,
  type WireStream,
} from './transport.ts';

/**
 * Sends requests with Node's own HTTP client, for commands that send one or two: nothing else is loaded. Every request gets its own
 * connection, because the server may close a reused one just as it is written to, which leaves the outcome unknown.
 */
export function lightTransport(env: Environment = process.env): Transport {
  return {
    open: (request, options) => new Promise((resolve, reject) => send(request, options, env, resolve, reject)),
    close: async () => {},
  };
}

function send(
  request: WireRequest,
  options: WireOptions,
  env: Environment,
  resolve: (stream: WireStream) => void,
  reject: (failure: TransportFailure | FnError) => void,
): void {
  const secure = request.url.startsWith('https:');
  const proxy = proxyFor(request.url, env);
  let written = false;
  let outgoing: ClientRequest;
  let ended: TransportFailure | undefined;
  // An unreadable certificate file already has a message of its own.
  const fail = (error: unknown) =>
    reject(error instanceof FnError ? error : failureOf(error, request.url, written, proxy));
  const { deadlines, signal } = options;
  const host = new URL(request.url).host;
  const timers = new Timers((what) => end(tooLate(what, host, deadlines, written)));
  const stopWaiting = () => {
    timers.clearAll();
    signal?.removeEventListener('abort', onAbort);
  };
  const end = (failure: TransportFailure) => {
    stopWaiting();
    ended = failure;
    outgoing.destroy(failure);
    reject(failure);
  };
  const onAbort = () => end(new TransportFailure('aborted', 'the request was stopped', written));

  try {
    outgoing = start(request, secure, proxy, env);
  } catch (error) {
    fail(error);
    return;
  }
  timers.set('connect', deadlines.connectMs);
  timers.set('total', deadlines.totalMs);
  if (signal?.aborted) queueMicrotask(onAbort);
  signal?.addEventListener('abort', onAbort, { once: true });

  const onConnected = () => {
    timers.clear('connect');
    timers.set('firstByte', deadlines.firstByteMs);
    written = true;
    options.onWritten?.();
  };
  outgoing.on('socket', (socket) => {
    // Node sends no byte of the request until the connection is established, TLS included.
    const handshaking = secure && 'secureConnecting' in socket && socket.secureConnecting === true;
    if (handshaking) socket.once('secureConnect', onConnected);
    else if (!secure && socket.connecting) socket.once('connect', onConnected);
    else onConnected();
  });
  outgoing.on('error', (error) => {
    stopWaiting();
    fail(error);
  });
  outgoing.on('upgrade', (_, socket) => {
    socket.on('error', () => {}).destroy();
    end(new TransportFailure('answer_broken', `${host} changed the protocol unasked`, true));
  });
  outgoing.on('response', (response) => {
    const isStream = isEventStream(request, response.headers['content-type']);
    if (isStream) timers.clearAll();
    const isAwaited = () => {
      if (!isStream) timers.set('firstByte', deadlines.firstByteMs);
    };
    isAwaited();
    response.once('close', stopWaiting);
    resolve({
      status: response.statusCode ?? 0,
      headers: flatHeaders(response),
      body: readBody(response, isAwaited, {
        ofUs: () => ended,
        of: (error) => ended ?? failureOf(error, request.url, true, proxy),
      }),
      close: () => {
        stopWaiting();
        outgoing.destroy();
      },
    });
  });
  outgoing.end(request.body);
}

function start(request: WireRequest, secure: boolean, proxy: string | undefined, env: Environment): ClientRequest {
  const http: typeof import('node:http') = secure
    ? (process.getBuiltinModule('node:https') as unknown as typeof import('node:http'))
    : process.getBuiltinModule('node:http');
  const ca = secure ? authorities(env) : undefined;
  const body = request.body;
  const bytes = body === undefined ? undefined : typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const outgoing = http.request(request.url, {
    method: request.method,
    agent: proxy === undefined ? false : new http.Agent({ proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
    ...(ca === undefined ? {} : { ca }),
  });
  // Set only now: with NODE_DEBUG=net Node logs the options of a request, and the token is among the headers.
  for (const [name, value] of Object.entries(request.headers)) outgoing.setHeader(name, value);
  outgoing.setHeader('accept-encoding', 'identity');
  outgoing.setHeader('connection', 'close');
  if (bytes !== undefined) outgoing.setHeader('content-length', String(bytes));
  return outgoing;
}

async function* readBody(
  response: IncomingMessage,
  onChunk: () => void,
  failure: { ofUs: () => TransportFailure | undefined; of: (error: unknown) => TransportFailure },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) {
      onChunk();
      yield chunk;
    }
  } catch (error) {
    throw failure.of(error);
  }
  // Node considers an answer without a length complete when we close its connection ourselves.
  const ours = failure.ofUs();
  if (ours) throw ours;
}

function flatHeaders(response: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

type TimerName = 'connect' | 'firstByte' | 'total';

class Timers {
  readonly #running = new Map<TimerName, NodeJS.Timeout>();
  readonly #onEnd: (what: TimerName) => void;

  constructor(onEnd: (what: TimerName) => void) {
    this.#onEnd = onEnd;
  }

  set(name: TimerName, ms: number): void {
    this.clear(name);
    this.#running.set(
      name,
      setTimeout(() => {
        this.clearAll();
        this.#onEnd(name);
      }, ms),
    );
  }

  clear(name: TimerName): void {
    clearTimeout(this.#running.get(name));
    this.#running.delete(name);
  }

  clearAll(): void {
    for (const name of [...this.#running.keys()]) this.clear(name);
  }
}
