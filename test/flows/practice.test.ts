import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { loginLine } from '../../src/cli/dev/login-line.ts';
import { curlLine } from '../../src/console/model/command-lines.ts';
import { runFn } from '../cli/context.ts';
import { type Spawned, spawnFn } from '../cli/fn-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

describe('fn dev --practice', () => {
  const home = temporaryFolder('fn-practice');
  const empty = join(home, 'empty');
  const app = join(home, 'app');
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'my state') };
  let served: Spawned;
  let ready: {
    url: string;
    app: string;
    login: string;
    functions: unknown[];
    workspace: { slug: string; url: string };
  };

  before(async () => {
    mkdirSync(empty);
    mkdirSync(join(app, 'functions'), { recursive: true });
    // An app of the same name as the workspace: nothing of it may be mistaken for a folder's.
    writeFileSync(join(app, 'fn.config.json'), '{"version": 1, "app": "practice"}');
    writeFileSync(
      join(app, 'functions/hello.js'),
      "export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };\nexport default () => 'hello';\n",
    );
    served = spawnFn(['dev', '--practice', '--port', '0', '--json'], { cwd: empty, env });
    ready = await new Promise((resolve, reject) => {
      let text = '';
      served.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const line = text.split('\n').find((one) => one.includes('"type":"ready"'));
        if (line !== undefined) resolve(JSON.parse(line));
      });
      void served.ended.then(({ err }) => reject(new Error(err)));
    });
  });
  after(async () => {
    served.child.kill('SIGTERM');
    await served.ended;
  });

  test('serves in an empty folder, and leaves it empty', () => {
    assert.equal(ready.workspace.slug, 'practice');
    assert.deepEqual(ready.functions, []);
    assert.deepEqual(readdirSync(empty), []);
  });

  test('prints the command that logs in, with its token on standard input', async () => {
    const [, address = '', file = ''] = /^fn login (\S+) --token-stdin < '(.+)'$/.exec(ready.login) ?? [];
    assert.equal(address, ready.workspace.url);
    const input = readFileSync(file, 'utf8');
    const { exitCode, out, err } = await runFn(['login', address, '--token-stdin'], { cwd: app, env, input });
    assert.equal(exitCode, 0, err);
    assert.match(out, /fn deploy goes to practice; other commands in this app stay on this machine/);
  });

  test('is deployed to, called, and goes back to an earlier version', async () => {
    const fn = (...argv: string[]) => runFn(argv, { cwd: app, env });
    const first = await fn('deploy', '--json');
    assert.equal(first.exitCode, 0, first.err);
    assert.equal(JSON.parse(first.out).workspace, 'practice');
    assert.equal((await fn('invoke', 'hello', '--remote')).out.trim(), '"hello"');
    writeFileSync(
      join(app, 'functions/hello.js'),
      readFileSync(join(app, 'functions/hello.js'), 'utf8').replace("=> 'hello'", "=> 'changed'"),
    );
    assert.equal((await fn('deploy')).exitCode, 0);
    assert.equal((await fn('invoke', 'hello', '--remote')).out.trim(), '"changed"');
    assert.equal((await fn('rollback')).exitCode, 0);
    assert.equal((await fn('invoke', 'hello', '--remote')).out.trim(), '"hello"');
  });

  test('shows on its pages lines that work for it in any folder', { skip: process.platform === 'win32' }, async () => {
    const [, file = ''] = / < '(.+)'$/.exec(ready.login) ?? [];
    const headers = { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` };
    const shown = await (await fetch(ready.url, { headers })).text();
    const [, told = ''] = / data-token-file="([^"]+)"/.exec(shown) ?? [];
    assert.match(told, /my state\/fn\/practice\/\.fn\/local-token/);
    const call = {
      method: 'POST',
      url: `${ready.url}/api/practice/custom-functions/practice/hello.js`,
      auth: 'token',
    } as const;
    const { stdout } = await run('/bin/sh', ['-c', `${curlLine({ ...call, body: {} }, told)} --silent`], {
      cwd: empty,
    });
    assert.equal(stdout, '"hello"');
    const asked = await (await fetch(ready.url)).text();
    assert.doesNotMatch(asked, /local-token/);
    assert.match(asked, /the terminal of <code>fn dev --practice<\/code>/);
  });

  test('runs once per user', async () => {
    const { exitCode, err } = await runFn(['dev', '--practice'], { cwd: app, env });
    assert.notEqual(exitCode, 0);
    assert.match(err, /"fn dev --practice" is already running/);
  });

  test('is not combined with --relay', async () => {
    const { exitCode, err } = await runFn(['dev', '--practice', '--relay'], { cwd: empty, env });
    assert.equal(exitCode, 2);
    assert.match(err, /--practice and --relay cannot be combined/);
  });
});

test('the line to log in is written for the shell of the system', () => {
  assert.equal(loginLine('http://x/tenants/p', '/a/t', 'linux'), 'fn login http://x/tenants/p --token-stdin < /a/t');
  assert.equal(loginLine('http://x', "/it's/t", 'darwin'), "fn login http://x --token-stdin < '/it'\\''s/t'");
  assert.equal(
    loginLine('http://x', "C:\\it's\\t", 'win32'),
    "Get-Content 'C:\\it''s\\t' | fn login http://x --token-stdin",
  );
});
