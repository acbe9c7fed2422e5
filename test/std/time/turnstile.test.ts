import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turnstile } from '../../../src/std/index.ts';

test('a turnstile lets no more through at once than it has places, and the others in the order in which they came', async () => {
  const turnstile = new Turnstile(2);
  const begun: number[] = [];
  let inside = 0;
  let most = 0;
  const work = async (rounds: number) => {
    begun.push(rounds);
    most = Math.max(most, ++inside);
    for (let i = 0; i < rounds; i++) await new Promise(setImmediate);
    inside -= 1;
    return rounds * 10;
  };
  const results = await Promise.all([3, 1, 2, 5, 4].map((rounds) => turnstile.pass(() => work(rounds))));
  assert.deepEqual(results, [30, 10, 20, 50, 40]);
  assert.deepEqual(begun, [3, 1, 2, 5, 4]);
  assert.equal(most, 2);
  assert.equal(turnstile.isBusy, false);
});

test('work that fails gives its place to the next', async () => {
  const turnstile = new Turnstile(1);
  const failed = turnstile.pass(() => Promise.reject(new Error('no')));
  const next = turnstile.pass(async () => 'done');
  await assert.rejects(failed, /no/);
  assert.equal(await next, 'done');
});
