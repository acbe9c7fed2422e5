import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRequest, Host } from '../../src/sandbox/index.ts';
import { echoHost } from './support/sandbox.ts';
import { invoke, linesOf, resultOf } from './support/web.ts';

const everyGlobal = [
  'AbortController AbortSignal Blob Buffer ByteLengthQueuingStrategy CloseEvent CompressionStream CountQueuingStrategy Crypto',
  'CryptoKey CustomEvent DOMException DecompressionStream ErrorEvent Event EventTarget File FormData Headers MessageChannel',
  'MessageEvent MessagePort Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver',
  'PromiseRejectionEvent ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest',
  'ReadableStreamDefaultController ReadableStreamDefaultReader Request Response SubtleCrypto TextDecoder TextDecoderStream',
  'TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController URL URLPattern URLSearchParams WebSocket',
  'WritableStream WritableStreamDefaultController WritableStreamDefaultWriter atob btoa clearInterval clearTimeout console',
  'crypto fetch navigator performance process queueMicrotask reportError self setInterval setTimeout structuredClone',
]
  .join(' ')
  .split(' ');

test('every global of the minimum common API is there, not enumerable, and has its right name', async () => {
  const result = await resultOf(`
    const wrong = [];
    const enumerable = Object.keys(globalThis);
    for (const name of ${JSON.stringify(everyGlobal)}) {
      const value = globalThis[name];
      if (value === undefined) wrong.push('missing ' + name);
      else if (typeof value === 'function' && value.name !== name) wrong.push(name + ' calls itself ' + value.name);
      const { writable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
      if (!writable || !configurable) wrong.push(name + ' cannot be replaced');
    }
    return { wrong, enumerable };
  `);
  assert.deepEqual(result, { wrong: [], enumerable: [] });
});

test('a global can be replaced before and after its first use', async () => {
  const result = await resultOf(`
    globalThis.URL = 1; Headers; globalThis.Headers = 2;
    return [URL, Headers, new Request('http://a.b/?c').url, typeof new Response('').headers];
  `);
  assert.deepEqual(result, [1, 2, 'http://a.b/?c', 'object']);
});

test('WebAssembly, SharedArrayBuffer and Atomics are not there, nor by another way', async () => {
  const result = await resultOf(`
    return ['WebAssembly', 'SharedArrayBuffer', 'Atomics'].map((name) => [typeof globalThis[name], new Function('return typeof ' + name)(), name in globalThis]);
  `);
  assert.deepEqual(result, Array(3).fill(['undefined', 'undefined', false]));
});

test('timers fire by their delay and can be cleared', async () => {
  const result = await resultOf(`
    const order = [];
    const cleared = setTimeout(() => order.push('never'), 1);
    setTimeout(() => order.push('late'), 30);
    setTimeout((a, b) => order.push(a + b), 5, 'so', 'on');
    let ticks = 0;
    await new Promise((done) => {
      const timer = setInterval(() => { order.push('tick'); if (++ticks === 2) { clearInterval(timer); setTimeout(done, 40); } }, 2);
      clearTimeout(cleared);
    });
    return { order: order.filter((word) => word !== 'tick'), ticks };
  `);
  assert.deepEqual(result, { order: ['soon', 'late'], ticks: 2 });
});

test('a timer is `this` in its callback and calls itself by its name, as in Node', async () => {
  const lines = await linesOf(`
    let ticks = 0;
    await new Promise((done) => setInterval(function () { ticks++; clearInterval(this); setTimeout(done, 10); }, 1));
    const names = await Promise.all([setTimeout, setImmediate].map((start) => new Promise((done) => start(function () { done(this.constructor.name); }))));
    console.log(ticks, names, setImmediate(() => {}));
  `);
  assert.deepEqual(lines, ["1 [ 'Timeout', 'Immediate' ] Immediate {}"]);
});

