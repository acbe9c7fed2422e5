import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoke, linesOf, resultOf } from './support/web.ts';

/** Replaces what can be replaced; everything that passes through is kept in `seen`. */
const tamper = `
  const seen = [];
  const wrap = (holder, key) => {
    const before = Object.getOwnPropertyDescriptor(holder, key);
    if (!before || typeof before.value !== 'function' || !before.configurable) return;
    Object.defineProperty(holder, key, { ...before, value: function (...args) { if (seen.length < 20000) { seen[seen.length] = this; for (let i = 0; i < args.length; i++) seen[seen.length] = args[i]; } return Reflect_apply(before.value, this, args); } });
  };
  const Reflect_apply = Reflect.apply;
  const functionText = Function.prototype.toString, textIncludes = String.prototype.includes, textStarts = String.prototype.startsWith, setHas = Set.prototype.has;
  const textOf = (f) => Reflect_apply(functionText, f, []), includes = (a, b) => Reflect_apply(textIncludes, a, [b]), startsWith = (a, b) => Reflect_apply(textStarts, a, [b]);
  // Every function of the language itself: what is native and not among them came from outside.
  const intrinsics = new Set();
  const collect = (value) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || intrinsics.has(value)) return;
    intrinsics.add(value);
    for (const key of Reflect.ownKeys(value)) { const d = Object.getOwnPropertyDescriptor(value, key); if (!d) continue; collect(d.value); collect(d.get); collect(d.set); }
    collect(Object.getPrototypeOf(value));
  };
  for (const name of Object.getOwnPropertyNames(globalThis)) { const d = Object.getOwnPropertyDescriptor(globalThis, name); if ('value' in d) collect(d.value); }
  collect([][Symbol.iterator]()); collect((function* () {})()); collect((async function* () {})()); collect(async () => {});
  // The resolve and reject of a promise: native, without a name, of one argument.
  const isSettler = (f) => f.name === '' && f.length === 1;
  const known = (f) => Reflect_apply(setHas, intrinsics, [f]);
  const tamperWithAll = () => {
    for (const holder of [Function.prototype, Array.prototype, String.prototype, Promise.prototype, Promise, Map.prototype, Set.prototype, WeakMap.prototype, Object, Reflect, JSON, Object.getPrototypeOf(Uint8Array.prototype), ArrayBuffer.prototype, RegExp.prototype])
      for (const key of Reflect.ownKeys(holder)) if (key !== 'constructor' && key !== 'defineProperty' && key !== 'getOwnPropertyDescriptor' && key !== 'apply') wrap(holder, key);
  };
`;

test('a function that taps every intrinsic sees nothing of the host', async () => {
  const result = await resultOf(
    `const host = [];
     tamperWithAll();
     console.log({ a: [1, new Map([[1, 2]])] }, new Error('x'));
     await fetch('data:,x').then((r) => r.text());
     await fetch('http://x.example/').catch(() => {});
     await crypto.subtle.digest('SHA-256', new Uint8Array(2));
     new URL('http://bücher.example/'); crypto.randomUUID(); performance.now();
     await new Promise((done) => setTimeout(done, 1));
     await new Response(new Blob(['a']).stream().pipeThrough(new CompressionStream('gzip'))).bytes();
     structuredClone({ a: new Date() });
     for (let i = 0; i < seen.length; i++) {
       const value = seen[i];
       if (value === null || (typeof value !== 'object' && typeof value !== 'function')) continue;
       if (typeof value === 'object' && (('start' in value && 'sync' in value) || ('settle' in value && 'report' in value))) host[host.length] = 'the native object';
       if (typeof value !== 'function' || known(value)) continue;
       const source = textOf(value);
       if (/^native(Sync|Start|Log)$/.test(value.name) || (includes(source, '[native code]') && !startsWith(value.name, 'bound ') && !isSettler(value))) host[host.length] = value.name + ' ' + source;
     }
     return [host.length, host[0] ?? null, seen.length > 100];`,
    { top: tamper },
  );
  assert.deepEqual(result, [0, null, true]);
});

test('frames of a stack give no function and no receiver of the platform', async () => {
  const result = await resultOf(`
    const leaks = [];
    Error.prepareStackTrace = (_, frames) => { for (const frame of frames) for (const read of ['getFunction', 'getThis']) { const value = frame[read](); if (value !== undefined) leaks.push(read + ' of ' + frame.getFunctionName()); } return ''; };
    const look = () => new Error('x').stack;
    look(); await null; look();
    setTimeout(look, 1); queueMicrotask(look);
    new EventTarget().addEventListener({ toString() { look(); return 'x'; } }, look);
    await new Promise((done) => setTimeout(done, 5));
    try { structuredClone({ get a() { look(); return () => 1; } }); } catch (error) { error.stack; }
    await fetch({ toString() { look(); return 'data:,x'; } });
    console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { look(); return 'y'; } });
    return leaks;
  `);
  assert.deepEqual(result, []);
});

