import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortened } from '../../../src/std/index.ts';

test('a text that is too long ends in an ellipsis, and no sign of it is cut in half', () => {
  assert.equal(shortened('order', 5), 'order');
  assert.equal(shortened('orders', 5), 'orde…');
  assert.equal(shortened('abc😀😀', 5), 'abc…');
  assert.equal(shortened('ab😀😀', 5), 'ab😀…');
});
