import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { until } from '../until.ts';
import { App, aMethod, type Dev } from './app.ts';
import { errorsOf } from './page-errors.ts';

const panel = (word: string, more = '') => `import { colour } from './_colour.js';
import './panel.css';
export const config = { type: 'custom-view', title: 'Panel', placement: 'page' };
export default async function (sdk) {
  const { container } = sdk.view;
  container.innerHTML = '<p id="word"></p>';
  const word = container.querySelector('#word');
  word.textContent = '${word} ' + colour + ' ' + await sdk.methods.call('api/name');
  ${more}
}
`;

suite('a Custom View while it is written', {
  skip: noChromium,
}, () => {
  let app: App;
  let dev: Dev;
  let browser: Browser;
  let page: Page;
  let frame: FrameLocator;
  let said: string[];

  before(async () => {
    app = new App({
      'functions/views/panel.jsx': panel('first'),
      'functions/views/panel.css': 'p { color: rgb(1, 2, 3); }',
      'functions/views/_colour.js': "export const colour = 'green';",
      'functions/api/name.js': aMethod("'Ann'").replace("['GET']", "['POST']"),
    });
    [dev, browser] = await Promise.all([app.dev(), openChromium()]);
    page = await browser.newPage();
    said = errorsOf(page);
    await page.goto(dev.ready.openUrl);
    await page.goto(dev.ready.functions.find(({ name }) => name === 'views/panel')?.url ?? '');
    await page.evaluate('window.sameDocument = true');
    frame = page.frameLocator('iframe:not([hidden])');
  });
  after(async () => {
    await browser?.close();
    await dev?.stop();
  });

  const shows = (text: string) => frame.locator('#word').filter({ hasText: text }).waitFor();
  const colourShown = (): Promise<string> =>
    frame.locator('#word').evaluate("getComputedStyle(document.querySelector('#word')).color");

  test('it shows what it draws, with its styles and what its methods answer', async () => {
    await shows('first green Ann');
    assert.equal(await colourShown(), 'rgb(1, 2, 3)');
  });

  test('a save of the view, of a file it imports and of its styles is on the screen without loading the page again', async () => {
    app.write('functions/views/panel.jsx', panel('second'));
    await shows('second green');
    app.write('functions/views/_colour.js', "export const colour = 'blue';");
    await shows('second blue');
    app.write('functions/views/panel.css', 'p { color: rgb(4, 5, 6); }');
    // The frame is replaced: in that moment there is nothing to ask.
    await until('the new style', async () => (await colourShown().catch(() => '')) === 'rgb(4, 5, 6)');
    assert.equal(await page.evaluate('window.sameDocument'), true);
  });

  test('while it does not build the page keeps what it had, and goes on when it is mended', async () => {
    const since = dev.lines.length;
    app.write('functions/views/panel.jsx', 'export default (');
    await dev.event(({ type, name }) => type === 'build-failed' && name === 'views/panel', since);
    await shows('second blue');
    const problem = page.locator('#problem');
    await problem.waitFor({ state: 'visible' });
    assert.equal(await problem.locator('strong').textContent(), 'views/panel does not build');
    assert.match(
      (await problem.locator('pre').textContent()) ?? '',
      /^functions\/views\/panel\.jsx:1:\d+: .*\n {2}1 \| export default \(/,
    );
    app.write('functions/views/panel.jsx', panel('second'));
    await problem.waitFor({ state: 'hidden' });
    await shows('second blue');
    app.write('functions/views/panel.jsx', panel('third'));
    await shows('third blue');
    assert.deepEqual(said, [], 'nothing was wrong in the browser so far');
  });

  test('an error in it is shown over it and told in the terminal, with the line of its own source', async () => {
    const since = dev.lines.length;
    app.write('functions/views/panel.jsx', panel('fourth', "setTimeout(() => { throw new Error('oh no'); });"));
    const failed = await dev.event(({ type }) => type === 'view-failed', since);
    assert.match(String(failed['stack']), /oh no[\s\S]*functions\/views\/panel\.jsx:9:\d+/);
    const problem = page.locator('#problem');
    await problem.waitFor({ state: 'visible' });
    assert.match((await problem.textContent()) ?? '', /oh no[\s\S]*functions\/views\/panel\.jsx:9:/);
    app.write('functions/views/panel.jsx', panel('fifth'));
    await shows('fifth blue');
    await problem.waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate('window.sameDocument'), true);
  });

  test('what it throws while another build replaces it is told at its line in the source it was built from', async () => {
    app.write('functions/views/panel.jsx', panel('closing', "return () => { throw new Error('too late'); };"));
    await shows('closing blue');
    await page.locator('#state').getByText('live', { exact: true }).waitFor();
    const since = dev.lines.length;
    app.write('functions/views/panel.jsx', `\n\n\n${panel('fifth')}`);
    const failed = await dev.event(({ type }) => type === 'view-failed', since);
    assert.match(String(failed['stack']), /too late\n.*functions\/views\/panel\.jsx:9:\d+/);
    await shows('fifth blue');
  });

  test('a page that nobody looks at listens no more, and shows what was saved meanwhile when it is looked at', async () => {
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const problem = page.locator('#problem');
    const saved = async (text: string, type: string) => {
      const since = dev.lines.length;
      app.write('functions/views/panel.jsx', text);
      await dev.event((line) => line.type === type && line['name'] === 'views/panel', since);
    };
    await hide(true);
    await saved(panel('sixth'), 'built');
    await shows('fifth blue');
    await hide(false);
    await shows('sixth blue');
    await hide(true);
    await saved('export default (', 'build-failed');
    await hide(false);
    await problem.waitFor({ state: 'visible' });
    await hide(true);
    await saved(panel('sixth'), 'built');
    await hide(false);
    await problem.waitFor({ state: 'hidden' });
    await shows('sixth blue');
    await page.evaluate("document.querySelector('iframe:not([hidden])').dataset.kept = 'yes'");
    await hide(true);
    await hide(false);
    await page.locator('#state').getByText('live', { exact: true }).waitFor();
    assert.equal(
      await page.locator('iframe:not([hidden])').getAttribute('data-kept'),
      'yes',
      'what did not change stays as it is',
    );
  });

  test('what has been typed into it is still there after a restart of fn dev', async () => {
    app.write('functions/views/panel.jsx', panel('seventh', "container.append(document.createElement('input'));"));
    await shows('seventh blue');
    await frame.locator('input').fill('half writ');
    const { port } = new URL(dev.ready.url);
    await dev.stop();
    const status = page.locator('#state');
    await status.filter({ hasText: 'does not answer' }).waitFor();
    dev = await app.dev('--port', port);
    await status.filter({ hasText: 'live' }).waitFor();
    assert.equal(await frame.locator('input').inputValue(), 'half writ');
    const since = dev.lines.length;
    app.write('functions/views/panel.jsx', panel('eighth'));
    await dev.event(({ type, name }) => type === 'built' && name === 'views/panel', since);
    await shows('eighth blue');
  });
});
