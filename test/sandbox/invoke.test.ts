import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import type { ErrorCause, Host, LogLine, Outcome } from '../../src/sandbox/index.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost, programOf } from './support/sandbox.ts';

const sandbox = aSandbox();

function run(
  body: string,
  {
    host = echoHost,
    request = aRequest(),
    ...program
  }: { host?: Host; request?: ReturnType<typeof aRequest>; top?: string } = {},
) {
  return sandbox.invoke(aProgram(body, program), request, host);
}

function resultOf(outcome: Outcome): unknown {
  assert.equal(outcome.status, 'ok', outcome.status === 'ok' ? '' : `${outcome.error.code}: ${outcome.error.message}`);
  return outcome.status === 'ok' ? outcome.result : undefined;
}

function failureOf(outcome: Outcome) {
  assert.notEqual(outcome.status, 'ok');
  if (outcome.status === 'ok') throw new Error('it did not fail');
  return outcome.error;
}

test('a function gets its argument and its JSON result comes back', async () => {
  const outcome = await run('return { doubled: sdk.argument.value * 2 };', {
    request: aRequest({ argument: { value: 21 } }),
  });
  assert.deepEqual(resultOf(outcome), { doubled: 42 });
  assert.equal(outcome.status === 'ok' && outcome.resultJson, '{"doubled":42}');
});

test('a body of bytes goes in and another comes out unchanged', async () => {
  const body = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
  const outcome = await run('return sdk.body.map((byte) => 255 - byte);', { request: aRequest({ body }) });
  assert.equal(outcome.status, 'ok');
  assert.deepEqual(
    outcome.status === 'ok' && outcome.body,
    body.map((byte) => 255 - byte),
  );
});

test('a result that is a window on a bigger buffer brings only the window', async () => {
  const outcome = await run('return new Uint8Array([1, 2, 3, 4]).subarray(1, 3);');
  assert.deepEqual(outcome.status === 'ok' && outcome.body, Uint8Array.of(2, 3));
});

test('text of any kind survives both ways', async () => {
  const argument = { text: 'ä€😀 \u2028 \ud800 "\\ \u0000', key: [null, true, 1e300, -0.5] };
  const outcome = await run('return sdk.argument;', { request: aRequest({ argument }) });
  assert.deepEqual(resultOf(outcome), argument);
});

test('a fresh invocation sees nothing of the one before', async () => {
  const program = aProgram(
    'globalThis.count = (globalThis.count ?? 0) + 1; top += 1; return [globalThis.count, top];',
    { top: 'let top = 0;' },
  );
  for (let i = 0; i < 12; i++) assert.deepEqual(resultOf(await sandbox.invoke(program, aRequest(), echoHost)), [1, 1]);
});

test('a warm invocation goes on with the state of the one before', async () => {
  const program = aProgram('top += 1; return top;', { top: 'let top = 0;', name: 'warm' });
  const counts = [];
  for (let i = 0; i < 3; i++)
    counts.push(resultOf(await sandbox.invoke(program, aRequest({ isolation: 'warm' }), echoHost)));
  assert.deepEqual(counts, [1, 2, 3]);
});

test('two programs never see each other', async () => {
  const writer = aProgram('globalThis.shared = 1; Object.prototype.leak = 1; return 1;', { name: 'writer' });
  const reader = aProgram('return [typeof globalThis.shared, typeof {}.leak];', { name: 'reader' });
  const isolation = 'warm';
  await sandbox.invoke(writer, aRequest({ isolation }), echoHost);
  assert.deepEqual(resultOf(await sandbox.invoke(reader, aRequest({ isolation }), echoHost)), [
    'undefined',
    'undefined',
  ]);
});

test('calls reach the host with their input and its answers come back', async () => {
  const outcome = await run(
    'const a = await sdk.call("customers.get", { id: 1 }); return [a, await sdk.call("nothing")];',
  );
  assert.deepEqual(resultOf(outcome), [{ operation: 'customers.get', input: { id: 1 } }, { operation: 'nothing' }]);
  assert.deepEqual(
    outcome.calls.map(({ kind, name, input, errorCode }) => ({ kind, name, input, errorCode })),
    [
      {
        kind: 'call',
        name: 'customers.get',
        input: '{"operation":"customers.get","input":{"id":1}}',
        errorCode: undefined,
      },
      { kind: 'call', name: 'nothing', input: '{"operation":"nothing"}', errorCode: undefined },
    ],
  );
});

