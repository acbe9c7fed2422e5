import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { parseFunctionConfig } from '../../src/contract/function-config/index.ts';
import { homePage } from '../../src/emulator/pages/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { anEmulator, token } from './an-emulator.ts';

/** The requests that stand on the page as curl lines with a body. */
function requestsIn(page: string): { url: string; body: string }[] {
  const text = page.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  return [...text.matchAll(/curl -X POST (\S+) .* -d '(.*?)'/g)].map(([, url = '', body = '']) => ({ url, body }));
}

const seed = JSON.parse(await readFile(packageFile('templates/app/seed.json'), 'utf8'));
const emulators = { 'the default seed': await anEmulator(), 'the seed of an app': await anEmulator({ seed }) };

for (const [title, { url, ask }] of Object.entries(emulators)) {
  test(`what the home page says of the apps of every workspace works when it is pasted, with ${title}`, async () => {
    const page = await fetch(`${url}/`, { headers: { authorization: `Bearer ${token}` } });
    const requests = requestsIn(await page.text());
    assert.deepEqual(
      requests.map((request) => request.url.slice(request.url.indexOf('/custom-functions/') + 18)).sort(),
      [
        'session-link-app/api/session/link.js',
        'template-app/api/template/send.js',
        'template-app/api/template/upload-credentials.js',
      ],
    );
    for (const { url: address, body } of requests) {
      const answer = await ask(address.slice(address.indexOf('/custom-functions/')), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      assert.ok(answer.ok, `${address} ${body}: ${await answer.text()}`);
    }
  });
}

test('how to call a function depends on whether its app is in development here', () => {
  const config = parseFunctionConfig(
    { type: 'ai-tool', name: 'refund', description: 'Refunds an order', input: { type: 'object' } },
    { app: 'shop', name: 'refund' },
  );
  const linesFor = (isLocal: boolean) => {
    const functions = [{ name: 'tools/refund', path: 'tools/refund.js', type: config.type, config }];
    const apps = [{ app: 'shop', installed: true, isLocal, functions }];
    return homePage({ workspace: { name: 'Shop', slug: 'dev' }, baseUrl: url, apps }).html;
  };
  const url = 'http://127.0.0.1:4400';
  assert.match(linesFor(true), />fn invoke tools\/refund</);
  assert.match(linesFor(false), />fn api functions\.invoke -f app=shop -f name=tools\/refund</);
});
