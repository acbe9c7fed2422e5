import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../contract/index.ts';
import { FnError, lazy, monotonicMs, WorkspaceError, wait } from '../../std/index.ts';
import { internalError, internalWords } from '../invoke/failure.ts';
import { callbackPath, mcpPath } from '../runs/run-doors.ts';
import { proofFor } from '../sources/local/dev-proof.ts';
import { keptLocalToken } from '../sources/local/state-files.ts';
import { serveEndpoint } from './endpoint.ts';
import { EventStreams } from './event-stream.ts';
import { Exchange } from './exchange.ts';
import { sharingLooks } from './find-function.ts';
import { demandsToken, type GuardOptions, guard, isForeignNavigation, schemeOf } from './guard.ts';
import { isClosing } from './last-answer.ts';
import { type Listener, type Listening, type ListenOptions, listen } from './listen.ts';
import { liveApps } from './live-apps.ts';
import { serveOperation } from './operations.ts';
import type { HttpParts } from './parts.ts';
import { matchRoute } from './routes.ts';
import { SentFrames } from './sent-frames.ts';
import { boundMemory } from './server-memory.ts';
import { Sessions } from './sessions.ts';

export interface HttpFace {
  listen(options: ListenOptions): Promise<Listening>;
  /** An address with a one-time code that signs a browser in. */
  openUrl(path?: string): string;
  /**
   * Resolves when no request is being answered, or after a moment.
   * @param expectMs how long to wait for a first request
   */
  quiet(expectMs?: number): Promise<void>;
  close(): Promise<void>;
}

const maxBatchBytes = 5 * 1024 * 1024;

/** A request that takes longer than this is ignored: it is waiting for something itself. */
const mostQuietWaitMs = 300;

