import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonType } from '../../../src/std/index.ts';

test('JSON is JSON in whatever case, of whatever kind and with parameters', () => {
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;a=b',
    'application/problem+json',
    'application/vnd.a.b-c+d+json;x',
  ])
    assert.ok(isJsonType(type), type);
});

test('what only begins or ends like it is not', () => {
  for (const type of [
    undefined,
    '',
    'text/json',
    'application/json5',
    'application/json-seq',
    'application/json, text/html',
    'application/+json',
    'application/jsonx+',
    'xapplication/json',
    'application/xjson',
  ])
    assert.ok(!isJsonType(type), type);
});
