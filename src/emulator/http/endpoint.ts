import { createHash } from 'node:crypto';
import type { Expose } from '../../contract/function-config/index.ts';
import { type Caller, refusal } from '../../contract/index.ts';
import type { FunctionResult } from '../../sdk/index.ts';
import { isJsonType } from '../../std/index.ts';
import { permitBuiltIn, requireInstalled } from '../handlers/built-in.ts';
import { isLeftToRepeat, outsideRefusal, untouched } from '../invoke/failure.ts';
import { onceKeyOf } from '../invoke/idempotency-keys.ts';
import type { Invoked } from '../invoke/invoker.ts';
import { checkMethodInput, type MethodRequest, methodArgument, methodInput } from '../invoke/method.ts';
import { type LoadedFunction, meantFunction } from '../sources/function-source.ts';
import { type Exchange, problemAnswer } from './exchange.ts';
import type { FindFunction } from './find-function.ts';
import { idempotencyKey } from './operations.ts';
import type { HttpParts } from './parts.ts';
import { decode } from './routes.ts';

/** A caller without a token, for a public method. */
const anyone: Caller = { type: 'token', id: null, name: 'public', scopes: [] };

/** An exposed Server Side Method: `/api/<slug>/custom-functions/<app>/<path>.js`; `rest` begins after `custom-functions/`. */
export async function serveEndpoint(
  parts: HttpParts,
  find: FindFunction,
  exchange: Exchange,
  rest: string,
): Promise<void> {
  const { app, name } = placeOf(rest);
  const found = name === undefined ? undefined : find(app, name);
  const loaded = found instanceof Promise ? await found.catch((error: unknown) => error) : found;
  const expose = exposureOf(loaded);
  // Without a token, a client must not learn which functions exist.
  const caller =
    expose && expose.auth === 'public' && !exchange.demandsToken
      ? anyone
      : await parts.workspace.authenticate(exchange.request.headers.authorization);
  if (!isLoaded(loaded)) {
    if (loaded !== undefined) throw loaded;
    throw refusal('function_not_found', `There is no function at ${rest}`, { hint: await meantAddress(parts, rest) });
  }
  if (loaded.version !== 'local') await requireInstalled(parts, app);
  if (!expose) {
    throw refusal('function_not_exposed', `${app}/${loaded.name} is not exposed as an endpoint`, {
      hint:
        loaded.type === 'server-side-method'
          ? `Add to its config: expose: { methods: ['${/^(GET|PUT|PATCH|DELETE)$/.test(exchange.method) ? exchange.method : 'POST'}'], auth: 'token' }`
          : `Only a Server Side Method can be exposed; this function is of type ${loaded.type}.`,
    });
  }
  const { method } = exchange;
  const methods: readonly string[] = expose.methods;
  if (!methods.includes(method) && !(method === 'HEAD' && methods.includes('GET'))) {
    const answered = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
    const allow = [...new Set([...methods, ...answered])].join(', ');
    if (method === 'OPTIONS') return exchange.send(204, ['Allow', allow]);
    exchange.extra.push('Allow', allow);
    throw refusal('function_method_not_allowed', `${loaded.path} takes ${methods.join(', ')}, not ${method}`);
  }
  if (caller !== anyone) requireScope(caller, method);
  permitBuiltIn(app, loaded.name, caller);
  if (loaded.isStale) exchange.extra.push('X-Fn-Stale', 'true');
  await run(parts, exchange, loaded, exchange.callerOf(caller));
}

function placeOf(rest: string): { app: string; name: string | undefined } {
  const [app = '', ...segments] = rest.split('/').map(decode);
  // An encoded slash is not a separator, so that no other spelling gets around the rules for paths.
  const isPath = segments.every((segment) => segment !== undefined && !segment.includes('/'));
  const path = isPath ? segments.join('/') : '';
  return { app, name: path.endsWith('.js') ? path.slice(0, -3) : undefined };
}

async function meantAddress(parts: HttpParts, rest: string): Promise<string | undefined> {
  if (!rest.endsWith('.js')) return 'The address of a function ends in .js, whatever its file is written in.';
  const { app, name } = placeOf(rest);
  const source = await parts.apps.source(app);
  const meant = source && name !== undefined ? meantFunction(name, await source.list()) : undefined;
  return meant === undefined ? undefined : `Did you mean ${app}/${meant}.js?`;
}

function isLoaded(value: unknown): value is LoadedFunction {
  return typeof value === 'object' && value !== null && 'limits' in value;
}

function exposureOf(loaded: unknown): Expose | undefined {
  if (!isLoaded(loaded) || loaded.config.type !== 'server-side-method') return undefined;
  return loaded.config.expose || undefined;
}

function requireScope({ scopes }: Caller, method: string): void {
  const needed = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write';
  if (scopes.includes(needed) || scopes.includes('admin')) return;
  throw refusal('token_scope', `A ${method} of a method needs the scope ${needed}`, {
    details: { needed, given: [...scopes] },
  });
}

async function run(parts: HttpParts, exchange: Exchange, loaded: LoadedFunction, caller: Caller): Promise<void> {
  const { method, path, query, scheme } = exchange;
  const body = await exchange.body(loaded.limits.bodyBytes);
  const search = query === '' ? '' : `?${query}`;
  const { headers } = exchange.request;
  const request: MethodRequest = {
    method,
    url: `${scheme}://${headers.host}${path}${search}`,
    headers: passedOn(exchange.request.rawHeaders),
    body,
  };
  const { config } = loaded;
  if (config.type === 'server-side-method' && config.expose && config.expose.input !== undefined)
    await checkMethodInput(loaded, request);
  const key = method === 'POST' ? idempotencyKey(headers['idempotency-key']) : undefined;
  if (key !== undefined) return runOnce(parts, exchange, loaded, request, caller, key);
  answer(exchange, await invoke(parts, exchange, loaded, request, caller));
}