/** Loads only what a first request needs: pages and the OpenAPI document are loaded on demand. */
export function openHttp(given: Omit<HttpParts, 'streams' | 'sentFrames' | 'sessions'>): HttpFace {
  const sessions = new Sessions(given.stateDir);
  const parts: HttpParts = { ...given, streams: new EventStreams(), sentFrames: new SentFrames(), sessions };
  const find = sharingLooks(parts.apps);
  /** The room with the SDK is loaded by the first host. */
  const mcp = lazy(async () => new (await import('./mcp.ts')).McpFace(parts));
  const listeners: Listener[] = [];
  let stopping = false;
  let open = 0;
  const forQuiet = new Set<() => void>();
  const keptToken = () => (parts.stateDir === undefined ? undefined : keptLocalToken(parts.stateDir));

  function answered(): void {
    open--;
    if (open > 0 || forQuiet.size === 0) return;
    for (const resolve of forQuiet) resolve();
    forQuiet.clear();
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    options: GuardOptions,
    expectsContinue: boolean,
  ): Promise<void> {
    if (isClosing(request)) return;
    boundMemory();
    const exchange = new Exchange(request, response, expectsContinue);
    open++;
    try {
      const foreign = guard(request, options);
      if (foreign) {
        tellRefused(exchange, foreign);
        return await refuseForeign(exchange, foreign, options);
      }
      if (options.allowedOrigins.size > 0 && invited(exchange, options)) return;
      exchange.demandsToken = demandsToken(request, options);
      exchange.scheme = schemeOf(request, options);
      if (stopping) throw refusal('workspace_stopping', undefined, { retryAfterSeconds: 1 });
      await route(exchange);
    } catch (error) {
      refuse(exchange, error);
    } finally {
      answered();
    }
  }

  function route(exchange: Exchange): Promise<void> | void {
    const { path } = exchange;
    const api = `/api/${parts.workspace.slug}/`;
    if (!path.startsWith(api)) return elsewhere(exchange);
    const below = path.slice(api.length - 1);
    const match = matchRoute(below);
    if (match) return serveOperation(parts, exchange, match);
    if (below.startsWith('/custom-functions/'))
      return serveEndpoint(parts, find, exchange, below.slice('/custom-functions/'.length));
    if (below === '/openapi.json') return serveOpenApi(exchange);
    return unknown(exchange);
  }

  async function unknown(exchange: Exchange): Promise<void> {
    await parts.workspace.authenticate(exchange.request.headers.authorization);
    throw refusal('route_unknown', `There is nothing at ${exchange.path}`);
  }

  async function serveOpenApi(exchange: Exchange): Promise<void> {
    const { authorization, cookie } = exchange.request.headers;
    if (!sessions.holds(cookie)) await parts.workspace.authenticate(authorization);
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
      exchange.extra.push('Allow', 'GET, HEAD');
      throw refusal('method_not_allowed');
    }
    const { openApiDocument } = await import('./openapi.ts');
    exchange.json(200, openApiDocument(listeners[0]?.url ?? '', parts.workspace.slug, await liveApps(parts.apps)));
  }

  async function elsewhere(exchange: Exchange): Promise<void> {
    const [, first, slug] = exchange.path.split('/');
    if (first === 'api') {
      throw slug === parts.workspace.slug
        ? refusal('route_unknown', `There is nothing at ${exchange.path}`)
        : refusal(
            'workspace_unknown',
            `There is no workspace "${slug ?? ''}" here; this one is "${parts.workspace.slug}"`,
          );
    }
    if (exchange.path === '/mcp') return (await mcp()).serve(exchange);
    if (exchange.path.startsWith(mcpPath)) return (await mcp()).serveRun(exchange, exchange.path.slice(mcpPath.length));
    if (exchange.path.startsWith(callbackPath)) return takeBatch(exchange);
    const proof = proofFor(exchange.path, exchange.request.socket.localPort, keptToken);
    if (proof !== undefined)
      return exchange.send(200, ['Content-Type', 'text/plain', 'Cache-Control', 'no-store'], proof);
    const { servePage } = await import('./pages/index.ts');
    return servePage(parts, exchange);
  }

  /** What a custom agent that answered with 202 tells later. */
  async function takeBatch(exchange: Exchange): Promise<void> {
    const [, runId] = /^([^/]+)\/events$/.exec(exchange.path.slice(callbackPath.length)) ?? [];
    if (runId === undefined) throw refusal('route_unknown', `There is nothing at ${exchange.path}`);
    if (exchange.method !== 'POST') {
      exchange.extra.push('Allow', 'POST');
      throw refusal('method_not_allowed');
    }
    const { headers } = exchange.request;
    const refused = parts.runDoors.refuseBatch(runId, headers);
    if (refused) return exchange.json(refused.status, refused.body);
    const body = (await exchange.body(maxBatchBytes)) ?? new Uint8Array();
    const answer = parts.runDoors.takeBatch(runId, { headers, body });
    exchange.json(answer.status, answer.body);
  }

  /** `--allow-origin`: pages of that origin may read the answers; every request still needs its token. */
  function invited(exchange: Exchange, { allowedOrigins }: GuardOptions): boolean {
    const { headers } = exchange.request;
    const { origin } = headers;
    if (origin === undefined || !allowedOrigins.has(origin)) return false;
    exchange.extra = [
      'Access-Control-Allow-Origin',
      origin,
      'Vary',
      'Origin',
      // A method may set its own headers. Without credentials, `*` includes all of them.
      'Access-Control-Expose-Headers',
      '*',
    ];
    if (exchange.method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    exchange.send(204, [
      'Access-Control-Allow-Methods',
      'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers',
      headers['access-control-request-headers'] ?? 'authorization, content-type',
      'Access-Control-Max-Age',
      '600',
    ]);
    return true;
  }

  async function refuseForeign(exchange: Exchange, foreign: WorkspaceError, options: GuardOptions): Promise<void> {
    // Someone followed a link from another site. The page says so, holds no data, and leads on by a click of their own.
    const hostOnly = guardWithoutSite(exchange.request, options);
    if (hostOnly && isForeignNavigation(exchange.request)) {
      const { foreignPage } = await import('./pages/foreign.ts');
      return foreignPage(exchange);
    }
    exchange.problem(foreign);
  }

  function refuse(exchange: Exchange, error: unknown): void {
    try {
      const known = error instanceof WorkspaceError ? error : unforeseen(error);
      // Reported here, because the person at this machine can free space.
      if (known.code === 'disk_full') parts.emit({ type: 'problem', code: known.code, message: known.message });
      tellRefused(exchange, known);
      if (exchange.response.headersSent) exchange.response.destroy();
      else exchange.problem(known);
    } catch {
      exchange.response.destroy();
    }
  }

  /** The author should see it: the sender is often another system that does not show the answer. */
  function tellRefused({ method, path }: Exchange, error: WorkspaceError): void {
    const api = `/api/${parts.workspace.slug}`;
    const isToFunction = path.includes('/custom-functions/') && !matchRoute(path.slice(api.length));
    if (isToFunction && error.status < 500) parts.emit({ type: 'refused', request: { method, path }, error });
  }

  function unforeseen(error: unknown): WorkspaceError {
    const code = error instanceof FnError ? error.code : 'internal_error';
    parts.emit({ type: 'problem', code, message: internalWords(error) });
    return internalError(error);
  }

  return {
    async listen(options) {
      const listener = await listen(options, handle);
      listeners.push(listener);
      sessions.port = listener.port;
      const { url, port, beyond } = listener;
      return { url, port, openUrl: sessions.openUrl(url), ...(beyond && { beyond }) };
    },
    openUrl: (path) => sessions.openUrl(listeners.at(-1)?.url ?? '', path),
    async quiet(expectMs = 0) {
      // Requests that have already arrived count as being answered.
      await new Promise((resolve) => setImmediate(resolve));
      const until = monotonicMs() + expectMs;
      while (open === 0 && monotonicMs() < until) await wait(1);
      if (open === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostQuietWaitMs);
        forQuiet.add(() => {
          clearTimeout(timer);
          // The record of an answer is written in the turn after it.
          setImmediate(() => setImmediate(resolve));
        });
      });
    },
    async close() {
      stopping = true;
      parts.streams.close();
      await (await mcp.made)?.close();
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
}

/** Whether only the origin of the link is wrong. */
function guardWithoutSite(request: IncomingMessage, options: GuardOptions): boolean {
  const { 'sec-fetch-site': _, ...headers } = request.headers;
  return guard({ headers, rawHeaders: request.rawHeaders, url: request.url } as IncomingMessage, options) === undefined;
}
