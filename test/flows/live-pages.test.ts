import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { until } from '../until.ts';
import { App, aMethod, type Dev } from './app.ts';
import { errorsOf } from './page-errors.ts';

const moment = '2026-03-01T23:30:00Z';
const said = Array.from({ length: 210 }, (_, i) => ({ from: 'customer', text: `message ${i}`, at: moment }));
const customers = Array.from({ length: 60 }, (_, i) => ({
  name: `Customer ${i}`,
  phone: `+493090182${100 + i}`,
  conversations: [
    {
      channel: 'messaging-app',
      messages: i === 0 ? [...said, { from: 'customer', text: 'שלום!', at: '-1m' }] : [said[0]],
    },
  ],
}));

suite('the pages of the workspace while they are looked at', {
  skip: noChromium,
}, () => {
  let app: App;
  let dev: Dev;
  let browser: Browser;
  let page: Page;
  let failures: string[];

  before(async () => {
    app = new App({
      'functions/one.js': aMethod('1'),
      'functions/panel.js':
        "export const config = { type: 'custom-view', title: 'Panel', placement: 'conversation' };\nexport default () => {};\n",
      'seed.json': JSON.stringify({ version: 1, customers }),
    });
    [dev, browser] = await Promise.all([app.dev(), openChromium()]);
    page = await browser.newPage();
    failures = errorsOf(page);
    await page.goto(dev.ready.openUrl);
  });
  after(async () => {
    await browser?.close();
    await dev?.stop();
  });

  const inbox = () => `${dev.ready.url}/tenants/dev`;
  const mark = () => page.evaluate('window.sameDocument = true');
  const isSame = () => page.evaluate('window.sameDocument === true');
  const shows = (text: string) => page.getByText(text).first().waitFor();

  test('a new function appears among the functions, and the focus stays', async () => {
    await mark();
    await page.getByRole('link', { name: 'Inbox' }).focus();
    app.write('functions/two.js', aMethod('2'));
    await shows('/two.js');
    assert.ok(await isSame());
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Inbox');
  });

  test('a message that comes in moves its conversation to the top of the inbox', async () => {
    await page.goto(inbox());
    await mark();
    const { out } = await app.fn(['api', 'conversations.list', '-F', 'limit=3', '--json']);
    const [, second] = JSON.parse(out).items;
    await app.fn(['api', 'messages.receive', '-f', `conversationId=${second.id}`, '-f', 'text=me again']);
    await shows('me again');
    assert.match((await page.locator('.list li').first().textContent()) ?? '', /me again/);
    assert.ok(await isSame());
  });

  test('older conversations are a link away, and back leads back', async () => {
    await page.goto(inbox());
    assert.equal(await page.locator('.list li').count(), 50);
    await page.getByRole('link', { name: 'Older conversations' }).click();
    await page.waitForURL(/cursor=/);
    assert.equal(await page.locator('.list li').count(), 10);
    assert.equal(await page.getByText('Older conversations').count(), 0);
    await page.goBack();
    assert.equal(await page.locator('.list li').count(), 50);
  });

  test('a long conversation says that it begins before what is shown; what is written from right to left is set so', async () => {
    await page.goto(inbox());
    await page.getByRole('link', { name: 'Customer 0', exact: true }).click();
    await shows('The last 200 messages');
    assert.equal(await page.locator('.bubble').count(), 200);
    const direction = "getComputedStyle(document.querySelector('.bubble:last-child [dir]')).direction";
    assert.equal(await page.evaluate(direction), 'rtl');
    await page.setViewportSize({ width: 360, height: 700 });
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 360'), 'it fits 360 pixels');
  });

  test('a moment is shown by the clock of this machine, with the exact one beside it', async () => {
    const time = page.locator('.bubble time').first();
    const at = new Date(moment);
    const day = `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
    assert.equal(await time.textContent(), `${day} ${at.toTimeString().slice(0, 5)}`);
    assert.equal(Date.parse((await time.getAttribute('title')) ?? ''), at.getTime());
  });

  const hide = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );

  test('a page that nobody looks at keeps no connection, and is up to date when it is looked at', async () => {
    await hide(true);
    const id = page.url().split('/').at(-1);
    await app.fn(['api', 'messages.receive', '-f', `conversationId=${id}`, '-f', 'text=while nobody looked']);
    assert.equal(await page.getByText('while nobody looked').count(), 0);
    await hide(false);
    await shows('while nobody looked');
  });

  test('a conversation is seen from its end, and follows what comes in while its end is looked at', async () => {
    const isAtEnd = () => page.evaluate('innerHeight + scrollY >= document.documentElement.scrollHeight - 2');
    await page.goto(inbox());
    await page.getByRole('link', { name: 'Customer 0', exact: true }).click();
    await page.waitForURL(/conversations/);
    await until('the end', isAtEnd);
    const id = page.url().split('/').at(-1);
    const receive = (text: string) =>
      app.fn(['api', 'messages.receive', '-f', `conversationId=${id}`, '-f', `text=${text}`]);
    await receive('seen at the end');
    await shows('seen at the end');
    assert.ok(await isAtEnd());
    await page.evaluate('scrollTo(0, 100)');
    await receive('while something older is read');
    await shows('while something older is read');
    assert.ok(!(await isAtEnd()), 'who reads something older is left there');
  });

  test('somebody writes as the customer, by the keyboard alone, and can go on writing', async () => {
    const box = page.getByLabel('Write as Customer 0');
    for (const text of ['Where is my order?', 'Ist es <unterwegs>? 👋']) {
      await box.fill(text);
      await box.press('Enter');
      const isReady = "document.activeElement.id === 'text' && document.activeElement.value === ''";
      await until('an empty box', () => page.evaluate<boolean>(isReady));
      await page.locator('.bubble.in:last-child').filter({ hasText: text }).waitFor();
    }
    const id = page.url().split('/').at(-1);
    await box.fill('half writ');
    await app.fn(['api', 'messages.receive', '-f', `conversationId=${id}`, '-f', 'text=meanwhile']);
    await shows('meanwhile');
    assert.equal(await box.inputValue(), 'half writ', 'what is being written stays');
  });

  test('names of any length fit any page', async () => {
    const name = 'W'.repeat(180);
    const { out } = await app.fn([
      'api',
      'messages.receive',
      '-f',
      'phone=+493090182399',
      '-f',
      `name=${name}`,
      '-f',
      'text=hi',
      '--json',
    ]);
    await app.fn(['channel', 'connect', 'sms', '--name', name.slice(0, 60)]);
    const { conversationId } = JSON.parse(out);
    const pages = [`${inbox()}/conversations/${conversationId}`, inbox(), `${dev.ready.url}/views/flow/panel`];
    for (const address of pages) {
      await page.goto(address);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 360'), address);
    }
    await page.goto(inbox());
    const cut = "[...document.querySelectorAll('.list li')].filter((li) => li.scrollWidth > li.clientWidth).length";
    assert.equal(await page.evaluate(cut), 0, 'nothing of a name is cut off');
  });

  test('with the colours of somebody else, what can be pressed and who said what have an edge', async () => {
    await page.goto(inbox());
    await page.locator('.list a').first().click();
    await page.waitForURL(/conversations/);
    await page.emulateMedia({ forcedColors: 'active' });
    const edges =
      "['button', '.tag', '.bubble'].map((one) => getComputedStyle(document.querySelector(one)).borderTopWidth)";
    assert.deepEqual(await page.evaluate(edges), ['1px', '1px', '1px']);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('a conversation that is gone with a reset of the workspace, which needs no more than its start did, says so', async () => {
    await page.goto(inbox());
    await page.locator('.list a').first().click();
    await page.waitForURL(/conversations/);
    const { exitCode, err } = await app.fn(['workspace', 'reset', '--yes']);
    assert.equal(exitCode, 0, err);
    await app.fn(['api', 'messages.receive', '-f', 'phone=+493090182398', '-f', 'text=the first one']);
    await page.getByRole('status').filter({ hasText: 'no longer exists' }).waitFor();
    // The browser tells of each answer that is an error.
    assert.match(failures.splice(0).join(), /404/);
  });

  test('it says when the browser is not signed in any more, and when the workspace is gone', async () => {
    assert.deepEqual(failures, [], 'nothing was wrong in the browser so far');
    await page.context().clearCookies();
    await hide(true);
    await hide(false);
    await page.getByRole('status').filter({ hasText: 'not signed in' }).waitFor();
    await page.goto(JSON.parse((await app.fn(['api', 'workspace.openUrl', '--json'])).out).url);
    await dev.stop();
    await page.getByRole('status').filter({ hasText: 'does not answer' }).waitFor();
  });
});
