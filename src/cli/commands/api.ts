import {
  checkKey,
  leavesOpen,
  plainText,
  requestRefusal,
  unknownOutcome,
  type WireAnswer,
} from '../../client/index.ts';
import {
  type CallOptions,
  type Door,
  isOperationName,
  type OperationName,
  operationNames,
  operationOf,
} from '../../contract/index.ts';
import { nearest, UsageError, WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { toJson } from '../terminal/sanitise.ts';
import { roomOn, table } from '../terminal/table.ts';
import { keyAndValue, setField, typedValue } from '../values/fields.ts';
import { readGiven } from '../values/read-given.ts';
import { readJson } from '../values/read-json.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

export const command = defineCommand({
  description: `Calls an operation of the workspace by its name, or any path below /api/<slug>. The workspace is the local one unless a profile says otherwise.

Fields passed with -f are text, or what the operation wants there: a number, true, false or null, or a list or an object, as JSON. With -F they are always JSON, or text if they are none; @file is the text of a file. A key may be a path: assign.agentEmail, variables.body[0], scopes[]. In a GET of a path, the fields become the query.

The answer is printed unchanged.`,
  arguments: {
    operation: { summary: 'Name of an operation (customers.find), or an HTTP method (GET, POST, …)', optional: true },
    path: { summary: 'After an HTTP method: the path below /api/<slug>', optional: true },
  },
  options: {
    field: {
      flag: '-f, --field <key=value>',
      summary: 'Field of the input; a number, true, or a JSON list or object if the operation wants one',
      many: true,
    },
    typed: { flag: '-F, --typed-field <key=value>', summary: 'Field of the input, as JSON or @file', many: true },
    whole: {
      flag: '--input <file>',
      summary: 'The whole input as JSON, - for standard input; with a path: the raw body',
    },
    header: { flag: '-H, --header <name:value>', summary: 'With a path: a request header', many: true },
    key: { flag: '--idempotency-key <key>', summary: 'Makes it safe to repeat the request' },
    ifMatch: { flag: '--if-match <etag>', summary: 'Only if this version is still current' },
    include: { flag: '-i, --include', summary: 'With a path: print status and headers to standard error' },
    list: { flag: '--list', summary: 'List the operations' },
  },
  examples: [
    { line: 'fn api workspace.show', does: 'shows the workspace', runs: true },
    {
      line: 'fn api customers.findOrCreate -f phone=+4930901820 -f name="Ann Lee"',
      does: 'makes a customer',
      runs: true,
    },
    { line: 'fn api GET /conversations -f limit=5', does: 'calls a path', runs: true },
    {
      line: 'fn api POST /custom-functions/order-desk/api/orders/find.js --input order.json',
      does: 'calls a Server Side Method',
    },
    { line: 'fn api --list', does: 'lists the operations', runs: true },
  ],
  json: 'The answer unchanged; with --list {items: [{name, route, scope, summary}]}.',
  see: ['operations'],
  complete: {
    operation: async () => [...methods, ...operationNames.filter((name) => operationOf(name).route !== null)],
  },
  async run(context, args) {
    if (args.list) return list(context);
    const { operation, path } = args;
    if (operation === undefined)
      throw new UsageError('argument_missing', 'fn api needs an operation or a method and a path', {
        hint: 'See: fn api --list',
      });
    if (methods.includes(operation.toUpperCase())) {
      if (path === undefined)
        throw new UsageError('argument_missing', `fn api ${operation} needs a path`, {
          hint: `For example: fn api ${operation} /customers`,
        });
      const fields = await fieldsOf(context, args.field, args.typed);
      return await callPath(context, operation.toUpperCase(), path, fields, args);
    }
    if (path !== undefined)
      throw new UsageError('argument_surplus', `"${operation}" is not an HTTP method, so no path may follow`, {
        hint: isOperationName(operation)
          ? `Pass fields with -f: fn api ${operation} -f ${path.includes('=') ? path : 'name=value'}`
          : `The methods are ${methods.join(', ')}.`,
      });
    const name = operationNamed(operation);
    if (args.header.length > 0 || args.include) {
      throw new UsageError('flags_contradict', `${args.include ? '--include' : '--header'} only works with a path`, {
        hint: `As in: fn api ${operationOf(name).route} ${args.include ? '-i' : '-H name:value'}`,
      });
    }
    const fields = await fieldsOf(context, args.field, args.typed, name);
    const whole = args.whole === undefined ? {} : await readJson(context, `@${args.whole}`, '--input');
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) {
      throw new UsageError('input_invalid', `The input of ${name} must be a JSON object`, {
        hint: 'Write it as {"field": value}.',
      });
    }
    const answer = await callByName(
      await context.door(),
      name,
      { ...whole, ...fields },
      {
        ...(args.key !== undefined && { idempotencyKey: args.key }),
        ...(args.ifMatch !== undefined && { ifMatch: args.ifMatch }),
        signal: context.signal,
      },
    );
    context.io.answer(answer, () => toJson(answer, 2));
    return 0;
  },
});

