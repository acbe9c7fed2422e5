import type { Dispatcher } from 'undici';
import { codeOf, type Environment, lazy } from '../std/index.ts';
import { authorities } from './certificates.ts';
import { failureOf } from './failure.ts';
import { proxyFor } from './proxy.ts';
import {
  asksForEvents,
  type Deadlines,
  isEventStream,
  type Transport,
  type TransportFailure,
  tooLate,
  type WireOptions,
  type WireRequest,
  type WireStream,
} from './transport.ts';

/**
 * Sends requests with undici, which reuses connections, for deploys and streams. No undici interceptor may repeat anything: only
 * `call-api.ts` decides what may be repeated.
 */
export function pooledTransport(deadlines: Deadlines, env: Environment = process.env): Transport {
  const dispatchers = lazy(() => openDispatchers(deadlines, env));
  return {
    async open(request, options) {
      return await send(await dispatchers(), request, options, proxyFor(request.url, env));
    },
    async close() {
      await (await dispatchers.made)?.destroy();
    },
  };
}

interface Dispatchers {
  readonly undici: typeof import('undici');
  /** @param proxy undefined for a direct connection */
  through(proxy: string | undefined): Dispatcher;
  destroy(): Promise<unknown>;
}

async function openDispatchers(deadlines: Deadlines, env: Environment): Promise<Dispatchers> {
  const loaded = await import('undici');
  // In a bundle, a CommonJS package has its names only on the default export.
  const undici = 'Agent' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
  const ca = authorities(env);
  const { connectMs } = deadlines;
  // Over HTTP/2, undici repeats a request by itself when the server refuses its stream, even one that sends a message.
  const tls = { timeout: connectMs, allowH2: false, ...(ca === undefined ? {} : { ca }) };
  const options = { connect: tls, allowH2: false, connections: 16, pipelining: 1, keepAliveTimeout: 4_000 };
  const connect = undici.buildConnector(tls);
  // After the handshake a server may still report an error, such as a missing client certificate; undici would only report the close.
  const telling: typeof connect = (given, done) =>
    connect(given, (...[error, socket]) => {
      if (error) return done(error, null);
      socket.once('error', () => socket.destroy());
      done(null, socket);
    });
  const throughProxy = (uri: string) =>
    new undici.ProxyAgent({
      ...options,
      uri,
      requestTls: tls,
      proxyTls: tls,
      // Limits the wait for a proxy that accepts the connection and never answers the CONNECT.
      clientFactory: (origin, given) => new undici.Pool(origin, { ...given, headersTimeout: connectMs }),
    });
  const open = new Map<string | undefined, Dispatcher>();
  return {
    undici,
    through(proxy) {
      const known = open.get(proxy);
      if (known) return known;
      const made = proxy === undefined ? new undici.Agent({ ...options, connect: telling }) : throughProxy(proxy);
      open.set(proxy, made);
      return made;
    },
    destroy: () => Promise.all([...open.values()].map((dispatcher) => dispatcher.destroy())),
  };
}

async function send(
  { undici, through }: Dispatchers,
  request: WireRequest,
  options: WireOptions,
  proxy: string | undefined,
): Promise<WireStream> {
  const { deadlines, signal } = options;
  const host = new URL(request.url).host;
  let written = false;
  let timedOut: TransportFailure | undefined;
  const stop = new AbortController();
  // undici aborts a request that waits for a connection only once it has got one.
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  stopped.catch(() => {});
  const total = setTimeout(() => {
    timedOut = tooLate('total', host, deadlines, written);
    stop.abort();
  }, deadlines.totalMs);
  const onAbort = () => stop.abort();
  if (signal?.aborted) stop.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const finish = () => {
    clearTimeout(total);
    signal?.removeEventListener('abort', onAbort);
  };
  const failure = (error: unknown) =>
    timedOut ?? lateness(error, host, deadlines, written) ?? failureOf(error, request.url, written, proxy);

  try {
    const watched = through(proxy).compose((dispatch) => (opts, handler) => {
      const start = handler.onRequestStart?.bind(handler);
      // undici calls this when a connection has taken the request, right before its first byte.
      handler.onRequestStart = (controller, context) => {
        written = true;
        options.onWritten?.();
        start?.(controller, context);
      };
      return dispatch(opts, handler);
    });
    const asked = undici.request(request.url, {
      dispatcher: watched,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      ...(request.body === undefined ? {} : { body: request.body }),
      headersTimeout: deadlines.firstByteMs,
      // An event stream may be silent for as long as nothing happens.
      bodyTimeout: asksForEvents(request) ? 0 : deadlines.firstByteMs,
      signal: stop.signal,
    });
    const answer = await Promise.race([asked, stopped]);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
    }
    if (isEventStream(request, headers['content-type'])) clearTimeout(total);
    return {
      status: answer.statusCode,
      headers,
      body: readBody(answer.body, failure, finish),
      close: () => {
        finish();
        if (!answer.body.destroyed && !answer.body.readableEnded) answer.body.on('error', () => {}).destroy();
      },
    };
  } catch (error) {
    finish();
    throw failure(error);
  }
}

function lateness(error: unknown, host: string, deadlines: Deadlines, written: boolean): TransportFailure | undefined {
  const code = codeOf(error);
  const ofProxy = code === 'UND_ERR_HEADERS_TIMEOUT' && !written;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || ofProxy) return tooLate('connect', host, deadlines, written);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return tooLate('firstByte', host, deadlines, written);
  return undefined;
}

async function* readBody(
  body: AsyncIterable<Uint8Array>,
  failure: (error: unknown) => TransportFailure,
  finish: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw failure(error);
  } finally {
    finish();
  }
}
