import {
  type Caller,
  limits,
  type Method,
  type Operation,
  type OperationName,
  operationOf,
  refusal,
} from '../../contract/index.ts';
import { isJsonType } from '../../std/index.ts';
import { permit } from '../../workspace/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import { authenticate } from './authenticate.ts';
import { bytesOf } from './bytes.ts';
import type { Exchange } from './exchange.ts';
import { notJson, refuseCompressed } from './json-body.ts';
import type { HttpParts } from './parts.ts';
import type { Match } from './routes.ts';
import { streamOf } from './streams.ts';
import { parseStrictJson } from './strict-json.ts';

type Params = Readonly<Record<string, string>>;

/** Runs the operation at an address. @param match the route of the address */
export async function serveOperation(parts: HttpParts, exchange: Exchange, match: Match): Promise<void> {
  const { method } = exchange;
  if (method === 'OPTIONS') return exchange.send(204, ['Allow', allow(match)]);
  const found = match.to((method === 'HEAD' ? 'GET' : method) as Method);
  if (found === undefined) {
    exchange.extra.push('Allow', allow(match));
    throw refusal('method_not_allowed', `${exchange.path} takes ${allow(match)}, not ${method}`);
  }
  const { operation: name, params } = found;
  const operation = operationOf(name);
  const caller = operation.credential === 'signed-address' ? systemCaller : await authenticate(parts, exchange);
  const seen = exchange.callerOf(caller);
  const serve = bytesOf(name) ?? (asksForStream(exchange, operation) ? streamOf(name) : undefined);
  if (serve === undefined) return callOperation(parts, exchange, name, params, seen);
  const input = await parts.workspace.check(name, withParams(queryOf(exchange), params), seen);
  return serve(parts, exchange, input as never);
}

/** Whether it is an event stream, or the client asks for one. */
function asksForStream(exchange: Exchange, { eventStream }: Operation): boolean {
  if (eventStream === 'only') return true;
  return eventStream === 'offered' && (exchange.request.headers.accept ?? '').includes('text/event-stream');
}

async function callOperation(
  parts: HttpParts,
  exchange: Exchange,
  name: OperationName,
  params: Params,
  caller: Caller,
): Promise<void> {
  const operation = operationOf(name);
  const { headers } = exchange.request;
  // Checked first, so that a caller without permission cannot fill the memory.
  if (operation.seedBody) permit(name, operation, caller);
  const input = withParams(await inputOf(exchange, operation), params);
  const key = exchange.method === 'POST' ? idempotencyKey(headers['idempotency-key']) : undefined;
  const ifMatch = headers['if-match'];
  const output = await parts.door(caller)(name, input as never, {
    ...(key !== undefined && { idempotencyKey: key }),
    ...(ifMatch !== undefined && { ifMatch }),
    // Set on replayed failures, too.
    onReplay: () => exchange.extra.push('Idempotent-Replayed', 'true'),
  });
  const further: string[] = [];
  const etag = operation.versioned ? parts.workspace.etagOf(name, output) : undefined;
  if (etag !== undefined) {
    further.push('ETag', etag);
    if (operation.effect === 'read' && sameTag(headers['if-none-match'], etag)) return exchange.send(304, further);
  }
  if (operation.status === 204) return exchange.send(204, further);
  exchange.json(operation.status ?? 200, output ?? {}, further);
}

/** The query of a GET or DELETE, the JSON body of other methods. */
async function inputOf(exchange: Exchange, { seedBody }: Operation): Promise<Record<string, unknown>> {
  const { method } = exchange;
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return queryOf(exchange);
  const type = exchange.request.headers['content-type'];
  const bytes = await exchange.body((seedBody ? limits.seed : limits.request).bodyBytes);
  if (exchange.query !== '') {
    const [first] = Object.keys(queryOf(exchange));
    throw refusal('input_invalid', 'The input of this operation is its body, not the query', {
      errors: [{ path: first ?? '', message: 'belongs in the body' }],
    });
  }
  if (bytes === undefined || bytes.byteLength === 0) return {};
  if (!isJsonType(type) || !isUtf8(type)) throw notJson(type);
  refuseCompressed(exchange.request.headers['content-encoding']);
  const value = parseStrictJson(bytes, {
    depth: limits.request.jsonDepth,
    keys: (seedBody ? limits.seed : limits.request).jsonKeys,
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal('input_invalid', 'The body must be a JSON object', {
      errors: [{ path: '', message: 'must be an object' }],
    });
  }
  return value as Record<string, unknown>;
}

function isUtf8(type = ''): boolean {
  const [, ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

function queryOf(exchange: Exchange): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null);
  for (const [key, value] of new URLSearchParams(exchange.query)) {
    if (Object.hasOwn(input, key)) {
      throw refusal('input_invalid', `${key} is given more than once`, {
        errors: [{ path: key, message: 'is given more than once' }],
      });
    }
    input[key] = value;
  }
  return { ...input };
}

function withParams(input: Record<string, unknown>, params: Params): Record<string, unknown> {
  for (const key of Object.keys(params)) {
    if (Object.hasOwn(input, key)) {
      throw refusal('input_invalid', `${key} is part of the address`, {
        errors: [{ path: key, message: 'is already part of the address' }],
      });
    }
  }
  return { ...input, ...params };
}

/** Reads `Idempotency-Key: "8e03978e"`, a quoted string; the quotes are optional. @throws WorkspaceError header_invalid */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = Array.isArray(header) ? header.join() : header;
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(key)) {
    throw refusal('header_invalid', 'Idempotency-Key must be 1 to 255 visible characters, without quotes in it');
  }
  return key;
}

function sameTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));
}

function allow({ methods }: Match): string {
  const all: string[] = [...methods];
  if (all.includes('GET')) all.push('HEAD');
  return [...all, 'OPTIONS'].join(', ');
}
