import type { Transport } from '@modelcontextprotocol/client';
import { lazy } from '../../std/index.ts';
import { McpConnection, type McpConnectOptions } from './connection.ts';
import { explain, judgeStatus } from './explain.ts';
import { McpError, type McpErrorCode } from './mcp-error.ts';
import { type McpServerAddress, type McpTransport, mcpLimits } from './types.ts';
import { type SeenAnswer, watchedFetch } from './watched-fetch.ts';

/** The SDK takes 0.2 s to load, so nothing but a connection loads it. */
const loadSdk = lazy(() => import('@modelcontextprotocol/client'));

/**
 * Connects: HTTP+SSE first, as the platform does; a server that does not speak it is asked over streamable HTTP.
 * @throws McpError
 */
export async function openConnection(address: McpServerAddress, options: McpConnectOptions): Promise<McpConnection> {
  const { transport } = options;
  if (transport === 'streamable-http') return await openWith('streamable-http', address, options);
  try {
    return await openWith('sse', address, options);
  } catch (error) {
    if (!(error instanceof NotSse)) throw error;
    if (transport === 'sse') throw error.reason;
    return await openWith('streamable-http', address, options).catch((second: unknown) => {
      throw explainBoth(error.reason, second);
    });
  }
}

/** A server that does not speak HTTP+SSE, and what it did instead. */
class NotSse extends Error {
  readonly reason: McpError;

  constructor(reason: McpError) {
    super(reason.message);
    this.reason = reason;
  }
}

async function openWith(
  kind: McpTransport,
  { url, authorization }: McpServerAddress,
  options: McpConnectOptions,
): Promise<McpConnection> {
  const sdk = await loadSdk();
  const limits = { ...mcpLimits, ...options.limits };
  const seen: SeenAnswer[] = [];
  let failure: McpError | undefined;
  let isMisled = false;
  let connection: McpConnection | undefined;
  const cut = Promise.withResolvers<never>();
  cut.promise.catch(() => {});
  const fetch = watchedFetch({
    fetch: options.fetch,
    limits,
    onAnswer: (answer) => seen.push(answer),
    onFailure: (error) => {
      failure = error;
    },
    onStreamEnd(reason) {
      cut.reject(reason);
      connection?.end(reason);
    },
  });
  const requestInit = { headers: authorization === undefined ? {} : { authorization } };
  const target = new URL(url);
  const transport: Transport =
    kind === 'sse'
      ? new sdk.SSEClientTransport(target, { fetch, requestInit })
      : new sdk.StreamableHTTPClientTransport(target, {
          fetch,
          requestInit,
          reconnectionOptions: {
            maxRetries: 0,
            initialReconnectionDelay: 0,
            maxReconnectionDelay: 0,
            reconnectionDelayGrowFactor: 1,
          },
        });
  const client = new sdk.Client(
    { name: 'fn', version: options.version },
    {
      capabilities: {},
      // What comes back is checked by us, in linear time.
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
      inputRequired: { autoFulfill: false },
      listMaxPages: 64,
      ...(kind === 'streamable-http' && {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: limits.connectMs } },
      }),
      listChanged: { tools: { autoRefresh: false, debounceMs: 500, onChanged: () => options.onToolsChanged?.() } },
    },
  );
  client.onerror = (error) => {
    // Then the SDK closes the stream, which looks as if it had been cut.
    if (/^Endpoint origin/.test(error.message)) isMisled = true;
    if (isUnreadable(error)) connection?.onUnreadable(error);
  };
  const limitMs = kind === 'sse' ? limits.endpointMs : limits.connectMs;
  const started = kind === 'sse' ? observeStart(transport) : undefined;
  const give = Promise.withResolvers<never>();
  give.promise.catch(() => {});
  const onAbort = () => give.reject(new McpError('mcp_cancelled', 'Connecting was cancelled'));
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  // HTTP+SSE: the first event has a limit of its own, within that of the whole.
  const timers = [
    setTimeout(
      () => give.reject(new McpError('mcp_timeout', `The server did not answer within ${limits.connectMs} ms`)),
      limits.connectMs,
    ),
    ...(started
      ? [
          setTimeout(() => {
            if (started.isStarted()) return;
            give.reject(new NotSse(new McpError('mcp_timeout', `The server sent no "endpoint" within ${limitMs} ms`)));
          }, limitMs),
        ]
      : []),
  ];
  try {
    await Promise.race([client.connect(transport, { timeout: limits.connectMs + 1_000 }), give.promise, cut.promise]);
    connection = new McpConnection(client, kind, options);
    return connection;
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    if (error instanceof NotSse) throw error;
    if (isMisled) throw new McpError('mcp_protocol_error', 'The server names an "endpoint" on another origin', error);
    const met = failure ?? error;
    const isStarted = started?.isStarted() ?? true;
    throw kind === 'sse' && !isStarted ? judgeSse(met, seen[0]) : judgeAnswer(met, seen);
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Tells whether the `endpoint` event has come: `start` resolves with it. */
function observeStart(transport: Transport): { isStarted(): boolean } {
  let isStarted = false;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    isStarted = true;
  };
  return { isStarted: () => isStarted };
}

/** A first GET that led to no `endpoint`: whether another transport is worth trying. */
function judgeSse(error: unknown, first: SeenAnswer | undefined): Error {
  const failure = explain(error);
  if (failure.code === 'mcp_redirected') return new NotSse(failure);
  if (first === undefined) return failure;
  const refused = judgeStatus(first.status);
  if (refused) return refused;
  if (first.status !== 200) {
    return new NotSse(new McpError('mcp_endpoint_invalid', `The server answered GET with ${first.status}`, error));
  }
  if (!/^text\/event-stream\b/i.test(first.contentType)) {
    const type = first.contentType.slice(0, 100) || 'nothing';
    return new NotSse(
      new McpError('mcp_endpoint_invalid', `The server answered GET with ${type}, not an event stream`, error),
    );
  }
  if (failure.code === 'mcp_connection_lost') return new NotSse(failure);
  return failure;
}

/** A handshake that failed. */
function judgeAnswer(error: unknown, seen: readonly SeenAnswer[]): McpError {
  const failure = explain(error);
  if (failure.code !== 'mcp_protocol_error') return failure;
  const last = seen.at(-1);
  const refused = last && judgeStatus(last.status);
  if (refused) return refused;
  if (last !== undefined && last.status >= 400)
    return new McpError('mcp_endpoint_invalid', `The server answered ${last.method} with ${last.status}`, error);
  return failure;
}

/** Neither transport works: what each attempt has met. */
function explainBoth(reason: McpError, second: unknown): McpError {
  const failure = explain(second);
  if (failure.code === 'mcp_unauthorized' || failure.code === 'mcp_redirected' || failure.code === 'mcp_cancelled')
    return failure;
  const code: McpErrorCode =
    failure.code === 'mcp_unavailable' || failure.code === 'mcp_timeout' ? failure.code : 'mcp_endpoint_invalid';
  return new McpError(
    code,
    `This is not an MCP server. SSE: ${reason.message}. Streamable HTTP: ${failure.message}`,
    second,
  );
}

const isUnreadable = (error: Error): boolean => error instanceof SyntaxError || /ZodError$/.test(error.name);
