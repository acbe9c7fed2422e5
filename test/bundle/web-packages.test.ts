import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { defaultLimits, type Host, openSandbox } from '../../src/sandbox/index.ts';
import { plainPrelude } from '../sandbox/support/plain-layer.ts';
import { aBundler, anApp } from './helpers.ts';

/** What stands for node-fetch and undici gives what those of the registry give; the values below are theirs. */
const sandbox = openSandbox({ prelude: plainPrelude, processes: 1 });
after(() => sandbox.close());

const answers: Record<string, Awaited<ReturnType<Host['fetch']>>> = {
  '/bytes': { status: 200, headers: [], body: Uint8Array.of(0, 1, 254, 255) },
  '/text': { status: 200, headers: [['content-type', 'text/plain']], body: new TextEncoder().encode('häl\nlo') },
  '/empty': { status: 204, headers: [] },
  '/cookies': {
    status: 200,
    headers: [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2'],
      ['x-a', 'b'],
    ],
  },
};

const host: Host = {
  call: async (operation) => ({ error: { code: 'no_host', message: operation, status: 500 } }),
  fetch: ({ url }, signal) => {
    const { pathname } = new URL(url);
    if (pathname === '/refused')
      return Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
      );
    if (pathname === '/cut')
      return Promise.reject(
        new TypeError('fetch failed', {
          cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
        }),
      );
    if (pathname === '/stuck') {
      const body = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('first')) });
      return Promise.resolve({ status: 200, headers: [], body });
    }
    const answer = answers[pathname];
    if (answer) return Promise.resolve(answer);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
  },
};

/** What `script`, the body of an async function, returns where both packages are installed. */
async function inside(t: TestContext, imports: string, script: string): Promise<unknown> {
  const app = anApp({
    'functions/f.js': `${imports}\nconst at = 'https://a.example';\nexport default async () => { ${script} };`,
    'node_modules/node-fetch/package.json': '{"name":"node-fetch","main":"i.js"}',
    'node_modules/node-fetch/i.js': "throw new Error('needs sockets');",
    'node_modules/undici/package.json': '{"name":"undici","main":"i.js"}',
    'node_modules/undici/i.js': "throw new Error('needs threads');",
  });
  const { id, code } = await aBundler(t).build(app.source('f'));
  const program = { id, app: 'test', name: 'f', code };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  return outcome.status === 'ok' ? outcome.result : outcome.error;
}

const imports = "import fetch from 'node-fetch'; import { PassThrough, pipeline } from 'node:stream';";

test('the body of node-fetch is a stream of Node’s', async (t) => {
  const script = `const body = async (path) => (await fetch(at + path)).body;
    const parts = []; for await (const part of await body('/text')) parts.push(part.toString());
    const bytes = await body('/bytes'); const heard = [];
    await new Promise((resolve, reject) => bytes.on('data', (part) => heard.push(part)).on('end', resolve).on('error', reject));
    let piped = ''; for await (const part of (await body('/text')).pipe(new PassThrough())) piped += part;
    const text = await body('/text'); const end = new PassThrough();
    await new Promise((resolve, reject) => pipeline(text, end, (error) => (error ? reject(error) : resolve())));
    const none = []; for await (const part of await body('/empty')) none.push(part);
    return [parts, Buffer.concat(heard).toString('hex'), piped, end.read().toString(), none];`;
  assert.deepEqual(await inside(t, imports, script), [['häl\nlo'], '0001feff', 'häl\nlo', 'häl\nlo', []]);
});

test('it is read as one of the web, and whole, too', async (t) => {
  const script = `const response = await fetch(at + '/text');
    const looked = response.body !== null;
    const reader = (await fetch(at + '/bytes')).body.getReader();
    return [looked, await response.text(), response.bodyUsed, [...(await reader.read()).value]];`;
  assert.deepEqual(await inside(t, imports, script), [true, 'häl\nlo', true, [0, 1, 254, 255]]);
});

