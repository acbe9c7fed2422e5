import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPortability } from '../../src/contract/function-config/index.ts';

const of = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  checkPortability({ type: 'object', properties, ...more });
const nested = (levels: number): Record<string, unknown> =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };

test('what every model takes has no problem', () => {
  const tree = of(
    {
      kind: { enum: ['a', 'b'] },
      who: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/person' }] },
      at: { format: 'date' },
    },
    { $defs: { person: { type: 'object', properties: { name: { type: 'string' } } } }, required: ['kind'] },
  );
  assert.deepEqual(tree, { errors: [], warnings: [] });
});

test('a keyword that some models do not take is a warning with its path', () => {
  assert.deepEqual(
    of({ kind: { oneOf: [{ type: 'string' }] }, phone: { format: 'phone' } }).warnings.map(({ path }) => path),
    ['properties.kind.oneOf', 'properties.phone.format'],
  );
});

for (const keyword of ['if', 'not', 'patternProperties', 'dependentRequired', 'unevaluatedProperties'])
  test(`${keyword} is an error, at any depth`, () => {
    const { errors } = of({ list: { type: 'array', items: { anyOf: [{ [keyword]: {} }] } } });
    assert.deepEqual(
      errors.map(({ path }) => path),
      [`properties.list.items.anyOf.0.${keyword}`],
    );
  });

test('a reference to another address and a recursive one are errors', () => {
  assert.match(of({ a: { $ref: 'https://schemas.example/a.json' } }).errors[0]?.message ?? '', /another address/);
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
  assert.match(of({ first: { $ref: '#/$defs/node' } }, { $defs: { node } }).errors[0]?.message ?? '', /recursive/);
  assert.match(of({ self: { $ref: '#' } }).errors[0]?.message ?? '', /recursive/);
});

test('more than five levels, 100 properties or 16 KiB are errors', () => {
  assert.deepEqual(checkPortability(nested(5)).errors, []);
  assert.match(checkPortability(nested(6)).errors[0]?.message ?? '', /6 levels/);
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }]));
  assert.deepEqual(of(many(100)).errors, []);
  assert.match(of(many(101)).errors[0]?.message ?? '', /101 properties/);
  assert.match(of({ a: { description: 'x'.repeat(17_000) } }).errors[0]?.message ?? '', /bytes/);
});

test('a property named like a keyword is not read as the keyword', () => {
  assert.deepEqual(of({ not: { type: 'string' }, if: { type: 'string' } }).errors, []);
});
