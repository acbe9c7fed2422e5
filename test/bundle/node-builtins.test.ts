import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { shimmed } from '../../src/bundle/node/table.ts';
import { defaultLimits, type Host, openSandbox } from '../../src/sandbox/index.ts';
import { plainPrelude } from '../sandbox/support/plain-layer.ts';
import { aBundler, anApp, evaluateHere } from './helpers.ts';

const sandbox = openSandbox({ prelude: plainPrelude, processes: 1 });
after(() => sandbox.close());
const host: Host = {
  call: async (operation) => ({ error: { code: 'no_host', message: operation, status: 500 } }),
  fetch: () => Promise.reject(new Error('no network in tests')),
};

/** What `script`, the body of an async function, returns: once as a function in the sandbox, once as a module of Node's. */
async function bothWays(t: TestContext, imports: string, script: string): Promise<[unknown, unknown]> {
  const text = `${imports}\nexport default async () => { ${script} };`;
  const app = anApp({ 'functions/f.mjs': text });
  const { id, code, sourceMap } = await aBundler(t).build(app.source('f', { file: 'functions/f.mjs' }));
  const program = { id, app: 'test', name: 'f', code, sourceMap };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  sandbox.retire(id);
  const plain = (await import(app.path('functions/f.mjs'))) as { default(): Promise<unknown> };
  assert.equal(outcome.status, 'ok', outcome.status === 'ok' ? '' : `${outcome.error.message}\n${outcome.error.stack}`);
  return [outcome.status === 'ok' && outcome.result, JSON.parse(JSON.stringify(await plain.default()))];
}

