import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { until } from '../until.ts';
import { anEmulator, everyone, type Functions } from './an-emulator.ts';

const skip = noChromium;
const timeout = 60_000;

const seed = {
  channels: [{ kind: 'messaging-app' as const, name: 'Messages' }],
  customers: Array.from({ length: 60 }, (_, n) => ({
    name: n === 7 ? ' \u200b ' : `Customer ${n}`,
    phone: `+4930901820${String(n).padStart(2, '0')}`,
    conversations: [
      {
        channel: 'messaging-app',
        messages: [{ from: 'customer' as const, text: `Hello from ${n}`, at: `-${n + 1}m` }],
      },
    ],
  })),
};

const shop = await anEmulator({ seed });
const { emulator, url, source, events } = shop;
const door = emulator.door(everyone);
let browser: Browser;
before(async () => {
  if (!skip) browser = await openChromium();
});
after(() => browser?.close());
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

const view = (body: string): Functions => ({
  'views/panel': { config: { type: 'custom-view', title: 'Panel', placement: 'conversation' }, body },
});
const path = '/views/shop/views/panel';

async function look(body: string, query = ''): Promise<Page> {
  source.change(view(body));
  const page = await browser.newPage();
  await page.goto(emulator.openUrl(path + query));
  await page.locator('#frame').waitFor({ state: 'attached' });
  return page;
}
const textOf = async (locator: Locator) => (await locator.textContent()) ?? '';
const problemOf = (page: Page) => textOf(page.locator('#problem:visible'));
const inFrame = (page: Page, text: string) => page.frameLocator('iframe:not([hidden])').getByText(text);

test('what a view throws that is no error is shown by what it holds', { skip, timeout }, async () => {
  const page = await look("throw { code: 'out_of_stock', article: 'A-1' };");
  assert.match(await problemOf(page), /\{"code":"out_of_stock","article":"A-1"\} was thrown/);
});

test('an error whose stack does not begin with it, as in Firefox and Safari, is told with it', {
  skip,
  timeout,
}, async () => {
  const page = await look(
    "const error = new TypeError('gone'); error.stack = 'draw@' + location.href + ':1:1\\n'; throw error;",
  );
  assert.match(await problemOf(page), /TypeError: gone/);
  assert.ok(events.some((event) => event.type === 'view-failed' && event.stack.startsWith('TypeError: gone\n')));
});

test('a view whose function does not return is said to be loading still', { skip, timeout }, async () => {
  source.change(view("sdk.view.container.textContent = 'drawn'; await new Promise(() => {});"));
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(emulator.openUrl(path));
  await inFrame(page, 'drawn').waitFor();
  await page.clock.fastForward(20_000);
  await page.getByText('its function has not returned yet').waitFor();
});

test('a view that leaves its own page is told how not to', { skip, timeout }, async () => {
  const page = await look(
    'sdk.view.container.innerHTML = \'<form><button>Save</button></form><a href="/">Away</a>\'; sdk.view.resize(100);',
  );
  await inFrame(page, 'Save').click();
  assert.match(await problemOf(page), /has left its own page.*preventDefault/);
  await page.reload();
  await inFrame(page, 'Away').click();
  assert.match(await problemOf(page), /target="_blank"/);
});

test('what the browser refuses a view is explained, beside the error that comes of it, once', {
  skip,
  timeout,
}, async () => {
  const page = await look(`
    const script = document.createElement('script');
    script.src = 'https://cdn.example/chart.js';
    document.head.append(script);
    await fetch('http://127.0.0.1:9/').catch(() => undefined);
    await fetch('http://127.0.0.1:9/');`);
  assert.match(await problemOf(page), /Failed to fetch/);
  const blocked = page.locator('#blocked:visible');
  const text = await until('both', async () => {
    const said = await textOf(blocked);
    return said.includes('cdn.example') && said.includes('127.0.0.1:9') ? said : undefined;
  });
  assert.match(text, /script from https:\/\/cdn\.example\/chart\.js: .*Install the package and import it/);
  assert.equal(text.split('request of this view to http://127.0.0.1:9/').length, 2);
  assert.ok(events.some((event) => event.type === 'view-failed' && event.message.includes('cdn.example')));
});

