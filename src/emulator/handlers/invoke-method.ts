import { limits, refusal } from '../../contract/index.ts';
import { isRecord } from '../../std/index.ts';
import type { Invoked, InvokeRequest } from '../invoke/invoker.ts';
import { checkMethodInput, type MethodRequest, methodArgument, methodInput } from '../invoke/method.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import type { MachineParts } from './parts.ts';

/** Values by key. A list repeats the key. */
type Query = Readonly<Record<string, string | readonly string[]>>;

/** Caller, trigger and signal, and the parts of the request. */
export interface MethodCall extends Pick<InvokeRequest, 'caller' | 'trigger' | 'signal' | 'onceKey' | 'attempt'> {
  readonly body?: unknown;
  /** Default: POST with a body, otherwise the first exposed method. */
  readonly method?: string | undefined;
  /** Default: the body's fields, if the method takes no body. */
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Calls a Server Side Method like a request.
 * @throws WorkspaceError if it is not a method, or the input does not fit; then it has not run
 */
export async function invokeMethod(
  { invoker, workspace, baseUrl }: Pick<MachineParts, 'invoker' | 'workspace' | 'baseUrl'>,
  loaded: LoadedFunction,
  { caller, trigger, signal, onceKey, attempt, ...call }: MethodCall,
): Promise<Invoked> {
  const { app, name, type, path, config } = loaded;
  if (config.type !== 'server-side-method') {
    throw refusal('function_type_mismatch', `${app}/${name} is of type ${type}, not server-side-method`);
  }
  const exposed = config.expose ? config.expose.methods : ['POST'];
  const url = new URL(`${baseUrl()}/api/${workspace.slug}/custom-functions/${app}/${path}`);
  const request = requestOf(call, exposed, url);
  if (request.body && request.body.byteLength > loaded.limits.bodyBytes) throw refusal('body_too_large');
  await checkMethodInput(loaded, request);
  const { argument, body } = methodArgument(request);
  return invoker.invoke(loaded, {
    trigger,
    caller,
    argument,
    body,
    signal,
    onceKey,
    attempt,
    inputJson: () => methodInput(request),
    request: { method: request.method, path: url.pathname + url.search },
  });
}

type Given = Pick<MethodCall, 'body' | 'method' | 'query' | 'headers'>;

/** @param url the query is added to it */
function requestOf({ body: given, query, ...call }: Given, exposed: readonly string[], url: URL): MethodRequest {
  const method = call.method ?? (given !== undefined && exposed.includes('POST') ? 'POST' : (exposed[0] ?? 'POST'));
  const bodyless = method === 'GET' || method === 'HEAD';
  url.search = queryText(query ?? (bodyless ? textFields(given) : {}), method);
  const headers = Object.entries(call.headers ?? {}).map(([key, value]): [string, string] => [
    key.toLowerCase(),
    value,
  ]);
  const body = bodyless || given === undefined ? undefined : Buffer.from(JSON.stringify(given));
  if (body && !headers.some(([key]) => key === 'content-type')) headers.push(['content-type', 'application/json']);
  return { method, url: url.href, headers, body };
}

/**
 * Builds the query in one go: `searchParams.set` would rewrite the whole URL for each field.
 * @throws WorkspaceError input_invalid if no request could carry it
 */
function queryText(fields: Query, method: string): string {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [key, one]),
  );
  const most = limits.request.urlBytes;
  const least = entries.reduce((length, [key, value]) => length + key.length + value.length + 2, 0);
  const text = least > most ? undefined : new URLSearchParams(entries).toString();
  if (text !== undefined && text.length <= most) return text;
  throw refusal('input_invalid', `With ${method} the input is part of the address, which may have ${most} bytes`, {
    errors: [{ path: '', message: 'is too long for an address' }],
    hint: 'Call a method that takes POST, where the input is the body.',
  });
}

/** The fields as text, as a method's schema reads a query: `tag=a&tag=b` is a list. */
function textFields(value: unknown): Query {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, Array.isArray(one) ? one.map(asText) : asText(one)]),
  );
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
