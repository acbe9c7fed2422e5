import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySchema } from '../../../src/cli/values/by-schema.ts';
import { jsonSchemaOf } from '../../../src/contract/shapes/index.ts';

test('a field becomes a number or a truth value where the operation wants one', () => {
  assert.equal(bySchema(jsonSchemaOf('media.createUpload', 'input'), 'bytes', '100'), 100);
  assert.equal(bySchema(jsonSchemaOf('conversations.list', 'input'), 'limit', '2'), 2);
  assert.equal(bySchema({ type: 'object', properties: { on: { type: 'boolean' } } }, 'on', 'true'), true);
  assert.equal(bySchema({ properties: { to: { anyOf: [{ type: 'number' }, { type: 'null' }] } } }, 'to', 'null'), null);
});

test('a field stays text where the operation accepts text, whatever it looks like', () => {
  assert.equal(bySchema(jsonSchemaOf('messages.send', 'input'), 'text', '100'), '100');
  assert.equal(bySchema(jsonSchemaOf('vars.set', 'input'), 'value', '250'), '250');
  assert.equal(bySchema(jsonSchemaOf('customers.find', 'input'), 'phone', '+4930901820'), '+4930901820');
  assert.equal(bySchema({ properties: { kind: { enum: ['1', 'all'] } } }, 'kind', '1'), '1');
});

test('a field of a list or of an object is converted by the schema of its place', () => {
  const header = jsonSchemaOf('templates.send', 'input');
  assert.equal(bySchema(header, 'variables.header.latitude', '52.5'), 52.5);
  assert.equal(bySchema(header, 'variables.body[0]', '52.5'), '52.5');
  const list = {
    properties: { rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } } },
  };
  assert.equal(bySchema(list, 'rows[0].n', '3'), 3);
  assert.equal(bySchema(list, 'rows[].n', '3'), 3);
});

test('a list or an object is read as JSON where the operation wants one', () => {
  const endpoint = jsonSchemaOf('webhooks.add', 'input');
  assert.deepEqual(bySchema(endpoint, 'events', '["message.received"]'), ['message.received']);
  const template = jsonSchemaOf('templates.send', 'input');
  assert.deepEqual(bySchema(template, 'variables', '{"body": ["Ann"]}'), { body: ['Ann'] });
  assert.equal(bySchema(endpoint, 'events', '{"a": 1}'), '{"a": 1}', 'an object is no list');
  assert.equal(bySchema(endpoint, 'events', '[message.received]'), '[message.received]', 'it is no JSON');
  assert.equal(bySchema(jsonSchemaOf('messages.send', 'input'), 'text', '["a"]'), '["a"]');
});

test('what cannot be converted stays as it is, for the workspace to refuse', () => {
  const schema = jsonSchemaOf('media.createUpload', 'input');
  assert.equal(bySchema(schema, 'bytes', 'many'), 'many');
  assert.equal(bySchema(schema, 'bytes', '[1]'), '[1]');
  assert.equal(bySchema(schema, 'unknown', '1'), '1');
});
