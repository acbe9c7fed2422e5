import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazy } from '../../src/std/index.ts';

test('a lazy value is made at the first call, once', () => {
  let calls = 0;
  const value = lazy(() => ++calls);
  assert.equal(value.made, undefined);
  assert.deepEqual([value(), value(), value.made, calls], [1, 1, 1, 1]);
});

test('a lazy value is kept, also if it is undefined', () => {
  let calls = 0;
  const value = lazy(() => void calls++);
  value();
  value();
  assert.equal(calls, 1);
});

test('a lazy value that could not be made is tried again', () => {
  let calls = 0;
  const value = lazy(() => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  assert.throws(value, /not yet/);
  assert.equal(value(), 2);
});
