import http from 'node:http';
import https from 'node:https';
import { isLoopback } from '../contract/index.ts';
import { codeOf, messageOf } from '../std/index.ts';
import type { RunLimits } from './types.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Read it to the end, or leave the loop: then the connection is closed. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Why a request has no complete answer. */
export class TransportFailure extends Error {
  readonly kind: 'connect-timeout' | 'first-byte-timeout' | 'silence' | 'too-large' | 'network' | 'aborted';

  constructor(kind: TransportFailure['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}

type TransportLimits = Pick<RunLimits, 'connectMs' | 'firstByteMs' | 'silenceMs' | 'replyBytes'>;

const direct = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
let proxied: typeof direct | undefined;

/** `HTTPS_PROXY` and its like count for other machines only. */
function agentFor({ protocol, hostname }: URL): http.Agent {
  const scheme = protocol === 'http:' ? 'http' : 'https';
  if (isLoopback(hostname)) return direct[scheme];
  proxied ??= {
    http: new http.Agent({ keepAlive: true, proxyEnv: process.env }),
    https: new https.Agent({ keepAlive: true, proxyEnv: process.env }),
  };
  return proxied[scheme];
}

/**
 * Sends one request and gives back the head of its answer. Redirects are not followed. When the signal aborts the connection is
 * closed at once, whoever waits.
 * @throws TransportFailure
 */
export function sendRequest(request: HttpRequest, limits: TransportLimits, signal: AbortSignal): Promise<HttpReply> {
  const { url, method, headers, body } = request;
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  let failure: TransportFailure | undefined;
  const open = (url.protocol === 'http:' ? http : https).request(url, {
    method,
    agent: agentFor(url),
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  });
  const fail = (kind: TransportFailure['kind'], message: string, cause?: unknown) => {
    failure ??= new TransportFailure(kind, message, cause);
    open.destroy();
    reject(failure);
  };
  const failAfter = (ms: number, kind: TransportFailure['kind'], message: string) =>
    setTimeout(() => fail(kind, `${message} within ${ms / 1_000} s`), ms);
  let timer = failAfter(limits.connectMs, 'connect-timeout', `No connection to ${url.host}`);
  const abort = () => fail('aborted', 'The run was stopped');
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  signal.addEventListener('abort', abort, { once: true });
  open.on('socket', (socket) => {
    const connected = () => {
      clearTimeout(timer);
      if (failure === undefined) {
        timer = failAfter(limits.firstByteMs, 'first-byte-timeout', `No answer from ${url.host}`);
      }
    };
    if (!socket.connecting) connected();
    else socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', connected);
  });
  open.on('error', (error) => {
    end();
    fail('network', describeNetworkError(url, error), error);
  });
  open.on('response', (response) => {
    clearTimeout(timer);
    const parts = readBody(response, limits, { fail, end, failure: () => failure });
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parts });
  });
  if (signal.aborted) abort();
  else open.end(body);
  return promise;
}

async function* readBody(
  response: http.IncomingMessage,
  limits: TransportLimits,
  request: {
    fail: (kind: TransportFailure['kind'], message: string, cause?: unknown) => void;
    end: () => void;
    failure: () => TransportFailure | undefined;
  },
): AsyncGenerator<Uint8Array, void> {
  const parts: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      // Only while somebody waits for the next part: whoever reads slowly does not make the other side silent.
      const timer = setTimeout(
        () => request.fail('silence', `Nothing more came within ${limits.silenceMs / 1_000} s`),
        limits.silenceMs,
      );
      const { done, value } = await parts.next().finally(() => clearTimeout(timer));
      if (done) return;
      bytes += value.length;
      if (bytes > limits.replyBytes) {
        request.fail('too-large', `The answer is larger than ${limits.replyBytes / 1024 / 1024} MiB`);
        break;
      }
      yield value;
    }
  } catch (error) {
    request.fail('network', 'The connection was lost in the middle of the answer', error);
  } finally {
    request.end();
    response.destroy();
  }
  throw request.failure() ?? new TransportFailure('network', 'The connection was lost');
}

function describeNetworkError({ host }: URL, error: Error): string {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}`;
  if (code === 'ENOTFOUND') return `There is no host ${host}`;
  if (code === 'ECONNRESET') return `${host} closed the connection`;
  return `${host} cannot be reached: ${code ?? messageOf(error)}`;
}
