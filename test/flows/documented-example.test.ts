import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { App, type Dev } from './app.ts';

const run = promisify(execFile);

const noCurl = spawnSync('curl', ['--version']).status === 0 ? false : 'there is no curl on this machine';

suite('the documented example', { skip: noCurl }, () => {
  const app = new App();
  let dev: Dev;
  let sent: { conversationId: string; conversationUrl: string };
  before(async () => {
    dev = await app.dev();
    const { stdout } = await run('curl', [
      '--silent',
      '--fail-with-body',
      ...['--request', 'POST', `${dev.ready.url}/api/dev/custom-functions/template-app/api/template/send.js`],
      ...['--header', `Authorization: Bearer ${dev.ready.token}`, '--header', 'Content-Type: application/json'],
      ...['--data', '{"to": "+4915112345678", "template": "order_shipped", "variables": {"body": ["Ann", "A-17"]}}'],
    ]);
    sent = JSON.parse(stdout);
  });
  after(() => dev.stop());

  test('curl and a token send a template to a new number', () => {
    assert.match(sent.conversationId, /^cnv_/);
    assert.equal(sent.conversationUrl, `${dev.ready.url}/tenants/dev/conversations/${sent.conversationId}`);
  });

  test('a browser that is not signed in is asked for a token at the direct link, and goes on to it', async () => {
    const asked = await fetch(sent.conversationUrl);
    const page = await asked.text();
    assert.equal(asked.status, 401);
    assert.match(page, new RegExp(`fn open ${sent.conversationId}`));
    assert.ok(!page.includes('A-17'));
    const form = new URLSearchParams({ token: dev.ready.token, next: new URL(sent.conversationUrl).pathname });
    const signedIn = await fetch(`${dev.ready.url}/session`, { method: 'POST', body: form, redirect: 'manual' });
    assert.equal(signedIn.headers.get('location'), new URL(sent.conversationUrl).pathname);
    await requireShown(signedIn.headers.get('set-cookie'));
  });

  test('a page that is asked for with a token does not say where the app’s folder is', async () => {
    const headers = { authorization: `Bearer ${dev.ready.token}` };
    const shown = await fetch(sent.conversationUrl, { headers });
    assert.equal(shown.status, 200);
    assert.doesNotMatch(await shown.text(), /data-app-folder/);
  });

  test('fn open leads to any page or id, and says what it does not know', async () => {
    for (const [word, path] of [
      ['runs', '/runs'],
      ['functions', '/'],
      ['inv_01JD3V8Q6W7Z', '/invocations/inv_01JD3V8Q6W7Z'],
    ] as const) {
      const { exitCode, out, err } = await app.fn(['open', word, '--print']);
      assert.equal(exitCode, 0, err);
      assert.equal(new URL(out.trim()).pathname, path);
    }
    const { exitCode, err } = await app.fn(['open', 'nowhere', '--print']);
    assert.equal(exitCode, 2);
    assert.match(err, /page_unknown|The console has no page "nowhere"/);
  });

  test('fn open leads a browser to the direct link, signed in', async () => {
    const { exitCode, out, err } = await app.fn(['open', sent.conversationId, '--print']);
    assert.equal(exitCode, 0, err);
    const first = await fetch(out.trim(), { redirect: 'manual' });
    assert.equal(first.headers.get('location'), new URL(sent.conversationUrl).pathname);
    await requireShown(first.headers.get('set-cookie'));
  });

  async function requireShown(setCookie: string | null): Promise<void> {
    const cookie = (setCookie ?? '').split(';')[0] ?? '';
    const shown = await fetch(sent.conversationUrl, { headers: { cookie } });
    assert.equal(shown.status, 200);
    // The console, which asks for the conversation itself.
    const page = await shown.text();
    assert.match(page, /<html lang="en" data-slug="dev"[ >]/);
    assert.match(page, / data-app-folder="/);
  }
});
