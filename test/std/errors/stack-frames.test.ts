import assert from 'node:assert/strict';
import test from 'node:test';
import { framesStart, placedFrames, placeOfFrame } from '../../../src/std/index.ts';

test('a stack is read as V8 writes it', () => {
  const stack =
    'TypeError: no price\n    at price (lib/prices.ts:3:9)\n    at async orders.ts:1:2\n    at new Promise (<anonymous>)';
  assert.equal(stack.slice(0, framesStart(stack)), 'TypeError: no price');
  assert.deepEqual(placedFrames(stack).map(placeOfFrame), ['lib/prices.ts:3:9', 'orders.ts:1:2']);
});

test('file names may have blanks and parentheses', () => {
  const frames = ['at price (lib/my (own) prices.ts:3:9)', 'at async lib/my (own) prices.ts:1:2'];
  assert.deepEqual(frames.map(placeOfFrame), ['lib/my (own) prices.ts:3:9', 'lib/my (own) prices.ts:1:2']);
});

test('what is no stack has no frames', () => {
  assert.equal(framesStart('look at this'), -1);
  assert.deepEqual(placedFrames('at noon\nat 12:30 sharp'), []);
  assert.equal(placeOfFrame('at noon'), undefined);
});

// Read by patterns that begin anew at each letter, each of them takes hours.
const long = 1_000_000;
for (const [what, stack] of Object.entries({
  'line feeds': '\n'.repeat(long),
  blanks: `\n${' '.repeat(long)}`,
  'one word': `at ${'a'.repeat(long)} x:1:1`,
  colons: `at ${'1:'.repeat(long)} x:1:1`,
})) {
  test(`a stack of a million ${what} is read in linear time`, () => {
    framesStart(stack);
    placedFrames(stack).map(placeOfFrame);
  });
}