test('a decoder refuses with the codes of Node, and takes null for no options', async () => {
  const result = await resultOf(`
    const refused = (run) => { try { return run(); } catch (error) { return [error.name, error.code, error.message]; } };
    const bytes = new Uint8Array([0xff]);
    const stream = ReadableStream.from([bytes]).pipeThrough(new TextDecoderStream('utf-8', { fatal: true }));
    return [refused(() => new TextDecoder('nope')), refused(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)), refused(() => new TextDecoder('utf-16', { fatal: true }).decode(new Uint8Array([0, 0xd8]))),
      await new Response(stream).text().catch((error) => error.code), new TextDecoder('latin1', null).decode(bytes, null), TextDecoder.prototype.decode.length, TextDecoder.prototype.decode.name];
  `);
  const invalid = 'ERR_ENCODING_INVALID_ENCODED_DATA';
  assert.deepEqual(result, [
    ['RangeError', 'ERR_ENCODING_NOT_SUPPORTED', 'The "nope" encoding is not supported'],
    ['TypeError', invalid, 'The encoded data was not valid for encoding utf-8'],
    ['TypeError', invalid, 'The encoded data was not valid for encoding utf-16le'],
    invalid,
    'ÿ',
    0,
    'decode',
  ]);
});

test('a timer is held by an object, as in Node: packages call unref() on it without a look', async () => {
  const result = await resultOf(`
    const order = [];
    clearTimeout(Number(setTimeout(() => order.push('by number'), 0)));
    clearTimeout(String(setTimeout(() => order.push('by text'), 0)));
    setTimeout(() => order.push('closed'), 0).close().refresh();
    { using left = setTimeout(() => order.push('left'), 0); }
    const every = setInterval(() => {}, 1).unref();
    const soon = setImmediate(() => order.push('never')).unref();
    clearImmediate(soon);
    await new Promise((done) => {
      const again = setTimeout(() => { order.push('fired'); if (order.length < 2) again.refresh(); else done(); }, 0);
    });
    return [order, every.hasRef(), every.ref().hasRef(), typeof (every - 0)];
  `);
  assert.deepEqual(result, [['fired', 'fired'], false, true, 'number']);
});

test('ten thousand timers at once are one timer of the host', async () => {
  const result = await resultOf(
    `let fired = 0; await new Promise((done) => { for (let i = 0; i < 10_000; i++) setTimeout(() => { if (++fired === 10_000) done(); }, i % 7); }); return fired;`,
    { limits: { pendingCalls: 10 } },
  );
  assert.equal(result, 10_000);
});

test('a timer made while the module loads fires when an invocation runs', async () => {
  const result = await resultOf(`return await fired;`, {
    top: `const fired = new Promise((done) => setTimeout(() => done('yes'), 1));`,
  });
  assert.equal(result, 'yes');
});

test('exceptions in timers, microtasks and listeners become error lines, and the function goes on', async () => {
  const lines = await linesOf(`
    setTimeout(() => { throw new Error('in a timer'); }, 1);
    queueMicrotask(() => { throw new Error('in a microtask'); });
    const target = new EventTarget(); target.addEventListener('x', () => { throw new Error('in a listener'); }); target.dispatchEvent(new Event('x'));
    reportError('reported');
    await new Promise((done) => setTimeout(done, 10));
    console.log('went on');
  `);
  assert.deepEqual(
    lines.map((line) => line.split('\n')[0]),
    [
      'error Uncaught Error: in a listener',
      "error Uncaught 'reported'",
      'error Uncaught Error: in a microtask',
      'error Uncaught Error: in a timer',
      'went on',
    ],
  );
});

test('Date and Intl follow the clock of the workspace, performance does not', async () => {
  const body = `return [new Date().getUTCFullYear(), new Date(Date.now()).getUTCFullYear(), Date().slice(11, 15), new Kept().getUTCFullYear(),
    new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format(), new Date(0).getTime(), new Date() instanceof Date,
    Object.getPrototypeOf(new (class extends Date {})()) !== Date.prototype, performance.now() < 60_000, Date.length, Date.name];`;
  const offsetMs = Date.UTC(2041, 5, 15) - Date.now();
  const result = await resultOf(body, { clockOffsetMs: offsetMs, top: 'const Kept = Date;' });
  assert.deepEqual(result, [2041, 2041, '2041', 2041, '2041', 0, true, true, true, 7, 'Date']);
});

test('where the clock of the workspace stands, Date and Intl stand as well', async () => {
  const body = `const before = Date.now(); await new Promise((done) => setTimeout(done, 5));
    return [before, Date.now(), new Date().toISOString(), new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format()];`;
  const clockStoppedAtMs = Date.UTC(2041, 5, 15);
  const result = await resultOf(body, { clockOffsetMs: 1, clockStoppedAtMs });
  assert.deepEqual(result, [clockStoppedAtMs, clockStoppedAtMs, '2041-06-15T00:00:00.000Z', '2041']);
});

