import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../../src/std/index.ts';

const names = ['templates', 'tokens', 'customers', 'conversations'];

for (const [typed, meant, why] of [
  ['tempaltes', 'templates', 'two letters are swapped'],
  ['customer', 'customers', 'a letter is missing'],
  ['Tokens', 'tokens', 'only the case differs'],
  ['conv', 'conversations', 'it is how the name begins'],
] as const) {
  test(`"${typed}" probably means "${meant}": ${why}`, () => {
    assert.equal(nearest(typed, names), meant);
  });
}

for (const typed of ['', 'c', 'deploy', 'x'.repeat(5000)]) {
  test(`for "${typed.slice(0, 10)}" (${typed.length} letters) nothing is suggested`, () => {
    assert.equal(nearest(typed, names), undefined);
  });
}

test('without names nothing is suggested', () => {
  assert.equal(nearest('anything', []), undefined);
});
