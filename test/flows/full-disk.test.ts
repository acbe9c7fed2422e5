import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { bin } from '../cli/fn-process.ts';
import { json, type Weather, weather } from '../client/server.ts';
import { anApp, answering, type Elsewhere, elsewhere, read, shout } from '../deploy/elsewhere.ts';

let folder = '';
let remote: Elsewhere;
let server: Weather | undefined;
before(async () => {
  remote = await elsewhere();
});
after(() => remote.close());
beforeEach(() => {
  folder = anApp({ 'functions/api/greet.js': answering('one'), 'lib/shout.js': shout });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Runs `fn` where files can be made and nothing can be written into them, as on a full disk. */
async function onFullDisk(argv: readonly string[], env: Record<string, string>, input = '', blocks = '0') {
  const limited = `trap "" XFSZ; ulimit -f ${blocks}; exec "$@"`;
  const child = spawn('sh', ['-c', limited, 'sh', process.execPath, bin, ...argv], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1', ...env },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const texts = [child.stdout, child.stderr].map(async (one) => (await one.setEncoding('utf8').toArray()).join(''));
  const [[exitCode], out = '', err = ''] = await Promise.all([once(child, 'close'), ...texts]);
  assert.doesNotMatch(err, /^ {4}at |fn has a bug/m, err);
  return { exitCode: exitCode as number | null, out, err };
}

const locks = () => readdirSync(folder, { recursive: true }).filter((path) => String(path).endsWith('.lock'));

async function sends(...more: string[]) {
  server = await weather((_, response) => json(response, 200, {}));
  const argv = ['template', 'send', 'order_shipped', ...more];
  return await onFullDisk(argv, { FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 't' });
}

suite('on a full disk', { skip: process.platform === 'win32' && 'the limit on files is of Unix' }, () => {
  test('a message is not sent, because its journal cannot be written', async () => {
    const { exitCode, out, err } = await sends('--to', '+4930901820', '--body', 'Ann');
    assert.deepEqual([exitCode, out, server?.arrived.length], [1, '', 0], err);
    assert.match(err, /journal of sends cannot be written[\s\S]*Nothing was sent/);
  });

  test('a list is not sent', async () => {
    writeFileSync(join(folder, 'list.csv'), 'to,1\n+4930901820,Ann\n');
    const { exitCode, err } = await sends('--from-csv', 'list.csv');
    assert.deepEqual([exitCode, server?.arrived.length], [1, 0], err);
    assert.match(err, /cannot be created[\s\S]*space on the disk/);
    assert.deepEqual(locks(), []);
  });

  test('a list whose disk runs full stops, and the repeat sends exactly the rest', async () => {
    const keys = new Set<string>();
    const to = new Set<string>();
    server = await weather(({ headers, body }, response) => {
      keys.add(String(headers['idempotency-key']));
      to.add(JSON.parse(body).to);
      json(response, 200, { conversationId: 'cnv_1', conversationUrl: 'https://x/c', messageId: 'm', customerId: 'c' });
    });
    const numbers = Array.from({ length: 40 }, (_, i) => `+49309018${i + 10},Ann`);
    writeFileSync(join(folder, 'list.csv'), ['to,1', ...numbers].join('\n'));
    const argv = ['template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--rate', '1000'];
    const env = { FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 't' };
    const first = await onFullDisk(argv, env, '', '2');
    assert.equal(first.exitCode, 10, first.err);
    assert.match(first.out + first.err, /list\.csv\.resume\.jsonl cannot be written/);
    assert.ok(to.size > 0 && to.size < 40, String(to.size));
    const again = await onFullDisk(argv, env, '', 'unlimited');
    assert.equal(again.exitCode, 0, again.err);
    assert.deepEqual([to.size, keys.size], [40, 40]);
  });

  test('a login stores nothing, and leaves no lock behind', async () => {
    const argv = ['login', `${remote.url}/tenants/acme`, '--token-stdin'];
    const { exitCode, out, err } = await onFullDisk(argv, {}, remote.token);
    assert.deepEqual([exitCode, out], [1, ''], err);
    assert.match(err, /space on the disk/);
    assert.ok(!existsSync(join(folder, '.config/fn/credentials.json')));
    assert.deepEqual(locks(), []);
  });

  test('a deploy goes through: what is remembered of it here is not needed', async () => {
    const { exitCode, err } = await onFullDisk(['deploy'], remote.env);
    assert.equal(exitCode, 0, err);
    assert.deepEqual(locks(), []);
    const live = await remote.local.door()('deployments.show', { app: 'order-desk', id: 'live' });
    assert.equal(live.manifest.length, 1);
  });

  test('a build whose bundles find no room says no: nothing is wrong with the functions', async () => {
    const { exitCode, out, err } = await onFullDisk(['build', '--out', 'out'], {});
    assert.deepEqual([exitCode, out], [1, ''], err);
    assert.match(err, /greet\.js\.map cannot be written[\s\S]*space on the disk/);
  });

  test('doctor says that the state cannot be written, whatever the permissions are', async () => {
    mkdirSync(join(folder, '.fn'), { mode: 0o700 });
    const { exitCode, out } = await onFullDisk(['doctor'], {});
    assert.equal(exitCode, 3, out);
    assert.match(out, /wrong +state +.*\.fn cannot be written: .*\n.*space on the disk/);
    assert.deepEqual(readdirSync(join(folder, '.fn')), []);
  });

  test('a pull writes nothing, and leaves what is here as it is', async () => {
    writeFileSync(join(folder, 'functions/api/greet.js'), '// edited\n');
    rmSync(join(folder, 'lib'), { recursive: true });
    const { exitCode, err } = await onFullDisk(['pull', '--force'], remote.env);
    assert.equal(exitCode, 1, err);
    assert.match(err, /space on the disk/);
    assert.equal(read(folder, 'functions/api/greet.js'), '// edited\n');
    assert.ok(!existsSync(join(folder, 'lib')));
  });
});