test('process is small, frozen where it matters, and says what is not there', async () => {
  const result = (await resultOf(
    `"use strict";
    const refused = (f) => { try { f(); return 'no'; } catch (error) { return error.message; } };
    const order = []; process.nextTick((x) => order.push(x), 'tick'); await null; await null;
    return { env: { ...process.env }, frozen: Object.isFrozen(process.env), order, exit: refused(() => process.exit(1)), cwd: process.cwd(), browser: process.browser, node: typeof process.versions.node, hr: process.hrtime().length, big: typeof process.hrtime.bigint() };
  `,
    { environment: { REGION: 'eu', __proto__x: '1' } },
  )) as Record<string, unknown>;
  assert.deepEqual(result, {
    env: { REGION: 'eu', __proto__x: '1' },
    frozen: true,
    order: ['tick'],
    exit: 'process.exit is not available in functions',
    cwd: '/',
    browser: false,
    node: 'string',
    hr: 2,
    big: 'bigint',
  });
});

test('Buffer has a method for each encoding and all names that Node gives, as parsers use them', async () => {
  const inside = await resultOf(`return (${usesOfBuffer})(Buffer)`);
  assert.deepEqual(inside, usesOfBuffer(Buffer));
  const names = await resultOf('return Object.getOwnPropertyNames(Buffer.prototype)');
  const missing = Object.getOwnPropertyNames(Buffer.prototype).filter((name) => !(names as string[]).includes(name));
  assert.deepEqual(missing, ['subarray'], 'subarray is inherited');
});

// biome-ignore lint/suspicious/noExplicitAny: methods that Node does not document, and so do no types
function usesOfBuffer(Bytes: any): unknown {
  const bytes = Bytes.from('héllo wörld?>', 'utf8');
  const written = Bytes.alloc(16);
  const encodings = ['ascii', 'base64', 'base64url', 'hex', 'latin1', 'ucs2', 'utf8'];
  const big = Bytes.alloc(8);
  return [
    encodings.map((name) => [bytes[`${name}Slice`](), bytes[`${name}Slice`](1), bytes[`${name}Slice`](1, 5)]),
    encodings.map((name) => [written[`${name}Write`]('abcd', 1), written[`${name}Write`]('abcd', 9, 2)]),
    [...written],
    big.writeBigUint64LE(5n),
    String(big.readBigUint64BE()),
    [...Bytes.copyBytesFrom(new Uint16Array([1, 2, 3]), 1, 1)],
    Bytes.isBuffer(Bytes.copyBytesFrom(new Uint8Array(2))),
  ];
}

test('Buffer knows all usual encodings, base64url included', async () => {
  const result = await resultOf(`
    const b = Buffer.from('héllo?>');
    return [b.toString('base64'), b.toString('base64url'), Buffer.from(b.toString('base64url'), 'base64url').toString(), b.toString('hex'),
      Buffer.isEncoding('base64url'), Buffer.byteLength('aGk', 'base64url'), Buffer.concat([b, Buffer.alloc(2)]).length, Buffer.isBuffer(b), b instanceof Uint8Array, b.readUInt16BE(0)];
  `);
  const b = Buffer.from('héllo?>');
  assert.deepEqual(result, [
    b.toString('base64'),
    b.toString('base64url'),
    'héllo?>',
    b.toString('hex'),
    true,
    2,
    b.length + 2,
    true,
    true,
    b.readUInt16BE(0),
  ]);
});

test('international names and legacy encodings work', async () => {
  const result = await resultOf(`
    const invalid = (text) => { try { new URL(text); return 'accepted'; } catch (error) { return error.name; } };
    return [new URL('http://bücher.example/ä').href, new URL('http://xn--bcher-kva.example').hostname, invalid('http://a\\u200d.example'), invalid('http://a b'),
      new TextDecoder('shift_jis').decode(new Uint8Array([0x83, 0x65])), new TextDecoder('windows-1252').decode(new Uint8Array([0x80])), new TextDecoder('gb18030').decode(new Uint8Array([0xc4, 0xe3]))];
  `);
  assert.deepEqual(result, [
    'http://xn--bcher-kva.example/%C3%A4',
    'xn--bcher-kva.example',
    'TypeError',
    'TypeError',
    'テ',
    '€',
    '你',
  ]);
});

