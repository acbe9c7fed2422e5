import assert from 'node:assert/strict';
import test from 'node:test';
import type { Program, Sandbox } from '../../src/sandbox/index.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

/** After these the program counts as quick: from then on some invocations wait in the child, behind others. */
async function makeQuick(sandbox: Sandbox, program: Program): Promise<void> {
  for (let i = 0; i < 5; i++) await sandbox.invoke(program, aRequest({ isolation: 'warm' }), echoHost);
}

function aCountingHost() {
  let asked = 0;
  const call = async () => {
    asked++;
    return { ok: 1 };
  };
  return { ...echoHost, call, asked: () => asked };
}

const unstoppable = 'const text = "[" + "1,".repeat(6_000_000) + "1]"; for (;;) JSON.parse(text);';
const body = `
  globalThis.order ??= 0;
  if (sdk.argument === "spin") { const until = Date.now() + 400; while (Date.now() < until); }
  if (sdk.argument === "wait") await sdk.call("wait");
  if (sdk.argument === "hang") { ${unstoppable} }
  return ++globalThis.order;`;

test('invocations that wait in the child are answered in the order in which they came', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram('return sdk.argument;');
  await makeQuick(sandbox, program);
  const ended: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const outcome = await sandbox.invoke(program, aRequest({ argument: n }), echoHost);
      assert.equal(outcome.status === 'ok' && outcome.result, n);
      ended.push(n);
    }),
  );
  assert.equal(ended.length, 40);
  assert.ok(ended.indexOf(0) < ended.indexOf(39));
});

test('who takes longer than usual does not hold up those that were sent behind it', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(body);
  await makeQuick(sandbox, program);
  const answered = Promise.withResolvers<{ ok: unknown }>();
  const host = { ...echoHost, call: () => answered.promise };
  let slowEnded = false;
  const slow = sandbox.invoke(program, aRequest({ argument: 'wait', isolation: 'warm' }), host).then((outcome) => {
    slowEnded = true;
    return outcome;
  });
  const quick = await Promise.all(
    Array.from({ length: 5 }, () => sandbox.invoke(program, aRequest({ isolation: 'warm' }), echoHost)),
  );
  assert.deepEqual([quick.every(({ status }) => status === 'ok'), slowEnded], [true, false]);
  answered.resolve({ ok: 1 });
  assert.equal((await slow).status, 'ok');
});

test('an invocation that is cancelled while it waits behind another one never begins', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(body);
  await makeQuick(sandbox, program);
  const first = sandbox.invoke(program, aRequest({ argument: 'spin', isolation: 'warm' }), echoHost);
  const stop = new AbortController();
  const host = aCountingHost();
  const second = sandbox.invoke(
    program,
    { ...aRequest({ argument: 'wait', isolation: 'warm' }), signal: stop.signal },
    host,
  );
  stop.abort();
  const outcome = await second;
  assert.deepEqual(
    [outcome.status, outcome.status !== 'ok' && outcome.error.code, host.asked()],
    ['refused', 'function_cancelled', 0],
  );
  assert.equal((await first).status, 'ok');
});

test('an invocation that waits behind a description of its program begins when that has ended', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(body);
  await makeQuick(sandbox, program);
  const [description, ...outcomes] = await Promise.all([
    sandbox.describe(program),
    ...Array.from({ length: 4 }, () => sandbox.invoke(program, aRequest({ isolation: 'warm' }), echoHost)),
  ]);
  assert.deepEqual([description.hasDefault, outcomes.map(({ status }) => status)], [true, ['ok', 'ok', 'ok', 'ok']]);
});

test('those that waited behind one whose child had to be killed are run all the same, once', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(body);
  await makeQuick(sandbox, program);
  const limits = { wallMs: 300, memoryMb: 256 };
  const hung = sandbox.invoke(program, aRequest({ argument: 'hang', isolation: 'warm' }), echoHost);
  const host = aCountingHost();
  const killed = sandbox.invoke(program, aRequest({ argument: 'hang', isolation: 'warm', limits }), echoHost);
  const behind = Array.from({ length: 3 }, () =>
    sandbox.invoke(program, aRequest({ argument: 'wait', isolation: 'warm' }), host),
  );
  for (const { pid } of sandbox.stats().children) process.kill(pid, 'SIGKILL');
  assert.deepEqual([(await hung).status, (await killed).status], ['crashed', 'timeout']);
  assert.deepEqual([(await Promise.all(behind)).map(({ status }) => status), host.asked()], [['ok', 'ok', 'ok'], 3]);
});

test('whoever is slow, recalled or cancelled, each gets the answer to its own question', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(
    'const { n, spinMs } = sdk.argument; const until = Date.now() + spinMs; while (Date.now() < until); return n;',
  );
  for (let i = 0; i < 5; i++) await sandbox.invoke(program, aRequest({ argument: { n: 0, spinMs: 0 } }), echoHost);
  const answers = await Promise.all(
    Array.from({ length: 600 }, async (_, n) => {
      const stop = new AbortController();
      const isolation = n % 3 === 0 ? 'warm' : 'fresh';
      const argument = { n, spinMs: n % 41 === 0 ? 25 : 0 };
      const running = sandbox.invoke(program, { ...aRequest({ argument, isolation }), signal: stop.signal }, echoHost);
      if (n % 7 === 0) setTimeout(() => stop.abort(), n % 50);
      const outcome = await running;
      return outcome.status === 'ok' ? outcome.result === n : outcome.error.code === 'function_cancelled';
    }),
  );
  assert.deepEqual(
    answers.flatMap((right, n) => (right ? [] : [n])),
    [],
  );
});

test('a program that is retired while some wait in the child keeps no isolate after the last one', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(body);
  await makeQuick(sandbox, program);
  const answered = Promise.withResolvers<{ ok: unknown }>();
  const host = { ...echoHost, call: () => answered.promise };
  const slow = sandbox.invoke(program, aRequest({ argument: 'wait', isolation: 'warm' }), host);
  const quick = Array.from({ length: 5 }, () => sandbox.invoke(program, aRequest({ isolation: 'warm' }), echoHost));
  sandbox.retire(program.id);
  await Promise.all(quick);
  answered.resolve({ ok: 1 });
  await slow;
  await until('no isolate is left', () => sandbox.stats().children[0]?.isolates === 0);
});