test('a response of node-fetch has buffer(), also its clone, and headers.raw()', async (t) => {
  const script = `const response = await fetch(at + '/bytes'); const copy = response.clone();
    const { headers } = await fetch(at + '/cookies');
    return [(await response.buffer()).toString('hex'), Buffer.isBuffer(await copy.buffer()), headers.raw(), Object.keys(headers), response instanceof fetch.Response];`;
  assert.deepEqual(await inside(t, imports, script), [
    '0001feff',
    true,
    { 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-a': ['b'] },
    [],
    true,
  ]);
});

test('node-fetch keeps to its timeout, and to the signal that came with it', async (t) => {
  const script = `const said = (run) => run.then(() => 'an answer', ({ name, type, message }) => [name, type, message]);
    const ended = new AbortController(); ended.abort();
    return [await said(fetch(at + '/never', { timeout: 1 })), await said(fetch(at + '/never', { timeout: 60000, signal: ended.signal })), await (await fetch(at + '/text', { timeout: 60000 })).text()];`;
  assert.deepEqual(await inside(t, imports, script), [
    ['FetchError', 'request-timeout', 'network timeout at: https://a.example/never'],
    ['AbortError', 'aborted', 'The operation was aborted.'],
    'häl\nlo',
  ]);
});

test('a request of node-fetch that fails says why, with the code', async (t) => {
  const script = `return fetch(at + '/refused').catch(({ name, type, code, errno, message }) => [name, type, code, errno, message]);`;
  assert.deepEqual(await inside(t, imports, script), [
    'FetchError',
    'system',
    'ECONNREFUSED',
    'ECONNREFUSED',
    'request to https://a.example/refused failed, reason: refused',
  ]);
});

test('the body that undici.request gives is a stream of Node’s that can be read whole', async (t) => {
  const script = `const body = async (path) => (await request(at + path)).body;
    const bytes = await body('/bytes'); const heard = [];
    await new Promise((resolve, reject) => bytes.on('data', (part) => heard.push(part)).on('end', resolve).on('error', reject));
    let piped = ''; for await (const part of (await body('/text')).pipe(new PassThrough())) piped += part;
    const text = await body('/text'); const before = text.bodyUsed;
    return [Buffer.concat(heard).toString('hex'), piped, before, await text.text(), text.bodyUsed, [...(await (await body('/bytes')).bytes())]];`;
  const undici = "import { request } from 'undici'; import { PassThrough } from 'node:stream';";
  assert.deepEqual(await inside(t, undici, script), ['0001feff', 'häl\nlo', false, 'häl\nlo', true, [0, 1, 254, 255]]);
});

test('undici.request keeps to its timeouts, for headers and for each part of the body', async (t) => {
  const script = `const codeOf = (path, options) => request(at + path, options).then(({ body }) => body.text()).catch(({ name, code }) => [name, code]);
    const signal = AbortSignal.abort(new Error('no more'));
    return [
      await codeOf('/never', { headersTimeout: 1 }),
      await codeOf('/stuck', { bodyTimeout: 1 }),
      await codeOf('/text', { headersTimeout: 60_000, bodyTimeout: 60_000 }),
      await request(at + '/never', { headersTimeout: 60_000, signal }).catch(({ message }) => message),
    ];`;
  assert.deepEqual(await inside(t, "import { request } from 'undici';", script), [
    ['HeadersTimeoutError', 'UND_ERR_HEADERS_TIMEOUT'],
    ['BodyTimeoutError', 'UND_ERR_BODY_TIMEOUT'],
    'häl\nlo',
    'no more',
  ]);
});

test('undici.request rejects with the failure itself, and errors have the classes of undici', async (t) => {
  const script = `const of = (error) => [error.code, error.message, error instanceof errors.UndiciError, error instanceof errors.SocketError];
    const failure = (path) => request(at + path).then(() => 'no failure', of);
    const inFetch = await fetch(at + '/cut').catch(({ cause }) => cause instanceof errors.SocketError);
    const own = new errors.HeadersTimeoutError();
    return [await failure('/refused'), await failure('/cut'), inFetch, own.name, own.code, own instanceof errors.BodyTimeoutError, undefined instanceof errors.SocketError];`;
  assert.deepEqual(await inside(t, "import { errors, fetch, request } from 'undici';", script), [
    ['ECONNREFUSED', 'refused', false, false],
    ['UND_ERR_SOCKET', 'other side closed', true, true],
    true,
    'HeadersTimeoutError',
    'UND_ERR_HEADERS_TIMEOUT',
    false,
    false,
  ]);
});

test('a package that asks the prototype of SharedArrayBuffer while it loads hears that nothing is one', async (t) => {
  const check = (name: string) =>
    `"use strict";\nconst getter = Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, "${name}").get;\nexports.is = (value) => { try { getter.call(value); return true; } catch { return false; } };`;
  const app = anApp({
    'functions/f.js':
      "import url from 'whatwg-url';\nexport default () => [url.is(new ArrayBuffer(1)), url.growable(new ArrayBuffer(1)), typeof SharedArrayBuffer];",
    'node_modules/whatwg-url/package.json': '{"name":"whatwg-url"}',
    'node_modules/whatwg-url/index.js':
      "exports.is = require('./lib/utils.js').is; exports.growable = require('webidl-conversions').is;",
    'node_modules/whatwg-url/lib/utils.js': check('byteLength'),
    'node_modules/webidl-conversions/package.json': '{"name":"webidl-conversions","main":"lib/index.js"}',
    'node_modules/webidl-conversions/lib/index.js': check('growable'),
  });
  const { id, code } = await aBundler(t).build(app.source('f'));
  const program = { id, app: 'test', name: 'f', code };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error, [false, false, 'undefined']);
});

