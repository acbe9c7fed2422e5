import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { anEmulator } from '../emulator/an-emulator.ts';

const order = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['number'],
  properties: { number: { type: 'string', description: 'As A-17' }, lines: { $ref: '#/$defs/lines' } },
  $defs: { lines: { type: 'array' } },
};
const state = { type: 'object', required: ['state'], properties: { state: { type: 'string' } } };
const exposing = (expose: object, description?: string) => ({
  config: { type: 'server-side-method', ...(description !== undefined && { description }), expose },
  body: 'return { state: "sent" };',
});

const { ask } = await anEmulator({
  functions: {
    'api/orders/find': exposing(
      { methods: ['POST'], auth: 'token', input: order, output: state },
      'Says where an order is.',
    ),
    'api/orders/show': exposing({ methods: ['GET'], auth: 'public', input: order, output: state }),
    'api/anything': exposing({ methods: ['GET', 'PUT'], auth: 'token' }),
    'api/inside': { config: { type: 'server-side-method' }, body: 'return 1;' },
    'tools/look': { config: { type: 'ai-tool', name: 'look', description: 'Looks', input: order }, body: 'return 1;' },
  },
});

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean }[];
  readonly security?: readonly unknown[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<string, { content: Record<string, { schema: object }>; 'x-codes'?: readonly string[] }>;
}
interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, unknown> }> };
}
const document = (await (await ask('/openapi.json')).json()) as OpenApi;
const own = Object.fromEntries(
  Object.entries(document.paths).filter(([path]) => path.startsWith('/custom-functions/shop/')),
);

test('a running workspace lists the exposed methods of its app, and nothing else of it', () => {
  assert.deepEqual(
    Object.values(own).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
    ['shop.api.orders.find', 'shop.api.orders.show', 'shop.api.anything.get', 'shop.api.anything.put'],
  );
});

test('the document with them is valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate({ ...document });
  assert.ok(valid, JSON.stringify(errors));
});

test('what has a name in the reference is one schema, to which answers and other schemas refer', () => {
  const { schemas } = document.components;
  const answered = (path: string, method: string) =>
    document.paths[path]?.[method]?.responses['200']?.content['application/json']?.schema;
  assert.deepEqual(answered('/customers/{id}', 'get'), { $ref: '#/components/schemas/Customer' });
  assert.deepEqual(schemas['Conversation']?.properties?.['assignee'], {
    $ref: '#/components/schemas/Assignment',
    description: 'Who is responsible for it',
  });
  const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(referred)].sort(), Object.keys(schemas).sort());
});

test('what is sent is closed, and what is answered may grow: a client that is generated today takes the fields of tomorrow', () => {
  const { schemas } = document.components;
  const closed = '"additionalProperties":false';
  for (const [path, methods] of Object.entries(document.paths)) {
    if (path.startsWith('/custom-functions/shop/')) continue;
    for (const { responses } of Object.values(methods)) assert.ok(!JSON.stringify(responses).includes(closed), path);
  }
  assert.ok(!JSON.stringify(schemas['Customer']).includes(closed));
  assert.ok(JSON.stringify(document.paths['/customers/{id}']?.['patch']?.requestBody).includes(closed));
});

test('a POST has its schemas as body and answer, without references that lead nowhere', () => {
  const operation = own['/custom-functions/shop/api/orders/find.js']?.['post'];
  const { $schema: _schema, $defs: _defs, ...schema } = order;
  assert.deepEqual(operation?.requestBody, {
    required: true,
    content: {
      'application/json': { schema: { ...schema, properties: { number: schema.properties.number, lines: {} } } },
    },
  });
  assert.deepEqual(operation?.responses['200']?.content['application/json']?.schema, state);
  assert.ok(operation?.responses['422']?.['x-codes']?.includes('function_input_invalid'));
  assert.deepEqual(operation?.security, undefined);
});

test('what an author says of a method stands in its description', () => {
  const described = own['/custom-functions/shop/api/orders/find.js']?.['post'];
  assert.match(described?.description ?? '', /^Says where an order is\.\n\nA Server Side Method\. Needs a token/);
  const bare = own['/custom-functions/shop/api/orders/show.js']?.['get'];
  assert.match(bare?.description ?? '', /^A Server Side Method/);
});

test('a GET has its schema as query, and a public method asks for no token', () => {
  const operation = own['/custom-functions/shop/api/orders/show.js']?.['get'];
  assert.deepEqual(
    operation?.parameters?.map(({ name, in: place, required }) => [name, place, required]),
    [
      ['number', 'query', true],
      ['lines', 'query', false],
    ],
  );
  assert.equal(operation?.requestBody, undefined);
  assert.deepEqual(operation?.security, []);
});
