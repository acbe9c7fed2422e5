import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { proofFor } from '../../../src/emulator/sources/local/dev-proof.ts';
import { claimState } from '../../../src/project/index.ts';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

/** Remembers what it was asked, and answers every request as a workspace would `workspace.show`. */
const asked: { url: string; authorization: string | undefined; host: string | undefined }[] = [];
const token = `fn_local_${'a'.repeat(32)}`;

/** Shows who it is as a running `fn dev` does, when this is a question for that. */
function shows(request: IncomingMessage, response: ServerResponse): boolean {
  const proof = proofFor(request.url ?? '', request.socket.localPort, () => token);
  if (proof !== undefined) response.end(proof);
  return proof !== undefined;
}

const server = createServer((request, response) => {
  if (shows(request, response)) return;
  asked.push({ url: request.url ?? '', authorization: request.headers.authorization, host: request.headers.host });
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      slug: 'dev',
      name: 'X',
      url: 'x',
      apiUrl: 'x',
      environment: 'local',
      token: null,
      now: '2026-01-01T00:00:00.000Z',
    }),
  );
});
let port = 0;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

function anApp(): { cwd: string; env: Record<string, string> } {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  mkdirSync(join(cwd, '.fn'), { mode: 0o700 });
  const env = { HOME: aFolder() };
  claimState(join(cwd, '.fn'), env);
  writeFileSync(join(cwd, '.fn/local-token'), token, { mode: 0o600 });
  return { cwd, env };
}

test('a running fn dev of the app is spoken to, with the token of the app', async () => {
  const app = anApp();
  writeFileSync(
    join(app.cwd, '.fn/dev.json'),
    JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${port}`, port, slug: 'dev', startedAt: '' }),
  );
  asked.length = 0;
  const { exitCode, out, err } = await runFn(['api', 'workspace.show', '--json'], app);
  assert.equal(exitCode, 0, err);
  assert.equal(JSON.parse(out).slug, 'dev');
  assert.deepEqual(asked, [{ url: '/api/dev/workspace', authorization: `Bearer ${token}`, host: `127.0.0.1:${port}` }]);
});

test('a repository cannot lead the token elsewhere by the file of a running fn dev', async () => {
  const app = anApp();
  const hostile = { pid: process.pid, url: 'https://evil.example', port, slug: 'dev', startedAt: '' };
  writeFileSync(join(app.cwd, '.fn/dev.json'), JSON.stringify(hostile));
  asked.length = 0;
  await runFn(['api', 'workspace.show'], app);
  assert.deepEqual(
    asked.map(({ host }) => host),
    [`127.0.0.1:${port}`],
  );
});

for (const [who, answer] of [
  ['another program', () => 'hello'],
  ['who hands the question on to the real one', (url: string) => proofFor(url, port, () => token)],
] as const) {
  test(`the token is not sent to ${who}, listening where a fn dev did`, async () => {
    const heard: string[] = [];
    const other = createServer((request, response) => {
      heard.push(JSON.stringify([request.url, request.headers]));
      response.end(answer(request.url ?? ''));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const app = anApp();
    const { port: taken } = other.address() as AddressInfo;
    writeFileSync(
      join(app.cwd, '.fn/dev.json'),
      JSON.stringify({ pid: process.pid, url: 'x', port: taken, slug: 'dev', startedAt: '' }),
    );
    const { exitCode, out } = await runFn(['api', 'workspace.show', '--json'], app);
    other.close();
    assert.equal(exitCode, 0);
    assert.equal(JSON.parse(out).environment, 'local', 'the workspace was opened here');
    assert.equal(heard.length, 1);
    assert.doesNotMatch(heard.join(), /fn_local_/);
  });
}

test('a slug in that file that is none is refused, not put into an address', async () => {
  const app = anApp();
  writeFileSync(
    join(app.cwd, '.fn/dev.json'),
    JSON.stringify({ pid: process.pid, url: 'x', port, slug: '../../evil', startedAt: '' }),
  );
  asked.length = 0;
  const { exitCode } = await runFn(['api', 'workspace.show'], app);
  assert.equal(exitCode, 2);
  assert.deepEqual(asked, []);
});

test('what the workspace says cannot reach the terminal raw', async () => {
  const hostile = createServer((request, response) => {
    if (shows(request, response)) return;
    response.statusCode = 422;
    response.setHeader('content-type', 'application/problem+json');
    response.end(
      JSON.stringify({
        type: 'about:blank',
        title: 'x',
        status: 422,
        code: 'input_invalid',
        detail: '\u001b[2J\u202egone',
        errors: [{ path: '\u009b31m', message: '\u001b]0;t\u0007' }],
      }),
    );
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  const app = anApp();
  const { port: hostilePort } = hostile.address() as AddressInfo;
  writeFileSync(
    join(app.cwd, '.fn/dev.json'),
    JSON.stringify({ pid: process.pid, url: 'x', port: hostilePort, slug: 'dev', startedAt: '' }),
  );
  for (const argv of [
    ['api', 'customers.list'],
    ['api', 'GET', '/customers'],
    ['pack', 'list'],
  ]) {
    const { exitCode, out, err } = await runFn(argv, {
      ...app,
      terminal: { out: true, err: true },
      env: { ...app.env, NO_COLOR: '1' },
    });
    assert.equal(exitCode, 1);
    assert.equal(out, '');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    assert.doesNotMatch(err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.match(err, /gone/);
  }
  hostile.close();
});

test('FN_BASE_URL, FN_WORKSPACE and FN_TOKEN name a workspace without an app around', async () => {
  asked.length = 0;
  const env = {
    HOME: aFolder(),
    FN_BASE_URL: `http://127.0.0.1:${port}`,
    FN_WORKSPACE: 'acme',
    FN_TOKEN: 'fn_test_token',
  };
  const { exitCode, err } = await runFn(['api', 'GET', '/workspace'], { cwd: aFolder(), env });
  assert.equal(exitCode, 0, err);
  assert.deepEqual(asked, [
    { url: '/api/acme/workspace', authorization: 'Bearer fn_test_token', host: `127.0.0.1:${port}` },
  ]);
});