test('what the frame of a view does not have is explained, above where it was asked for', {
  skip,
  timeout,
}, async () => {
  const page = await look("localStorage.getItem('tab');");
  assert.match(await problemOf(page), /^SecurityError: .*localStorage.*A view has no storage/s);
  assert.ok(events.some((event) => event.type === 'view-failed' && event.stack.includes('A view has no storage')));
});

test('what a view is seen with stands in the address: it stays, and it may be older than what is listed', {
  skip,
  timeout,
}, async () => {
  const draw = "sdk.view.container.textContent = 'with ' + sdk.customer.name;";
  const page = await look(draw);
  const choice = page.locator('#seen-with');
  assert.equal(await choice.locator('option').count(), 50);
  await choice.selectOption({ label: (await choice.locator('option').nth(3).textContent()) ?? '' });
  await page.reload();
  await inFrame(page, 'with Customer 3').waitFor();

  const oldest = (await door('conversations.list', { inbox: 'all', limit: 200 })).items.at(-1);
  await page.goto(`${url}${path}?conversation=${oldest?.id}`);
  await inFrame(page, 'with Customer 59').waitFor();
  assert.match((await choice.locator('option:checked').textContent()) ?? '', /^Customer 59 · /);
  await page.goto(`${url}${path}?conversation=cnv_gone`);
  await inFrame(page, 'with Customer 0').waitFor();
});

test('the page of a view that does not build shows it line by line, and becomes the view when it is mended', {
  skip,
  timeout,
}, async () => {
  source.change({ 'views/panel': { config: { type: 'custom-view' }, body: '' } });
  const page = await browser.newPage();
  await page.goto(emulator.openUrl(path));
  await page.getByText('config.title is missing').waitFor();
  source.change(view("sdk.view.container.textContent = 'mended';"));
  await inFrame(page, 'mended').waitFor();
});

test('a request of the page that gets no answer is tried again, and the view stays as it is', {
  skip,
  timeout,
}, async () => {
  const page = await look(`
    sdk.view.container.innerHTML = '<input><p></p>';
    const tell = ({ customer }) => { sdk.view.container.lastChild.textContent = customer.name; };
    tell(sdk);
    sdk.view.on('context', tell);`);
  const input = page.frameLocator('iframe').locator('input');
  await input.fill('half writ');
  const state = page.locator('#state');
  await page.route('**/start*', (route) => route.abort());
  await page.locator('#seen-with').selectOption({ index: 1 });
  await state.getByText('the workspace does not answer; waiting').waitFor();
  assert.equal(await page.locator('#problem').isVisible(), false);
  await page.unroute('**/start*');
  await inFrame(page, 'Customer 1').waitFor();
  assert.equal(await textOf(state), 'live');
  assert.equal(await input.inputValue(), 'half writ');
});

test('a long question is read from its beginning, with its buttons in sight and by the keyboard', {
  skip,
  timeout,
}, async () => {
  const page = await look("sdk.ui.confirm('Begin\\n' + 'and so on '.repeat(1_000));");
  const question = page.locator('#question');
  await question.waitFor();
  assert.equal(await question.evaluate('document.getElementById("question").scrollTop'), 0);
  assert.equal(await page.evaluate('document.activeElement.value'), 'no');
  const seen =
    "[...document.querySelectorAll('dialog > *')].every((part) => { const { top, bottom } = part.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })";
  assert.equal(await page.evaluate(seen), true);
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate('document.activeElement.id'), 'question');
});

test('a question and a toast that are written from right to left are set so', { skip, timeout }, async () => {
  const page = await look("sdk.ui.toast('تم الحفظ'); sdk.ui.confirm('هل أنت متأكد؟');");
  await page.locator('#question').waitFor();
  await page.locator('.toasts > div').waitFor();
  const directions =
    "['#question', '.toasts > div'].map((one) => getComputedStyle(document.querySelector(one)).direction)";
  assert.deepEqual(await page.evaluate(directions), ['rtl', 'rtl']);
});

