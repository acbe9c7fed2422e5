import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { until } from '../until.ts';
import { anEmulator } from './an-emulator.ts';

const skip = noChromium;
const timeout = 60_000;

const { emulator, source } = await anEmulator();
let browser: Browser;
before(async () => {
  if (!skip) browser = await openChromium();
});
after(() => browser?.close());
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

async function look(body: string): Promise<Page> {
  const config = { type: 'custom-view', title: 'Panel', placement: 'page', height: 200 };
  source.change({ 'views/panel': { config, body: `const { container } = sdk.view; ${body}` } });
  const page = await browser.newPage();
  await page.goto(emulator.openUrl('/views/shop/views/panel'));
  return page;
}

const heightOf = async (page: Page): Promise<number> =>
  (await page.locator('iframe:not([hidden])').boundingBox())?.height ?? 0;
const becomes = (page: Page, height: number) =>
  until(`the frame to be ${height} high`, async () => (await heightOf(page)) === height);
const click = (page: Page, text: string) => page.frameLocator('iframe:not([hidden])').getByText(text).click();
const live = (page: Page) => page.getByText('live', { exact: true }).waitFor();

test('the margins of what is first and last in a view are part of its height', { skip, timeout }, async () => {
  const page = await look('container.innerHTML = \'<p style="margin:50px 0;height:100px">Text</p>\';');
  await becomes(page, 200);
  await click(page, 'Text');
  const beyond = 'document.documentElement.scrollHeight - innerHeight';
  assert.equal(await page.frameLocator('iframe:not([hidden])').locator('#view').evaluate(beyond), 0);
});

test('a view that is always higher than its frame keeps the height it began with', { skip, timeout }, async () => {
  const page = await look(`
    container.innerHTML = '<div style="min-height:100vh;padding:10px">Full</div>';
    let last = 0, same = 0;
    const wait = () => { same = innerHeight === last ? same + 1 : 0; last = innerHeight; if (same < 20) requestAnimationFrame(wait); else container.append('settled'); };
    wait();`);
  await page.frameLocator('iframe:not([hidden])').getByText('settled').waitFor();
  // On a busy machine the frame and its page take turns for longer than the view waits.
  await until('the height it began with', async () => (await heightOf(page)) < 300);
});

test('rows that arrive one a moment make a view as high as they are', { skip, timeout }, async () => {
  const page = await look(`
    let rows = 0;
    addEventListener('resize', () => { if (rows < 30) add(); });
    const add = () => { rows++; const row = document.createElement('div'); row.style.height = '20px'; container.append(row); };
    container.style.paddingTop = '210px';
    add();`);
  await becomes(page, 210 + 30 * 20);
});

test('a height that a view asks for stays until it asks for that of its container', { skip, timeout }, async () => {
  const page = await look(`
    container.innerHTML = '<button>Open</button><button>Write</button><button>Close</button>';
    container.style.height = '50px';
    const [open, write, close] = container.children;
    open.onclick = () => sdk.view.resize(400);
    write.onclick = () => { container.style.height = '60px'; container.append('written'); };
    close.onclick = () => sdk.view.resize();`);
  await becomes(page, 50);
  await click(page, 'Open');
  await becomes(page, 400);
  await click(page, 'Write');
  await page.frameLocator('iframe:not([hidden])').getByText('written').waitFor();
  assert.equal(await heightOf(page), 400);
  await click(page, 'Close');
  await becomes(page, 60);
});

test('what a ResizeObserver of a view is told late is no failure', { skip, timeout }, async () => {
  const page = await look(`
    container.innerHTML = '<div>Text</div>';
    addEventListener('error', ({ message }) => { container.dataset.told = message; });
    new ResizeObserver(([{ target }]) => { if (target.clientHeight < 100) target.style.height = target.clientHeight + 20 + 'px'; }).observe(container.firstChild);`);
  await live(page);
  await page.frameLocator('iframe:not([hidden])').locator('[data-told^="ResizeObserver loop"]').waitFor();
  assert.equal(await page.locator('#problem').isVisible(), false);
});

test('who answers a question by the keyboard is back where the view asked it', { skip, timeout }, async () => {
  const page = await look(`
    container.innerHTML = '<button id="first">First</button><button id="second">Second</button>';
    first.onclick = async () => { first.textContent = 'Said ' + await sdk.ui.confirm('Really?\\nSure?'); };`);
  await page.frameLocator('iframe:not([hidden])').locator('#first').press('Enter');
  await page.getByText('Really?\nSure?').waitFor();
  await page.keyboard.press('Escape');
  await page.frameLocator('iframe:not([hidden])').getByText('Said false').waitFor();
  await page.keyboard.press('Tab');
  await page.frameLocator('iframe:not([hidden])').locator('#second:focus').waitFor();
});

test('a button of a view copies', { skip, timeout }, async () => {
  const page = await look(`
    container.innerHTML = '<button>Copy</button>';
    container.firstChild.onclick = () => navigator.clipboard.writeText('A-1017').then(() => container.append('copied'), (error) => container.append(error.name));`);
  await click(page, 'Copy');
  await page
    .frameLocator('iframe:not([hidden])')
    .getByText(/copied|Error/)
    .waitFor();
  assert.match((await page.frameLocator('iframe:not([hidden])').locator('#view').textContent()) ?? '', /copied/);
});