test('what a function did not wait for is named in its log', async () => {
  const warning = (outcome: Outcome) => outcome.logs.map(({ level, text }) => [level, text]);
  const text = (what: string) => [
    ['warn', `[fn] the function ended before these calls were answered: ${what}. Add "await" in front of them`],
  ];
  const forgotten = await run('const customer = sdk.call("customers.get"); return { id: customer.id };');
  assert.deepEqual(resultOf(forgotten), {});
  assert.deepEqual(warning(forgotten), text('customers.get'));
  const failing = await run('const customer = sdk.call("customers.get"); return customer.name.length;');
  assert.equal(failing.status, 'error');
  assert.deepEqual(warning(failing), text('customers.get'));
  const fetching = await run('fetch("https://shop.example/orders", { method: "POST" });');
  assert.deepEqual(warning(fetching), text('POST https://shop.example/orders'));
  const many = await run('for (let i = 1; i <= 5; i++) sdk.call("n." + i);');
  assert.deepEqual(warning(many), text('n.1, n.2, n.3 and 2 more'));
  const waited = await run('await sdk.call("customers.get"); setTimeout(() => {}, 60_000);');
  assert.deepEqual(warning(waited), []);
});

test('a refused call is an error with code, status and message inside', async () => {
  const host: Host = {
    ...echoHost,
    call: async () => ({
      error: { code: 'customer_not_found', status: 404, message: 'No such customer', details: { id: 7 } },
    }),
  };
  const outcome = await run(
    'try { await sdk.call("customers.get"); } catch (e) { return [e instanceof Error, e.name, e.code, e.status, e.message, e.details]; }',
    { host },
  );
  assert.deepEqual(resultOf(outcome), [true, 'SdkError', 'customer_not_found', 404, 'No such customer', { id: 7 }]);
  assert.equal(outcome.calls[0]?.errorCode, 'customer_not_found');
});

test('a bug of the host is told inside without its message or stack', async () => {
  const host: Host = { ...echoHost, call: () => Promise.reject(new Error('/home/me/secret.ts broke')) };
  const outcome = await run('try { await sdk.call("x"); } catch (e) { return e.message + e.stack; }', { host });
  assert.doesNotMatch(String(resultOf(outcome)), /secret|\/src\/|node:/);
});

test('fetch is asked of the host, bodies as bytes', async () => {
  const asked: unknown[] = [];
  const host: Host = {
    ...echoHost,
    fetch: async ({ body, ...request }) => {
      asked.push({ ...request, body: body && Buffer.from(body).toString() });
      return { status: 201, headers: [['x-a', 'b']], body: Buffer.from('answer') };
    },
  };
  const outcome = await run(
    'const r = await fetch("https://example.com/", { method: "POST", body: new Uint8Array([104, 105]) }); return [r.status, r.url, [...r.headers], await r.text()];',
    { host },
  );
  assert.deepEqual(resultOf(outcome), [201, 'https://example.com/', [['x-a', 'b']], 'answer']);
  assert.deepEqual(asked, [
    { url: 'https://example.com/', method: 'POST', headers: [], redirect: 'follow', body: 'hi' },
  ]);
});

test('a fetch that fails is a TypeError inside', async () => {
  const outcome = await run('try { await fetch("https://example.com/"); } catch (e) { return [e.name, e.message]; }');
  assert.deepEqual(resultOf(outcome), ['TypeError', 'no network here']);
  assert.equal(outcome.calls[0]?.errorCode, 'fetch_failed');
});

test('a fetch that is still open at the end is aborted', async () => {
  const aborted = Promise.withResolvers<void>();
  const host: Host = {
    ...echoHost,
    fetch: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(new Error('aborted'));
        });
      }),
  };
  assert.equal(
    resultOf(await run('fetch("https://example.com/").catch(() => {}); await sdk.call("x"); return 1;', { host })),
    1,
  );
  await aborted.promise;
});