function invoke(
  parts: HttpParts,
  exchange: Exchange,
  loaded: LoadedFunction,
  request: MethodRequest,
  caller: Caller,
  onceKey?: string,
): Promise<Invoked> {
  const { argument, body } = methodArgument(request);
  return parts.invoker.invoke(loaded, {
    trigger: 'http',
    caller,
    argument,
    body,
    onceKey,
    inputJson: () => methodInput(request),
    request: { method: request.method, path: exchange.path },
  });
}

/** Repeats with the same key within a day get the function's first answer again, whatever it was. */
async function runOnce(
  parts: HttpParts,
  exchange: Exchange,
  loaded: LoadedFunction,
  request: MethodRequest,
  caller: Caller,
  key: string,
): Promise<void> {
  const { idempotency } = parts.workspace;
  const hash = createHash('sha256')
    .update(request.body ?? '')
    .digest('base64url');
  const said = `${request.method} ${request.url.slice(request.url.indexOf('/', 8))} ${hash}`;
  const { replay } = await untouched(idempotency.begin(key, caller, said));
  if (replay) {
    const headers = Object.entries(replay.headers).flat();
    return exchange.send(
      replay.status,
      [...headers, 'Idempotent-Replayed', 'true'],
      Buffer.from(replay.body, 'base64'),
      replay.statusText,
    );
  }
  try {
    const invoked = await invoke(parts, exchange, loaded, request, caller, onceKeyOf(caller, key));
    const { status, statusText, headers, body } = answerParts(invoked, exchange.requestId);
    if (!invoked.ok && isLeftToRepeat(invoked.code, status)) {
      await idempotency.abandon(key, caller);
      return exchange.send(status, headers, body);
    }
    const kept: Record<string, string> = {};
    for (let i = 0; i < headers.length; i += 2) kept[headers[i] ?? ''] = headers[i + 1] ?? '';
    await idempotency.finish(key, caller, {
      status,
      ...(statusText && { statusText }),
      headers: kept,
      body: Buffer.from(body ?? '').toString('base64'),
    });
    exchange.send(status, headers, body, statusText);
  } catch (error) {
    await idempotency.abandon(key, caller);
    throw error;
  }
}

function answerParts(invoked: Invoked, requestId: string): Answer {
  if (invoked.ok) return answerOf(invoked.result, invoked.invocationId);
  return problemAnswer(outsideRefusal(invoked.code, invoked.invocationId), requestId);
}

function answer(exchange: Exchange, invoked: Invoked): void {
  const { status, statusText, headers, body } = answerParts(invoked, exchange.requestId);
  exchange.send(status, headers, body, statusText);
}

interface Answer {
  readonly status: number;
  /** The function's status text; default: the standard one. */
  readonly statusText?: string;
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | undefined;
}

function answerOf(result: FunctionResult, invocationId: string): Answer {
  if (result.kind === 'json') {
    return {
      status: 200,
      headers: [
        'Content-Type',
        'application/json; charset=utf-8',
        'Cache-Control',
        'no-store',
        'X-Invocation-Id',
        invocationId,
      ],
      body: result.json,
    };
  }
  const { status, statusText, headers, body } = result.response;
  const kept: string[] = ['X-Invocation-Id', invocationId];
  const types: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'content-type') types.push(value);
    if (!isDropped(lower)) kept.push(name, value);
  }
  if (types.length === 0 && body.byteLength > 0) kept.push('Content-Type', 'application/octet-stream');
  // To the browser, HTML from a function at this address would be one of our pages, so it may not run or load anything.
  // If there are two content types, the browser decides which one applies.
  if (types.length !== 1 || !isJsonType(types[0])) kept.push('Content-Security-Policy', 'sandbox');
  return { status, statusText, headers: kept, body };
}

/** Headers that a function may not set for the server: connection, cookies, CORS, framing, and who the answer is for. */
const dropped = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'trailer',
  'te',
  'proxy-authenticate',
  'set-cookie',
  'set-cookie2',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-frame-options',
  'x-request-id',
  'x-content-type-options',
  'x-invocation-id',
  'x-fn-stale',
  'strict-transport-security',
  'clear-site-data',
  'service-worker-allowed',
  'refresh',
  'date',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
  'origin-agent-cluster',
  'timing-allow-origin',
  'document-policy',
  'permissions-policy',
  'idempotent-replayed',
]);
const isDropped = (name: string) =>
  dropped.has(name) || name.startsWith('access-control-') || name.startsWith('cross-origin-');

type Headers = readonly (readonly [string, string])[];

let last: { raw: readonly string[]; headers: Headers } = { raw: [], headers: [] };

/** The headers that a method sees. Cached, because clients send the same ones with each request. */
function passedOn(raw: readonly string[]): Headers {
  const isSame = raw.length === last.raw.length && raw.every((text, i) => text === last.raw[i]);
  if (!isSame) last = { raw, headers: visible(raw) };
  return last.headers;
}

/** Removes the headers of the connection, the token, and our own cookie. */
function visible(raw: readonly string[]): Headers {
  const headers: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    if (!hidden.has(name)) headers.push([name, raw[i + 1] ?? '']);
  }
  return headers;
}

const hidden = new Set([
  'authorization',
  'cookie',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
]);
