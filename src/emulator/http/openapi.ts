import { z } from 'zod';
import { type ErrorCode, errorCodes, type OperationName, operationNames, operationOf } from '../../contract/index.ts';
import { shapes } from '../../contract/shapes/index.ts';

type Schema = Record<string, unknown>;

/** Refusals that any operation may answer with. */
const common: readonly ErrorCode[] = [
  'token_missing',
  'token_malformed',
  'token_invalid',
  'token_revoked',
  'token_foreign',
  'token_scope',
  'operation_not_allowed',
  'request_foreign',
  'header_invalid',
  'input_invalid',
  'rate_limited',
  'workspace_busy',
  'workspace_stopping',
  'internal_error',
];

/** Refusals of what arrives in a body of JSON. */
const ofBodies: readonly ErrorCode[] = ['body_invalid', 'body_too_deep', 'body_too_large', 'content_type_unsupported'];
const ofOnceKeys: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotency_key_running'];
/** What can become of a function that an operation runs (contract 7). */
const ofFunctions: readonly ErrorCode[] = [
  'function_failed',
  'function_timeout',
  'function_memory',
  'function_crashed',
  'function_busy',
  'function_broken',
  'result_too_large',
  'result_invalid',
];
const runsFunctions: ReadonlySet<OperationName> = new Set([
  'functions.invoke',
  'templates.send',
  'templates.list',
  'templates.uploadCredentials',
  'sessions.link',
]);

/** The API as an OpenAPI 3.1 document, made from the table and the shapes. */
export function openApiDocument(baseUrl: string, slug: string): Schema {
  const paths: Record<string, Schema> = {};
  for (const name of operationNames) {
    const { route } = operationOf(name);
    if (route === null) continue;
    const [method = '', path = ''] = route.split(' ');
    const key = unify(paths, path.replace(/:(\w+)/g, '{$1}'));
    paths[key] = { ...paths[key], [method.toLowerCase()]: operationObject(name, key) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace API',
      version: '1',
      description:
        'The REST API of a customer-conversation workspace. Operations marked `documented` are stated by the platform; those marked `assumed` are decisions of convo-fn in the usual form.',
    },
    servers: [{ url: `${baseUrl}/api/${slug}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token (Profile › API Tokens)' },
      },
      schemas: { Problem: problem },
    },
  };
}

/** Rows that share an address may name its segments differently; a document may not. */
function unify(paths: Record<string, Schema>, path: string): string {
  const shape = path.replace(/\{\w+\}/g, '{}');
  return Object.keys(paths).find((known) => known.replace(/\{\w+\}/g, '{}') === shape) ?? path;
}

function operationObject(name: OperationName, path: string): Schema {
  const row = operationOf(name);
  const [method = ''] = (row.route ?? '').split(' ');
  const input = objectSchema(shapes[name].input, 'input');
  const own = [...(row.route ?? '').matchAll(/:(\w+)/g)].map(([, key]) => key ?? '');
  const shown = [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key ?? '');
  const rest = Object.entries(input.properties).filter(([key]) => !own.includes(key));
  const inQuery = method === 'GET' || method === 'DELETE' || row.rawBody === true;
  const parameters = [
    ...own.map((key, i) => ({
      name: shown[i] ?? key,
      in: 'path',
      required: true,
      schema: input.properties[key] ?? { type: 'string' },
    })),
    ...(inQuery
      ? rest.map(([key, schema]) => ({ name: key, in: 'query', required: input.required.includes(key), schema }))
      : []),
    ...(method === 'POST'
      ? [header('Idempotency-Key', 'The same key and request within 24 hours get the first answer again')]
      : []),
    ...(row.versioned && row.effect === 'write' ? [header('If-Match', 'The version that must still be there')] : []),
  ];
  return {
    operationId: name,
    summary: row.summary,
    description: `${row.source === 'documented' ? 'Documented' : 'Assumed'}: ${row.fact}. Needs a token with the scope \`${row.scope}\`.`,
    tags: [name.split('.')[0]],
    'x-source': row.source,
    ...(parameters.length > 0 && { parameters }),
    // The signed address is the credential (spec 4.3).
    ...(name === 'media.upload' && { security: [] }),
    ...bodyOf(inQuery, row.rawBody === true, rest, input),
    responses: responsesOf(name),
  };
}

function bodyOf(inQuery: boolean, raw: boolean, rest: [string, Schema][], input: ObjectSchema): Schema {
  if (raw)
    return { requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } };
  if (inQuery) return {};
  const required = input.required.filter((key) => rest.some(([name]) => name === key));
  const schema = {
    ...input.rest,
    type: 'object',
    properties: Object.fromEntries(rest),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } };
}

function responsesOf(name: OperationName): Schema {
  const row = operationOf(name);
  const bytes = name === 'media.get' || name === 'deployments.getFile';
  const schema = bytes ? { type: 'string', format: 'binary' } : toSchema(shapes[name].output, 'output');
  const answer = {
    description: 'Done',
    ...(row.status !== 204 && { content: { [bytes ? '*/*' : 'application/json']: { schema } } }),
  };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(name)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const refusals = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('; '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      'x-codes': codes,
    },
  ]);
  return { [row.status ?? 200]: answer, ...Object.fromEntries(refusals) };
}

function refusalsOf(name: OperationName): ReadonlySet<ErrorCode> {
  const row = operationOf(name);
  const [method = ''] = (row.route ?? '').split(' ');
  const takesJson = method !== 'GET' && method !== 'DELETE' && row.rawBody !== true;
  const isList = 'cursor' in objectSchema(shapes[name].input, 'input').properties;
  return new Set<ErrorCode>([
    ...common,
    ...(takesJson ? ofBodies : []),
    ...(row.rawBody ? (['body_too_large'] as const) : []),
    ...(method === 'POST' ? ofOnceKeys : []),
    ...(isList ? (['cursor_invalid'] as const) : []),
    ...(runsFunctions.has(name) ? ofFunctions : []),
    ...(row.errors ?? []),
  ]);
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly rest: Schema;
}

function objectSchema(shape: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const {
    properties = {},
    required = [],
    type: _type,
    additionalProperties: _more,
    ...rest
  } = toSchema(shape, io) as {
    properties?: Record<string, Schema>;
    required?: string[];
    type?: unknown;
    additionalProperties?: unknown;
  } & Schema;
  return { properties, required, rest };
}

/** References inside a shape (recursive JSON values) are written out as "any JSON": generators stumble over nested `$defs`. */
function toSchema(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const {
    $schema: _schema,
    $defs: _defs,
    ...schema
  } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'lazy')
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
    },
  }) as Schema;
  return withoutRefs(schema) as Schema;
}

function withoutRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefs);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutRefs(one)]));
}

function header(name: string, description: string): Schema {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

const problem: Schema = {
  type: 'object',
  description: 'RFC 9457, with a code that states the fact',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorCodes) },
    requestId: { type: 'string' },
    hint: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    details: { type: 'object' },
  },
};
