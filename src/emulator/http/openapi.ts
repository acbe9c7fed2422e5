import { type ErrorCode, errorCodes, type OperationName, operationNames, operationOf } from '../../contract/index.ts';
import { jsonSchemaOf } from '../../contract/shapes/index.ts';
import { type AppMethods, methodPaths } from './openapi-methods.ts';
import { NamedSchemas } from './openapi-named.ts';
import {
  common,
  header,
  ofBodies,
  ofFunctions,
  ofOnceKeys,
  onceKeyHeader,
  problemResponses,
  type Schema,
} from './openapi-parts.ts';

/** The API as an OpenAPI 3.1 document, generated from the operations table, the shapes and the apps' exposed methods. */
export function openApiDocument(baseUrl: string, slug: string, apps: readonly AppMethods[]): Schema {
  const named = new NamedSchemas();
  const paths: Record<string, Schema> = {};
  for (const name of operationNames) {
    const { route } = operationOf(name);
    if (route === null) continue;
    const [method = '', path = ''] = route.split(' ');
    const key = unify(paths, path.replace(/:(\w+)/g, '{$1}'));
    paths[key] = { ...paths[key], [method.toLowerCase()]: operationObject(name, key, named) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace API',
      version: '1',
      description:
        'The REST API of a customer-conversation workspace. Operations marked `documented` are stated by the platform; those marked `assumed` are decisions of convo-fn in the usual form; those marked `app` are Server Side Methods of the apps that are live here.',
    },
    servers: [{ url: `${baseUrl}/api/${slug}` }],
    security: [{ token: [] }],
    paths: { ...paths, ...methodPaths(apps) },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token (Profile › API Tokens)' },
      },
      schemas: { ...named.components(), Problem: problem },
    },
  };
}

/** Rows with the same path may name its parameters differently, but a document may not. */
function unify(paths: Record<string, Schema>, path: string): string {
  const shape = path.replace(/\{\w+\}/g, '{}');
  return Object.keys(paths).find((known) => known.replace(/\{\w+\}/g, '{}') === shape) ?? path;
}

function operationObject(name: OperationName, path: string, named: NamedSchemas): Schema {
  const row = operationOf(name);
  const [method = ''] = (row.route ?? '').split(' ');
  const input = inputSchema(name);
  const own = [...(row.route ?? '').matchAll(/:(\w+)/g)].map(([, key]) => key ?? '');
  const shown = [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key ?? '');
  const rest = Object.entries(input.properties)
    .filter(([key]) => !own.includes(key))
    .map(([key, schema]): [string, Schema] => [key, named.referred(schema, 'input')]);
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
    ...(method === 'POST' ? [onceKeyHeader] : []),
    ...(row.versioned && row.effect === 'write' ? [header('If-Match', 'The version that must still be there')] : []),
  ];
  return {
    operationId: name,
    summary: row.summary,
    description: `${row.source === 'documented' ? 'Documented' : 'Assumed'}: ${row.fact}. Needs a token with the scope \`${row.scope}\`.`,
    tags: [name.split('.')[0]],
    'x-source': row.source,
    ...(parameters.length > 0 && { parameters }),
    ...(row.credential === 'signed-address' && { security: [] }),
    ...bodyOf(inQuery, row.rawBody === true, rest, input),
    responses: responsesOf(name, named),
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

function responsesOf(name: OperationName, named: NamedSchemas): Schema {
  const row = operationOf(name);
  const bytes = row.rawAnswer === true;
  const schema = bytes ? { type: 'string', format: 'binary' } : named.referred(jsonSchemaOf(name, 'output'), 'output');
  const answer = {
    description: 'Done',
    ...(row.status !== 204 && { content: { [bytes ? '*/*' : 'application/json']: { schema } } }),
  };
  return { [row.status ?? 200]: answer, ...problemResponses(refusalsOf(name)) };
}

function refusalsOf(name: OperationName): ReadonlySet<ErrorCode> {
  const row = operationOf(name);
  const [method = ''] = (row.route ?? '').split(' ');
  const takesJson = method !== 'GET' && method !== 'DELETE' && row.rawBody !== true;
  const isList = 'cursor' in inputSchema(name).properties;
  return new Set<ErrorCode>([
    ...common,
    ...(takesJson ? ofBodies : []),
    ...(row.rawBody ? (['body_too_large'] as const) : []),
    ...(method === 'POST' ? ofOnceKeys : []),
    ...(isList ? (['cursor_invalid'] as const) : []),
    ...(row.runsFunction || row.builtIn ? ofFunctions : []),
    ...(row.errors ?? []),
  ]);
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly rest: Schema;
}

function inputSchema(name: OperationName): ObjectSchema {
  const {
    properties = {},
    required = [],
    type: _type,
    additionalProperties: _more,
    ...rest
  } = jsonSchemaOf(name, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
    type?: unknown;
    additionalProperties?: unknown;
  } & Schema;
  return { properties, required, rest };
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
