import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { suite, test } from 'node:test';
import { App, aMethod } from './app.ts';

const files = { 'functions/count.js': aMethod("sdk.store.increment('count')") };
const asideIn = (app: App) => readdirSync(app.root).filter((name) => name.startsWith('.fn-set-aside-'));

suite('state that arrives with a cloned repository', () => {
  test('is set aside with a sentence and not used, and is taken back by fn workspace adopt', async () => {
    const theirs = new App(files);
    assert.equal((await theirs.fn(['invoke', 'count'])).out, '1\n');
    const token = theirs.read('.fn/local-token');
    const clone = new App(files);
    cpSync(theirs.path('.fn'), clone.path('.fn'), { recursive: true });

    const first = await clone.fn(['invoke', 'count']);
    assert.deepEqual([first.exitCode, first.out], [0, '1\n'], 'their count is not continued');
    const [aside = ''] = asideIn(clone);
    assert.equal(
      first.err,
      `! .fn was not made by you on this machine in this folder: it is set aside as ${aside}, and not used. If it is yours: fn workspace adopt\n`,
    );
    assert.notEqual(clone.read('.fn/local-token'), token);
    assert.equal(clone.read(`${aside}/local-token`), token);
    assert.deepEqual((await clone.fn(['invoke', 'count'])).err, '', 'said once');

    const unasked = await clone.fn(['workspace', 'adopt']);
    assert.equal(unasked.exitCode, 2);
    assert.match(unasked.err, /--yes/);
    const adopted = await clone.fn(['workspace', 'adopt', '--yes', '--json']);
    assert.equal(adopted.exitCode, 0, adopted.err);
    const { adopted: name, setAside } = JSON.parse(adopted.out);
    assert.deepEqual([name, asideIn(clone)], [aside, [setAside]]);
    assert.deepEqual(await clone.fn(['invoke', 'count']), { exitCode: 0, out: '2\n', err: '' });
    assert.equal(clone.read('.fn/local-token'), token);
  });

  test('fn dev does not use it either, nor what it says of a running fn dev', async () => {
    const theirs = new App(files);
    await theirs.fn(['invoke', 'count']);
    const token = theirs.read('.fn/local-token').trim();
    const clone = new App(files);
    cpSync(theirs.path('.fn'), clone.path('.fn'), { recursive: true });
    const dev = await clone.dev();
    assert.notEqual(dev.ready.token, token);
    const asked = await fetch(`${dev.ready.url}/api/dev/workspace`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(asked.status, 401);
    assert.equal((await clone.fn(['workspace', 'adopt', '--yes'])).exitCode, 1, 'not while fn dev runs');
    await dev.stop();
  });

  test('a copy of an app whose fn dev runs is not taken for that app once it is adopted', async () => {
    const original = new App(files);
    const dev = await original.dev();
    try {
      const copy = new App(files);
      // Not what can be made again: fn dev may be writing it.
      const isState = (path: string) => !/\/(?:types|cache)$/.test(path);
      cpSync(original.path('.fn'), copy.path('.fn'), { recursive: true, filter: isState });
      const refused = await copy.fn(['invoke', 'count']);
      assert.equal(refused.exitCode, 1);
      assert.match(refused.err, /process \d+ may be using it\n→ .*fn workspace adopt/);
      assert.equal((await copy.fn(['workspace', 'adopt', '--yes'])).exitCode, 0);
      const counted = await copy.fn(['invoke', 'count']);
      assert.deepEqual([counted.exitCode, counted.out], [0, '1\n'], counted.err);
      assert.equal((await original.fn(['invoke', 'count'])).out, '1\n', 'the original has not heard of it');
    } finally {
      await dev.stop();
    }
  });

  test('what an earlier deploy from it remembers does not count', async () => {
    const clone = new App({ ...files, '.fn/deploys.json': '{}' });
    await clone.fn(['status'], { env: { FN_BASE_URL: 'http://127.0.0.1:9', FN_WORKSPACE: 'acme', FN_TOKEN: 't' } });
    assert.equal(asideIn(clone).length, 1);
    assert.ok(!existsSync(clone.path('.fn/deploys.json')));
  });

  test('in a container that shares the folder, adopting in place leaves it to the machine as well', async () => {
    const app = new App(files);
    await app.fn(['invoke', 'count']);
    const container = { env: { HOME: new App().root } };
    const adopted = await app.fn(['workspace', 'adopt', '--yes'], container);
    assert.deepEqual([adopted.exitCode, adopted.out], [0, '.fn is yours from now on.\n']);
    assert.deepEqual(await app.fn(['invoke', 'count'], container), { exitCode: 0, out: '2\n', err: '' });
    assert.deepEqual(await app.fn(['invoke', 'count']), { exitCode: 0, out: '3\n', err: '' });
    assert.equal((await app.fn(['workspace', 'adopt', '--yes'])).exitCode, 2, 'there is nothing to adopt');
  });

  test('a home that cannot be written does not keep anybody from working', {
    skip: process.platform === 'win32',
  }, async () => {
    const app = new App(files);
    const homeless = { env: { HOME: '/proc/nowhere' } };
    assert.equal((await app.fn(['invoke', 'count'], homeless)).out, '1\n');
    assert.deepEqual(await app.fn(['invoke', 'count'], homeless), { exitCode: 0, out: '2\n', err: '' });
  });
});
