import assert from 'node:assert/strict';
import { request } from 'node:http';
import test, { after, before } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { until } from '../until.ts';
import { anEmulator, everyone, type Functions, method } from './an-emulator.ts';

const skip = noChromium;

const panel = (word: string): Functions => ({
  'api/name': method('return { name: (await sdk.request.json()).id };'),
  'views/panel': {
    config: { type: 'custom-view', title: 'Order panel', placement: 'conversation' },
    body: `
      const line = document.createElement('p');
      line.id = 'line';
      const tell = (customer) => { line.textContent = '${word} ' + (customer?.name ?? 'nobody'); };
      tell(sdk.customer);
      sdk.view.on('context', ({ customer }) => tell(customer));
      const facts = document.createElement('pre');
      facts.id = 'facts';
      const reached = await fetch(location.href.replace(/views.*/, 'api/dev/customers')).then(() => 'yes', () => 'no');
      let parent; try { parent = String(window.parent.document.title); } catch (error) { parent = error.name; }
      let cookie; try { cookie = document.cookie; } catch (error) { cookie = error.name; }
      const refused = await sdk.conversations.get({ id: 'cnv_none' }).catch((error) => error.name + ' ' + error.code);
      facts.textContent = JSON.stringify({ method: await sdk.methods.call('api/name', { id: 'x' }), origin: self.origin, reached, parent, cookie, refused, user: typeof sdk.user?.id, sends: typeof sdk.messages.send });
      const thrower = document.createElement('button');
      thrower.id = 'thrower';
      thrower.onclick = () => { throw new Error('boom in the view'); };
      const asker = document.createElement('button');
      asker.id = 'asker';
      asker.onclick = async () => { asker.textContent = String(await sdk.ui.confirm('Really?')); };
      sdk.view.container.append(line, facts, thrower, asker);`,
  },
});

const textOf = async (locator: Locator) => (await locator.textContent()) ?? '';

const shop = await anEmulator();
const { emulator, url, source, events } = shop;
let browser: Browser;
before(async () => {
  if (!skip) browser = await openChromium();
});
after(() => browser?.close());

test('a Custom View runs in its frame, sees what the page tells it, and reaches nothing else', {
  skip,
  timeout: 60_000,
}, async () => {
  source.change(panel('Hello'));
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(emulator.openUrl('/views/shop/views/panel'));
  assert.equal(page.url(), `${url}/views/shop/views/panel`);
  const frame = page.frameLocator('iframe:not([hidden])');
  assert.match(await textOf(frame.locator('#line')), /^Hello \S/);
  assert.deepEqual(JSON.parse(await textOf(frame.locator('#facts'))), {
    method: { name: 'x' },
    origin: 'null',
    reached: 'no',
    parent: 'SecurityError',
    cookie: 'SecurityError',
    refused: 'SdkError conversation_not_found',
    user: 'string',
    sends: 'undefined',
  });

  await frame.locator('#asker').click();
  await page.locator('dialog button[value=yes]').click();
  await until('the answer', async () => (await textOf(frame.locator('#asker'))) === 'true');

  const before = await textOf(frame.locator('#line'));
  await page.locator('#seen-with').selectOption({ index: 1 });
  await until('another line', async () => (await textOf(frame.locator('#line'))) !== before);

  await frame.locator('#thrower').click();
  await page.locator('#problem').waitFor({ state: 'visible' });
  assert.match(await textOf(page.locator('#problem')), /boom in the view/);
  assert.ok(await until('the failure', () => events.find(({ type }) => type === 'view-failed')));

  source.change(panel('Changed'));
  await until('the change', async () => (await textOf(frame.locator('#line')).catch(() => '')).startsWith('Changed'));
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 360'), 'it fits 360 pixels');
});

