import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNestedDeeper } from '../../../src/std/index.ts';

const nested = (levels: number, around: (inner: unknown) => unknown): unknown =>
  levels === 0 ? 'inside' : around(nested(levels - 1, around));

for (const [what, around] of [
  ['lists', (inner: unknown) => [inner]],
  ['objects', (inner: unknown) => ({ inner })],
] as const) {
  test(`${what} are nested as deep as there are others around the innermost of them`, () => {
    assert.equal(isNestedDeeper(nested(4, around), 3), false);
    assert.equal(isNestedDeeper(nested(5, around), 3), true);
  });
}

test('neither the length of a list nor the bytes of a binary value are depth', () => {
  assert.equal(isNestedDeeper([1, [2], new Uint8Array(10), null], 1), false);
});