const same: [title: string, imports: string, script: string][] = [
  [
    'events: once, on, errorMonitor, prepend',
    `import { EventEmitter, once, on } from 'node:events';`,
    `const e = new EventEmitter(); const log = [];
     e.on('a', (x) => log.push(x)); e.prependListener('a', () => log.push('first')); e.emit('a', 1);
     e.on(EventEmitter.errorMonitor, (x) => log.push('seen ' + x.message)); e.on('error', () => log.push('handled')); e.emit('error', new Error('x'));
     const next = once(e, 'b'); e.emit('b', 5, 6); log.push(await next);
     queueMicrotask(() => { e.emit('c', 1); e.emit('c', 2); });
     for await (const [value] of on(e, 'c')) { log.push(value); if (value === 2) break; }
     return [log, e.listenerCount('c'), e.eventNames().map(String)];`,
  ],
  [
    'util: inspect, format, promisify, callbackify, inherits, types',
    `import util from 'node:util';`,
    `class A { constructor() { this.x = 1; } } function Old() {} util.inherits(Old, A);
     const p = util.promisify((a, b, done) => done(null, a + b)); const c = util.callbackify(async (x) => x * 2);
     const called = await new Promise((resolve) => c(21, (error, value) => resolve([error, value])));
     return [util.inspect({ a: new Map([[{ b: 1 }, new Set([1, 'two'])]]), d: new Date(0), e: /x/g, f: [1, , 3], g: Symbol('s'), h: 10n, n: new A(), z: null, t: new Uint8Array(3) }, { depth: 4 }),
       util.format('%s %d %i %j %o %%', 'a', 1.5, 2.7, { x: 1 }, [1]), await p(1, 2), called, Old.super_ === A, new Old() instanceof A,
       util.types.isDate(new Date()), util.types.isRegExp({}), util.types.isPromise(Promise.resolve()), util.types.isUint8Array(new Uint8Array(1)), util.types.isBoxedPrimitive(Object(1n)),
       util.types.isAsyncFunction(async () => 1), util.types.isNativeError(new TypeError('x')), util.types.isTypedArray(new DataView(new ArrayBuffer(1))),
       util.isDeepStrictEqual({ a: [1, new Set([{}])] }, { a: [1, new Set([{}])] }), util.isDeepStrictEqual([0], [-0]), util.isDeepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]])), util.isDeepStrictEqual({ a: undefined }, {}),
       util.stripVTControlCharacters('\\u001b[31mred\\u001b[0m'), util.toUSVString('a\\ud800')];`,
  ],
  [
    'util: promisify knows the timers',
    `import { promisify } from 'node:util'; import timers from 'node:timers';`,
    `const sleep = promisify(setTimeout); const refused = (run) => { try { run(); } catch (error) { return [error.code, error.message]; } };
     return [await sleep(1, 'slept'), await promisify(timers.setImmediate)('soon'), promisify(setTimeout) === sleep, refused(() => promisify(Object.assign(() => {}, { [promisify.custom]: 5 }))), refused(() => promisify(1))];`,
  ],
  [
    'path',
    `import path, { join } from 'node:path';`,
    `return [join('/a', '..', 'b', './c.txt'), path.basename('/x/y.tar.gz', '.gz'), path.extname('a.b.c'), path.relative('/a/b/c', '/a/d'), path.parse('/home/x/f.txt'), path.format({ dir: '/d', base: 'b' }), path.normalize('a//b/../c/'), path.isAbsolute('x'), path.sep, path.posix.join('a', 'b')];`,
  ],
  [
    'url: the old form and files',
    `import url from 'node:url';`,
    `const u = url.parse('https://user:pa%20ss@host.com:8080/p/a/t/h?query=string&a=1&a=2#hash', true);
     return [u.protocol, u.auth, u.host, u.pathname, { ...u.query }, u.hash, url.format({ protocol: 'http', host: 'a.com', pathname: '/x', query: { q: '1' } }), url.resolve('/one/two/three', 'four'),
       url.fileURLToPath('file:///a%20b/c'), url.pathToFileURL('/a b/#c?d%').href, url.urlToHttpOptions(new URL('https://a:b@x.y:1/p?q#h')).path, url.domainToASCII('español.com'), url.format(new URL('https://a:b@x.y/p?q#h'), { auth: false, fragment: false, search: false })];`,
  ],
  [
    'url: the old form is put together and resolved as in Node, and credentials stay with their host',
    `import url from 'node:url';`,
    `const query = { a: 1, b: [2, 'x y'] }, parts = [{ protocol: 'https:', hostname: 'a.com', query }, { protocol: 'http', host: 'h:9', pathname: 'p', query, hash: 'k' }, { hostname: 'a.com', port: 80, pathname: '/a?b#c', search: 'x#y' }, { protocol: 'file', pathname: '/f' }, { protocol: 'mailto:', auth: 'u:p q', host: 'h' }, { slashes: true, hostname: '::1', port: '90' }, { pathname: '/p', query: {} }, { protocol: 'https', slashes: true }];
     const bases = ['http://u:p@h:1/a/b?q#f', 'https://x.y', '/a/b/', 'mailto:x@y.z', '//u@h/p'], links = ['http://t/u', 'http://h:1/u', '//t/u', '../x', '?n=1', '#q', '', 'http://v@t/', 'https://t/', 'a b'];
     return [parts.map((part) => url.format(part)), bases.flatMap((base) => links.map((link) => url.resolve(base, link))), ['/p', 'https://a.b', 'https://a.b/?', '//h/p?a=1'].map((text) => ({ ...url.parse(text, true, true) }))];`,
  ],
  [
    'querystring',
    `import qs from 'node:querystring';`,
    `return [{ ...qs.parse('a=1&b=2&a=3&c=%20x+y&d&=e&%zz=%e4') }, qs.stringify({ a: [1, 'b'], c: true, d: null, e: 'ä &=', f: NaN, g: 10n }), qs.escape("a b'()*!~/?"), qs.unescape('%41%zz'), { ...qs.parse('a:1;b:2', ';', ':') }, { ...qs.parse('a=1&b=2&c=3', '&', '=', { maxKeys: 2 }) }];`,
  ],
  [
    'string_decoder',
    `import { StringDecoder } from 'node:string_decoder'; import { Buffer } from 'node:buffer';`,
    `const d = new StringDecoder('utf8'); return [d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0xac])), d.end(Buffer.from([0xc3]))];`,
  ],
  [
    'assert: what passes and what throws',
    `import assert from 'node:assert';`,
    `const fail = (run) => { try { run(); return 'passed'; } catch (error) { return [error.name, error.code]; } };
     return [fail(() => assert(true)), fail(() => assert.equal(1, '1')), fail(() => assert.strictEqual(1, '1')), fail(() => assert.deepEqual({ a: [1] }, { a: [1] })), fail(() => assert.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]]))), fail(() => assert.throws(() => { throw new TypeError('x'); }, TypeError)), fail(() => assert.match('abc', /b/)), fail(() => assert.fail('no')), fail(() => assert.strict.equal(1, '1'))];`,
  ],
  [
    'stream: pipeline, transform, async iteration, web streams',
    `import { Readable, Transform, Writable, PassThrough } from 'node:stream'; import { pipeline } from 'node:stream/promises'; import { text, json } from 'node:stream/consumers';`,
    `const out = []; await pipeline(Readable.from(['a', 'b', 'c']), new Transform({ transform(chunk, _, done) { done(null, chunk.toString().toUpperCase()); } }), new Writable({ write(chunk, _, done) { out.push(chunk.toString()); done(); } }));
     const web = Readable.toWeb(Readable.from([Buffer.from('x'), Buffer.from('y')])); const pass = new PassThrough(); pass.end('{"a":1}');
     const error = await pipeline(Readable.from((async function* () { throw new Error('broken'); })()), new PassThrough()).catch((e) => e.message);
     return [out, await new Response(web).text(), await text(Readable.fromWeb(new Response('body').body)), await json(pass), error, await Readable.from([1, 2, 3]).map((x) => x * 2).toArray()];`,
  ],
  [
    'stream: a duplex to the web and from it',
    `import { Duplex, PassThrough } from 'node:stream';`,
    `const { readable, writable } = Duplex.toWeb(new PassThrough()); const writer = writable.getWriter(); void writer.write(Buffer.from('q')); void writer.close(); const out = []; for await (const part of readable) out.push(Buffer.from(part).toString());
     const upper = new TransformStream({ transform: (part, controller) => controller.enqueue(Buffer.from(part).toString().toUpperCase()) }); const duplex = Duplex.fromWeb(upper); duplex.end('abc'); for await (const part of duplex) out.push(String(part));
     return out;`,
  ],
  [
    'events: an error event that nobody hears says what it was',
    `import { EventEmitter } from 'node:events';`,
    `const emitted = (value) => { try { new EventEmitter().emit('error', value); } catch (error) { return [error.message, error.code, error.context]; } }; return [emitted({ a: 1 }), emitted('text'), emitted(undefined), emitted(new Error('own'))];`,
  ],
  [
    'timers/promises',
    `import { setTimeout as wait, setImmediate as soon } from 'node:timers/promises'; import timers from 'node:timers';`,
    `const gone = new AbortController(); const aborted = wait(1000, 1, { signal: gone.signal }).catch((e) => [e.name, e.code]); gone.abort();
     return [await wait(1, 'v'), await soon(2), await aborted, typeof timers.setTimeout];`,
  ],
  [
    'async_hooks: a store along awaited code',
    `import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';`,
    `const s = new AsyncLocalStorage(); const seen = [s.getStore()];
     await s.run({ id: 1 }, async () => { await null; seen.push(s.getStore().id); await s.run({ id: 2 }, async () => { await null; seen.push(s.getStore().id); }); seen.push(s.getStore().id); });
     seen.push(s.getStore(), s.run(3, () => s.getStore())); class R extends AsyncResource {} seen.push(new R('x').runInAsyncScope((a) => a, null, 4)); return seen;`,
  ],
  [
    'async_hooks: runs side by side keep their own stores',
    `import { AsyncLocalStorage } from 'node:async_hooks'; import { Readable } from 'node:stream'; import { promisify } from 'node:util'; import { once, EventEmitter } from 'node:events';`,
    `const s = new AsyncLocalStorage(); const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)); const both = (run) => Promise.all(['a', 'b'].map((name, i) => s.run(name, () => run(i + 1))));
     async function* letters() { for (let i = 0; i < 2; i++) { await sleep(1); yield s.getStore(); } }
     const nested = async (i) => { await sleep(3 - i); return s.getStore(); };
     return [await both(async (i) => { const seen = []; for (let k = 0; k < 4; k++) { await sleep((i * 3 + k) % 4); seen.push(s.getStore()); } return seen; }),
       await both(async (i) => [await nested(i), s.getStore(), await nested(i)]), await both(async (i) => { try { await sleep(i); throw 1; } catch { await sleep(1); return s.getStore(); } finally { await sleep(1); } }),
       await both((i) => sleep(i).then(() => s.getStore()).finally(() => {})), await both(async () => { const seen = []; for await (const letter of letters()) seen.push(letter, s.getStore()); return seen; }),
       await both(async () => { const seen = []; for await (const _ of Readable.from([1, 2])) { await sleep(1); seen.push(s.getStore()); } return seen; }), await both(async () => { await Promise.all([sleep(1), sleep(2)]); await promisify(setTimeout)(1); return s.getStore(); }),
       await both(() => new Promise((resolve) => queueMicrotask(() => resolve(s.getStore())))), await both(() => new Promise((resolve) => { let count = 0; const timer = setInterval(() => { if (++count === 2) { clearInterval(timer); resolve(s.getStore()); } }, 1); })),
       await both(async () => { await crypto.subtle.digest('SHA-1', new Uint8Array(1)); await new Response(ReadableStream.from([new Uint8Array(1)])).text(); return s.getStore(); }), await both(async (i) => { const emitter = new EventEmitter(); setTimeout(() => emitter.emit('x'), i); await once(emitter, 'x'); return s.getStore(); })];`,
  ],
  [
    'async_hooks: code outside a run sees no store, bound code sees its own',
    `import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';`,
    `const s = new AsyncLocalStorage(), other = new AsyncLocalStorage({ defaultValue: 'none', name: 'other' }); const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
     const running = s.run(1, () => sleep(5)); const outside = [s.getStore()]; await sleep(1); outside.push(s.getStore()); await running; outside.push(s.getStore());
     let later; s.run('detached', () => { (async () => { await sleep(1); later = s.getStore(); })(); }); await sleep(5);
     const bound = s.run(9, () => AsyncLocalStorage.bind(() => s.getStore())), snapshot = s.run(8, () => AsyncLocalStorage.snapshot()), resource = s.run(7, () => new AsyncResource('R'));
     const two = await s.run(1, () => other.run(2, async () => { await null; return [s.getStore(), other.getStore()]; }));
     return [outside, later, bound(), snapshot(() => s.getStore()), s.run(6, () => AsyncResource.bind(() => s.getStore()))(), resource.runInAsyncScope((a) => [a, s.getStore()], null, 1), two, other.getStore(), other.name,
       await s.run(1, async () => [await s.exit(async () => { await sleep(1); return s.getStore(); }), s.getStore()]), await s.run(1, async () => { s.enterWith(2); await sleep(1); return s.getStore(); })];`,
  ],
  [
    'async_hooks: promises are still what they were',
    `import { AsyncLocalStorage } from 'node:async_hooks';`,
    `new AsyncLocalStorage(); class Mine extends Promise {} const p = (async () => {})(), mine = new Mine((resolve) => setTimeout(resolve, 1)); const order = []; const chain = (name) => Promise.resolve().then(() => order.push(name + 1)).then(() => order.push(name + 2)); await Promise.all([chain('a'), chain('b')]);
     let called; try { Promise(() => {}); } catch (error) { called = error.name; }
     return [p.constructor === Promise, p instanceof Promise, Promise.resolve(p) === p, p.then === p.then, Promise.name, Promise.length, Object.keys(Promise), mine.then(() => {}) instanceof Mine, mine.constructor === Mine, order, called, await Promise.race([1]), (await Promise.allSettled([Promise.reject(1)]))[0].status, await Promise.try(() => 3), await Promise.reject(new Error('x')).catch((error) => error.message), typeof setTimeout(() => {}, 0)];`,
  ],
  [
    'diagnostics_channel, os, punycode, perf_hooks',
    `import dc from 'node:diagnostics_channel'; import os from 'node:os'; import { performance } from 'node:perf_hooks';`,
    `const seen = []; dc.subscribe('c', (m, n) => seen.push([m, n])); dc.channel('c').publish(1); return [seen, dc.hasSubscribers('c'), os.EOL, os.constants.signals.SIGTERM, typeof performance.now()];`,
  ],
  [
    'buffer',
    `import { Buffer, constants, isUtf8, transcode } from 'node:buffer';`,
    `return [Buffer.from('aGk=', 'base64').toString(), isUtf8(Buffer.from([0xff])), transcode(Buffer.from('é'), 'utf8', 'latin1').length, Buffer.concat([Buffer.from('a'), Buffer.from('b')]).toString('hex')];`,
  ],
  [
    'buffer: numbers that do not fit, and offsets beyond the end, are refused with Node’s codes',
    `import { Buffer } from 'node:buffer';`,
    `const refused = (run) => { try { return run(); } catch (error) { return [error.name, error.code, error.message]; } }; const b = Buffer.from([0x81, 2, 0x83, 4, 0x85, 6, 0x87, 8, 9]); const all = {};
     for (const name of Object.getOwnPropertyNames(Buffer.prototype).filter((name) => /^(read|write).*(8|16|32|[tT]LE|[tT]BE)/.test(name) && !/Big/.test(name)).sort()) {
       const read = name.startsWith('read'); const sized = /[iI]nt[LB]E$/.test(name);
       all[name] = [0, 1, 8, 9, -1, 0.5, NaN, '0', undefined].map((offset) => refused(() => (read ? b[name](offset, ...(sized ? [3] : [])) : Buffer.alloc(9)[name](1, offset, ...(sized ? [3] : [])))));
       if (!read) all[name].push(...[-1, 127, 128, 255, 256, -129, 65536, 2 ** 32, 2 ** 49, NaN, '7', 'x'].map((value) => { const to = Buffer.alloc(9); return [refused(() => to[name](value, 0, ...(sized ? [3] : []))), to.toString('hex')]; }));
     }
     return [all, refused(() => b.readUIntBE(0, 7)), refused(() => b.readUIntBE(0)), refused(() => Buffer.alloc(0).readInt8()), refused(() => b.readUInt16LE())];`,
  ],
  [
    'buffer: other arrays of bytes are as good as buffers, and errors have codes',
    `import { Buffer } from 'node:buffer';`,
    `const code = (run) => { try { return run(); } catch (error) { return [error.name, error.code]; } }; const b = Buffer.from('abcabc'), bytes = new Uint8Array([98, 99]); const to = new Uint8Array(3);
     return [b.subarray(1, 3).equals(bytes), b.indexOf(bytes), b.lastIndexOf(bytes), b.includes(bytes), b.indexOf(''), b.indexOf('', 4), b.indexOf('', 9), b.copy(to, 1), [...to], code(() => b.equals('abc')), code(() => b.copy({})), code(() => b.indexOf({})), code(() => b.write(5)), code(() => Buffer.from('x', 'nope')), code(() => b.toString('nope')), code(() => Buffer.from(null)), code(() => Buffer.from(Symbol('x'))),
       code(() => Buffer.from(new ArrayBuffer(4), 5)), code(() => Buffer.alloc(-1)), code(() => Buffer.alloc('5')), code(() => Buffer.concat([1])), code(() => Buffer.alloc(3).swap16()), code(() => b.fill(1, 0, 99)), code(() => Buffer.compare('a', 'b')), Buffer.alloc(60).inspect(), b.inspect()];`,
  ],
  [
    'buffer: text that does not fit, wrong digits and ranges beyond the end',
    `import { Buffer } from 'node:buffer';`,
    `const tried = (run) => { try { const result = run(); return Buffer.isBuffer(result) ? result.toString('hex') : result; } catch (error) { return error.code; } }; const out = [];
     const written = (size, ...args) => { const b = Buffer.alloc(size, 1); return [tried(() => b.write(...args)), b.toString('hex')]; };
     out.push(written(3, 'a😀'), written(3, 'é€'), written(5, '😀', 1, 3), written(3, 'ab', 'ucs2'), written(4, 'ab', 1, 'utf16le'), written(4, 'b]b$', 'hex'), written(4, '0a0', 'hex'), written(2, 'ffffff', 0, 9, 'hex'), written(2, 'x', 3), written(3, 'YWJj', 'base64url'));
     out.push(tried(() => Buffer.from('0g', 'hex')), tried(() => Buffer.from('ab0', 'HEX')), Buffer.byteLength('a b=', 'base64'), Buffer.byteLength('YQ==', 'base64url'), Buffer.from('ea9df0dff503', 'hex').toString('utf8', 1, 5), Buffer.from('abc').toString('utf8', -1, 99), Buffer.from('abc').toString(undefined, 2, 1));
     out.push(new Buffer.from('6f6b', 'hex').toString(), tried(() => Buffer.alloc(3).fill('a', '')), tried(() => Buffer.alloc(4).fill('6162', 'hex')));
     for (const range of [[undefined, -1], [-1], [3, 1], [8, 8], [9], [0, 9], [2, 4]]) { const b = Buffer.from('abcdefgh'), to = Buffer.alloc(4, 46); out.push(tried(() => b.fill('xy', ...range)), tried(() => Buffer.from('abcdefgh').fill(7, ...range)), tried(() => Buffer.from('abcdefgh').copy(to, ...range)), to.toString(), tried(() => Buffer.from('abcdefgh').compare(Buffer.from('cdef'), ...range)), tried(() => Buffer.from('cdef').compare(Buffer.from('abcdefgh'), 0, 4, ...range))); }
     for (const at of [undefined, 0, 1.7, -1, 5, 99, -99, NaN, null]) out.push(['b', '', 98].flatMap((value) => [Buffer.from('abcabc').indexOf(value, at), Buffer.from('abcabc').lastIndexOf(value, at), Buffer.from('abcabc').includes(value, at)]));
     return out;`,
  ],
  [
    'crypto: digests and random',
    `import crypto, { createHash, createHmac, timingSafeEqual } from 'node:crypto';`,
    `const h = createHash('sha256').update('a'); const copy = h.copy().update('b');
     const bad = (run) => { try { return run(); } catch (error) { return [error.name, error.code]; } };
     return [h.digest('hex'), copy.digest('base64'), createHash('md5').update('x').update(Buffer.from([1, 2])).digest().toString('hex'), createHash('shake256', { outputLength: 5 }).update('').digest('hex'), createHmac('sha1', 'k').update('d').digest('base64url'), crypto.hash('sha512', 'x'),
       timingSafeEqual(Buffer.from('a'), Buffer.from('a')), timingSafeEqual(Buffer.from('a'), Buffer.from('b')), bad(() => timingSafeEqual(Buffer.from('a'), Buffer.from('ab'))), bad(() => createHash('nope')), bad(() => createHash('md5').update(5)),
       crypto.randomBytes(16).length, crypto.randomInt(5) < 5, crypto.randomUUID().length, (await new Promise((r) => crypto.randomBytes(3, (e, b) => r(b)))).length, crypto.randomFillSync(new Uint32Array(2)).length,
       crypto.pbkdf2Sync('p', 's', 10, 20, 'sha256').toString('hex'), crypto.scryptSync('p', 's', 16, { N: 16 }).toString('hex'), Buffer.from(crypto.hkdfSync('sha256', 'k', 's', 'i', 10)).toString('hex'), typeof crypto.webcrypto.subtle.digest, crypto.constants.RSA_PKCS1_PSS_PADDING];`,
  ],
  [
    'crypto: ciphers, in parts and authenticated',
    `import { createCipheriv, createDecipheriv } from 'node:crypto';`,
    `const key = Buffer.alloc(32, 7), iv = Buffer.alloc(16, 9), out = [];
     for (const name of ['aes-256-cbc', 'aes-256-ctr', 'aes-256-ecb', 'aes-256-cfb', 'aes-256-ofb']) {
       const c = createCipheriv(name, key, name.endsWith('ecb') ? null : iv); const parts = [c.update('hello '), c.update('world, this is more than a block'), c.final()]; const all = Buffer.concat(parts);
       const d = createDecipheriv(name, key, name.endsWith('ecb') ? null : iv); const back = [d.update(all.subarray(0, 16)), d.update(all.subarray(16)), d.final()];
       out.push(parts.map((p) => p.toString('hex')), back.map(String));
     }
     for (const name of ['aes-256-gcm', 'chacha20-poly1305']) {
       const c = createCipheriv(name, key, iv.subarray(0, 12), { authTagLength: 16 }); c.setAAD(Buffer.from('meta')); const text = c.update('secret', 'utf8', 'hex'); const rest = c.final('hex'); const tag = c.getAuthTag();
       const d = createDecipheriv(name, key, iv.subarray(0, 12), { authTagLength: 16 }); d.setAAD(Buffer.from('meta')); d.setAuthTag(tag); const plain = d.update(text, 'hex', 'utf8') + d.final('utf8');
       const w = createDecipheriv(name, key, iv.subarray(0, 12), { authTagLength: 16 }); w.setAuthTag(Buffer.alloc(16)); w.update(text, 'hex'); let refused; try { w.final(); } catch (error) { refused = [error.message, error.code, error.errno]; }
       out.push(text, rest, tag.toString('hex'), plain, refused);
     }
     let wrong; try { createCipheriv('aes-256-cbc', Buffer.alloc(3), iv); } catch (error) { wrong = error.message; } return [out, wrong];`,
  ],
  [
    'crypto: keys, signatures, encryption',
    `import crypto from 'node:crypto';`,
    `const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
     const signature = crypto.createSign('RSA-SHA256').update('data').sign(privateKey); const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
     const signed = crypto.sign('sha256', Buffer.from('x'), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }); const ed = crypto.generateKeyPairSync('ed25519'); const secret = crypto.createSecretKey(Buffer.from('abc'));
     return [signature.length, crypto.createVerify('RSA-SHA256').update('data').verify(publicKey, signature), crypto.createVerify('RSA-SHA256').update('other').verify(publicKey, signature), signed.length, crypto.verify('sha256', Buffer.from('x'), { key: ec.publicKey, dsaEncoding: 'ieee-p1363' }, signed),
       crypto.verify(null, Buffer.from('m'), ed.publicKey, crypto.sign(null, Buffer.from('m'), ed.privateKey)), crypto.privateDecrypt(privateKey, crypto.publicEncrypt(publicKey, Buffer.from('hush'))).toString(), ec.publicKey.export({ format: 'jwk' }).crv, ec.publicKey.asymmetricKeyType, crypto.createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) === publicKey, secret.type, secret.symmetricKeySize, secret.export().toString(), secret instanceof crypto.KeyObject, String(crypto.createPrivateKey(privateKey).asymmetricKeyDetails.publicExponent)];`,
  ],
  [
    'crypto: private keys are encrypted with a passphrase when that is asked for',
    `import crypto from 'node:crypto';`,
    `const privateKeyEncoding = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' };
     const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding });
     const { privateKey: plain } = crypto.generateKeyPairSync('ed25519'); const der = plain.export({ ...privateKeyEncoding, format: 'der' });
     const read = (key) => { try { return crypto.createPrivateKey(key).asymmetricKeyType; } catch { return 'refused'; } };
     const refused = (run) => { try { run(); return 'exported'; } catch { return 'refused'; } };
     return [privateKey.split('\\n')[0], read(privateKey), read({ key: privateKey, passphrase: 'wrong' }), read({ key: privateKey, passphrase: 'secret' }), read({ key: der, format: 'der', type: 'pkcs8' }), read({ key: der, format: 'der', type: 'pkcs8', passphrase: 'secret' }),
       refused(() => plain.export({ ...privateKeyEncoding, passphrase: undefined })), refused(() => plain.export({ ...privateKeyEncoding, cipher: 'nothing' })), refused(() => plain.export({ format: 'jwk', cipher: 'aes-256-cbc', passphrase: 'x' }))];`,
  ],
  [
    'crypto: hashes, ciphers and signatures are streams',
    `import crypto from 'node:crypto'; import { Readable, PassThrough } from 'node:stream'; import { pipeline } from 'node:stream/promises';`,
    `const hash = crypto.createHash('sha1'); await pipeline(Readable.from(['a', 'b']), hash);
     const piped = crypto.createHmac('md5', 'k'); piped.setEncoding('hex'); const end = new Promise((resolve) => piped.on('end', resolve)); const seen = []; piped.on('data', (text) => seen.push(text)); Readable.from(['x', 'y']).pipe(piped); await end;
     const key = Buffer.alloc(16, 1), text = []; await pipeline(Readable.from([Buffer.from('hello '), Buffer.from('world')]), crypto.createCipheriv('aes-128-cbc', key, key), crypto.createDecipheriv('aes-128-cbc', key, key), async (all) => { for await (const part of all) text.push(part.toString()); });
     const wrong = await pipeline(Readable.from([Buffer.alloc(15)]), crypto.createDecipheriv('aes-128-cbc', key, key), new PassThrough().resume()).catch((error) => error.code);
     const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }); const sign = crypto.createSign('sha256'); await pipeline(Readable.from(['abc']), sign);
     const sync = crypto.createHash('md5'); sync.write('a'); sync.end('b');
     return [hash.digest('hex'), seen, text.join(''), wrong, crypto.createVerify('sha256').update('abc').verify(publicKey, sign.sign(privateKey)), sync.read().toString('hex'), typeof sync.pipe, sync.readable];`,
  ],
  [
    'crypto: errors have Node’s codes',
    `import crypto from 'node:crypto';`,
    `const code = (run) => { try { run(); return 'passed'; } catch (error) { return [error.name, error.code]; } }; const key = Buffer.alloc(16), d = crypto.createDecipheriv('aes-128-cbc', key, key); d.update(Buffer.alloc(16));
     return [code(() => d.final()), code(() => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(15), key)), code(() => crypto.createCipheriv('aes-128-cbc', key, Buffer.alloc(15))), code(() => crypto.createPrivateKey('nope')), code(() => crypto.createHmac('nope', 'k')), code(() => crypto.createHash()), code(() => crypto.createSign('nope')), code(() => crypto.createSign('sha256').sign()),
       code(() => crypto.pbkdf2Sync('p', 's', 1, 32, 'nope')), code(() => crypto.randomInt(5, 2)), code(() => crypto.randomFillSync('text')), code(() => crypto.randomBytes('4')), code(() => crypto.scryptSync('p', 's', 32, { N: 3 })), code(() => crypto.createDecipheriv('aes-128-gcm', key, key).setAuthTag(Buffer.alloc(3)))];`,
  ],
  [
    'crypto: two sides agree on a secret',
    `import crypto, { createECDH, ECDH } from 'node:crypto';`,
    `const code = (run) => { try { return run(); } catch (error) { return [error.name, error.code]; } };
     const fixed = createECDH('prime256v1'); fixed.setPrivateKey('11'.repeat(32), 'hex'); const peer = createECDH('prime256v1'); peer.setPrivateKey(Buffer.alloc(32, 7));
     const one = createECDH('secp256k1'), other = createECDH('secp256k1'), point = one.generateKeys('base64url', 'compressed'); other.generateKeys();
     const x = crypto.generateKeyPairSync('x25519'), y = crypto.generateKeyPairSync('x25519'), agree = (mine, theirs) => crypto.diffieHellman({ privateKey: mine.privateKey, publicKey: theirs.publicKey }).toString('hex');
     return [fixed.getPublicKey('hex'), fixed.getPublicKey('hex', 'compressed'), fixed.getPrivateKey('base64'), fixed.computeSecret(peer.getPublicKey()).toString('hex'), peer.computeSecret(fixed.getPublicKey('hex'), 'hex', 'base64'), ECDH.convertKey(fixed.getPublicKey(), 'prime256v1', undefined, 'hex', 'hybrid'),
       point.length, one.computeSecret(other.getPublicKey()).equals(other.computeSecret(point, 'base64url')), agree(x, y) === agree(y, x), code(() => createECDH('nope')), code(() => createECDH('prime256v1').getPublicKey()), code(() => fixed.computeSecret(Buffer.alloc(65, 4))), crypto.getCurves().includes('prime256v1')];`,
  ],
  [
    'crypto: RSA with the keys the other way round',
    `import crypto from 'node:crypto';`,
    `const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }); const sealed = crypto.privateEncrypt(privateKey, Buffer.from('hi'));
     return [crypto.publicDecrypt(publicKey, sealed).toString(), crypto.publicDecrypt({ key: publicKey.export({ type: 'spki', format: 'pem' }), padding: crypto.constants.RSA_PKCS1_PADDING }, sealed).toString(), sealed.length];`,
  ],
  [
    'crypto: promisified, generateKeyPair gives both keys',
    `import { generateKeyPair } from 'node:crypto'; import { promisify } from 'node:util';`,
    `const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519'); return [publicKey.type, privateKey.type];`,
  ],
  [
    'zlib: streams',
    `import zlib, { createGunzip } from 'node:zlib'; import { Readable } from 'node:stream'; import { pipeline } from 'node:stream/promises';`,
    `const text = Buffer.from('hello '.repeat(20_000)); const parts = [];
     await pipeline(Readable.from([text.subarray(0, 1000), text.subarray(1000)]), zlib.createGzip({ level: 9 }), async (all) => { for await (const part of all) parts.push(part); });
     let length = 0; for await (const part of Readable.from(parts).pipe(createGunzip())) length += part.length;
     const refused = await new Promise((resolve) => { const stream = new zlib.Inflate(); stream.on('error', ({ code }) => resolve(code)); stream.end('nonsense'); });
     return [Buffer.concat(parts).toString('base64'), length, refused, zlib.Deflate() instanceof zlib.Deflate, zlib.createBrotliCompress().constructor.name];`,
  ],
  [
    'zlib: data that was cut off is read as far as it goes when that is asked for',
    `import zlib from 'node:zlib'; import { Readable } from 'node:stream';`,
    `const cut = zlib.gzipSync('hello '.repeat(50)).subarray(0, 20), options = { finishFlush: zlib.constants.Z_SYNC_FLUSH }; const code = (run) => { try { return run().toString(); } catch (error) { return [error.code, error.errno]; } };
     let streamed = ''; for await (const part of Readable.from([cut]).pipe(zlib.createGunzip(options))) streamed += part;
     return [code(() => zlib.gunzipSync(cut, options)), streamed, code(() => zlib.gunzipSync(cut)), code(() => zlib.gunzipSync('nope', options))];`,
  ],
  [
    'zlib: what derives from a class of it and works at once',
    `import zlib from 'node:zlib'; import { inherits } from 'node:util';`,
    `function Inflate(options) { zlib.Inflate.call(this, options); }
     inherits(Inflate, zlib.Inflate);
     const data = zlib.deflateSync('x'.repeat(100)), stream = new Inflate();
     return [stream._processChunk(data, zlib.constants.Z_FINISH).toString(), stream instanceof zlib.Inflate];`,
  ],
  [
    'zlib',
    `import zlib, { gzipSync, gunzipSync } from 'node:zlib'; import { promisify } from 'node:util';`,
    `const text = 'abc '.repeat(50); let refused; try { zlib.inflateSync(Buffer.from('nope')); } catch (error) { refused = error.message; }
     return [gunzipSync(gzipSync(text)).toString() === text, zlib.deflateSync(text).toString('base64'), zlib.deflateRawSync(text, { level: 1 }).toString('base64'), zlib.inflateRawSync(zlib.deflateRawSync('x')).toString(), zlib.brotliDecompressSync(zlib.brotliCompressSync(text)).length, zlib.brotliCompressSync(text).toString('base64'), (await promisify(zlib.gunzip)(await promisify(zlib.gzip)(text))).length, zlib.crc32('x'), zlib.constants.Z_BEST_SPEED, zlib.codes.Z_DATA_ERROR, refused];`,
  ],
];