test('fetch is one question to the host, with method, headers and body, and gives a Response', async () => {
  const asked: FetchRequest[] = [];
  const host: Host = {
    ...echoHost,
    fetch: async (request) => {
      asked.push(request);
      return {
        status: 201,
        statusText: 'Created',
        headers: [
          ['content-type', 'application/json'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
        body: new TextEncoder().encode('{"ok":true}'),
        url: 'https://api.example/v2',
        redirected: true,
      };
    },
  };
  const result = await resultOf(
    `const r = await fetch('https://api.example/v1', { method: 'POST', headers: { 'X-Key': 'k' }, body: JSON.stringify({ a: 1 }) });
     return [r.status, r.statusText, r.ok, r.url, r.redirected, r.type, r.headers.get('content-type'), r.headers.getSetCookie(), await r.clone().text(), await r.json(), r.bodyUsed];`,
    { host },
  );
  const body = { ok: true };
  assert.deepEqual(result, [
    201,
    'Created',
    true,
    'https://api.example/v2',
    true,
    'basic',
    'application/json',
    ['a=1', 'b=2'],
    '{"ok":true}',
    body,
    true,
  ]);
  assert.equal(asked.length, 1);
  assert.equal(asked[0]?.method, 'POST');
  assert.equal(new TextDecoder().decode(asked[0]?.body), '{"a":1}');
  assert.deepEqual(Object.fromEntries(asked[0]?.headers ?? []), {
    'content-type': 'text/plain;charset=UTF-8',
    'x-key': 'k',
  });
});

test('form data travels as multipart and is read back', async () => {
  const host: Host = {
    ...echoHost,
    fetch: async ({ body, headers }) => ({ status: 200, headers, ...(body && { body }) }),
  };
  const result = await resultOf(
    `const form = new FormData(); form.append('a', '1'); form.append('f', new File(['hällo'], 'h.txt', { type: 'text/plain' }));
     const back = await (await fetch('http://x.example/', { method: 'POST', body: form })).formData();
     const file = back.get('f');
     return [back.get('a'), file.name, file.type, await file.text(), file instanceof File];`,
    { host },
  );
  assert.deepEqual(result, ['1', 'h.txt', 'text/plain', 'hällo', true]);
});

test('an aborted fetch rejects with the reason and is withdrawn at the host', async () => {
  let aborted: Promise<unknown> | undefined;
  const host: Host = {
    ...echoHost,
    fetch: (_, signal) => {
      aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(true)));
      return new Promise(() => {});
    },
  };
  const result = await resultOf(
    `const c = new AbortController(); const p = fetch('http://x.example/', { signal: c.signal }); setTimeout(() => c.abort(), 5);
     const t = AbortSignal.timeout(5);
     const names = [];
     try { await p; } catch (error) { names.push(error.name); }
     try { await fetch('http://x.example/', { signal: t }); } catch (error) { names.push(error.name); }
     try { await fetch('http://x.example/', { signal: AbortSignal.abort('why') }); } catch (error) { names.push(error); }
     return names;`,
    { host },
  );
  assert.deepEqual(result, ['AbortError', 'TimeoutError', 'why']);
  assert.equal(await aborted, true);
});

