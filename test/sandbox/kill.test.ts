import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import test from 'node:test';
import { emptyFolder } from '../../src/sandbox/entry.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

/** Nothing inside stops this one: V8 looks for the end of a script nowhere in it. */
const unstoppable = 'const text = "[" + "1,".repeat(6_000_000) + "1]"; for (;;) JSON.parse(text);';
/** One table that doubles: V8 gives up the whole isolate, and that thread with it. */
const mapBomb = 'const map = new Map(); for (let i = 0; ; i++) map.set(i, i);';

test('a function that cannot be stopped is killed with its child; the others crash, and nothing is run twice', async () => {
  const problems: string[] = [];
  const sandbox = aSandbox({ processes: 1, onProblem: ({ code }) => problems.push(code) });
  const bad = aProgram(unstoppable, { name: 'bad' });
  let begun = 0;
  const begin = Promise.withResolvers<void>();
  const innocent = sandbox.invoke(
    aProgram('await sdk.call("begun"); await new Promise(() => {});', { name: 'innocent' }),
    aRequest({ limits: { wallMs: 60_000 } }),
    {
      ...echoHost,
      call: async () => {
        begun++;
        begin.resolve();
        return { ok: 1 };
      },
    },
  );
  await begin.promise;
  const limits = { wallMs: 60_000, cpuMs: 300, memoryMb: 256 };
  const outcome = await sandbox.invoke(bad, aRequest({ limits }), echoHost);
  assert.ok(outcome.status === 'timeout');
  const { code, message } = outcome.error;
  // Which of the two was broken the child did not get to say.
  assert.deepEqual(
    [code, message],
    [
      'function_timeout',
      'The function did not stop at its limit of 60000 ms, or 300 ms of CPU time (limits.wallMs, limits.cpuMs), and was killed',
    ],
  );
  const other = await innocent;
  assert.deepEqual(
    [other.status, other.status !== 'ok' && other.error.code, begun],
    ['crashed', 'function_crashed', 1],
  );
  assert.deepEqual(sandbox.stats().quarantined, [bad.id]);
  assert.ok(problems.includes('sandbox_child_killed'));
});

test('who once had to be killed runs alone, until it changes', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const body = `if (sdk.argument === "bad") { ${unstoppable} } return "good";`;
  const program = aProgram(body, { name: 'sometimes' });
  await sandbox.invoke(program, aRequest({ argument: 'bad', limits: { wallMs: 300, memoryMb: 256 } }), echoHost);
  const host = {
    ...echoHost,
    call: async () => ({ ok: sandbox.stats().children.map(({ quarantine, running }) => [quarantine, running]) }),
  };
  const seen = aProgram(`${body.replace('return', 'return await sdk.call("x") ??')}`, { name: 'changed' });
  assert.equal((await sandbox.invoke(program, aRequest(), echoHost)).status, 'ok');
  assert.equal(sandbox.stats().children.filter(({ quarantine }) => quarantine).length, 1);
  const changed = await sandbox.invoke(seen, aRequest(), host);
  assert.deepEqual(changed.status === 'ok' && changed.result, [
    [true, 0],
    [false, 1],
  ]);
});

test('a quarantined function that calls another quarantined one does not wait for itself', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const [a, b] = ['a', 'b'].map((name) =>
    aProgram(
      `if (sdk.argument === "bad") { ${unstoppable} } return sdk.argument === "call" ? sdk.call("other") : "${name}";`,
      { name },
    ),
  );
  assert.ok(a && b);
  for (const program of [a, b])
    await sandbox.invoke(program, aRequest({ argument: 'bad', limits: { wallMs: 200, memoryMb: 256 } }), echoHost);
  assert.equal(sandbox.stats().quarantined.length, 2);
  const outcome = await sandbox.invoke(a, aRequest({ argument: 'call' }), {
    ...echoHost,
    call: async () => {
      const inner = await sandbox.invoke(b, aRequest({ depth: 1 }), echoHost);
      return { ok: inner.status === 'ok' ? inner.result : inner.error.code };
    },
  });
  assert.equal(outcome.status === 'ok' && outcome.result, 'b');
});

