/** `npm run pictures`: writes docs/pictures/*.png, the console with the demo app in it, light and dark. Needs Chromium. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageRoot } from '../src/std/index.ts';
import { noChromium, openChromium } from './chromium.ts';
import { ask, invoke, until } from './demo/ask.ts';
import { withFreshDemo } from './demo/once.ts';
import type { RunningDemo } from './demo/start-dev.ts';
import { type Pixels, paletteImage } from './pictures/palette.ts';

const folder = join(packageRoot(), 'docs', 'pictures');
const size = { width: 1280, height: 800 };
const customer = { phone: '+493023125088', name: 'Tom Berg' };

if (noChromium) {
  process.stderr.write(`error There is ${noChromium}\n`);
  process.exitCode = 2;
} else {
  mkdirSync(folder, { recursive: true });
  await withFreshDemo(takePictures);
}

async function takePictures(demo: RunningDemo): Promise<void> {
  const browser = await openChromium();
  try {
    const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(demo.openUrl);
    await useFunctions(demo);
    await takeBoth(page, 'functions', `${demo.url}/functions/order-desk/tools/order-status`, async () => {
      await page.getByRole('button', { name: /^Invoke Ctrl/ }).click();
      await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
    });

    const conversationId = await chat(demo);
    await takeBoth(page, 'inbox', `${demo.url}/tenants/${demo.slug}/conversations/${conversationId}`, async () => {
      await page.getByRole('region', { name: 'Waits for your decision' }).waitFor();
      const view = page.frameLocator('iframe:not([hidden])').locator('#view');
      await view.filter({ hasText: /\d/, hasNotText: 'Looking' }).waitFor();
    });

    const run = await allowRefund(demo, conversationId);
    await takeBoth(page, 'run', `${demo.url}/runs/${run.id}`, () => page.locator('.sent').first().waitFor());
    await takeBoth(page, 'trace', `${demo.url}/traces/${run.id}`, () => page.locator('.fall tr').nth(8).waitFor());
  } finally {
    await browser.close();
  }
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/** So that the list of functions has something to say about most of them. */
async function useFunctions(demo: RunningDemo): Promise<void> {
  const csv = [
    'order;placed;name;phone;article;quantity;price;status',
    `A-2001;${daysAgo(4)};Tom Berg;030 23125 088;LMP-330;2;39,90;shipped`,
    `A-2002;${daysAgo(32)};Tom Berg;030 23125 088;BTL-050;1;19,50;delivered`,
    '',
  ].join('\n');
  const path = '/custom-functions/order-desk/api/orders';
  await ask(demo, 'POST', `${path}/import.js`, { csv });
  await ask(demo, 'POST', `${path}/find.js`, { phone: customer.phone });
  for (const orderId of ['A-1017', 'A-1019', 'A-2001', 'A-1017']) await invoke(demo, 'tools/order-status', { orderId });
  for (const quantity of [1, 2, 40]) await invoke(demo, 'flow-nodes/check-stock', { article: 'TNT-120', quantity });
}

/** A customer asks where an order is, and wants its money back, which a person has to allow. */
async function chat(demo: RunningDemo): Promise<string> {
  const say = async (text: string): Promise<string> =>
    (await ask(demo, 'POST', '/_local/messages/receive', { ...customer, text })).conversationId;
  const answered = (id: string, part: string) =>
    until(`“${part}” is answered`, async () => {
      const { items } = await ask(demo, 'GET', `/conversations/${id}/messages?order=desc&limit=10`);
      return items.some((one: { direction: string; text: string | null }) => {
        return one.direction === 'out' && one.text?.includes(part);
      });
    });
  const id = await say('Hello');
  await answered(id, 'number of your order');
  await say('Where is A-2001?');
  await answered(id, 'It is shipped');
  await say('It came broken. Please refund A-2001');
  await until('the refund waits for a person', async () => (await questionsOf(demo, id)).length > 0);
  return id;
}

async function questionsOf(demo: RunningDemo, conversationId: string): Promise<{ id: string; runId: string }[]> {
  return (await ask(demo, 'GET', `/confirmations?open=true&conversationId=${conversationId}`)).items;
}

/** @returns the run that has asked, after its end */
async function allowRefund(demo: RunningDemo, conversationId: string): Promise<{ id: string }> {
  const [question] = await questionsOf(demo, conversationId);
  if (question === undefined) throw new Error('Nothing waits for a person');
  await ask(demo, 'POST', `/confirmations/${question.id}/answer`, { answer: 'allow' });
  await until('the run has ended', async () => {
    const { items } = await ask(demo, 'GET', '/ai-agent-runs?limit=10');
    return items.every(({ endedAt }: { endedAt: string | null }) => endedAt !== null);
  });
  return { id: question.runId };
}

/** One picture for readers with a light page, one for those with a dark one. */
async function takeBoth(page: Page, name: string, url: string, isReady: () => Promise<void>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(url);
    await isReady();
    // A view in a frame of its own is painted after it has its height.
    await page.waitForTimeout(700);
    const picture = await page.screenshot({ animations: 'disabled' });
    const small = paletteImage(await pixelsOf(page, picture));
    writeFileSync(join(folder, `${name}-${colorScheme}.png`), small);
    process.stdout.write(`docs/pictures/${name}-${colorScheme}.png  ${Math.round(small.length / 1024)} kB\n`);
  }
}

/** A browser has the decoder. A page of its own, as the console's policy lets it load nothing. */
async function pixelsOf(page: Page, png: Buffer): Promise<Pixels> {
  const empty = await page.context().newPage();
  try {
    const base64 = await empty.evaluate<string>(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(png.toString('base64'))}), (sign) => sign.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, image.width, image.height).data;
      let text = '';
      for (let at = 0; at < pixels.length; at += 0x8000)
        text += String.fromCharCode(...pixels.subarray(at, at + 0x8000));
      return btoa(text);
    })()`);
    return { ...size, bytes: Buffer.from(base64, 'base64') };
  } finally {
    await empty.close();
  }
}