test('log lines come in the order written, live and in the outcome', async () => {
  const live: LogLine[] = [];
  const host: Host = { ...echoHost, log: (line) => live.push(line) };
  const outcome = await run('console.log("a", 1); await sdk.call("x"); console.error("b"); console.warn({ c: 1 });', {
    host,
  });
  assert.deepEqual(
    outcome.logs.map(({ level, text }) => [level, text]),
    [
      ['info', 'a 1'],
      ['error', 'b'],
      ['warn', '{ c: 1 }'],
    ],
  );
  assert.deepEqual(live, outcome.logs);
});

test('the environment is what the request declares, and nothing of the machine', async () => {
  const outcome = await run('return [process.env, Object.isFrozen(process.env)];', {
    request: aRequest({ environment: { GREETING: 'hi' } }),
  });
  assert.deepEqual(resultOf(outcome), [{ GREETING: 'hi' }, true]);
});

test("Date follows the workspace's clock, and so do log lines", async () => {
  const day = 86_400_000;
  const outcome = await run('console.log("x"); return Date.now();', { request: aRequest({ clockOffsetMs: 10 * day }) });
  assert.ok(Math.abs(Number(resultOf(outcome)) - Date.now() - 10 * day) < 60_000);
  assert.ok(Math.abs((outcome.logs[0]?.atMs ?? 0) - Date.now() - 10 * day) < 60_000);
});

test('timers fire in order and can be cleared', async () => {
  const outcome = await run(
    'const seen = []; const never = setTimeout(() => seen.push("never"), 1); clearTimeout(never); await new Promise((done) => { setTimeout(() => { seen.push("b"); done(); }, 20); setTimeout(() => seen.push("a"), 5); }); return seen;',
  );
  assert.deepEqual(resultOf(outcome), ['a', 'b']);
});

test('a top-level await is finished before the function runs', async () => {
  const outcome = await run('return ready;', {
    top: 'const ready = await new Promise((done) => setTimeout(() => done("yes"), 10));',
  });
  assert.equal(resultOf(outcome), 'yes');
});

test('a module that throws while it loads fails each invocation with its own error', async () => {
  for (let i = 0; i < 2; i++) {
    const outcome = await run('return 1;', { top: 'console.log("before"); throw new RangeError("broken at load");' });
    assert.equal(outcome.status, 'error');
    const { code, name, message } = failureOf(outcome);
    assert.deepEqual([code, name, message], ['function_failed', 'RangeError', 'broken at load']);
    assert.deepEqual(
      outcome.logs.map(({ text }) => text),
      ['before'],
    );
  }
});

test('what a module writes while it loads is not in the log of an invocation', async () => {
  const outcome = await run('console.log("mine"); return 1;', { top: 'console.log("loading");' });
  assert.deepEqual(
    outcome.logs.map(({ text }) => text),
    ['mine'],
  );
});

test('calls and fetches at the top level are refused with a sentence', async () => {
  const outcome = await run('return said;', {
    top: 'let said; try { await fetch("https://example.com/"); } catch (e) { said = e.message; }',
  });
  assert.match(String(resultOf(outcome)), /not possible while the module loads/);
});

test('what a module rejects unheard while it is loaded stands in the log of each invocation that it is loaded for', async () => {
  const program = aProgram('console.log("here"); return 1;', {
    top: 'console.log("top"); Promise.reject(new Error("nobody heard"));',
  });
  await sandbox.describe(program);
  for (let i = 0; i < 3; i++) {
    const { logs } = await sandbox.invoke(program, aRequest(), echoHost);
    assert.deepEqual(
      logs.map(({ level, text }) => [level, text.split('\n')[0]]),
      [
        ['error', 'Unhandled rejection: Error: nobody heard'],
        ['info', 'here'],
      ],
    );
  }
});

test('a program without a default function says so', async () => {
  const outcome = await sandbox.invoke(
    programOf('(async (register) => { register({ config: {} }); })'),
    aRequest(),
    echoHost,
  );
  assert.equal(failureOf(outcome).code, 'function_export_missing');
});

test('an AggregateError keeps the first of what it holds', async () => {
  const error = failureOf(
    await run('throw new AggregateError([1, 2, 3, 4, 5, 6, 7].map((n) => new TypeError("no " + n)), "all failed");'),
  );
  assert.deepEqual(
    error.errors?.map(({ name, message }) => `${name}: ${message}`),
    [1, 2, 3, 4, 5].map((n) => `TypeError: no ${n}`),
  );
});