/** A view with one button for each of these, which shows what came of it. */
const asking = (actions: Record<string, string>): Functions => ({
  'api/size': method('return { bytes: (await sdk.request.arrayBuffer()).byteLength };'),
  'views/panel': {
    config: { type: 'custom-view', title: 'Asking', placement: 'conversation' },
    body: Object.entries(actions)
      .map(
        ([id, action]) => `{
          const button = document.createElement('button');
          button.id = button.textContent = '${id}';
          button.onclick = async () => {
            button.textContent = JSON.stringify(await (${action})().catch(({ name, code, message }) => [name, code, message]));
          };
          sdk.view.container.append(button);
        }`,
      )
      .join('\n'),
  },
});

const answerTo = async (page: Page, id: string, meanwhile?: () => Promise<void>): Promise<unknown> => {
  const button = page.frameLocator('iframe:not([hidden])').locator(`#${id}`);
  await button.click();
  await meanwhile?.();
  return JSON.parse(await until(`the answer of ${id}`, async () => (await textOf(button)).replace(id, '')));
};

test('whatever a view asks is answered, also with a refusal', { skip, timeout: 60_000 }, async () => {
  source.change(
    asking({
      questions: "() => Promise.all([sdk.ui.confirm('One?'), sdk.ui.confirm('Two?'), sdk.ui.confirm('Three?')])",
      large: "() => sdk.methods.call('api/size', { text: 'x'.repeat(2_000_000) })",
      larger: "() => sdk.methods.call('api/size', { text: 'x'.repeat(7_000_000) })",
      huge: '() => sdk.customers.get({ id: 10n })',
      code: "() => sdk.methods.call('api/size', { text: 'a', code() {} })",
      upload: "() => sdk.methods.call('api/size', new FormData())",
      gone: '() => sdk.customers.list({ limit: 1 })',
    }),
  );
  const page = await browser.newPage();
  await page.goto(emulator.openUrl('/views/shop/views/panel'));

  const dialog = page.locator('dialog');
  const answers = await answerTo(page, 'questions', async () => {
    await dialog.getByText('One?').waitFor();
    await dialog.locator('button[value=yes]').click();
    await dialog.getByText('Two?').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText('Three?').waitFor();
    await dialog.locator('button[value=yes]').click();
  });
  assert.deepEqual(answers, [true, false, true]);

  assert.deepEqual(await answerTo(page, 'large'), { bytes: 2_000_011 });
  assert.deepEqual(((await answerTo(page, 'larger')) as unknown[]).slice(0, 2), ['SdkError', 'body_too_large']);
  assert.match(
    String(await answerTo(page, 'huge')),
    /^TypeError,,sdk\.customers\.get: the input cannot be sent: .*BigInt/,
  );
  assert.deepEqual(await answerTo(page, 'code'), { bytes: 12 });
  assert.match(
    String(await answerTo(page, 'upload')),
    /^TypeError,,sdk\.methods\.call: the input cannot be sent: body is a FormData, .* Give Object\.fromEntries\(form\)\.$/,
  );

  source.change({});
  assert.deepEqual(((await answerTo(page, 'gone')) as unknown[]).slice(0, 2), ['SdkError', 'function_not_found']);
});

test('a view has the clock of the workspace, also when it is turned', { skip, timeout: 60_000 }, async () => {
  const { clock } = shop;
  source.change({
    'views/panel': {
      config: { type: 'custom-view', title: 'Clock', placement: 'conversation' },
      body: `
        const day = () => { sdk.view.container.textContent = sdk.context.now().toISOString().slice(0, 10); };
        day();
        sdk.view.on('context', day);`,
    },
  });
  clock.set(Date.parse('2031-05-06T12:00:00Z'));
  const page = await browser.newPage();
  await page.goto(emulator.openUrl('/views/shop/views/panel'));
  const view = page.frameLocator('iframe:not([hidden])').locator('#view');
  await view.filter({ hasText: '2031-05-06' }).waitFor();
  await emulator.door(everyone)('clock.advance', { ms: 2 * 86_400_000 });
  await view.filter({ hasText: '2031-05-08' }).waitFor();
});

