import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { curlLine } from '../../src/console/model/command-lines.ts';
import { atMostOften } from '../../src/emulator/http/pages/at-most-often.ts';
import { packageFile } from '../../src/std/index.ts';
import { anEmulator, everyone, token } from './an-emulator.ts';

const seed = JSON.parse(await readFile(packageFile('templates/app/seed.json'), 'utf8'));
const emulators = { 'the default seed': await anEmulator(), 'the seed of an app': await anEmulator({ seed }) };

for (const [title, { emulator, ask }] of Object.entries(emulators)) {
  test(`the line for each method of the apps of every workspace works, with ${title}`, async () => {
    const door = emulator.door(everyone);
    const tried: string[] = [];
    for (const { app } of (await door('apps.list', {})).items) {
      for (const { name, url, config } of (await door('functions.list', { app })).items) {
        const { expose } = config as { expose?: { methods: string[] } };
        if (url === null || !expose?.methods.includes('POST')) continue;
        const [fixture] = (await door('fixtures.list', { app, function: name })).items;
        const line = curlLine({ method: 'POST', url, auth: 'token', body: fixture?.input ?? {} });
        const body = (/ -d '(.*)'$/.exec(line)?.[1] ?? '').replaceAll("'\\''", "'");
        const answer = await ask(url.slice(url.indexOf('/custom-functions/')), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        assert.ok(answer.ok, `${line}: ${await answer.text()}`);
        tried.push(`${app}/${name}`);
      }
    }
    assert.deepEqual(tried.sort(), [
      'session-link-app/api/session/link',
      'template-app/api/template/send',
      'template-app/api/template/upload-credentials',
    ]);
  });
}

test('an unknown page answers 404 with a link to the inbox, and a lost session leads to /', async () => {
  const { url } = emulators['the default seed'];
  const get = (path: string) =>
    fetch(url + path, { redirect: 'manual', headers: { accept: 'text/html', authorization: `Bearer ${token}` } });
  const missing = await get('/tenants/dev/nothing');
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /<a href="\/tenants\/dev">Inbox<\/a>/);
  // Where a refused token leaves the address bar.
  const session = await get('/session');
  assert.deepEqual([session.status, session.headers.get('location')], [303, '/']);
  // Browsers look for it beside documents that are no pages.
  assert.equal((await fetch(`${url}/favicon.ico`)).status, 204);
});

test('a fixture of an app that is not in development here is not saved', async () => {
  const door = emulators['the default seed'].emulator.door(everyone);
  const fixture = { name: 'mine', input: { a: 1 } };
  const refused = async (input: { app: string; function: string; name: string; input: object }) =>
    door('fixtures.save', input as never).then(
      () => 'saved',
      (error: { code: string }) => error.code,
    );
  assert.equal(await refused({ app: 'template-app', function: 'api/template/send', ...fixture }), 'fixture_unsavable');
  assert.equal(await refused({ app: 'template-app', function: 'none', ...fixture }), 'function_not_found');
  assert.equal(await refused({ app: 'none', function: 'none', ...fixture }), 'app_unknown');
  for (const name of ['../out', 'a/b', '', '.hidden', 'x'.repeat(101)])
    assert.equal(await refused({ app: 'shop', function: 'a', ...fixture, name }), 'input_invalid', name);
});

test('a page is told of many quick changes once, and always of the last one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let told = 0;
  const { changed, stop } = atMostOften(() => told++);
  for (let i = 0; i < 1_000; i++) changed();
  t.mock.timers.tick(1_000);
  assert.equal(told, 1);
  changed();
  t.mock.timers.tick(1_000);
  assert.equal(told, 2);
  changed();
  stop();
  t.mock.timers.tick(1_000);
  assert.equal(told, 2);
});