test('of errors that hold errors and are caused by more, some thirty are told', async () => {
  const error = failureOf(
    await run(`
      const make = (depth) => Object.assign(new AggregateError(depth > 0 ? [1, 2, 3, 4, 5].map(() => make(depth - 1)) : []),
        depth > 0 ? { cause: make(depth - 1) } : {});
      throw make(4);`),
  );
  const count = ({ cause, errors = [] }: ErrorCause): number =>
    [...errors, ...(cause ? [cause] : [])].reduce((sum, one) => sum + count(one), 1);
  assert.equal(count(error), 32);
});

test('a SuppressedError keeps what the body threw and what its end threw', async () => {
  const error = failureOf(
    await run(
      'using held = { [Symbol.dispose]() { throw new TypeError("at the end"); } }; throw new RangeError("before");',
    ),
  );
  assert.equal(error.name, 'SuppressedError');
  assert.deepEqual(
    error.errors?.map(({ name, message }) => `${name}: ${message}`),
    ['TypeError: at the end', 'RangeError: before'],
  );
});

test('an error keeps name, message, code and causes', async () => {
  const error = failureOf(
    await run(
      'throw Object.assign(new TypeError("outer", { cause: new Error("inner", { cause: "text" }) }), { code: "E_MINE" });',
    ),
  );
  assert.deepEqual(
    [error.code, error.name, error.message, error.errorCode],
    ['function_failed', 'TypeError', 'outer', 'E_MINE'],
  );
  assert.deepEqual([error.cause?.message, error.cause?.cause?.message], ['inner', 'text']);
});

for (const thrown of [
  'null',
  'undefined',
  '{}',
  '"text"',
  '0',
  'Symbol("x")',
  '() => {}',
  'Object.create(null)',
  'new Proxy({}, { get() { throw 1; } })',
  'new Proxy(new Error("x"), { get() { throw new Error("trap"); }, getPrototypeOf() { throw 2; } })',
]) {
  test(`throwing ${thrown} is a failure like any other`, async () => {
    const outcome = await run(`throw ${thrown};`);
    assert.equal(outcome.status, 'error');
    assert.equal(failureOf(outcome).code, 'function_failed');
  });
}

test('an unhandled rejection is a log line and the result stands', async () => {
  const outcome = await run('Promise.reject(new Error("forgotten")); return "done";');
  assert.equal(resultOf(outcome), 'done');
  assert.match(outcome.logs[0]?.text ?? '', /Unhandled rejection: Error: forgotten/);
  assert.doesNotMatch(outcome.logs[0]?.text ?? '', /isolated-vm|file:\/\/\/(?!test-app)|fn:sandbox/);
});

test('log lines about unhandled rejections count like those of the function', async () => {
  const body =
    'for (let i = 0; i < 30; i++) { Promise.reject(new Error("x".repeat(100))); await sdk.call("x"); } console.log("last");';
  for (const limits of [{ logLines: 10 }, { logBytes: 1_000 }]) {
    const { logs } = await run(body, { request: aRequest({ limits }) });
    assert.ok(logs.length <= 11, `${logs.length} lines`);
    assert.match(logs.at(-1)?.text ?? '', /^\[fn\] the log ends here: its limit of/);
  }
});

test('what a module rejects while it is loaded has a limit as well', async () => {
  const top =
    'for (let i = 0; i < 300; i++) { Promise.reject(new Error("x")); await new Promise((go) => setTimeout(go)); }';
  const { logs } = await run('', { top });
  assert.ok(logs.length <= 201, `${logs.length} lines`);
});

test('an unhandled rejection after an await is a log line, too', async () => {
  const outcome = await run('await sdk.call("x"); Promise.reject({ code: 1 }); await sdk.call("y"); return "done";');
  assert.equal(resultOf(outcome), 'done');
  assert.match(outcome.logs[0]?.text ?? '', /Unhandled rejection/);
});

test('a rejection that is handled in the same turn is nobody’s business', async () => {
  const outcome = await run('const p = Promise.reject(new Error("x")); try { await p; } catch {} return 1;');
  assert.deepEqual([resultOf(outcome), outcome.logs], [1, []]);
});