describe('Node built-ins that work give what Node gives', () => {
  for (const [title, imports, script] of same) {
    test(title, async (t) => {
      const [inside, plain] = await bothWays(t, imports, script);
      assert.deepEqual(inside, plain);
    });
  }

  test('a storage of a warm function shows nothing of earlier invocations', async (t) => {
    const app = anApp({
      'functions/f.mjs': `import { AsyncLocalStorage } from 'node:async_hooks';
const customer = new AsyncLocalStorage(), app = new AsyncLocalStorage(); app.enterWith('shop');
export default async (sdk) => {
  const before = [customer.getStore(), app.getStore()]; await null; before.push(customer.getStore(), app.getStore());
  customer.run('someone else', () => new Promise(() => {})); customer.enterWith('Ada');
  await null;
  return [before, customer.getStore()];
};`,
    });
    const { id, code } = await aBundler(t).build(app.source('f', { file: 'functions/f.mjs' }));
    const request = { argument: null, limits: defaultLimits, isolation: 'warm' } as const;
    for (let i = 0; i < 3; i++) {
      const outcome = await sandbox.invoke({ id, app: 'test', name: 'f', code }, request, host);
      assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error, [[null, 'shop', null, 'shop'], 'Ada']);
    }
  });

  test('every one of them can be imported and required by all names', async (t) => {
    const names = [...shimmed];
    const app = anApp({
      'functions/all.js': `${names.map((name, index) => `import * as m${index} from 'node:${name}'; import d${index} from '${name}';`).join('\n')}
export default () => [${names.map((_, index) => `typeof d${index}`).join(', ')}, ${names.map((name) => `typeof require('${name}')`).join(', ')}];`,
    });
    const bundle = await aBundler(t).build(app.source('all'));
    const kinds = (await (await evaluateHere(bundle.code)).default()) as string[];
    assert.deepEqual(
      names.flatMap((name, index) => (['object', 'function'].includes(kinds[index] ?? '') ? [] : [name])),
      [],
    );
  });
});

