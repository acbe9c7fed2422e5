import type { Expose, HttpMethod, JsonSchema } from '../../contract/function-config/index.ts';
import type { ErrorCode } from '../../contract/index.ts';
import { inlined } from '../../contract/shapes/index.ts';
import type { FunctionInfo } from '../sources/function-source.ts';
import {
  common,
  ofBodies,
  ofFunctions,
  ofOnceKeys,
  onceKeyHeader,
  problemResponses,
  type Schema,
} from './openapi-parts.ts';

/** A live app with its functions. */
export interface AppMethods {
  readonly app: string;
  readonly functions: readonly FunctionInfo[];
}

/** The exposed Server Side Methods of apps as paths of an OpenAPI document. Functions that do not build are omitted. */
export function methodPaths(apps: readonly AppMethods[]): Schema {
  const found: Schema = {};
  for (const { app, functions } of apps) {
    for (const { name, path, config } of functions) {
      if (config?.type !== 'server-side-method' || !config.expose) continue;
      const { expose, description } = config;
      const own = { app, name, expose, description };
      found[`/custom-functions/${app}/${path}`] = Object.fromEntries(
        expose.methods.map((method) => [method.toLowerCase(), methodObject(own, method)]),
      );
    }
  }
  return found;
}

interface ExposedMethod {
  readonly app: string;
  readonly name: string;
  readonly expose: Expose;
  /** The author's description. */
  readonly description: string | undefined;
}

function methodObject({ app, name, expose, description }: ExposedMethod, method: HttpMethod): Schema {
  const inQuery = method === 'GET' || method === 'HEAD' || method === 'DELETE';
  const isPublic = expose.auth === 'public';
  const scope = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write';
  const parameters = [...(inQuery ? queryOf(expose.input) : []), ...(method === 'POST' ? [onceKeyHeader] : [])];
  return {
    operationId: [app, ...name.split('/'), ...(expose.methods.length > 1 ? [method.toLowerCase()] : [])].join('.'),
    summary: `${name} of ${app}`,
    description: [
      ...(description === undefined ? [] : [description]),
      isPublic
        ? 'A Server Side Method that asks for no token.'
        : `A Server Side Method. Needs a token with the scope \`${scope}\`.`,
    ].join('\n\n'),
    tags: [app],
    'x-source': 'app',
    ...(isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && {
      requestBody:
        expose.input === undefined
          ? { required: false, content: { 'application/json': { schema: {} } } }
          : { required: true, content: { 'application/json': { schema: schemaOf(expose.input) } } },
    }),
    responses: {
      200: {
        description: 'What the function returns',
        content: { 'application/json': { schema: expose.output === undefined ? {} : schemaOf(expose.output) } },
      },
      ...problemResponses(refusalsOf(method, expose)),
    },
  };
}

/** Query parameters of a request without a body: the fields of the schema's object. */
function queryOf(input: JsonSchema | undefined): Schema[] {
  if (input === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(input) as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** An author's schema, inlined: references to its own definitions would not resolve in another document. */
function schemaOf(schema: JsonSchema): Schema {
  if (typeof schema !== 'object') return {};
  const { $schema: _schema, $id: _id, $defs: _defs, definitions: _definitions, ...rest } = schema as Schema;
  return inlined(rest);
}

function refusalsOf(method: HttpMethod, { input }: Expose): ErrorCode[] {
  return [
    ...common,
    'app_not_installed',
    ...(method === 'GET' || method === 'HEAD' ? [] : ofBodies),
    ...(method === 'POST' ? ofOnceKeys : []),
    ...(input === undefined ? [] : (['function_input_invalid'] as const)),
    ...ofFunctions,
  ];
}
