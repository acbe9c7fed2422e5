import assert from 'node:assert/strict';
import test from 'node:test';
import { Run } from '../../src/sandbox/run.ts';
import type { Trace } from '../../src/sandbox/trace.ts';
import type { Host } from '../../src/sandbox/types.ts';

/** A run whose child takes an answer when it is told to. */
function aRun(call: Host['call']) {
  const answered: number[] = [];
  const waiting: (() => void)[] = [];
  const host: Host = { call, fetch: () => Promise.reject(new Error('nothing is fetched here')) };
  const run = new Run(1, host, {} as Trace, {
    post: (message) => {
      if (message.t === 'answer') answered.push(message.id);
    },
    drained: () => new Promise((resolve) => waiting.push(resolve)),
  });
  const ask = (id: number) =>
    run.ask({ t: 'ask', invocation: 1, id, name: 'call', json: `{"operation": "store.get", "input": ${id}}`, atMs: 0 });
  return { ask, answered, take: () => waiting.shift()?.() };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('the next call begins when the child has taken the answer to the one before', async () => {
  const { ask, answered, take } = aRun(async (_, input) => ({ ok: input }));
  const asked = [1, 2, 3].map(ask);
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await turn();
    assert.deepEqual(answered, expected);
    take();
  }
  await Promise.all(asked);
});

test('a call that waits for something holds up no other one', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { ask, answered, take } = aRun(async (_, input) => {
    if (input === 1) await released;
    else release();
    return { ok: input };
  });
  const asked = [1, 2].map(ask);
  await turn();
  take();
  await turn();
  assert.deepEqual(answered.toSorted(), [1, 2]);
  take();
  await Promise.all(asked);
});