test('a view that is loaded anew leaves the page where it was', { skip, timeout }, async () => {
  const tall = (text: string) =>
    `const { container } = sdk.view; container.style.height = '3000px'; container.textContent = '${text}'; sdk.ui.toast('long '.repeat(2_000));`;
  const page = await look(tall('first'));
  // Not page.waitForFunction: it evaluates text within the page, whose policy refuses that.
  const pane = "document.querySelector('.pane-body')";
  await until('the view to be tall', () => page.evaluate(`${pane}.scrollHeight > 3000`));
  await page.evaluate(`${pane}.scrollTo(0, 1500)`);
  source.change(view(tall('second')));
  await inFrame(page, 'second').waitFor();
  await until('the page to be live', () => page.evaluate("document.getElementById('state').textContent === 'live'"));
  assert.equal(await page.evaluate(`${pane}.scrollTop`), 1_500);
  const covered = "document.querySelector('.toasts > div').getBoundingClientRect().height / innerHeight";
  assert.ok(Number(await page.evaluate(covered)) < 0.5, 'a long toast leaves the view to be seen');
});

/** Looks at a view that does this, then saves another one. */
async function replaced(body: string): Promise<Page> {
  const page = await look(`sdk.view.container.textContent = 'before'; ${body}`);
  await page.getByText('live', { exact: true }).waitFor({ timeout: 20_000 });
  source.change(view("sdk.view.container.textContent = 'after';"));
  await inFrame(page, 'after').waitFor({ timeout: 20_000 });
  return page;
}

test('a view that is replaced cleans up with all that the sdk can do, and is gone when it has', {
  skip,
  timeout,
}, async () => {
  const page = await replaced(
    'return async () => { const { items } = await sdk.customers.list({ limit: 1 }); sdk.ui.toast("closed with " + items.length); };',
  );
  await page.getByText('closed with 1').waitFor({ timeout: 20_000 });
  await until('the frame to be gone', async () => (await page.locator('iframe').count()) === 1);
  assert.equal(await page.locator('#problem').isVisible(), false);
});

test('what a view throws while it is replaced is shown as that of the view before', { skip, timeout }, async () => {
  const page = await replaced("return async () => { throw new Error('timer is gone'); };");
  assert.match(await problemOf(page), /^While the view before this one was closed: Error: timer is gone/);
  assert.equal(await textOf(page.locator('#state')), 'live');
  assert.ok(events.some((event) => event.type === 'view-failed' && event.message === 'timer is gone'));
});

test('a view whose cleanup never ends is gone after a while', { skip, timeout }, async () => {
  source.change(view("sdk.view.container.textContent = 'before'; return () => new Promise(() => {});"));
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(emulator.openUrl(path));
  await page.getByText('live', { exact: true }).waitFor({ timeout: 20_000 });
  source.change(view("sdk.view.container.textContent = 'after';"));
  await inFrame(page, 'after').waitFor({ timeout: 20_000 });
  assert.equal(await page.locator('iframe').count(), 2);
  await page.clock.fastForward(5_000);
  assert.equal(await page.locator('iframe').count(), 1);
});

test('a view in an endless loop is gone when it is mended', { skip, timeout }, async () => {
  const page = await look('setTimeout(() => { for (;;); }, 100);');
  await page.getByText('live', { exact: true }).waitFor({ timeout: 20_000 });
  source.change(view("sdk.ui.toast('mended');"));
  await page.getByText('mended').waitFor({ timeout: 20_000 });
});

test('a view whose cleanup is an endless loop does not keep its successor from being shown', {
  skip,
  timeout,
}, async () => {
  const page = await look('return () => { for (;;); };');
  await page.getByText('live', { exact: true }).waitFor({ timeout: 20_000 });
  source.change(view("sdk.ui.toast('mended');"));
  await page.getByText('mended').waitFor({ timeout: 20_000 });
});