test('setters and a then on Object.prototype are harmless', async () => {
  const outcome = await invoke(
    `
    for (const key of ['id', 'kind', 'resolve', 'reject', 'json', 'bytes', 'name', 'message', 'code', 'url', 'headers', 'status', 'lines', 'pending'])
      Object.defineProperty(Object.prototype, key, { configurable: true, set(value) { Object.defineProperty(this, key, { value, configurable: true, enumerable: true, writable: true }); } });
    await new Promise((done) => setTimeout(done, 1));
    const digest = await crypto.subtle.digest('SHA-1', new Uint8Array(1));
    for (let i = 0; i < 50; i++) console.log('line', i);
    return digest.byteLength;
  `,
    { limits: { logLines: 20 } },
  );
  assert.equal(outcome.status, 'ok', JSON.stringify(outcome.status === 'ok' || outcome.error));
  assert.equal(outcome.status === 'ok' && outcome.result, 20);
  assert.equal(outcome.logs.length, 21);
});

test('a getter on Object.prototype is not handed the limits of the invocation', async () => {
  const top = `let handed = 0;
    for (const key of ['clockStoppedAtMs', 'environment', 'clockOffsetMs', 'id', 'operationBytes'])
      Object.defineProperty(Object.prototype, key, { get() { if (this.limits) { handed++; this.limits.logLines = 1e9; } else if (this.logLines) this.logLines = 1e9; } });`;
  const outcome = await invoke(`for (let i = 0; i < 50; i++) console.log('line', i); return handed;`, {
    top,
    limits: { logLines: 20 },
  });
  assert.deepEqual([outcome.status === 'ok' && outcome.result, outcome.logs.length], [0, 21]);
});

test('patched array iterators, Promise.prototype.then and JSON.stringify do not stop an honest result', async () => {
  const result = await resultOf(`
    const before = Array.prototype[Symbol.iterator];
    Array.prototype[Symbol.iterator] = function* () { yield 'stolen'; };
    const then = Promise.prototype.then; Promise.prototype.then = function (...args) { return Reflect.apply(then, this, args); };
    JSON.stringify = () => '"forged"';
    Map.prototype.get = () => undefined; Map.prototype.delete = () => false;
    await new Promise((done) => setTimeout(done, 1));
    try { await crypto.subtle.digest('SHA-256', new Uint8Array(1)); } catch {}
    Array.prototype[Symbol.iterator] = before;
    return 'mine';
  `);
  assert.equal(result, 'mine');
});

test('what was thrown is reported, whatever it is', async () => {
  const reportOf = async (body: string) => {
    const outcome = await invoke(body);
    assert.equal(outcome.status, 'error', body);
    return outcome.status === 'error' ? outcome.error : undefined;
  };
  assert.equal((await reportOf(`throw null;`))?.message, 'null was thrown (not an Error)');
  assert.equal((await reportOf(`throw undefined;`))?.message, 'undefined was thrown (not an Error)');
  assert.equal((await reportOf(`throw 'a text';`))?.message, 'a text was thrown (not an Error)');
  assert.equal((await reportOf(`throw Symbol('s');`))?.message, 'Symbol(s) was thrown (not an Error)');
  assert.match((await reportOf(`throw { reason: 5 };`))?.message ?? '', /\{ reason: 5 \} was thrown/);
  const hostile = await reportOf(
    `throw { get name() { throw 1; }, get message() { throw 2; }, get stack() { throw 3; }, get cause() { throw 4; } };`,
  );
  assert.ok(hostile);
  const proxy = await reportOf(
    `throw new Proxy(new Error('x'), { get() { throw 1; }, getOwnPropertyDescriptor() { throw 2; }, getPrototypeOf() { throw 3; } });`,
  );
  assert.ok(proxy);
  const own = await reportOf(
    `class AppError extends Error { name = 'AppError'; code = 'E_APP'; } throw new AppError('said');`,
  );
  assert.deepEqual([own?.name, own?.message], ['AppError', 'said']);
  const dom = await reportOf(`throw new DOMException('stop', 'AbortError');`);
  assert.deepEqual([dom?.name, dom?.message], ['AbortError', 'stop']);
});

test('a chain of causes is followed, a circle in it is not', async () => {
  const outcome = await invoke(
    `const a = new Error('a'); const b = new Error('b', { cause: a }); a.cause = b; throw new Error('top', { cause: b });`,
  );
  assert.equal(outcome.status, 'error');
  assert.equal(outcome.status === 'error' && outcome.error.cause?.message, 'b');
});

test('a very long message is cut', async () => {
  const outcome = await invoke(`throw new Error('x'.repeat(5_000_000));`);
  assert.ok(outcome.status === 'error' && outcome.error.message.length <= 16 * 1024);
});

test('an error getter that loops is ended by the limit of time', async () => {
  const outcome = await invoke(`throw { get message() { for (;;); } };`, { limits: { wallMs: 400, cpuMs: 300 } });
  assert.equal(outcome.status, 'timeout');
});

test('inspecting runs no getters', async () => {
  const lines = await linesOf(`console.log({ get secret() { console.log('ran'); return 1; } });`);
  assert.deepEqual(lines, ['{ secret: [Getter] }']);
});
