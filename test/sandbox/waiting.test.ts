import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import type { Program, Sandbox } from '../../src/sandbox/index.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost, type RequestChanges } from './support/sandbox.ts';

const usual = 2 * availableParallelism();

/** One that others may keep waiting for long on a busy machine. */
const held = (changes: RequestChanges = {}) => aRequest({ ...changes, limits: { wallMs: 60_000 } });

/** Its invocations are known to wait, also where a busy machine takes a part of the first one's time for itself. */
async function learnToWait(sandbox: Sandbox, program: Program) {
  for (let i = 0; i < 3; i++) assert.equal((await sandbox.invoke(program, aRequest(), echoHost)).status, 'ok');
}

/** Answers nobody before so many have asked. */
function aPatientHost(asked: number) {
  const all = Promise.withResolvers<{ ok: unknown }>();
  let count = 0;
  const call = () => {
    if (++count === asked) all.resolve({ ok: asked });
    return all.promise;
  };
  return { ...echoHost, call };
}

const isolatesOf = (sandbox: Sandbox) => sandbox.stats().children.reduce((sum, { isolates }) => sum + isolates, 0);

async function invokeAtOnce(sandbox: Sandbox, body: string, count: number, host = echoHost): Promise<number> {
  const program = aProgram(body);
  let most = 0;
  const outcomes = await Promise.all(
    Array.from({ length: count }, async () => {
      const outcome = await sandbox.invoke(program, held(), host);
      most = Math.max(most, isolatesOf(sandbox));
      return outcome;
    }),
  );
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['ok']));
  return most;
}

test('a program whose invocations wait runs sixteen at once', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const body = 'await new Promise((done) => setTimeout(done, 150)); return await sdk.call("all");';
  await learnToWait(sandbox, aProgram(body));
  await invokeAtOnce(sandbox, body, 16, aPatientHost(16));
});

test('one that was quick so far is given more when all its invocations take long', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const body = 'return await sdk.call("all");';
  for (let i = 0; i < 50; i++) await invokeAtOnce(sandbox, body, 1);
  await invokeAtOnce(sandbox, body, usual, aPatientHost(usual));
});

test('one that keeps half of its memory limit runs two at once, so that its child stays below its own', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const body = `
    globalThis.kept = new Array(8_000_000).fill(1.5);
    await new Promise((done) => setTimeout(done, 150));
    return kept.length;`;
  await invokeAtOnce(sandbox, body, 1);
  const most = await invokeAtOnce(sandbox, body, 12);
  assert.ok(most <= 2, `${most} isolates`);
  assert.equal(sandbox.stats().killed, 0);
});

test('isolates above the usual number are given up when nobody has needed them for a while', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const body = 'await new Promise((done) => setTimeout(done, 150)); return await sdk.call("all");';
  await learnToWait(sandbox, aProgram(body));
  const most = await invokeAtOnce(sandbox, body, usual + 4, aPatientHost(usual + 4));
  assert.ok(most > usual, `${most} isolates`);
  await until('they are given up', () => isolatesOf(sandbox) === usual);
});

/** One process has room for 29 or 30 such programs, by what they keep. */
const inOneProcess = 28;

/** Sixteen of a program that waits, then sixteen of another: the last of these have no room where the others are. */
async function thirtyTwoAtOnce(sandbox: Sandbox, meanwhile: () => Promise<unknown>) {
  const programs = ['one', 'other'].map((name) =>
    aProgram(`await new Promise((done) => setTimeout(done, 150)); return [await sdk.call("all"), "${name}"];`),
  );
  const [one, other] = programs;
  assert.ok(one && other);
  for (const program of programs) await learnToWait(sandbox, program);
  const released = Promise.withResolvers<void>();
  const host = { ...echoHost, call: () => released.promise.then(() => ({ ok: 1 })) };
  const sixteen = (program: Program) => Array.from({ length: 16 }, () => sandbox.invoke(program, held(), host));
  const running = sixteen(one);
  await until('sixteen run', () => sandbox.stats().running === 16);
  running.push(...sixteen(other));
  await until('as many run as can', () => sandbox.stats().running >= inOneProcess);
  await meanwhile();
  released.resolve();
  const outcomes = await Promise.all(running);
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['ok']));
  return { one, other };
}

const all = (sandbox: Sandbox) => () => until('all run', () => sandbox.stats().running === 32);

test('where one process is full of them, those that wait run in another one', async () => {
  const sandbox = aSandbox();
  await thirtyTwoAtOnce(sandbox, all(sandbox));
  assert.equal(sandbox.stats().children.length, 2);
});

test('a hundred nested invocations run at once, in both processes', async () => {
  const sandbox = aSandbox();
  await thirtyTwoAtOnce(sandbox, all(sandbox));
  const program = aProgram('return await sdk.call("all");');
  const host = aPatientHost(100);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => sandbox.invoke(program, held({ depth: 1 }), host)),
  );
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['ok']));
});

test('a function that has no isolate is given one while those that wait hold all of them', async () => {
  const sandbox = aSandbox({ processes: 1 });
  await thirtyTwoAtOnce(sandbox, async () => {
    for (const answer of ['first', 'second']) {
      const outcome = await sandbox.invoke(aProgram(`return "${answer}";`), aRequest(), echoHost);
      assert.equal(outcome.status === 'ok' ? outcome.result : outcome.error.code, answer);
    }
    assert.ok(sandbox.stats().running >= inOneProcess, 'the others still wait');
  });
});

test('a program that has to run alone from now on keeps no isolate in a process for others', async () => {
  const sandbox = aSandbox();
  const { one, other } = await thirtyTwoAtOnce(sandbox, all(sandbox));
  sandbox.retire(one.id);
  const children = () => sandbox.stats().children;
  assert.deepEqual(
    children().map(({ isolates }) => isolates > 0),
    [true, true],
  );
  const call = async () => {
    const running = children().find(({ running }) => running > 0);
    assert.ok(running);
    process.kill(running.pid, 'SIGKILL');
    return await new Promise<never>(() => {});
  };
  assert.equal((await sandbox.invoke(other, aRequest(), { ...echoHost, call })).status, 'crashed');
  assert.deepEqual(sandbox.stats().quarantined, [other.id]);
  assert.equal((await sandbox.invoke(other, aRequest(), echoHost)).status, 'ok');
  assert.deepEqual(
    children().map(({ isolates, quarantine }) => [isolates, quarantine]),
    [
      [0, false],
      [1, true],
    ],
  );
});
