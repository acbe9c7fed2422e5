import assert from 'node:assert/strict';
import { noChromium, openChromium } from '../chromium.ts';
import type { RunningDemo } from './start-dev.ts';

/** Opens the view in headless Chromium where one is installed; else checks the page by HTTP and says how to get one. */
export async function checkView(demo: RunningDemo): Promise<string> {
  const view = demo.functions.find(({ type }) => type === 'custom-view');
  assert.ok(view?.url, 'the view has an address');
  return noChromium ? await checkByHttp(demo, view.url) : await checkInBrowser(demo, view.url);
}

async function checkInBrowser(demo: RunningDemo, url: string): Promise<string> {
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(demo.openUrl);
    await page.goto(url);
    await page.locator('#state').getByText('live', { exact: true }).waitFor({ timeout: 20_000 });
    const frame = page.frameLocator('iframe:not([hidden])');
    const view = frame.locator('#view');
    await view.filter({ hasText: /\d/, hasNotText: 'Looking' }).waitFor({ timeout: 10_000 });
    const text = (await view.textContent())?.trim().slice(0, 60) ?? '';
    const picture = process.env['DEMO_SCREENSHOT'];
    if (picture !== undefined) await page.screenshot({ path: picture });
    return `"${text}" in Chromium`;
  } finally {
    await browser.close();
  }
}

async function checkByHttp(demo: RunningDemo, url: string): Promise<string> {
  const signIn = await fetch(demo.openUrl, { redirect: 'manual' });
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await fetch(url, { headers: { cookie } });
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(await page.text(), /<div id="console">/);
  return 'its page answers (install chromium, or set CHROMIUM to its path, to see it run in a browser)';
}