test('memory that V8 cannot give back ends the function, not the workspace', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const outcome = await sandbox.invoke(
    aProgram(mapBomb),
    aRequest({ limits: { memoryMb: 32, wallMs: 60_000, cpuMs: 60_000 } }),
    echoHost,
  );
  assert.deepEqual([outcome.status, outcome.status !== 'ok' && outcome.error.code], ['memory', 'function_memory']);
  assert.equal((await sandbox.invoke(aProgram('return 1;', { name: 'canary' }), aRequest(), echoHost)).status, 'ok');
});

test('an array that V8 cannot make at all, and ends its process for, counts as memory', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const outcome = await sandbox.invoke(
    aProgram('return "x".repeat(140_000_000).split("").length;'),
    aRequest({ limits: { memoryMb: 512, wallMs: 60_000, cpuMs: 60_000 } }),
    echoHost,
  );
  assert.deepEqual([outcome.status, outcome.status !== 'ok' && outcome.error.code], ['memory', 'function_memory']);
  assert.equal((await sandbox.invoke(aProgram('return 1;', { name: 'canary' }), aRequest(), echoHost)).status, 'ok');
});

test('a queue of invocations survives the death of the child', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram(`if (sdk.argument === 0) { ${unstoppable} } return sdk.argument;`, { name: 'queue' });
  const outcomes = await Promise.all(
    [0, 1, 2, 3].map((argument) =>
      sandbox.invoke(program, aRequest({ argument, limits: { wallMs: 300, memoryMb: 256 } }), echoHost),
    ),
  );
  assert.equal(outcomes[0]?.status, 'timeout');
  for (const outcome of outcomes.slice(1)) assert.ok(['ok', 'crashed'].includes(outcome.status), outcome.status);
  assert.ok(outcomes.some(({ status }) => status === 'ok'));
});

test('a loop while isolated-vm copies an unhandled rejection is killed', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const body =
    'Promise.reject({ get message() { for (;;) {} }, get stack() { for (;;) {} } }); await sdk.call("x"); return 1;';
  const outcome = await sandbox.invoke(aProgram(body), aRequest({ limits: { wallMs: 200 } }), echoHost);
  assert.equal(outcome.status, 'timeout');
});

test('a child that dies by itself is replaced', async () => {
  const sandbox = aSandbox({ processes: 1 });
  await sandbox.ready;
  const begun = Promise.withResolvers<void>();
  const running = sandbox.invoke(aProgram('await sdk.call("x"); await new Promise(() => {});'), aRequest(), {
    ...echoHost,
    call: async () => {
      begun.resolve();
      return { ok: 1 };
    },
  });
  await begun.promise;
  process.kill(sandbox.stats().children[0]?.pid ?? 0, 'SIGSEGV');
  const outcome = await running;
  assert.deepEqual([outcome.status, outcome.status !== 'ok' && outcome.error.code], ['crashed', 'function_crashed']);
  assert.equal((await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost)).status, 'ok');
});

test('the folder that children live in may be cleaned away: the next child has another', async () => {
  const sandbox = aSandbox({ processes: 1 });
  await sandbox.ready;
  rmSync(emptyFolder(), { recursive: true });
  process.kill(sandbox.stats().children[0]?.pid ?? 0, 'SIGKILL');
  const program = aProgram('return 1;');
  await until('another child answers', async () => {
    const { status } = await sandbox.invoke(program, aRequest(), echoHost);
    return status === 'ok';
  });
});

test('where no temporary folder can be made functions run all the same', async (t) => {
  const { TMPDIR } = process.env;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });
  rmSync(emptyFolder(), { recursive: true, force: true });
  process.env['TMPDIR'] = '/nowhere';
  const sandbox = aSandbox({ processes: 1 });
  const { status } = await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost);
  assert.equal(status, 'ok');
});
