import assert from 'node:assert/strict';
import test from 'node:test';
import { limits as contractLimits } from '../../src/contract/index.ts';
import { defaultLimits, type Host, type Outcome } from '../../src/sandbox/index.ts';
import { deepestNesting } from '../../src/sandbox/limits.ts';
import { aProgram, aRequest, aSandbox, echoHost, type RequestChanges } from './support/sandbox.ts';

const sandbox = aSandbox();

async function failing(
  body: string,
  limits: NonNullable<RequestChanges['limits']>,
  { host = echoHost, top = '' } = {},
): Promise<{ status: string; code: string; outcome: Outcome }> {
  const outcome = await sandbox.invoke(aProgram(body, { top }), aRequest({ limits }), host);
  assert.notEqual(outcome.status, 'ok');
  return { status: outcome.status, code: outcome.status === 'ok' ? '' : outcome.error.code, outcome };
}

const stopped: Record<string, string> = {
  'a loop in the first turn': 'for (;;) {}',
  'a loop after an await': 'await sdk.call("x"); for (;;) {}',
  'a loop of microtasks': 'const again = () => Promise.resolve().then(again); again(); await new Promise(() => {});',
  'a catastrophic regular expression': '/(a+)+$/.test("a".repeat(40) + "b");',
  'a promise that never settles': 'await new Promise(() => {});',
  'a loop in a getter of the result': 'return { get x() { for (;;) {} } };',
  "a loop in a getter of the error's message":
    'throw Object.defineProperty(new Error(), "message", { get() { for (;;) {} } });',
  'a loop in prepareStackTrace': 'Error.prepareStackTrace = () => { for (;;) {} }; throw new Error("x");',
  'a thenable that loops': 'return { then() { for (;;) {} } };',
  'timers without end': 'const again = () => setTimeout(again, 0); again(); await new Promise(() => {});',
};

for (const [title, body] of Object.entries(stopped)) {
  test(`${title} is stopped at the time limit, without a child being killed`, async () => {
    const killed = sandbox.stats().killed;
    const { status, code } = await failing(body, { wallMs: 200 });
    assert.deepEqual([status, code, sandbox.stats().killed - killed], ['timeout', 'function_timeout', 0]);
  });
}

test('CPU time has a limit of its own, below the wall clock', async () => {
  const { code, outcome } = await failing('await sdk.call("x"); for (;;) {}', { cpuMs: 100, wallMs: 60_000 });
  assert.equal(code, 'function_timeout');
  assert.match(outcome.status === 'timeout' ? outcome.error.message : '', /CPU/);
  assert.ok(outcome.cpuMs >= 100, `${outcome.cpuMs} ms of CPU`);
});

test('what the child does for a function at its call counts as the time of the function', async () => {
  const body = `
    const { sync } = globalThis[Symbol.for('convo-fn.native')];
    for (;;) sync('crypto.pbkdf2', 'a', 'b', 50_000, 64, 'sha512');`;
  const { outcome } = await failing(body, { cpuMs: 300, wallMs: 60_000 });
  assert.equal(outcome.status === 'timeout' && outcome.error.message.includes('CPU'), true);
  const { outcome: late } = await failing(body, { cpuMs: 60_000, wallMs: 300 });
  assert.equal(late.status === 'timeout' && late.error.message.includes('longer than 300 ms'), true);
});

test('waiting does not use CPU time', async () => {
  const outcome = await sandbox.invoke(
    aProgram('await new Promise((done) => setTimeout(done, 600)); return 1;'),
    aRequest({ limits: { cpuMs: 300 } }),
    echoHost,
  );
  assert.equal(outcome.status, 'ok');
});

test('a top-level await that never settles is a clear timeout', async () => {
  const { status, outcome } = await failing('return 1;', { wallMs: 100 }, { top: 'await new Promise(() => {});' });
  assert.equal(status, 'timeout');
  assert.match(outcome.status === 'ok' ? '' : outcome.error.message, /top-level await did not settle/);
});

test('an endless loop at the top level is stopped', async () => {
  const { status } = await failing('return 1;', { wallMs: 100 }, { top: 'for (;;) {}' });
  assert.equal(status, 'timeout');
});

const hungry: Record<string, string> = {
  objects: 'const list = []; for (;;) list.push({ a: [1, 2, 3] });',
  strings: 'const list = []; for (let i = 0; ; i++) list.push(("x" + i).repeat(10_000));',
  'a string that doubles': 'let s = "x"; const l = []; for (;;) { s += s.length < 1e6 ? s : ""; l.push(s.split("")); }',
};

