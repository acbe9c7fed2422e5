import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fetchesAtOnce } from '../../src/sandbox/limits.ts';
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
  return { run, ask, answered, take: () => waiting.shift()?.() };
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

for (const end of ['timeout', 'memory', 'crashed'] as const) {
  test(`of what was asked before the end by ${end}, nothing is begun after it`, async () => {
    const begun: unknown[] = [];
    const { run, ask, take } = aRun(async (_, input) => ({ ok: begun.push(input) }));
    const asked = [1, 2, 3].map(ask);
    await turn();
    const reason = { code: `function_${end}`, name: 'Error', message: 'It was stopped' } as const;
    run.failed(end, reason);
    for (let i = 0; i < 3; i++) {
      take();
      await turn();
    }
    assert.deepEqual(begun, [1]);
    await Promise.race([Promise.all(asked), turn()]);
  });
}

test('what a function that ended by itself did not wait for is done all the same', async () => {
  const begun: unknown[] = [];
  const { run, ask, take } = aRun(async (_, input) => ({ ok: begun.push(input) }));
  const asked = [1, 2].map(ask);
  await turn();
  run.outcome({ t: 'done', invocation: 1, status: 'ok', json: 'null', cpuMs: 1, wallMs: 1, heapBytes: 1 });
  for (let i = 0; i < 2; i++) {
    take();
    await turn();
  }
  await Promise.all(asked);
  assert.deepEqual(begun, [1, 2]);
});

const fetched = (id: number, bytes?: Uint8Array) => ({
  t: 'ask' as const,
  invocation: 1,
  id,
  name: 'fetch' as const,
  json: JSON.stringify({ url: 'http://there.example/', method: 'POST', headers: [] }),
  bytes,
  atMs: 0,
});

test('a fetch that is withdrawn while it waits for its turn is forgotten, the others keep their turns', async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const host: Host = {
    call: async () => ({ ok: null }),
    fetch: async ({ body }) => {
      begun.push(body?.[0] ?? 0);
      await new Promise<void>((end) => ends.push(end));
      return { status: 200, headers: [] };
    },
  };
  const run = new Run(1, host, {} as Trace);
  const asked = Array.from({ length: fetchesAtOnce + 2 }, (_, i) => run.ask(fetched(i + 1, new Uint8Array([i + 1]))));
  await turn();
  run.unask(fetchesAtOnce + 1);
  await asked[fetchesAtOnce];
  ends.shift()?.();
  await turn();
  assert.deepEqual(begun.slice(fetchesAtOnce), [fetchesAtOnce + 2]);
  for (const end of ends) end();
  await Promise.all(asked);
});

test('the record of a call keeps the beginning of what was asked, and nothing of the rest', async () => {
  const run = new Run(
    1,
    { call: async () => ({ ok: null }), fetch: () => Promise.reject(new Error('none')) },
    {} as Trace,
  );
  const megabyte = 1024 * 1024;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedBytes = async () => {
    // What the first round finds unused is given back in the next turn.
    collect();
    await turn();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = await usedBytes();
  for (let id = 1; id <= 20; id++) {
    const json = Buffer.from(JSON.stringify({ operation: 'store.set', input: 'x'.repeat(2 * megabyte) })).toString();
    await run.ask({ t: 'ask', invocation: 1, id, name: 'call', json, atMs: 0 });
  }
  const kept = (await usedBytes()) - before;
  const done = { t: 'done', invocation: 1, status: 'ok', cpuMs: 0, wallMs: 0, heapBytes: 0 } as const;
  const { calls } = run.outcome(done);
  assert.deepEqual([calls.length, calls[0]?.input.length], [20, 8_192]);
  assert.ok(kept < 10 * megabyte, `${Math.round(kept / megabyte)} MB`);
});
