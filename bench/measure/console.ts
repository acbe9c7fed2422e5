import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { buildConsole } from '../../src/console/build.ts';
import { localCaller } from '../../src/emulator/index.ts';
import { scriptPerFrame } from '../console/frames.ts';
import { type FullWorkspace, openFullWorkspace } from '../console/workspace.ts';
import { type Figure, median, quantile } from '../lib/figures.ts';

const events = 100;

/** The console with a full workspace: what is loaded, how soon an event is seen, long lists, a long trace, a long conversation. */
export async function measure(runs: number): Promise<Figure[]> {
  const sizes = await sizesOf();
  if (noChromium) throw new Error(`There is ${noChromium}`);
  const full = await openFullWorkspace();
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(60_000);
    await page.goto(full.openUrl);
    await page.getByText('payload').first().waitFor();
    return [
      ...sizes,
      ...(await listOfInvocations(page, full, Math.max(runs, 20))),
      ...(await longTrace(page, full, runs)),
      ...(await longConversation(browser, page, full)),
    ];
  } finally {
    await browser.close();
    await full.local.close();
  }
}

async function sizesOf(): Promise<Figure[]> {
  const files = await buildConsole(() => {});
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? new Uint8Array()).length, 0) / 1_000;
  const first = new Set(['main.js', 'console.css', 'icons.svg']);
  for (const name of first) {
    const text = Buffer.from(files.get(name) ?? []).toString('utf8');
    for (const [, imported = ''] of text.matchAll(/from"\.\/([\w.-]+)"/g)) first.add(imported);
  }
  return [
    { name: 'console: first load, gzip', unit: 'kB', ours: sizeOf(first), target: '≤ 60 kB' },
    { name: 'console: everything, gzip', unit: 'kB', ours: sizeOf(files.keys()), target: '≤ 200 kB' },
  ];
}

/** As the page asks for it, without the network of a browser. */
async function listOfInvocations(page: Page, { local, url }: FullWorkspace, runs: number): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${local.token}` };
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await (await fetch(`${url}/api/dev/_local/invocations?limit=50`, { headers })).arrayBuffer();
    times.push(performance.now() - start);
  }
  await page.goto(`${url}/invocations`);
  await page.locator('a.row').nth(20).waitFor();
  return [
    { name: 'console: list of 10,000 invocations, p95', unit: 'ms', ours: quantile(times, 0.95), target: '≤ 50 ms' },
  ];
}

/** Runs in the page: goes to an address as a link does. @returns milliseconds until a frame shows enough of what was asked for */
const openWithin = `(address, selector, count) => new Promise((resolve) => {
  const start = performance.now();
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
  const look = () => document.querySelectorAll(selector).length >= count
    ? requestAnimationFrame(() => resolve(performance.now() - start))
    : requestAnimationFrame(look);
  look();
})`;

async function longTrace(page: Page, { local, traceOf }: FullWorkspace, runs: number): Promise<Figure[]> {
  const { spans } = await local.door(localCaller)('traces.show', { id: traceOf });
  if (spans.length < 5_000) throw new Error(`The trace has ${spans.length} spans only`);
  const times: number[] = [];
  // The first time loads the page's code, too, and is none of these.
  for (let run = 0; run < runs + 1; run++) {
    await page.evaluate(`(${openWithin})('/', 'a.fname', 1)`);
    const took = Number(await page.evaluate(`(${openWithin})('/traces/${traceOf}', '.fall tbody tr', 100)`));
    if (run > 0) times.push(took);
  }
  return [{ name: 'console: a trace of 5,000 spans opens', unit: 'ms', ours: median(times), target: '≤ 200 ms' }];
}

async function longConversation(browser: Browser, page: Page, full: FullWorkspace): Promise<Figure[]> {
  const { url, conversationId, local } = full;
  const door = local.door(localCaller);
  await page.goto(`${url}/tenants/dev/conversations/${conversationId}`);
  const desk = page.getByRole('log', { name: 'Conversation', exact: true });
  await desk.getByText('message 4999').waitFor();
  const scroll = "document.querySelector('[data-part=desk] [role=log]')";

  /** What is read stays where it is while earlier messages come. */
  let jump = 0;
  for (let n = 0; n < 4; n++) jump = Math.max(jump, Number(await page.evaluate(`(${jumpWhileLoading})(${scroll})`)));
  await page.evaluate(`(${loadAll})(${scroll})`);
  const frames = await scriptPerFrame(browser, page, async () => {
    await desk.hover();
    for (let turn = 0; turn < 60; turn++) {
      await page.mouse.wheel(0, turn < 30 ? 2_000 : -2_000);
      await page.waitForTimeout(30);
    }
  });

  await page.evaluate(`${scroll}.scrollTop = ${scroll}.scrollHeight`);
  const seen: number[] = [];
  for (let n = 0; n < events; n++) {
    const text = `event ${n} seen`;
    const shown = page.evaluate<number>(`new Promise((resolve) => {
      const look = () => {
        if (!${scroll}.textContent.includes(${JSON.stringify(text)})) return;
        // With the frame that shows it.
        requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
      };
      new MutationObserver(look).observe(${scroll}, { subtree: true, childList: true, characterData: true });
      look();
    })`);
    await door('messages.receive', { conversationId: conversationId as never, text });
    const happened = performance.timeOrigin + performance.now();
    seen.push((await shown) - happened);
  }
  return [
    {
      name: 'console: 5,000 messages scroll, script a frame, most',
      unit: 'ms',
      ours: Math.max(...frames),
      target: '≤ 8 ms',
    },
    { name: 'console: earlier messages move what is read by', unit: 'px', ours: jump, target: '0 px' },
    { name: 'console: event → screen among 5,000 messages, p50', unit: 'ms', ours: median(seen) },
    {
      name: 'console: event → screen among 5,000 messages, p95',
      unit: 'ms',
      ours: quantile(seen, 0.95),
      target: '≤ 100 ms',
    },
  ];
}

/** Runs in the page: scrolls to the beginning until all is loaded. */
const loadAll = `(scroll) => new Promise((resolve) => {
  const more = () => {
    if (/message 0(?!\\d)/.test(scroll.textContent)) return resolve();
    scroll.scrollTop = 0;
    setTimeout(more, 50);
  };
  more();
})`;

/** Runs in the page: scrolls to the beginning. @returns by how many pixels the message in view moves when earlier ones come */
const jumpWhileLoading = `(scroll) => new Promise((resolve) => {
  const before = scroll.scrollHeight;
  scroll.scrollTop = 1;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const top = scroll.getBoundingClientRect().top;
    const message = [...scroll.querySelectorAll('.msg')].find((one) => one.getBoundingClientRect().top >= top);
    const at = message.getBoundingClientRect().top;
    let most = 0, left = 10;
    const look = () => {
      most = Math.max(most, Math.abs(message.getBoundingClientRect().top - at));
      if (scroll.scrollHeight > before + 3_000) left--;
      if (left > 0) requestAnimationFrame(look); else resolve(most);
    };
    look();
  }));
})`;