/** Calls an operation by name. The workspace checks the input and reports problems with their paths. */
function callByName(door: Door, name: OperationName, input: unknown, options: CallOptions): Promise<unknown> {
  const untyped = door as (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>;
  return untyped(name, input, options);
}

function list({ io }: Context): void {
  const items = operationNames.flatMap((name) => {
    const { route, scope, summary, source } = operationOf(name);
    return route === null ? [] : [{ name, route, scope, source, summary }];
  });
  io.result({ items }, () =>
    table(
      items.map(({ name, summary }) => [name, summary]),
      (cell, column) => (column === 0 ? io.style.cyan(cell) : cell),
      roomOn(io, [1]),
    ),
  );
}

function operationNamed(asked: string): OperationName {
  if (isOperationName(asked)) {
    const { route, rawBody, outside } = operationOf(asked);
    if (route === null) {
      throw new UsageError('operation_internal', `${asked} is for functions only: sdk.${asked}`, {
        hint: outside ? `Use instead: fn api ${outside}` : 'See: fn api --list',
      });
    }
    if (rawBody) {
      throw new UsageError('operation_takes_bytes', `${asked} takes raw bytes`, {
        hint: `Call its path: fn api ${route} --input FILE`,
      });
    }
    return asked;
  }
  if (asked.startsWith('/'))
    throw new UsageError('operation_unknown', `A method is missing before the path ${asked.slice(0, 60)}`, {
      hint: `For example: fn api GET ${asked.slice(0, 60)}`,
    });
  const meant = nearest(asked, operationNames);
  throw new UsageError('operation_unknown', `There is no operation "${asked.slice(0, 60)}"`, {
    hint: `${meant ? `Did you mean ${meant}? ` : ''}See: fn api --list`,
  });
}

/** @param name the operation whose schema says what a text is converted to; without it, text stays text */
async function fieldsOf(
  context: Context,
  texts: readonly string[],
  typed: readonly string[],
  name?: OperationName,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  const converted = texts.length > 0 && name !== undefined ? await converter(name) : undefined;
  for (const given of texts) {
    const [key, value] = keyAndValue(given, '-f');
    setField(fields, key, converted === undefined ? value : converted(key, value));
  }
  for (const given of typed) {
    const [key, value] = keyAndValue(given, '-F');
    setField(fields, key, await typedValue(context, value));
  }
  return fields;
}

/** Converts the text of a field by the schema of an operation. The schemas load late: most commands need none. */
async function converter(name: OperationName): Promise<(key: string, value: string) => unknown> {
  const [{ jsonSchemaOf }, { bySchema }] = await Promise.all([
    import('../../contract/shapes/index.ts'),
    import('../values/by-schema.ts'),
  ]);
  const schema = jsonSchemaOf(name, 'input');
  return (key, value) => bySchema(schema, key, value);
}

interface PathArgs {
  readonly whole: string | undefined;
  readonly header: readonly string[];
  readonly key: string | undefined;
  readonly ifMatch: string | undefined;
  readonly include: boolean;
}

async function callPath(
  context: Context,
  method: string,
  given: string,
  fields: Record<string, unknown>,
  args: PathArgs,
): Promise<0> {
  const target = await context.target();
  const below = given.startsWith('/') ? given : `/${given}`;
  const prefix = `/api/${target.slug}/`;
  const path = below.startsWith(prefix) ? below.slice(prefix.length - 1) : below;
  const inQuery = method === 'GET' || method === 'HEAD' || args.whole !== undefined;
  const query = inQuery
    ? new URLSearchParams(
        Object.entries(fields).map(([key, value]): [string, string] => [key, queryText(value)]),
      ).toString()
    : '';
  const body =
    args.whole !== undefined
      ? await bodyOf(context, args.whole)
      : inQuery || Object.keys(fields).length === 0
        ? undefined
        : JSON.stringify(fields);
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (args.key !== undefined) headers['idempotency-key'] = `"${checkKey(args.key)}"`;
  if (args.ifMatch !== undefined) headers['if-match'] = args.ifMatch;
  for (const header of args.header) {
    const at = header.indexOf(':');
    if (at < 1)
      throw new UsageError('header_invalid', `-H ${header.slice(0, 60)} has no name and value`, {
        hint: 'Write -H name:value',
      });
    headers[header.slice(0, at).trim()] = header.slice(at + 1).trim();
  }
  const answer = await target.request({
    method,
    path: query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
    headers,
    ...(body !== undefined && { body }),
    signal: context.signal,
  });
  if (args.include) {
    context.io.err(`HTTP ${answer.status}`);
    for (const [name, value] of Object.entries(answer.headers)) context.io.err(`${name}: ${value}`);
  }
  const bytes = answer.body;
  const reads = method === 'GET' || method === 'HEAD';
  if (answer.status >= 400 || (answer.status >= 300 && !args.include)) {
    const refused = requestRefusal(answer, context.clock.now(), reads);
    const problem = refused ?? foreignRefusal(answer, reads && leavesOpen(answer.status, undefined));
    if (reads || !leavesOpen(answer.status, refused?.code)) throw problem;
    const asked = { operation: `${method} ${path}`, repeatable: false, idempotencyKey: undefined };
    throw unknownOutcome(asked, problem.message, problem);
  }
  if (bytes.length > 0) await context.io.write(bytes);
  if (bytes.length > 0 && context.io.outIsTerminal) context.io.out('');
  return 0;
}

const queryText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** More than any operation accepts: the workspace decides what is too large. */
const mostBodyBytes = 256 * 1024 * 1024;

async function bodyOf(context: Context, file: string): Promise<Uint8Array | string> {
  if (file === '-') return await context.stdin();
  return await readGiven(context, file, mostBodyBytes);
}

/** The refusal of an unknown server, with its own text. */
function foreignRefusal({ status, headers, body }: WireAnswer, nothingChanged: boolean): WorkspaceError {
  const said = plainText(new TextDecoder().decode(body.subarray(0, 65_536)), 500);
  const { location, 'x-request-id': requestId } = headers;
  return new WorkspaceError(`http_${status}`, status, `the workspace answered ${status}${said && `: ${said}`}`, {
    requestId: requestId && plainText(requestId, 200, true),
    hint: location
      ? `It points to ${plainText(location, 300, true)}; redirects are not followed.`
      : nothingChanged
        ? 'Nothing was changed. Try again later.'
        : undefined,
    nothingChanged,
  });
}
