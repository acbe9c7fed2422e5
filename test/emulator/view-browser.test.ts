import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test, { after } from 'node:test';
import { chromium, type Locator } from 'playwright-core';
import { until } from '../until.ts';
import { anEmulator, type Functions, method } from './an-emulator.ts';

const executablePath = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
const skip = executablePath === undefined ? 'no Chromium on this machine' : false;

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

const textOf = async (locator: Locator) => (await locator.textContent({ timeout: 5_000 })) ?? '';

test('a Custom View runs in its frame, sees what the page tells it, and reaches nothing else', {
  skip,
  timeout: 60_000,
}, async () => {
  const { emulator, url, source, events } = await anEmulator({ functions: panel('Hello') });
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox'],
  });
  after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(emulator.openUrl('/views/shop/views/panel'));
  assert.equal(page.url(), `${url}/views/shop/views/panel`);
  const frame = page.frameLocator('iframe');
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
