import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { atMostOften } from '../../src/emulator/http/pages/at-most-often.ts';
import { anEmulator, everyone } from './an-emulator.ts';

const skip = noChromium;
const timeout = 60_000;

const said = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ from: 'customer' as const, text: `message ${i}`, at: `-${500 - i}m` }));
const customers = [3, 200, 0].map((messages, n) => ({
  name: `Customer ${n}`,
  phone: `+4930901820${n}`,
  conversations: [{ channel: 'messaging-app', messages: said(messages) }],
}));

const { emulator, url } = await anEmulator({
  seed: { channels: [{ kind: 'messaging-app', name: 'Messages' }], customers },
});
const door = emulator.door(everyone);
const { items: conversations } = await door('conversations.list', { inbox: 'all' });
const conversationOf = async (name: string) => {
  for (const { id, customerId } of conversations)
    if ((await door('customers.get', { id: customerId })).name === name) return id;
  throw new Error(`${name} has no conversation`);
};
let browser: Browser;
before(async () => {
  if (!skip) browser = await openChromium();
});
after(() => browser?.close());

const signedIn = async (path: string) => {
  const page = await browser.newPage();
  await page.goto(emulator.openUrl(path));
  return page;
};

for (const [name, what] of [
  ['Customer 2', 'the first message of a conversation comes'],
  ['Customer 1', 'the page has become too long for its first messages'],
] as const) {
  test(`what is being written stays when ${what}`, { skip, timeout }, async () => {
    const id = await conversationOf(name);
    const page = await signedIn(`/tenants/dev/conversations/${id}`);
    const box = page.getByRole('textbox');
    await box.fill('half writ');
    await door('messages.receive', { conversationId: id, text: 'meanwhile' });
    await page.getByText('meanwhile').waitFor();
    assert.equal(await box.inputValue(), 'half writ');
    assert.equal(await page.evaluate('document.activeElement.id'), 'text');
    assert.ok((await page.locator('.bubble').count()) <= 200);
  });
}

test('who has selected something in a message keeps it while messages before it go', { skip, timeout }, async () => {
  const id = await conversationOf('Customer 1');
  const page = await signedIn(`/tenants/dev/conversations/${id}`);
  await page.getByText('message 100', { exact: true }).selectText();
  await door('messages.receive', { conversationId: id, text: 'one more' });
  await page.getByText('one more').waitFor();
  assert.equal(await page.evaluate('getSelection().toString()'), 'message 100');
});

test('who has reached a conversation of the inbox by the keyboard stays with it when another comes before', {
  skip,
  timeout,
}, async () => {
  const page = await signedIn('/tenants/dev');
  const last = page.locator('.list a').last();
  const address = await last.getAttribute('href');
  await last.focus();
  await door('messages.receive', { phone: '+49309018299', name: 'Somebody new', text: 'hello' });
  await page.getByText('Somebody new').waitFor();
  assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), address);
  assert.equal(await page.evaluate('location.href'), `${url}/tenants/dev`);
});

test('messages written in a conversation are one step back from the inbox, however many they are', {
  skip,
  timeout,
}, async () => {
  const page = await signedIn('/tenants/dev');
  await page.getByRole('link', { name: 'Customer 0' }).click();
  const box = page.getByRole('textbox');
  for (const text of ['first of mine', 'second of mine']) {
    await box.fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.bubble').getByText(text, { exact: true }).waitFor();
    assert.equal(await box.inputValue(), '');
    assert.equal(await page.evaluate('document.activeElement.id'), 'text', 'one can continue to write');
  }
  await page.goBack();
  assert.equal(page.url(), `${url}/tenants/dev`);
});

test('a message that cannot be sent stays in its field, and the page says why where one is looking', {
  skip,
  timeout,
}, async () => {
  const page = await signedIn(`/tenants/dev/conversations/${await conversationOf('Customer 1')}`);
  const box = page.getByRole('textbox');
  await page.route('**/conversations/*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await box.fill('lost on the way');
  await box.press('Enter');
  const status = page.getByRole('status').filter({ hasText: 'not sent: the workspace does not answer' });
  await status.waitFor();
  const { y = -1 } = (await status.boundingBox()) ?? {};
  assert.ok(y >= 0 && y < 100, 'it is in sight at the end of a long conversation');
  assert.equal(await box.inputValue(), 'lost on the way');

  await page.unroute('**/conversations/*');
  await box.fill('x'.repeat(5_000));
  await box.press('Enter');
  await page.getByRole('status').filter({ hasText: 'not sent: ' }).filter({ hasText: 'text' }).waitFor();
  await box.fill('a short one');
  await box.press('Enter');
  await page.locator('.bubble').getByText('a short one').waitFor();
  assert.equal(await page.getByRole('status').textContent(), '');

  await page.context().clearCookies();
  await box.fill('another');
  await box.press('Enter');
  await page.getByRole('status').filter({ hasText: 'not signed in any more' }).waitFor();
  assert.equal(await box.inputValue(), 'another');
});

test('a page that is printed is dark on white, says who wrote what, and has nothing to press', {
  skip,
  timeout,
}, async () => {
  const page = await signedIn(`/tenants/dev/conversations/${await conversationOf('Customer 0')}`);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(22, 24, 29)');
  assert.equal(
    await page.evaluate("getComputedStyle(document.querySelector('.bubble')).borderTopWidth"),
    '1px',
    'browsers print no backgrounds',
  );
  assert.equal(await page.getByRole('button').count(), 0);
});

test('of many changes in a moment a page is told once, and of the last one for certain', (t) => {
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
