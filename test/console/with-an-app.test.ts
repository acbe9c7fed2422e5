import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { App, type Dev } from '../flows/app.ts';

const flow = {
  nodes: {
    start: { type: 'trigger', on: 'message.received', next: 'greet' },
    greet: { type: 'message', text: 'You said: {{message.text}}', next: 'end' },
    end: { type: 'end' },
  },
};
const app = new App({
  'package.json': '{"type": "module"}',
  'functions/tools/refund.js': `export const config = { type: 'ai-tool', name: 'refund', description: 'Refunds', input: { type: 'object' } };
export default async () => {
  throw new Error('no money');
};
`,
  'functions/_shared/lost.js': "import './nowhere.js';\n",
  'functions/one.js': "import './_shared/lost.js';\nexport default () => {};\n",
  'functions/two.js': "import './_shared/lost.js';\nexport default () => {};\n",
  'functions/broken.js': 'export const config = {;\n',
  'flows/greet.json': JSON.stringify(flow),
  'seed.json': JSON.stringify({
    channels: [{ kind: 'messaging-app', name: 'Messages' }],
    customers: [
      {
        name: 'Ann Larsen',
        phone: '+493090182001',
        conversations: [{ channel: 'messaging-app', messages: [{ from: 'customer', text: 'Hello', at: '-9d' }] }],
      },
    ],
  }),
});

describe('the console, with an app in a folder', { skip: noChromium }, () => {
  let dev: Dev;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [dev, browser] = await Promise.all([app.dev(), openChromium()]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(20_000);
    await page.goto(dev.ready.openUrl);
  });
  after(async () => {
    await browser?.close();
    dev?.child.kill();
    await dev?.ended;
  });

  const pane = (name: string) => page.getByRole('region', { name, exact: true });

  test('a conversation is saved as a test from the inbox, which passes; a name that is taken is refused', async () => {
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    await pane('Conversations').getByRole('link').first().click();
    const write = pane('As the customer').getByLabel('Write as Ann Larsen');
    await write.fill('"Hi" <b>there</b>');
    await page.keyboard.press('Enter');
    await pane('Agent desk').getByText('You said: "Hi" <b>there</b>').waitFor();
    await pane('Agent desk').locator('.msg', { hasText: 'You said' }).getByText('greet', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const details = pane('Details');
    await details.getByRole('button', { name: 'Save as test' }).click();
    await details.getByLabel('Name of the test').fill('greeting');
    await page.keyboard.press('Enter');
    await page.getByText('Saved: test/greeting.test.js').waitFor();
    assert.match(app.read('test/greeting.test.js'), /chat\.say\('"Hi" <b>there<\/b>'\)/);

    await page.keyboard.press('s');
    await details.getByLabel('Name of the test').fill('greeting');
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    await details.getByText('test/greeting.test.js exists already').waitFor();

    const { exitCode, out } = await app.fn(['test', 'test/greeting.test.js']);
    assert.equal(exitCode, 0, out);
  });

  test('lines of a stack, files of functions and build problems are links to the editor that was chosen', async () => {
    const hrefOf = async (name: string, within = page.locator('body')) =>
      within.getByRole('link', { name, exact: true }).first().getAttribute('href');
    await page.getByRole('link', { name: /^Functions/ }).click();
    const problem = page.getByRole('region', { name: 'Build problem of broken' });
    assert.equal(await hrefOf('Open in VS Code (o)', problem), `vscode://file${app.root}/functions/broken.js:1:24`);
    const shared = page.getByRole('region', { name: 'Build problem of one, two' });
    await shared.getByText('2 functions do not build.').waitFor();
    assert.equal(await hrefOf('Open in VS Code (o)', shared), `vscode://file${app.root}/functions/_shared/lost.js:1:8`);
    await page.getByRole('link', { name: 'tools/refund' }).click();
    const invoke = pane('Invoke tools/refund');
    assert.equal(await hrefOf('Open in VS Code (o)', invoke), `vscode://file${app.root}/functions/tools/refund.js`);

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('Open files in Zed');
    await page.keyboard.press('Enter');
    await invoke.getByRole('button', { name: /^Invoke/ }).click();
    await invoke.getByRole('link', { name: 'Open', exact: true }).click();
    const error = page.getByRole('region', { name: 'Error', exact: true });
    const frame = 'functions/tools/refund.js:3:9';
    assert.equal(await hrefOf(frame, error), `zed://file${app.root}/${frame}`);
  });
});