test('of toasts without end the newest five are shown, and one that is repeated is counted', {
  skip,
  timeout,
}, async () => {
  const page = await look(
    "for (let i = 1; i <= 100; i++) sdk.ui.toast('row ' + i); for (let i = 0; i < 3; i++) sdk.ui.toast('Saved', { kind: 'success' });",
  );
  const toasts = page.locator('.toasts > div');
  await page.locator('.toasts > div[data-times="3"]').waitFor({ timeout: 20_000 });
  assert.deepEqual(await toasts.allTextContents(), ['row 97', 'row 98', 'row 99', 'row 100', 'Saved']);
});

test('a view is seen from another machine over http, where a browser has less', { skip, timeout }, async () => {
  source.change(view("sdk.view.container.textContent = 'seen from a phone';"));
  const page = await browser.newPage();
  await page.addInitScript('delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle;');
  await page.goto(emulator.openUrl(path));
  await inFrame(page, 'seen from a phone').waitFor({ timeout: 20_000 });
});

test('a toast that is longer than its place can be scrolled with the keyboard', { skip, timeout }, async () => {
  const page = await look("sdk.ui.toast('short'); sdk.ui.toast('long '.repeat(2_000));");
  const stops = "[...document.querySelectorAll('.toasts > div')].map((note) => note.tabIndex).join()";
  await until('both toasts', async () => String(await page.evaluate(stops)).includes(','));
  assert.equal(await page.evaluate(stops), '-1,0');
});

test('a reset is seen on every page that is open', { skip, timeout }, async () => {
  const page = await look("sdk.view.container.textContent = 'with ' + sdk.customer.name;");
  await inFrame(page, 'with Customer 0').waitFor();
  const inbox = await browser.newPage();
  await inbox.goto(emulator.openUrl('/tenants/dev'));
  await until('the title', async () => (await inbox.title()) === 'Inbox · dev');
  await inbox.getByText('Hello from 5', { exact: true }).waitFor();
  await door('workspace.reset', {
    seed: { ...seed, customers: [{ ...seed.customers[0], name: 'Somebody new' }] } as never,
  });
  await inFrame(page, 'with Somebody new').waitFor();
  await inbox.getByText('Somebody new').waitFor();
  assert.equal(await inbox.locator('a.conv').count(), 1);
});

test('a page that was opened before anybody had written shows its view with the first who does', {
  skip,
  timeout,
}, async () => {
  await door('workspace.reset', { seed: { channels: seed.channels } });
  const page = await look("sdk.view.container.textContent = 'with ' + sdk.customer?.name;");
  await inFrame(page, 'with undefined').waitFor();
  await page.getByText('there is no conversation to show it with yet').waitFor();
  await door('messages.receive', { phone: '+493090189999', name: 'The First', text: 'Hi' });
  await inFrame(page, 'with The First').waitFor();
});

test('a conversation that begins while the page of a view is open can be chosen there', { skip, timeout }, async () => {
  await door('messages.receive', { phone: '+493090189999', name: 'The First', text: 'Hi' });
  const page = await look(`
    const tell = () => { sdk.view.container.textContent = 'with ' + sdk.customer.name; };
    tell();
    sdk.view.on('context', tell);`);
  await inFrame(page, 'with The First').waitFor();
  const choice = page.locator('#seen-with');
  const before = await choice.inputValue();
  await door('messages.receive', { phone: '+493090189998', name: 'The Second', text: 'Hi' });
  const { items } = await door('customers.list', { search: 'The First' });
  await door('customers.update', { id: items[0]?.id ?? '', name: 'The First & Sons' });
  const labels = async () => (await choice.locator('option').allTextContents()).join();
  await until('both', async () => /The Second.*The First & Sons/.test(await labels()));
  assert.equal(await choice.inputValue(), before);
  await choice.selectOption({ index: 0 });
  await inFrame(page, 'with The Second').waitFor();
});