test('a request of jsforce that fails rejects', async (t) => {
  const app = anApp({
    'functions/f.js':
      "import request from 'jsforce';\nexport default () => new Promise((heard) => request({}).on('error', heard));",
    'node_modules/jsforce/package.json': '{"name":"jsforce","browser":"browser/browser/request.js"}',
    'node_modules/jsforce/browser/browser/request.js': `import { EventEmitter } from 'node:events';
async function startFetchRequest(request, options, input, output, emitter) { throw 'no connection'; }
export default function request(req) {
  var options, input, output, stream = new EventEmitter();
  startFetchRequest(req, options, input, output, stream);
  return stream;
}`,
  });
  const { id, code } = await aBundler(t).build(app.source('f'));
  const program = { id, app: 'test', name: 'f', code };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error, 'no connection');
});

test('axios leaves the content type of a form to fetch, which knows its boundary', async (t) => {
  const asks =
    'const hasStandardBrowserWebWorkerEnv = (() => {\n  return (\n    typeof WorkerGlobalScope !== "undefined" &&\n    typeof self.importScripts === "function"\n  );\n})();\n';
  const app = anApp({
    'functions/f.js':
      "import { inWorker } from 'axios';\nimport old from 'old';\nexport default () => [inWorker, old.inWorker];",
    'node_modules/axios/package.json':
      '{"name":"axios","exports":{"browser":{"require":"./dist/browser/axios.cjs","default":"./lib/platform/common/utils.js"}}}',
    'node_modules/axios/lib/platform/common/utils.js': `${asks}export const inWorker = hasStandardBrowserWebWorkerEnv;`,
    'node_modules/axios/dist/browser/axios.cjs': `${asks}exports.inWorker = hasStandardBrowserWebWorkerEnv;`,
    'node_modules/old/package.json': '{"name":"old"}',
    'node_modules/old/index.js': "module.exports = require('axios');",
  });
  const { id, code } = await aBundler(t).build(app.source('f'));
  const program = { id, app: 'test', name: 'f', code };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error, [true, true]);
});
