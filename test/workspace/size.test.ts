/** Nothing that is kept can grow until a list of it is too much for the process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { allPages, aWorkspace, functionOf } from './support.ts';

const desk = functionOf('desk');

test('a page ends where it has enough bytes, and the next one goes on there', async (t) => {
  const { call } = await aWorkspace(t);
  const value = 'x'.repeat(200_000);
  const keys = Array.from({ length: 120 }, (_, i) => `k${String(i).padStart(3, '0')}`);
  for (const key of keys) await call('store.set', { key, value: key < 'k060' ? value : 1 }, desk);
  const { items, nextCursor } = await call('store.list', { limit: 200 }, desk);
  assert.ok(items.length > 1 && JSON.stringify(items).length < limits.list.pageBytes + value.length, `${items.length}`);
  assert.notEqual(nextCursor, null);
  const all = await allPages((cursor) =>
    call('store.list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) }, desk),
  );
  assert.deepEqual(
    all.map(({ key }) => key),
    keys,
  );
});

test('a single item is a page, however large', async (t) => {
  const { call } = await aWorkspace(t);
  for (const key of ['a', 'b']) await call('store.set', { key, value: 'x'.repeat(limits.store.valueBytes - 2) }, desk);
  const pages = [];
  for (let cursor: string | undefined, end = false; !end; ) {
    const page = await call('store.list', { limit: 1, ...(cursor === undefined ? {} : { cursor }) }, desk);
    pages.push(page.items.map(({ key }) => key));
    cursor = page.nextCursor ?? undefined;
    end = cursor === undefined;
  }
  assert.deepEqual(pages, [['a'], ['b']]);
});

test('the fields of a customer are bounded together, however many changes they came by', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const half = 'x'.repeat(limits.customer.fieldsBytes / 2);
  const { id } = await call('customers.findOrCreate', { phone: '+4930901820', fields: { a: half } });
  const { code, errors } = await refused('customers.update', { id, fields: { b: half } });
  assert.equal(code, 'input_invalid');
  assert.equal(errors?.[0]?.path, 'fields');
  assert.deepEqual(Object.keys((await call('customers.get', { id })).fields), ['a']);
});

test('a variable has a largest value', async (t) => {
  const { refused } = await aWorkspace(t);
  const { code, errors } = await refused('vars.set', {
    app: 'desk',
    name: 'LONG',
    value: 'x'.repeat(limits.vars.valueBytes),
  });
  assert.equal(code, 'input_invalid');
  assert.equal(errors?.[0]?.path, 'value');
});
