import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { App, aMethod, type Dev } from './app.ts';

suite('while a function does not build, its last good version runs', () => {
  let app: App;
  let dev: Dev;
  const broken = 'export const config = {';
  const build = async (text: string, type: string) => {
    const since = dev.lines.length;
    app.write('functions/greet.js', text);
    await dev.event((line) => line.type === type && line['name'] === 'greet', since);
  };
  const ask = () =>
    fetch(`${dev.ready.url}/api/dev/custom-functions/flow/greet.js`, {
      headers: { authorization: `Bearer ${dev.ready.token}` },
    });
  /** What the page of all functions reads, and shows with its own words. */
  const builds = async () => (await app.fn(['api', 'builds.list', '--json'])).out;

  before(async () => {
    app = new App({
      'functions/greet.js': aMethod("'hello'"),
      'functions/fails.js': aMethod("(() => { throw new Error('no') })()"),
    });
    dev = await app.dev();
    assert.equal(await (await ask()).text(), '"hello"');
  });
  after(() => dev.stop());

  test('nothing is said of a current version', async () => {
    const { err } = await app.fn(['invoke', 'greet']);
    assert.equal(err, '');
    assert.equal('stale' in JSON.parse((await app.fn(['invoke', 'greet', '--json'])).out), false);
    assert.equal((await ask()).headers.get('x-fn-stale'), null);
  });

  test('fn invoke says so on standard error, and in --json', async () => {
    await build(broken, 'build-failed');
    const { exitCode, out, err } = await app.fn(['invoke', 'greet']);
    assert.deepEqual([exitCode, out], [0, '"hello"\n']);
    assert.match(err, /^stale .* does not build: the last good version ran\. To see why: fn build\n$/);
    const json = await app.fn(['invoke', 'greet', '--json']);
    assert.equal(JSON.parse(json.out).stale, true);
    assert.equal(json.err, '');
  });

  test('an answer over HTTP carries X-Fn-Stale', async () => {
    const response = await ask();
    assert.deepEqual([response.status, response.headers.get('x-fn-stale')], [200, 'true']);
  });

  test('the list of builds, which the page of all functions shows, has it with its line', async () => {
    const { items } = JSON.parse(await builds()) as { items: { function: string; state: string; problem: unknown }[] };
    const greet = items.find((build) => build.function === 'greet');
    assert.equal(greet?.state, 'stale');
    assert.ok(greet?.problem);
  });

  test('once it builds again, nothing is said any more', async () => {
    await build(aMethod("'mended'"), 'built');
    const response = await ask();
    assert.deepEqual([await response.text(), response.headers.get('x-fn-stale')], ['"mended"', null]);
    assert.equal((await app.fn(['invoke', 'greet'])).err, '');
    assert.doesNotMatch(await builds(), /"state":\s*"stale"/);
  });

  test('a failure of the last good version says so, too', async () => {
    await app.fn(['invoke', 'fails']);
    const since = dev.lines.length;
    app.write('functions/fails.js', broken);
    await dev.event((line) => line.type === 'build-failed' && line['name'] === 'fails', since);
    const { exitCode, err } = await app.fn(['invoke', 'fails']);
    assert.equal(exitCode, 5);
    assert.match(err, /^stale /);
    const json = await app.fn(['invoke', 'fails', '--json']);
    assert.equal(JSON.parse(json.err).error.stale, true);
  });
});