test('a late call of a finished warm invocation is refused', async () => {
  const top = 'let keep; let late;';
  const program = aProgram(
    'if (keep) { try { await keep("x"); } catch (e) { return e.message; } } keep = sdk.call; return "kept";',
    { top, name: 'late' },
  );
  const isolation = 'warm';
  assert.equal(resultOf(await sandbox.invoke(program, aRequest({ isolation }), echoHost)), 'kept');
  const second = await sandbox.invoke(program, aRequest({ isolation }), echoHost);
  assert.equal(resultOf(second), 'The invocation has ended');
  assert.deepEqual(second.calls, []);
});

test('what a warm invocation leaves open is rejected when it ends', async () => {
  const host: Host = {
    ...echoHost,
    call: (_, input) => (input === 'never' ? new Promise(() => {}) : Promise.resolve({ ok: input })),
  };
  const program = aProgram(
    'open ??= sdk.call("x", "never").catch((e) => e.message); return first++ === 0 ? "left" : await open;',
    { top: 'let open, first = 0;', name: 'left' },
  );
  const isolation = 'warm';
  assert.equal(resultOf(await sandbox.invoke(program, aRequest({ isolation }), host)), 'left');
  assert.equal(resultOf(await sandbox.invoke(program, aRequest({ isolation }), host)), 'The invocation has ended');
});

test('invocations in parallel get each their own result', async () => {
  const program = aProgram('await sdk.call("x"); return sdk.argument;', { name: 'parallel' });
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, i) => sandbox.invoke(program, aRequest({ argument: i }), echoHost)),
  );
  assert.deepEqual(
    outcomes.map(resultOf),
    Array.from({ length: 60 }, (_, i) => i),
  );
});

test('a function that calls itself does not wait for itself, to a depth of 8', async () => {
  const program = aProgram('return sdk.argument >= 20 ? sdk.argument : sdk.call("self", sdk.argument + 1);', {
    name: 'recursive',
  });
  const invoke = (argument: unknown, depth: number): Promise<Outcome> =>
    sandbox.invoke(program, aRequest({ argument, depth }), {
      ...echoHost,
      call: async (_, input) => {
        const inner = await invoke(input, depth + 1);
        return inner.status === 'ok'
          ? { ok: inner.result }
          : { error: { code: inner.error.code, status: 508, message: inner.error.message } };
      },
    });
  assert.equal(resultOf(await invoke(12, 0)), 20);
  assert.match(failureOf(await invoke(0, 0)).message, /more than 8 levels/);
});

test('an invocation is cancelled by its signal, running or before it begins', async () => {
  const controller = new AbortController();
  const host: Host = {
    ...echoHost,
    call: () => {
      controller.abort();
      return new Promise(() => {});
    },
  };
  const running = await run('await sdk.call("x");', { host, request: aRequest({ signal: controller.signal }) });
  assert.deepEqual([running.status, failureOf(running).code], ['refused', 'function_cancelled']);
  const before = await run('return 1;', { request: aRequest({ signal: controller.signal }) });
  assert.deepEqual([before.status, failureOf(before).code], ['refused', 'function_cancelled']);
});

test('one that is cancelled while its module loads does not run', async () => {
  const own = aSandbox({ processes: 1 });
  const controller = new AbortController();
  const program = aProgram('console.log("ran");', { top: 'await new Promise((done) => setTimeout(done, 2_000));' });
  const lines: LogLine[] = [];
  const host: Host = { ...echoHost, log: (line) => void lines.push(line) };
  const invoked = own.invoke(program, aRequest({ signal: controller.signal }), host);
  await own.ready;
  await until('it runs', () => own.stats().running === 1);
  controller.abort();
  const outcome = await invoked;
  assert.deepEqual([failureOf(outcome).code, lines], ['function_cancelled', []]);
  const again = await own.invoke(program, aRequest({ argument: 1 }), host);
  assert.deepEqual([again.status, lines.length], ['ok', 1]);
});

test('a text with a long run of blanks costs nothing', async () => {
  const outcome = await run(`return "${' '.repeat(300_000)};".length;`);
  assert.equal(resultOf(outcome), 300_001);
});

