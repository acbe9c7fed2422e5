import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

const usual = 2 * availableParallelism();

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
      const outcome = await sandbox.invoke(program, aRequest(), host);
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
  await invokeAtOnce(sandbox, body, 1);
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
  await invokeAtOnce(sandbox, body, 1);
  const most = await invokeAtOnce(sandbox, body, usual + 4, aPatientHost(usual + 4));
  assert.ok(most > usual, `${most} isolates`);
  await until('they are given up', () => isolatesOf(sandbox) === usual);
});