test('a command about the local workspace refuses a profile', async () => {
  const { exitCode, err } = await runFn(['clock', 'show', '--profile', 'acme'], anApp());
  assert.equal(exitCode, 2);
  assert.match(err, /only works on the local workspace/);
});

test('a workspace that is needed elsewhere and not named is 4, with the way to name one', async () => {
  const { exitCode, err } = await runFn(['deploy', '--dry-run'], anApp());
  assert.equal(exitCode, 4);
  assert.match(err, /fn login/);
});

test('an answer to a path stands on standard output as it came', async () => {
  const raw = createServer((_, response) => response.end('{ "b":1,\n"a" : 2 }'));
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const { port: rawPort } = raw.address() as AddressInfo;
  const env = {
    HOME: aFolder(),
    FN_BASE_URL: `http://127.0.0.1:${rawPort}`,
    FN_WORKSPACE: 'acme',
    FN_TOKEN: 'fn_test_token',
  };
  const { out } = await runFn(['api', 'GET', '/workspace'], { cwd: aFolder(), env });
  raw.close();
  assert.equal(out, '{ "b":1,\n"a" : 2 }');
});

for (const [argv, expected] of [
  [['api', 'GET', '/workspace'], 130],
  [['api', 'workspace.show'], 130],
  [['api', 'POST', '/development-packs/use', '-F', 'days=1'], 8],
] as const) {
  test(`Ctrl-C while the workspace has not answered "fn ${argv.join(' ')}" ends with ${expected}`, async () => {
    const stop = new AbortController();
    const silent = createServer(() => stop.abort());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port: silentPort } = silent.address() as AddressInfo;
    const env = {
      HOME: aFolder(),
      FN_BASE_URL: `http://127.0.0.1:${silentPort}`,
      FN_WORKSPACE: 'acme',
      FN_TOKEN: 'fn_test_token',
    };
    const { exitCode, out, err } = await runFn(argv, { cwd: aFolder(), env, signal: stop.signal });
    silent.closeAllConnections();
    silent.close();
    assert.equal(out, '');
    assert.equal(exitCode, expected, err);
  });
}

for (const argv of [
  ['template', 'list'],
  ['template', 'send', 'order_shipped', '--to', '+4930901820', '--body', 'Ann'],
  ['link', '--phone', '+4930901820'],
  ['api', 'workspace.show'],
]) {
  test(`Ctrl-C before "fn ${argv.join(' ')}" has asked the workspace of the app ends with 130`, async () => {
    const { exitCode, out, err } = await runFn(argv, { ...anApp(), signal: AbortSignal.abort() });
    assert.equal(out, '');
    assert.equal(exitCode, 130, err);
    assert.match(err, /Stopped/);
  });
}
