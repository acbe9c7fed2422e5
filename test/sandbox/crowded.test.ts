import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, Program } from '../../src/sandbox/index.ts';
import { crowdedResidentBytes } from '../../src/sandbox/limits.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

/** Keeps 50 MB of its 128, in a context that stays. */
const aKeeper = (name: string) =>
  aProgram(`for (let i = 0; i < 5; i++) kept.push(new Uint8Array(10_000_000).fill(i)); return '${name}';`, {
    top: 'const kept = [];',
  });
const warm = aRequest({ isolation: 'warm' });

test('functions that each keep less than they may are not ended for what all of them keep', async () => {
  const sandbox = aSandbox({ processes: 1 });
  for (let i = 0; i < 24; i++) {
    const outcome = await sandbox.invoke(aKeeper(`keeper ${i}`), warm, echoHost);
    assert.equal(outcome.status === 'ok' ? outcome.result : outcome.error.message, `keeper ${i}`);
  }
  assert.deepEqual([sandbox.stats().killed, sandbox.stats().quarantined], [0, []]);
});

test('twelve warm functions that keep 10 MB each keep them side by side', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const programs = Array.from({ length: 12 }, (_, i) =>
    aProgram(`return [++count, kept.length, ${i}];`, {
      top: 'let count = 0; const kept = Array.from({ length: 100_000 }, (_, i) => ({ i, text: "row " + i }));',
    }),
  );
  for (const count of [1, 2, 3]) {
    for (const [i, program] of programs.entries()) {
      const outcome = await sandbox.invoke(program, warm, echoHost);
      assert.deepEqual(outcome.status === 'ok' && outcome.result, [count, 100_000, i]);
    }
  }
});

test('what runs in a crowded child goes on there, and others run in the one that takes its place', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const answered = Promise.withResolvers<{ ok: unknown }>();
  const children = () => sandbox.stats().children;
  const running: Promise<Outcome>[] = [];
  const programs: Program[] = [];
  do {
    const asked = Promise.withResolvers<void>();
    const program = aProgram(
      `const kept = new Uint8Array(20_000_000).fill(1); return [await sdk.call("x"), kept.length, ${running.length}];`,
    );
    const call = () => {
      asked.resolve();
      return answered.promise;
    };
    programs.push(program);
    running.push(sandbox.invoke(program, aRequest({ limits: { wallMs: 60_000 } }), { ...echoHost, call }));
    await asked.promise;
  } while ((children()[0]?.residentBytes ?? 0) <= crowdedResidentBytes);
  const first = children()[0]?.pid;
  await until('another child has isolates', () =>
    children().some(({ pid, isolates }) => pid !== first && isolates > 0),
  );
  assert.deepEqual(
    children().map(({ isolates }) => isolates > 0),
    [true, true],
  );
  const host = { ...echoHost, call: async () => ({ ok: 'elsewhere' }) };
  for (const [i, program] of programs.entries()) {
    const outcome = await sandbox.invoke(program, aRequest(), host);
    assert.deepEqual(outcome.status === 'ok' && outcome.result, ['elsewhere', 20_000_000, i]);
  }
  answered.resolve({ ok: 'late' });
  const outcomes = await Promise.all(running);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.result : outcome.error.message)),
    running.map((_, i) => ['late', 20_000_000, i]),
  );
  assert.ok(!children().some(({ pid }) => pid === first));
  for (const { id } of programs) sandbox.retire(id);
  assert.deepEqual(
    children().map(({ isolates }) => isolates),
    [0],
  );
  assert.deepEqual([sandbox.stats().killed, sandbox.stats().quarantined], [0, []]);
});

test('many large functions that are called at the same time all answer, at first and later', async () => {
  const sandbox = aSandbox();
  // 6 MB in each context.
  const top = 'const table = Array.from({ length: 60_000 }, (_, i) => ({ i, text: "row " + i }));';
  const programs = Array.from({ length: 40 }, (_, i) => aProgram(`return table.length + ${i};`, { top }));
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.all(programs.map((program) => sandbox.invoke(program, aRequest(), echoHost)));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.result : outcome.error.message)),
      outcomes.map((_, i) => 60_000 + i),
    );
  }
  assert.deepEqual([sandbox.stats().killed, sandbox.stats().quarantined], [0, []]);
});

test('functions whose first invocations wait do not wait for each other', async () => {
  const sandbox = aSandbox();
  const all = 40;
  const arrived = Promise.withResolvers<{ ok: unknown }>();
  let asked = 0;
  const call = () => {
    if (++asked === all) arrived.resolve({ ok: 'all' });
    return arrived.promise;
  };
  const outcomes = await Promise.all(
    Array.from({ length: all }, (_, i) =>
      sandbox.invoke(aProgram(`return [await sdk.call("x"), ${i}];`), aRequest(), { ...echoHost, call }),
    ),
  );
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.result : outcome.error.message)),
    outcomes.map((_, i) => ['all', i]),
  );
});
