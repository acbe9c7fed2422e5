import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { wait } from '../../../src/std/index.ts';

test('a wait ends at its time, and leaves nothing at the signal', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { signal } = new AbortController();
  const waited = wait(1_000, signal);
  t.mock.timers.tick(1_000);
  await waited;
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a wait ends with its signal', async () => {
  const stop = new AbortController();
  const waited = wait(3_600_000, stop.signal);
  stop.abort();
  await waited;
});

test('there is no wait once the signal was given, nor for a time that is past', async () => {
  await wait(3_600_000, AbortSignal.abort());
  await wait(-1);
});
