import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, FrameLocator, Page, Route } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { App, type Dev } from './app.ts';

const seed = {
  version: 1,
  customers: [
    {
      name: '🎉 Party',
      phone: '+4930901820100',
      fields: { tier: 'gold', note: 'x'.repeat(300), a_field_with_a_long_name_and_without_spaces: 'long field' },
      conversations: [
        { channel: 'messaging-app', messages: [{ from: 'customer', text: 'one\ntwo', at: '-1m' }] },
        { channel: 'web-chat', messages: [{ from: 'customer', text: 'from the web', at: '-2m' }] },
      ],
    },
  ],
};

suite('the view that fn init makes', { skip: noChromium }, () => {
  let app: App;
  let dev: Dev;
  let browser: Browser;
  let page: Page;
  let frame: FrameLocator;

  before(async () => {
    app = new App({ 'seed.json': JSON.stringify(seed) });
    const made = await app.fn(['init', 'panel', '--type', 'custom-view', '--yes']);
    assert.equal(made.exitCode, 0, made.err);
    [dev, browser] = await Promise.all([app.dev(), openChromium()]);
    page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(dev.ready.openUrl);
    await page.goto(dev.ready.functions.find(({ type }) => type === 'custom-view')?.url ?? '');
    frame = page.frameLocator('iframe:not([hidden])');
  });
  after(async () => {
    await browser?.close();
    await dev?.stop();
  });

  test('it shows whatever a customer is called, writes and has as fields', async () => {
    assert.equal(await frame.locator('.avatar').textContent(), '🎉P');
    const beyond = await frame.locator('.panel').evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(beyond, 0, 'it fits 390 pixels');
    assert.equal(await frame.getByText('gold').isVisible(), true);
    assert.deepEqual(await frame.locator('li p').allInnerTexts(), ['one\ntwo']);
  });

  test('it shows the conversation that was opened last, though the answer for another comes later', async () => {
    const late = Promise.withResolvers<void>();
    const holdBack = async (route: Route) => {
      await late.promise;
      await route.continue();
    };
    await page.route('**/call', holdBack, { times: 1 });
    const asked = page.waitForRequest('**/call');
    await page.locator('#seen-with').selectOption({ index: 1 });
    await asked;
    const answered = page.waitForResponse('**/call');
    await page.locator('#seen-with').selectOption({ index: 0 });
    await answered;
    const overtaken = page.waitForResponse('**/call');
    late.resolve();
    await (await overtaken).finished();
    // By then the page has passed that answer on, and the view has taken it.
    await page.evaluate("fetch(location.pathname + '/start').then((answer) => answer.text())");
    await frame.locator('body').evaluate('new Promise((resolve) => setTimeout(resolve))');
    await frame.getByText('one').waitFor();
    assert.equal(await frame.getByText('from the web').count(), 0);
  });
});