test('a body above its limit is refused before anything runs', async () => {
  const outcome = await run('return 1;', {
    request: aRequest({ body: new Uint8Array(11), limits: { bodyBytes: 10 } }),
  });
  assert.deepEqual([outcome.status, failureOf(outcome).code], ['refused', 'body_too_large']);
});

test('CPU, wall time and memory are told', async () => {
  const outcome = await run(
    'const list = []; const end = Date.now() + 60; while (Date.now() < end) list.push({}); return list.length > 0;',
  );
  assert.equal(resultOf(outcome), true);
  const { cpuMs, wallMs, peakMemoryBytes } = outcome;
  // On a busy machine the time in which it was not run is not its own (child/watchdog.ts).
  assert.ok(
    cpuMs > 10 && wallMs > 0 && peakMemoryBytes > 1_000_000,
    JSON.stringify({ cpuMs, wallMs, peakMemoryBytes }),
  );
});

test('a program that is retired while it runs finishes first', async () => {
  const program = aProgram('await sdk.call("x"); return "finished";', { name: 'retired' });
  const host: Host = {
    ...echoHost,
    call: async () => {
      sandbox.retire(program.id);
      return { ok: null };
    },
  };
  assert.equal(resultOf(await sandbox.invoke(program, aRequest(), host)), 'finished');
});

test('what comes late for a program that was replaced is run, and leaves no isolate', async () => {
  const own = aSandbox({ processes: 1 });
  const isolates = () => own.stats().children[0]?.isolates;
  const program = aProgram('return "late";');
  assert.equal(resultOf(await own.invoke(program, aRequest(), echoHost)), 'late');
  own.retire(program.id);
  const late = await Promise.all([1, 2, 3].map(() => own.invoke(program, aRequest(), echoHost)));
  assert.deepEqual(late.map(resultOf), ['late', 'late', 'late']);
  assert.equal(isolates(), 0);
  const again = { ...program };
  for (const asked of [again, program, again]) await own.invoke(asked, aRequest(), echoHost);
  assert.equal(isolates(), 1, 'the same code is in use again');
});

test('invocations that wait run at once, two for each core', { timeout: 60_000 }, async () => {
  const most = 2 * availableParallelism();
  const all = Promise.withResolvers<void>();
  let running = 0;
  const host: Host = {
    ...echoHost,
    call: async () => {
      if (++running === most) all.resolve();
      await all.promise;
      return { ok: running };
    },
  };
  const program = aProgram('return sdk.call("wait");', { name: 'waiting' });
  const outcomes = await Promise.all(
    Array.from({ length: most }, () => sandbox.invoke(program, aRequest({ limits: { wallMs: 15_000 } }), host)),
  );
  for (const outcome of outcomes) assert.equal(resultOf(outcome), most);
});

const forgotten: Record<string, [body: string, line: RegExp]> = {
  'in an async function that nobody awaits, after a call': [
    '(async () => { await sdk.call("y"); throw new Error("late"); })(); await sdk.call("x"); await sdk.call("z");',
    /^Unhandled rejection: Error: late\n/,
  ],
  'in a timer': [
    'await new Promise((done) => setTimeout(() => { Promise.reject(new Error("timer")); setTimeout(done, 1); }, 1));',
    /^Unhandled rejection: Error: timer\n/,
  ],
  'with something that is no error': ['Promise.reject("text"); await sdk.call("x");', /^Unhandled rejection: text$/],
  'with an object that is no error': [
    'Promise.reject({ code: 7 }); await sdk.call("x");',
    /^Unhandled rejection: an object that is not an Error$/,
  ],
};

for (const [title, [body, line]] of Object.entries(forgotten)) {
  test(`what is rejected ${title} is a log line`, async () => {
    const outcome = await sandbox.invoke(aProgram(`${body} return 1;`), aRequest(), echoHost);
    assert.equal(outcome.status, 'ok');
    assert.match(outcome.logs[0]?.text ?? '', line);
  });
}

test('a rejection that is handled within its turn is nobody’s news', async () => {
  const body = 'const p = Promise.reject(new Error("x")); await null; await p.catch(() => {}); return 1;';
  assert.deepEqual((await sandbox.invoke(aProgram(body), aRequest(), echoHost)).logs, []);
});
