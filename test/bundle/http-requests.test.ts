import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { defaultLimits, type Host, openSandbox } from '../../src/sandbox/index.ts';
import { aBundler, anApp } from './helpers.ts';

const sandbox = openSandbox({
  prelude:
    '{ const { stringify } = JSON; globalThis.__prelude = { open: (x) => x, close: async (value) => ({ json: stringify(value) }) }; };0;',
  processes: 1,
});

/** As the platform's way out does it. */
const host: Host = {
  call: async (operation) => ({ error: { code: 'no_host', message: operation, status: 500 } }),
  async fetch({ url, method, headers, body, redirect = 'follow' }, signal) {
    const sent = headers.map(([name, value]): [string, string] => [name, value]);
    const response = await fetch(url, { method, headers: sent, ...(body && { body }), redirect, signal }).catch(
      (error) => {
        throw new Error('fetch failed', { cause: error.cause });
      },
    );
    const { status, statusText } = response;
    return { status, statusText, headers: [...response.headers], body: new Uint8Array(await response.arrayBuffer()) };
  },
};

let server: Server;
let origin: string;

before(async () => {
  server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    if (url === '/never') return;
    if (url === '/moved') return void response.writeHead(302, { location: '/there' }).end();
    if (url === '/packed')
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
    if (url === '/none') return void response.writeHead(204).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const own = Object.entries(headers).filter(([name]) => /^(?:x-|authorization|content-type|host)/.test(name));
    response.writeHead(404, 'Not Here', {
      'Content-Type': 'application/json',
      'Set-Cookie': ['a=1', 'b=2'],
      'X-Made': 'yes',
    });
    response.end(
      JSON.stringify({ method, url, headers: Object.fromEntries(own), body: Buffer.concat(chunks).toString() }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(async () => {
  server.closeAllConnections();
  await Promise.all([sandbox.close(), new Promise((done) => server.close(done))]);
});

const shared = `
const read = async (message) => { const parts = []; for await (const part of message) parts.push(part); return Buffer.concat(parts).toString(); };
const ask = (...args) => new Promise((resolve, reject) => http.request(...args, resolve).on('error', reject).end());
`;

/** Where nobody listens: somebody did a moment ago. */
async function aFreePort(): Promise<number> {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((done) => gone.close(done));
  return port;
}

/** What the same lines return in the sandbox and in plain Node. */
async function bothWays(t: TestContext, script: string): Promise<[inside: unknown, plain: unknown]> {
  const text = `import http from 'node:http'; import https from 'node:https'; import { Readable } from 'node:stream';
const origin = ${JSON.stringify(origin)};${shared}export default async () => { ${script} };`;
  const app = anApp({ 'functions/f.mjs': text });
  const { id, code, warnings } = await aBundler(t).build({ ...app.source('f'), file: app.path('functions/f.mjs') });
  assert.deepEqual(warnings, []);
  const request = { argument: null, limits: defaultLimits, isolation: 'fresh' } as const;
  const outcome = await sandbox.invoke({ id, app: 'test', name: 'f', code }, request, host);
  const inside = outcome.status === 'ok' ? outcome.result : assert.fail(outcome.error.message);
  const plain = (await import(app.path('functions/f.mjs'))) as { default(): Promise<unknown> };
  return [inside, JSON.parse(JSON.stringify(await plain.default()))];
}

const same: [title: string, script: string][] = [
  [
    'sends method, headers and a body, and hears status, headers and the body in pieces',
    `const request = http.request(origin + '/a?b=c', { method: 'post', headers: { 'Content-Type': 'text/plain', 'x-list': ['1', '2'] }, auth: 'me:pass' });
     request.setHeader('X-Late', 7); request.write('one '); request.end(Buffer.from('two'));
     const message = await new Promise((resolve, reject) => request.on('response', resolve).on('error', reject));
     const { statusCode, statusMessage, headers } = message;
     return [statusCode, statusMessage, headers['content-type'], headers['set-cookie'], headers['x-made'], message.headersDistinct['x-made'], JSON.parse(await read(message)), message.complete,
       request.getHeader('x-late'), request.hasHeader('HOST'), request.path, request.method, request.writableEnded, message instanceof http.IncomingMessage, request instanceof http.ClientRequest];`,
  ],
  [
    'takes an address, an object, or both, and a body from a stream',
    `const { hostname, port } = new URL(origin);
     const first = await ask({ hostname, port, path: '/object', agent: new http.Agent({ keepAlive: true }) });
     const second = await ask(new URL(origin + '/both'), { method: 'PUT', headers: ['x-a', '1', 'Host', new URL(origin).host] });
     const third = http.request(origin + '/piped', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
     const answered = new Promise((resolve) => third.on('response', resolve));
     Readable.from(['some ', 'parts']).pipe(third);
     return [JSON.parse(await read(first)), JSON.parse(await read(second)).headers['x-a'], JSON.parse(await read(await answered)).body];`,
  ],
  [
    'does not follow, and reads what is empty',
    `const moved = await ask(origin + '/moved'); moved.resume();
     return [moved.statusCode, moved.headers.location, (await ask(origin + '/none')).statusCode, await read(await ask(origin + '/x', { method: 'HEAD' }))];`,
  ],
  [
    'closes once the answer is read, and goes on where nobody listens',
    `const log = [];
     await new Promise((done) => http.get(origin + '/x', (message) => { message.on('end', () => log.push('end')).resume(); }).on('socket', (socket) => log.push('socket ' + typeof socket.setKeepAlive)).on('close', () => { log.push('close'); done(); }));
     await new Promise((done) => http.get(origin + '/x').on('close', done));
     return log;`,
  ],
  [
    'says that it waits too long, and ends when it is told to',
    `const told = (request) => new Promise((resolve) => request.on('error', ({ name, code, message }) => resolve([name, code, message])));
     const late = http.get(origin + '/never', { timeout: 5 }); late.on('timeout', () => late.destroy());
     const aborted = http.get(origin + '/never'); const log = []; aborted.on('abort', () => log.push('abort')); setTimeout(() => aborted.abort(), 20);
     const signalled = http.get(origin + '/never', { signal: AbortSignal.abort() });
     const toldSignal = told(signalled);
     const own = http.get(origin + '/never'); own.destroy(new Error('mine'));
     return [await Promise.all([late, aborted, own].map(told)), (await toldSignal).slice(0, 2), log, aborted.aborted];`,
  ],
  [
    'refuses what no request can be',
    `const said = (run) => { try { run(); } catch (error) { return error.code; } };
     return [said(() => http.request('https://x.example/')), said(() => https.request({ protocol: 'http:' })), said(() => http.request(origin, { headers: { 'a b': '1' } })), said(() => http.request(origin, { headers: { a: undefined } })), said(() => http.request('nowhere'))];`,
  ],
];

for (const [title, script] of same) {
  test(`a request of node:http ${title}, as in Node`, async (t) => {
    const [inside, plain] = await bothWays(t, script);
    assert.deepEqual(inside, plain);
  });
}

test('a request of node:http that finds nobody fails with the code of what happened', async (t) => {
  const [inside, plain] = await bothWays(
    t,
    `return await new Promise((resolve) => http.get('http://127.0.0.1:${await aFreePort()}/').on('error', ({ code }) => resolve(code)));`,
  );
  assert.equal(plain, 'ECONNREFUSED');
  assert.equal(inside, plain);
});

test('what a request of node:http hears is unpacked, and says nothing of how it was packed', async (t) => {
  const [inside] = await bothWays(
    t,
    `const message = await ask(origin + '/packed'); return [await read(message), 'content-encoding' in message.headers, message.rawHeaders.includes('content-length')];`,
  );
  assert.deepEqual(inside, ['unpacked', false, false]);
});

test('a request of node:http refuses what would be lost by fetch: certificates, proxies, agents of one’s own', async (t) => {
  const app = anApp({
    'functions/f.js': `import http from 'node:http'; import https from 'node:https';
const said = (run) => { try { return run(); } catch (error) { return error.message + ' ' + error.code; } };
export default () => [said(() => https.request('https://a.example/', { pfx: 'x' })), said(() => https.request('https://a.example/', { agent: { addRequest() {} } })), said(() => http.request({ host: 'proxy', path: 'http://a.example/' })),
  said(() => http.createServer()), said(() => new http.Server()), Object.getPrototypeOf(Object.create(http.ServerResponse.prototype)) === http.ServerResponse.prototype];`,
  });
  const { id, code } = await aBundler(t).build(app.source('f'));
  const request = { argument: null, limits: defaultLimits, isolation: 'fresh' } as const;
  const outcome = await sandbox.invoke({ id, app: 'test', name: 'f', code }, request, host);
  const refused = (what: string) => `${what} is not available in functions.`;
  const missing = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
  assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error.message, [
    `${refused('The option "pfx" of node:https.request')} Use fetch. ${missing}`,
    `${refused('The option "agent" of node:https.request')} Use fetch. ${missing}`,
    `${refused('The option "path" of node:http.request')} Use fetch. ${missing}`,
    `${refused('node:http.createServer')} A function listens nowhere: it answers requests by what it returns. ${missing}`,
    `${refused('node:http.Server')} A function listens nowhere: it answers requests by what it returns. ${missing}`,
    true,
  ]);
});