test('a browser that is not signed in any more is told so, and does not wait', { skip, timeout: 60_000 }, async () => {
  source.change(asking({ list: '() => sdk.customers.list()' }));
  const page = await browser.newPage();
  await page.goto(emulator.openUrl('/views/shop/views/panel'));
  await page.frameLocator('iframe:not([hidden])').locator('#list').waitFor();
  await page.context().clearCookies();
  assert.deepEqual(((await answerTo(page, 'list')) as unknown[]).slice(0, 2), ['SdkError', 'token_missing']);
  await page.locator('#seen-with').selectOption({ index: 1 });
  assert.match(await textOf(page.locator('#problem:visible')), /not signed in any more/);
});

const hide = (page: Page, hidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);

test('tabs that nobody looks at do not keep another one from loading', { skip, timeout: 60_000 }, async () => {
  source.change(panel('Hello'));
  const context = await browser.newContext();
  const lineOf = (page: Page) => page.frameLocator('iframe:not([hidden])').locator('#line');
  const pages: Page[] = [];
  for (let i = 0; i < 7; i++) {
    const page = await context.newPage();
    await page.goto(emulator.openUrl('/views/shop/views/panel'));
    assert.match(await textOf(lineOf(page)), /^Hello/);
    await hide(page, true);
    pages.push(page);
  }

  source.change(panel('Changed'));
  const [first] = pages;
  assert.ok(first);
  assert.match(await textOf(lineOf(first)), /^Hello/);
  await hide(first, false);
  await until('the change', async () => (await textOf(lineOf(first)).catch(() => '')).startsWith('Changed'));
});

test('what is saved just when somebody comes back to a page is shown', { skip, timeout: 60_000 }, async () => {
  source.change(panel('Hello'));
  const page = await browser.newPage();
  await page.goto(emulator.openUrl('/views/shop/views/panel'));
  await page.locator('#state').getByText('live').waitFor();
  await hide(page, true);
  const saved = Promise.withResolvers<void>();
  await page.route('**/events', async (route) => {
    await saved.promise;
    await route.continue();
  });
  const connecting = page.waitForRequest('**/events');
  await hide(page, false);
  await connecting;
  // By then, whatever the page had asked before is answered.
  await page.evaluate("fetch(location.pathname + '/start').then((answer) => answer.text())");
  source.change(panel('Changed'));
  saved.resolve();
  await page.frameLocator('iframe:not([hidden])').locator('#line').filter({ hasText: 'Changed' }).waitFor();
});

/** Asks as a tunnel does: what came by https goes on without, under the name that the browser knows. */
function throughTunnel(
  port: number,
  path: string,
  { method = 'GET', headers = {} as Record<string, string>, body = '' },
) {
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers }, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string>, body: bytes });
    })
      .on('error', reject)
      .end(body);
  });
}

test('a view is seen through a tunnel that speaks https', { skip, timeout: 60_000 }, async () => {
  source.change({
    'views/panel': {
      config: { type: 'custom-view', title: 'Far', placement: 'page' },
      body: "sdk.view.container.textContent = 'seen from far';",
    },
  });
  const host = 'tunnel.example';
  const { port } = await emulator.listen({ port: 0, strict: true, allowHosts: [host] });
  const code = new URL(emulator.openUrl('/'));
  const signedIn = await throughTunnel(port, code.pathname + code.search, { headers: { host } });
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';');
  const page = await browser.newPage();
  await page.route(`https://${host}/**`, async (route) => {
    const asked = route.request();
    const { pathname, search } = new URL(asked.url());
    if (pathname.includes('/events/stream') || pathname.endsWith('/panel/events')) return route.abort();
    const { authorization = '', 'content-type': type = 'application/json' } = await asked.allHeaders();
    const headers = { host, cookie, 'content-type': type, ...(authorization !== '' && { authorization }) };
    const body = asked.postData() ?? '';
    await route.fulfill(await throughTunnel(port, pathname + search, { method: asked.method(), headers, body }));
  });
  await page.goto(`https://${host}/views/shop/views/panel`);
  await page.frameLocator('iframe:not([hidden])').getByText('seen from far').waitFor();
});