for (const [title, body] of Object.entries(hungry)) {
  test(`memory filled with ${title} ends at its limit`, async () => {
    const { status, code } = await failing(body, { memoryMb: 32, wallMs: 60_000, cpuMs: 60_000 });
    assert.deepEqual([status, code], ['memory', 'function_memory']);
  });
}

test('array buffers count as memory, and the function may catch the refusal', async () => {
  const body =
    'const list = []; try { for (;;) list.push(new ArrayBuffer(4_000_000)); } catch (e) { return [e.name, list.length < 100]; }';
  const outcome = await sandbox.invoke(aProgram(body), aRequest({ limits: { memoryMb: 64 } }), echoHost);
  assert.deepEqual(outcome.status === 'ok' && outcome.result, ['RangeError', true]);
});

test('a result above its limit is refused with its size', async () => {
  const { code, outcome } = await failing('return "x".repeat(2_000);', { resultBytes: 1_000 });
  assert.equal(code, 'result_too_large');
  assert.match(outcome.status === 'ok' ? '' : outcome.error.message, /2002 bytes/);
});

test('the result limit counts bytes, not characters', async () => {
  const { code } = await failing('return "€".repeat(400);', { resultBytes: 1_000 });
  assert.equal(code, 'result_too_large');
});

test('a result of a gigabyte never leaves the isolate', async () => {
  const { code } = await failing('const row = "x".repeat(1_000_000); return Array(500).fill(row);', { wallMs: 60_000 });
  assert.ok(['function_memory', 'result_too_large', 'function_failed'].includes(code), code);
});

test('the log ends at its limit of lines, and says so', async () => {
  const outcome = await sandbox.invoke(
    aProgram('for (let i = 0; i < 10_000; i++) console.log(i); return 1;'),
    aRequest({ limits: { logLines: 10 } }),
    echoHost,
  );
  assert.equal(outcome.logs.length, 11);
  assert.match(outcome.logs[10]?.text ?? '', /its limit of 10 lines/);
});

test('the log ends at its limit of bytes', async () => {
  const outcome = await sandbox.invoke(
    aProgram('for (let i = 0; i < 100; i++) console.log("x".repeat(300)); return 1;'),
    aRequest({ limits: { logBytes: 1_000 } }),
    echoHost,
  );
  assert.ok(outcome.logs.map(({ text }) => text).join('').length < 1_200);
});

test('no more than the limit of calls is open at once', async () => {
  let open = 0;
  let most = 0;
  const tenth = Promise.withResolvers<void>();
  const host: Host = {
    ...echoHost,
    call: async () => {
      most = Math.max(most, ++open);
      if (open === 10) tenth.resolve();
      // None is answered before ten have come: they may arrive one by one.
      await tenth.promise;
      await new Promise(setImmediate);
      open--;
      return { ok: 1 };
    },
  };
  const body =
    'const all = await Promise.allSettled(Array.from({ length: 50 }, () => sdk.call("x"))); return all.filter((r) => r.status === "rejected" && /open at once/.test(r.reason.message)).length;';
  const outcome = await sandbox.invoke(aProgram(body), aRequest({ limits: { pendingCalls: 10 } }), host);
  assert.deepEqual([outcome.status === 'ok' && outcome.result, most], [40, 10]);
});

test('a call of many megabytes does not leave the isolate', async () => {
  const body = 'try { await sdk.call("x", "y".repeat(20_000_000)); } catch (e) { return e.message; }';
  const outcome = await sandbox.invoke(aProgram(body), aRequest(), echoHost);
  assert.match(String(outcome.status === 'ok' && outcome.result), /Too many bytes/);
});

test('neither queueing nor loading counts as the time of the function', async () => {
  const program = aProgram('await new Promise((done) => setTimeout(done, 60)); return 1;', {
    top: 'const end = Date.now() + 150; while (Date.now() < end);',
    name: 'queue',
  });
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => sandbox.invoke(program, aRequest({ limits: { wallMs: 1_000 } }), echoHost)),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    outcomes.map(() => 'ok'),
  );
});

test('after every broken limit the same program runs again', async () => {
  const program = aProgram('if (sdk.argument === 1) for (;;) {} return sdk.argument;', { name: 'again' });
  const statuses = [];
  for (const argument of [0, 1, 0, 1, 0])
    statuses.push((await sandbox.invoke(program, aRequest({ argument, limits: { wallMs: 150 } }), echoHost)).status);
  assert.deepEqual(statuses, ['ok', 'timeout', 'ok', 'timeout', 'ok']);
});

test('the sandbox, which does not know the contract, has its limits', () => {
  assert.deepEqual({ ...defaultLimits, callDepth: deepestNesting }, contractLimits.function);
});