test('a failed fetch is a TypeError with the host’s message and nothing of its stack', async () => {
  const host: Host = { ...echoHost, fetch: () => Promise.reject(new Error('address is not allowed')) };
  const result = (await resultOf(
    `try { await fetch('http://x.example/'); } catch (error) { return [error instanceof TypeError, error.message, error.stack]; }`,
    { host },
  )) as [boolean, string, string];
  assert.equal(result[0], true);
  assert.match(result[1], /address is not allowed/);
  assert.doesNotMatch(result[2], /node:|web-globals\.test|\/src\//);
});

test('other schemes than http and data are refused clearly', async () => {
  const result = await resultOf(`
    const said = [];
    for (const url of ['file:///etc/passwd', 'ftp://x', 'blob:x', 'data:nothing', '/relative']) try { await fetch(url); said.push('fetched ' + url); } catch (error) { said.push(error.name); }
    return [said, await (await fetch('data:application/json;base64,eyJhIjoxfQ==')).json()];
  `);
  assert.deepEqual(result, [Array(5).fill('TypeError'), { a: 1 }]);
});

test('WebSocket can be looked for but not opened', async () => {
  const result = await resultOf(
    `try { new WebSocket('wss://x.example'); } catch (error) { return [typeof WebSocket, error.message]; }`,
  );
  assert.deepEqual(result, [
    'function',
    'WebSocket is not available in functions (wss://x.example): use fetch, or a webhook for what comes later',
  ]);
});

test('structuredClone copies what can be copied and says what cannot', async () => {
  const result = await resultOf(`
    const a = { m: new Map([[1, new Set(['x'])]]), d: new Date(5), r: /x/g, e: new RangeError('no', { cause: 1 }), b: new Uint8Array([1, 2]), n: 1n, f: new File(['q'], 'q.txt'), u: undefined };
    a.self = a;
    const c = structuredClone(a);
    const buffer = new ArrayBuffer(4);
    const moved = structuredClone({ buffer }, { transfer: [buffer] });
    const refused = [() => 1, Symbol('s'), new WeakMap(), Promise.resolve(), new URL('http://a.b'), new EventTarget()].map((value) => { try { structuredClone(value); return 'cloned'; } catch (error) { return error.name + ' ' + error.code; } });
    return [c.self === c, c.m.get(1).has('x'), c.d.getTime(), String(c.r), c.e instanceof RangeError, c.e.message, c.b[1], c.n === 1n, c.f.name, 'u' in c, buffer.detached, moved.buffer.byteLength, refused];
  `);
  assert.deepEqual(result, [
    true,
    true,
    5,
    '/x/g',
    true,
    'no',
    2,
    true,
    'q.txt',
    true,
    true,
    4,
    Array(6).fill('DataCloneError 25'),
  ]);
});

test('a message channel carries clones, in order, later', async () => {
  const result = await resultOf(`
    const { port1, port2 } = new MessageChannel();
    const got = [];
    await new Promise((done) => {
      port2.onmessage = (event) => { got.push(event.data); if (got.length === 3) { port2.postMessage('back'); } };
      port1.onmessage = (event) => { got.push(event.data); done(); };
      const sent = { a: 1 }; port1.postMessage(sent); sent.a = 2; port1.postMessage('two'); got.push('later');
    });
    return got;
  `);
  assert.deepEqual(result, ['later', { a: 1 }, 'two', 'back']);
});

test('16 MiB are digested at once, two at a time; more is refused with the numbers', async () => {
  const result = await resultOf(`
    const digest = (mib) => crypto.subtle.digest('SHA-256', new Uint8Array(mib * 1024 * 1024)).then((made) => made.byteLength, (error) => error.message);
    return [await Promise.all([digest(16), digest(16)]), await digest(17)];
  `);
  assert.deepEqual(result, [
    [32, 32],
    'Too many bytes are on their way out of the function: one call (of fetch, crypto.subtle or sdk) may take 16448 KiB, all open ones 32896 KiB',
  ]);
});

test('keys of WebCrypto are made, used, exported and derived', async () => {
  const result = await resultOf(`
    const text = (s) => new TextEncoder().encode(s), hex = (b) => Buffer.from(b).toString('hex');
    const hmac = await crypto.subtle.importKey('raw', text('key'), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
    const signature = await crypto.subtle.sign('HMAC', hmac, text('data'));
    const password = await crypto.subtle.importKey('raw', text('secret'), 'PBKDF2', false, ['deriveBits', 'deriveKey']);
    const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: text('salt'), iterations: 100_000 }, password, 256);
    const aes = await crypto.subtle.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', salt: text('salt'), iterations: 1000 }, password, { name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, aes, text('hidden'));
    const opened = Buffer.from(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, sealed)).toString();
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
    const refused = await crypto.subtle.exportKey('pkcs8', pair.privateKey).catch((error) => error.name);
    const jwk = await crypto.subtle.exportKey('jwk', hmac);
    return [hex(signature), await crypto.subtle.verify('HMAC', hmac, signature, text('data')), hex(bits), opened, refused, jwk.kty, jwk.alg, pair.publicKey instanceof CryptoKey, pair.privateKey.usages, hmac.algorithm.hash.name];
  `);
  const { createHmac, pbkdf2Sync } = await import('node:crypto');
  assert.deepEqual(result, [
    createHmac('sha256', 'key').update('data').digest('hex'),
    true,
    pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha256').toString('hex'),
    'hidden',
    'InvalidAccessError',
    'oct',
    'HS256',
    true,
    ['sign'],
    'SHA-256',
  ]);
});

test('a key made while the module loads is there for every invocation, fresh or warm', async () => {
  const top = `const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', false, ['encrypt']);`;
  const body = `return (await crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(4))).byteLength;`;
  for (const isolation of ['fresh', 'fresh', 'warm', 'warm'] as const) {
    assert.equal(await resultOf(body, { top, isolation }), 20);
  }
});

test('timers of one warm invocation do not fire in the next', async () => {
  const body = `
    globalThis.count ??= 0;
    if (sdk.argument.wait) { await new Promise((done) => setTimeout(done, 20)); return count; }
    setTimeout(() => { count++; }, 1); setInterval(() => { count++; }, 1); return 'left behind';`;
  assert.equal(await resultOf(body, { isolation: 'warm' }), 'left behind');
  assert.equal(await resultOf(body, { isolation: 'warm', argument: { wait: true } }), 0);
});

test('a thousand digests at once all finish, whatever the limit of open operations is', async () => {
  const result = await resultOf(
    `const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => crypto.subtle.digest('SHA-256', new Uint8Array([i])))); return new Set(all.map((b) => Buffer.from(b).toString('hex'))).size;`,
    { limits: { pendingCalls: 50 } },
  );
  assert.equal(result, 256);
});

test('compression streams give what zlib gives, in pieces that fit', async () => {
  const result = await resultOf(`
    const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).bytes();
    const plain = new TextEncoder().encode('abc'.repeat(700_000));
    const out = [];
    for (const format of ['gzip', 'deflate', 'deflate-raw']) {
      const packed = await through(plain, new CompressionStream(format));
      const back = await through(packed, new DecompressionStream(format));
      out.push(packed.length < 20_000 && back.length === plain.length && back[2_000_000] === plain[2_000_000]);
    }
    const broken = await through(new Uint8Array([1, 2, 3]), new DecompressionStream('gzip')).catch((error) => error.name);
    const unknown = (() => { try { new CompressionStream('zip'); } catch (error) { return error.name; } })();
    return [out, broken, unknown];
  `);
  assert.deepEqual(result, [[true, true, true], 'TypeError', 'TypeError']);
});

test('compression streams that have ended make room for others', async () => {
  const result = await resultOf(`
    let bytes = 0;
    for (let i = 0; i < 150; i++) bytes += (await new Response(new Blob(['a']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).bytes()).length;
    return bytes;
  `);
  assert.equal(result, 150);
});

test('a bomb of compressed data ends at the isolate’s own memory, not in the host', async () => {
  const { gzipSync } = await import('node:zlib');
  const bomb = gzipSync(new Uint8Array(100 * 1024 * 1024)).toString('base64');
  const outcome = await invoke(
    `const stream = new Blob([Buffer.from(${JSON.stringify(bomb)}, 'base64')]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
     let bytes = 0; for (let part = await stream.read(); !part.done; part = await stream.read()) { if (part.value.length > 1_100_000 + 65536) return 'a piece of ' + part.value.length; bytes += part.value.length; } return bytes;`,
  );
  assert.deepEqual(outcome.status === 'ok' ? outcome.result : [outcome.status, outcome.error], 100 * 1024 * 1024);
});

test('what is met before its global is asked for has the name of its class', async () => {
  const names =
    await resultOf(`const answer = await fetch('data:,a'); const { readable, writable } = new TransformStream();
    const form = await new Response('a=1', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData();
    const aborted = await fetch('data:,a', { signal: AbortSignal.abort() }).catch((error) => error);
    return [answer, answer.headers, answer.body, form, aborted, readable.getReader(), writable.getWriter()].map((one) => one.constructor.name);`);
  assert.deepEqual(names, [
    'Response',
    'Headers',
    'ReadableStream',
    'FormData',
    'DOMException',
    'ReadableStreamDefaultReader',
    'WritableStreamDefaultWriter',
  ]);
});