describe('Node built-ins that functions do not have', () => {
  test('can be imported, and throw with a hint when called', async (t) => {
    const app = anApp({
      'functions/f.js': `import fs, { readFile } from 'node:fs'; import * as http from 'http'; import { promises } from 'fs'; import { X509Certificate } from 'crypto'; import util from 'util';
class Mine extends http.Agent {}
const message = (run) => { try { run(); } catch (error) { return error.message + ' ' + error.code; } };
export default () => [message(() => readFile('x')), message(() => fs.promises.stat('x')), message(() => promises.stat('x')), message(() => new Mine()), message(() => new X509Certificate('')), message(() => new util.MIMEType('a/b')), fs.constants.O_RDONLY, http.STATUS_CODES[404], http.METHODS.includes('GET')];`,
    });
    const bundle = await aBundler(t).build(app.source('f'));
    const code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
    const fsHint = 'Import the file to have it in the bundle, and keep data in sdk.store.';
    assert.deepEqual(await (await evaluateHere(bundle.code)).default(), [
      `node:fs.readFile is not available in functions. ${fsHint} ${code}`,
      `node:fs.promises.stat is not available in functions. ${fsHint} ${code}`,
      `node:fs.promises.stat is not available in functions. ${fsHint} ${code}`,
      `node:http.Agent is not available in functions. Use fetch. ${code}`,
      `node:crypto.X509Certificate is not available in functions. crypto.subtle may have what you need. ${code}`,
      `node:util.MIMEType is not available in functions. Functions run on web-standard globals. ${code}`,
      0,
      'Not Found',
      true,
    ]);
  });

  test('pass the error to a callback, so that nothing waits for it until the time limit', async (t) => {
    const app = anApp({
      'functions/f.js': `import fs from 'node:fs'; import dns from 'node:dns'; import { promisify } from 'node:util';
const later = (call) => new Promise((resolve) => { let returned = false; call((error) => resolve([returned, error.message ?? error])); returned = true; });
export default () => Promise.all([
  later((heard) => fs.readFile('x', 'utf8', heard)),
  later((heard) => fs.exists('x', heard)),
  later((heard) => dns.lookup('a.example', { all: true }, heard)),
  later((heard) => new dns.Resolver({ timeout: 1 }).resolve4('a.example', heard)),
  promisify(fs.stat)('x').catch(({ code }) => code),
]);`,
    });
    const bundle = await aBundler(t).build(app.source('f'));
    assert.deepEqual(await (await evaluateHere(bundle.code)).default(), [
      [
        true,
        'node:fs.readFile is not available in functions. Import the file to have it in the bundle, and keep data in sdk.store.',
      ],
      [true, false],
      [true, 'node:dns.lookup is not available in functions. Use fetch.'],
      [true, 'node:dns.resolve4 is not available in functions. Use fetch.'],
      'ERR_NOT_AVAILABLE_IN_FUNCTIONS',
    ]);
  });

  test('are named in a warning, with the package or the author’s file and line', async (t) => {
    const app = anApp({
      'functions/f.js':
        "import './_own.js';\nimport get from 'getter';\nimport dns from 'unused';\nexport default () => get();",
      'functions/_own.js': "export const x = 1;\nimport fs from 'fs';\nconsole.log(fs);",
      'node_modules/getter/package.json': '{"name":"getter","main":"a.js"}',
      'node_modules/getter/a.js':
        "const h = require('http2'), n = require('node:net'); module.exports = () => h.connect(n);",
      'node_modules/unused/package.json': '{"name":"unused","main":"a.js","type":"module","sideEffects":false}',
      'node_modules/unused/a.js': "import dns from 'dns'; export default dns;",
    });
    const { warnings } = await aBundler(t).build(app.source('f'));
    assert.deepEqual(
      warnings.map(({ message: _, ...rest }) => rest),
      [
        {
          code: 'node_builtin_unavailable',
          location: { file: 'functions/_own.js', line: 2, column: 16, text: "import fs from 'fs';" },
        },
        {
          code: 'node_builtin_unavailable',
          package: 'getter',
          location: { file: 'functions/f.js', line: 2, column: 17, text: "import get from 'getter';" },
        },
      ],
    );
    assert.match(
      warnings[0]?.message ?? '',
      /^functions\/_own\.js imports node:fs, which is not available in functions: calls of it will throw\./,
    );
    assert.match(
      warnings[1]?.message ?? '',
      /^getter \(functions\/f\.js:2:17\) imports node:http2, node:net, which are not available in functions: calls of them will throw\. Use fetch\.$/,
    );
  });

  test('processes and threads are refused in the author’s own code, and a stub in a package', async (t) => {
    const app = anApp({
      'functions/own.js': "import { Worker } from 'node:worker_threads';\nexport default () => new Worker('x');",
      'functions/ok.js':
        "import run from 'runner';\nexport default () => { try { run(); } catch (error) { return error.message; } };",
      'node_modules/runner/package.json': '{"name":"runner"}',
      'node_modules/runner/index.js': "const { exec } = require('child_process'); module.exports = () => exec('ls');",
    });
    const bundler = aBundler(t);
    await assert.rejects(bundler.build(app.source('own')), {
      code: 'build_failed',
      message: /own\.js:1:24: "node:worker_threads" is not available in functions/,
    });
    const ok = await bundler.build(app.source('ok'));
    assert.match(
      String(await (await evaluateHere(ok.code)).default()),
      /^node:child_process\.exec is not available in functions\./,
    );
  });

  test('a package’s own answer for browsers comes before ours', async (t) => {
    const app = anApp({
      'functions/f.js': "import x from 'careful';\nexport default () => x;",
      'node_modules/careful/package.json':
        '{"name":"careful","main":"i.js","browser":{"os":false,"fs":"./no-fs.js","net":false}}',
      'node_modules/careful/i.js':
        "module.exports = [Object.keys(require('os')).length, require('fs'), typeof require('path').join];",
      'node_modules/careful/no-fs.js': "module.exports = 'mine';",
    });
    const { code, warnings } = await aBundler(t).build(app.source('f'));
    assert.deepEqual([...((await (await evaluateHere(code)).default()) as unknown[])], [0, 'mine', 'function']);
    assert.deepEqual(warnings, []);
  });

  test('crypto and buffer work also where a package says that browsers have none: it sees a process and may ask', async (t) => {
    const app = anApp({
      'functions/f.js': "import x from 'unsure';\nexport default () => x();",
      'node_modules/unsure/package.json': '{"name":"unsure","browser":{"crypto":false,"buffer":false}}',
      'node_modules/unsure/index.js':
        "const crypto = require('crypto'), { Buffer } = require('buffer'); module.exports = () => process.versions.node && crypto.createHash('md5').update(Buffer.from('a')).digest('hex');",
    });
    const { id, code } = await aBundler(t).build(app.source('f'));
    const request = { argument: null, limits: defaultLimits, isolation: 'fresh' } as const;
    const outcome = await sandbox.invoke({ id, app: 'test', name: 'f', code }, request, host);
    assert.equal(outcome.status === 'ok' && outcome.result, '0cc175b9c0f1b6a831c399e269772661');
  });

  test('http and https are there also where a package says that browsers have none: it sees a process and makes an agent', async (t) => {
    const app = anApp({
      'functions/f.js': "import x from 'kept-alive';\nexport default () => x();",
      'node_modules/kept-alive/package.json': '{"name":"kept-alive","browser":{"http":false,"https":false}}',
      'node_modules/kept-alive/index.js':
        "const http = require('http'), https = require('https');\nmodule.exports = () => [http, https].map(({ Agent }) => new Agent({ keepAlive: true }).protocol);",
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.deepEqual(await (await evaluateHere(code)).default(), ['http:', 'https:']);
  });

  test('base32.js decodes to a buffer, as in Node, which crypto takes as a secret', async (t) => {
    const app = anApp({
      'functions/f.js': "import base32 from 'base32.js';\nexport default () => base32.decode('ab') instanceof Buffer;",
      'node_modules/base32.js/package.json': '{"name":"base32.js","main":"index.js","browser":"base32.js"}',
      'node_modules/base32.js/index.js': "throw new Error('the build for Node');",
      'node_modules/base32.js/base32.js': `function Decoder() {}
Decoder.prototype.finalize = function (text) { return Array.from(text, (letter) => letter.charCodeAt(0)); };
exports.decode = function (text) { return new Decoder().finalize(text); };
exports.Decoder = Decoder;`,
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.equal(await (await evaluateHere(code)).default(), true);
  });

  test('js-md5 and its like find the module whose name they hide in a string', async (t) => {
    const app = anApp({
      'functions/f.js': "import md5 from 'js-md5';\nexport default () => md5('a');",
      'node_modules/js-md5/package.json': '{"name":"js-md5","main":"src/md5.js"}',
      'node_modules/js-md5/src/md5.js': `var crypto = eval("require('crypto')");
var Buffer = eval("require('buffer').Buffer");
module.exports = (text) => crypto.createHash('md5').update(Buffer.from(text)).digest('hex');`,
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.equal(await (await evaluateHere(code)).default(), '0cc175b9c0f1b6a831c399e269772661');
  });

  test('a UMD build of the TypeScript compiler brings the files that it requires by the name it is passed', async (t) => {
    const umd = (names: string, code: string) => `(function (factory) {
    if (typeof module === "object" && typeof module.exports === "object") {
        var v = factory(require, exports);
        if (v !== undefined) module.exports = v;
    }
    else if (typeof define === "function" && define.amd) {
        define([${names}], factory);
    }
})(function (require, exports) {
${code}
});`;
    const app = anApp({
      'functions/f.js': "import pkg from 'pkg';\nexport default () => pkg.both();",
      'node_modules/pkg/package.json': '{"name":"pkg","main":"lib/umd/main.js"}',
      'node_modules/pkg/lib/umd/main.js': umd(
        '"require", "exports", "./impl/a", "./b"',
        'const a = require("./impl/a"), b = require("./b");\nexports.both = () => a.name + b.name;',
      ),
      'node_modules/pkg/lib/umd/impl/a.js': umd('"require", "exports"', "exports.name = 'a';"),
      'node_modules/pkg/lib/umd/b.js': umd('"require", "exports"', "exports.name = 'b';"),
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.equal(await (await evaluateHere(code)).default(), 'ab');
  });

  test('langfuse finds the built-in modules whose imports it hides from bundlers', async (t) => {
    const app = anApp({
      'functions/f.js': "import { made } from 'langfuse-core';\nexport default () => made;",
      'node_modules/langfuse-core/package.json': '{"name":"langfuse-core","module":"lib/index.mjs"}',
      'node_modules/langfuse-core/lib/index.mjs': `const dynamicImport = module => {
  return import( /* webpackIgnore: true */module);
};
export const made = Promise.all([dynamicImport("fs"), dynamicImport("node:crypto")]).then(([fs, { createHash }]) => [
  typeof fs.existsSync, createHash('md5').update('').digest('hex')
]);`,
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.deepEqual(await (await evaluateHere(code)).default(), ['function', 'd41d8cd98f00b204e9800998ecf8427e']);
  });

  test('an agent can be made, and refuses what would be lost by fetch', async (t) => {
    const script = `const said = (run) => { try { return run(); } catch (error) { return error.message; } };
return [new https.Agent({ keepAlive: true, maxSockets: 3 }).maxSockets, new http.Agent() instanceof http.Agent, https.globalAgent.protocol,
  said(() => new https.Agent({ cert: 'x' })), said(() => new http.Agent().createConnection({}))];`;
    const app = anApp({
      'functions/f.js': `import http from 'node:http'; import https from 'https';\nexport default () => { ${script} };`,
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.deepEqual(await (await evaluateHere(code)).default(), [
      3,
      true,
      'https:',
      'The option "cert" of node:https.Agent is not available in functions. Use fetch.',
      'node:http.Agent.createConnection is not available in functions. Use fetch.',
    ]);
  });

  test('there are no files, which is an answer: a key may be given as text or as a path', async (t) => {
    const app = anApp({
      'functions/f.js': `import { existsSync, readFileSync } from 'node:fs'; import v8 from 'node:v8';
const key = (given) => (existsSync(given) ? readFileSync(given, 'utf8') : given);
export default () => [key('-----BEGIN'), v8.getHeapStatistics().heap_size_limit > 1e6];`,
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.deepEqual(await (await evaluateHere(code)).default(), ['-----BEGIN', true]);
  });

  test('a package that carries the inspection of Node along finds all that this copies when it loads, and nothing stays', async (t) => {
    const app = anApp({
      'functions/f.js': "import names from 'node-inspect-extracted';\nexport default () => [...names, typeof Atomics];",
      'node_modules/node-inspect-extracted/package.json': '{"name":"node-inspect-extracted","main":"dist/inspect.js"}',
      'node_modules/node-inspect-extracted/dist/inspect.js':
        "module.exports = [typeof Reflect.ownKeys(globalThis['Atomics'])];",
    });
    const { id, code } = await aBundler(t).build(app.source('f'));
    const request = { argument: null, limits: defaultLimits, isolation: 'fresh' } as const;
    const outcome = await sandbox.invoke({ id, app: 'test', name: 'f', code }, request, host);
    assert.deepEqual(outcome.status === 'ok' && outcome.result, ['object', 'undefined']);
  });

  test('what of them only computes works: addresses and headers', async (t) => {
    const script = `const said = (run) => { try { run(); return 'fits'; } catch (error) { return error.code; } };
return [['127.0.0.1', '256.1.1.1', '1.2.3', '01.2.3.4', '::1', 'fe80::1%eth0', '::ffff:1.2.3.4', '1::2::3', 'x', '', '[::1]', '::1]:80', undefined].map((text) => [isIP(text), isIPv4(text), isIPv6(text)]),
  ['accept', 'x-a', '', 'a b', 'ü', 7].map((name) => said(() => validateHeaderName(name))), ['text', 1, undefined, 'a\\nb', 'ü', '€'].map((value) => said(() => validateHeaderValue('x', value)))];`;
    const imports = `import { isIP, isIPv4, isIPv6 } from 'node:net'; import { validateHeaderName, validateHeaderValue } from 'node:http';`;
    const [inside, plain] = await bothWays(t, imports, script);
    assert.deepEqual(inside, plain);
  });

  test('node-fetch and undici are the fetch of the function', async (t) => {
    const app = anApp({
      'functions/f.js': `import fetch, { FetchError, Headers, isRedirect } from 'node-fetch';
import { Readable } from 'node:stream';
import { Agent, Pool, request, setGlobalDispatcher } from 'undici';
const said = async (run) => { try { return await run(); } catch (error) { return [error.name, error.message]; } };
export default async () => {
  const sent = await fetch('https://a.example/x', { method: 'POST', headers: new Headers({ 'X-A': '1' }), body: Readable.from(['one ', 'two']) });
  const asked = await request('https://b.example/y', { query: { q: 'ä b' }, headers: ['x-b', '2'] });
  const parts = [];
  for await (const part of (await request('https://c.example/')).body) parts.push(Buffer.isBuffer(part));
  return [
    await sent.json(), asked.statusCode, asked.headers, await asked.body.json(), parts, isRedirect(301),
    await said(() => fetch('https://down.example/')), await said(() => new Pool('https://a.example')), await said(() => setGlobalDispatcher(new Agent({ connect: { timeout: 5 } }))) ?? 'set',
    await said(() => new Agent({ connect: { cert: 'x' } })), new FetchError('x') instanceof Error,
    typeof (await import('node-fetch')).default, typeof require('node-fetch').Response,
  ];
};`,
      'node_modules/node-fetch/package.json': '{"name":"node-fetch","main":"i.js"}',
      'node_modules/node-fetch/i.js': "throw new Error('needs sockets');",
      'node_modules/undici/package.json': '{"name":"undici","main":"i.js"}',
      'node_modules/undici/i.js': "throw new Error('needs threads');",
    });
    const { id, code, warnings } = await aBundler(t).build(app.source('f'));
    assert.deepEqual(warnings, []);
    const echo: Host['fetch'] = async ({ url, method, headers, body }) => {
      if (url.includes('down')) throw new Error('no such host');
      const own = headers.filter(([name]) => name.startsWith('x-'));
      const text = JSON.stringify({ url, method, own, body: body ? Buffer.from(body).toString() : null });
      return { status: 200, headers: [['x-seen', 'yes']], body: Buffer.from(text) };
    };
    const program = { id, app: 'test', name: 'f', code };
    const request = { argument: null, limits: defaultLimits, isolation: 'fresh' } as const;
    const outcome = await sandbox.invoke(program, request, { ...host, fetch: echo });
    assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error, [
      { url: 'https://a.example/x', method: 'POST', own: [['x-a', '1']], body: 'one two' },
      200,
      { 'x-seen': 'yes' },
      { url: 'https://b.example/y?q=%C3%A4+b', method: 'GET', own: [['x-b', '2']], body: null },
      [true],
      true,
      ['FetchError', 'request to https://down.example/ failed, reason: no such host'],
      ['Error', 'undici.Pool is not available in functions. Use fetch.'],
      'set',
      ['Error', 'The option connect.cert of undici.Agent is not available in functions. Use fetch.'],
      true,
      'function',
      'function',
    ]);
  });

  test('a package that has both forms gives require() the one for it', async (t) => {
    const app = anApp({
      'functions/f.js': "import { Pool } from 'user';\nimport own from 'both';\nexport default () => [Pool.name, own];",
      'node_modules/user/package.json': '{"name":"user"}',
      'node_modules/user/index.js': "exports.Pool = class Bound extends require('both') {};",
      'node_modules/both/package.json':
        '{"name":"both","exports":{".":{"import":"./m.mjs","require":"./c.js","default":"./c.js"}}}',
      'node_modules/both/m.mjs': "export default 'module';",
      'node_modules/both/c.js': 'module.exports = class Plain {};',
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.deepEqual([...((await (await evaluateHere(code)).default()) as unknown[])], ['Bound', 'module']);
  });

  test('what another runtime has is missing when a package asks for it, not before', async (t) => {
    const app = anApp({
      'functions/f.js':
        "import connect from 'driver';\nexport default () => connect().catch((error) => error.message);",
      'functions/own.js': "import { connect } from 'cloudflare:sockets';\nexport default () => connect();",
      'node_modules/driver/package.json': '{"name":"driver"}',
      'node_modules/driver/index.js':
        "module.exports = async () => (await import('cloudflare:sockets')).connect('db:5432');",
    });
    const bundler = aBundler(t);
    const { code } = await bundler.build(app.source('f'));
    assert.equal(
      await (await evaluateHere(code)).default(),
      'cloudflare:sockets is not available in functions. Use fetch.',
    );
    await assert.rejects(bundler.build(app.source('own')), { message: /"cloudflare:sockets" cannot be imported/ });
  });

  test('a package of native code is refused where the author imports it, with what to use instead', async (t) => {
    const app = anApp({
      'functions/own.js': "import { hash } from 'bcrypt';\nexport default () => hash('x', 4);",
      'functions/through.js': "import { careful } from 'careful';\nexport default () => careful;",
      'node_modules/bcrypt/package.json': '{"name":"bcrypt","dependencies":{"node-gyp-build":"4"}}',
      'node_modules/bcrypt/index.js': 'exports.hash = () => 1;',
      'node_modules/careful/package.json': '{"name":"careful"}',
      'node_modules/careful/index.js': "exports.careful = typeof require('bcrypt').hash;",
    });
    const bundler = aBundler(t);
    await assert.rejects(bundler.build(app.source('own')), {
      code: 'build_failed',
      message: /functions\/own\.js:1:22: "bcrypt" contains native code, and functions can only run JavaScript/,
      hint: /bcryptjs/,
    });
    await bundler.build(app.source('through'));
  });

  test('a package with native code that has a build for browsers works by that', async (t) => {
    const manifest = { name: 'curve', gypfile: true, main: './index.js', browser: { './index.js': './plain.js' } };
    const app = anApp({
      'functions/f.js': "import curve from 'curve';\nexport default () => curve;",
      'node_modules/curve/package.json': JSON.stringify(manifest),
      'node_modules/curve/index.js': "module.exports = require('./build/Release/curve.node');",
      'node_modules/curve/plain.js': "module.exports = 'plain';",
    });
    const { code } = await aBundler(t).build(app.source('f'));
    assert.equal((await evaluateHere(code)).default(), 'plain');
  });

  test('a name that Node does not know is refused', async (t) => {
    const app = anApp({ 'functions/f.js': "import x from 'node:nothing';\nexport default () => x;" });
    await assert.rejects(aBundler(t).build(app.source('f')), {
      code: 'build_failed',
      message: /"node:nothing" is not a built-in module of Node/,
    });
  });
});
