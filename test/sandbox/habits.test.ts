import assert from 'node:assert/strict';
import test from 'node:test';
import { Habits } from '../../src/sandbox/child/habits.ts';

test('what one invocation asked for is ready for the next', () => {
  const habits = new Habits();
  habits.learn('fetch console');
  assert.deepEqual(habits.parts, 'fetch console');
});

test('what is asked for no longer is forgotten, and what comes now and then is not loaded each time', () => {
  const habits = new Habits();
  habits.learn('fetch console');
  for (let i = 0; i < 30; i++) habits.learn('console');
  assert.equal(habits.parts, 'console');
  for (let i = 0; i < 100; i++) habits.learn(i % 10 === 0 ? 'console crypto' : 'console');
  assert.equal(habits.parts, 'console');
});

test('names that a context invents take no room', () => {
  const habits = new Habits();
  for (let i = 0; i < 1_000; i++) habits.learn(Array.from({ length: 100 }, (_, n) => `x${i}-${n}`).join(' '));
  assert.ok(habits.parts.length < 1_000);
});
