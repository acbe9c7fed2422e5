import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { everyone } from '../emulator/an-emulator.ts';
import { aFlowWorkspace } from '../emulator/flows/support.ts';
import { until } from '../until.ts';

const tool = (name: string, body: string, more: object = {}) => ({
  config: {
    type: 'ai-tool',
    name,
    description: `${name} of an order`,
    input: {
      type: 'object',
      properties: { orderId: { type: 'string' }, euros: { type: 'number' } },
      additionalProperties: false,
    },
    permissions: { callers: { aiAgents: 'all' } },
    ...more,
  },
  body,
});
const lastUser = (contains: string) => ({ lastUser: { contains } });
const answered = { toolResults: { min: 1 } };
const nora = {
  file: { title: 'Nora', instructions: 'Help with orders.', tools: ['order_status', 'refund'] },
  script: {
    rules: [
      { when: { ...lastUser('refund'), ...answered }, say: 'Refunded: {{lastToolResult.euros}} euros.' },
      {
        when: { ...lastUser('where'), ...answered },
        say: 'Your order is {{lastToolResult.status}}.',
        wordDelayMs: 20,
      },
      { when: lastUser('refund'), call: [{ tool: 'refund', args: { orderId: 'A-1', euros: 24 } }] },
      { when: lastUser('where'), call: [{ tool: 'order_status', args: { orderId: 'A-1' } }] },
    ],
    default: { say: 'You said: {{lastUser}}' },
  },
};
const flow = {
  nodes: {
    t: { type: 'trigger', on: 'message.received', next: 'a' },
    a: { type: 'ai-agent', agent: 'nora', next: 'e', onHandover: 'e', onBudget: 'e', onError: 'e' },
    e: { type: 'end' },
  },
};
const functions = {
  'tools/order-status': tool('order_status', "return { status: 'shipped' };", { annotations: { readOnly: true } }),
  'tools/refund': tool('refund', 'return { euros: sdk.tool.args.euros };', { confirm: 'human' }),
};
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const collectMs = 2_000;

describe('the console, with an AI agent', { skip: noChromium }, async () => {
  const { emulator, url, advance, call } = await aFlowWorkspace({ support: flow }, functions, { nora });
  const { conversationId } = await call('messages.receive', { phone: '+493090182001', name: 'Ann Larsen', text: 'hi' });
  await advance(collectMs);
  let browser: Browser;
  let page: Page;
  const wrong: string[] = [];
  /** The one that the page asks. */
  let server: Server | undefined;
  subscribe('http.server.request.start', (message) => {
    ({ server } = message as { server: Server });
  });

  before(async () => {
    browser = await openChromium();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on('response', (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`));
    page.on('pageerror', (error) => wrong.push(String(error)));
    await page.goto(emulator.openUrl(`/tenants/dev/conversations/${conversationId}`));
    await pane('Agent desk').getByText('You said: hi').waitFor();
  });
  after(() => browser?.close());

  const pane = (name: string) => page.getByRole('region', { name, exact: true });
  const desk = () => pane('Agent desk');
  const phone = () => pane('As the customer');
  const writeAsCustomer = async (text: string) => {
    await phone().getByLabel('Write as Ann Larsen').fill(text);
    await page.keyboard.press('Enter');
    await desk().locator('.bubble').getByText(text, { exact: true }).waitFor();
  };

  test('the agent answers a customer through a tool; what it writes is a draft until it is sent', async () => {
    await page.evaluate(`window.drafts = []; new MutationObserver(() => {
      for (const one of document.querySelectorAll('.msg[data-state=draft] .bubble')) window.drafts.push(one.textContent);
      for (const one of document.querySelectorAll('[data-part=phone] .typing')) window.isDotted = true;
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    await writeAsCustomer('where is it?');
    await advance(collectMs);
    await phone().getByText('Your order is shipped.').waitFor();
    await desk().locator('.msg', { hasText: 'Your order is shipped.' }).getByText('Nora').waitFor();
    await desk().locator('a.happened', { hasText: 'order_status' }).waitFor();
    await until('no draft', async () => (await page.locator('[data-state=draft], .typing').count()) === 0);
    assert.match(String(await page.evaluate('window.drafts.at(-1)')), /^Your order is/);
    assert.equal(await page.evaluate('window.isDotted'), true);
  });

  test('a refund waits for a person: it is counted, the palette finds it, and its run shows it', async () => {
    await writeAsCustomer('refund it');
    await advance(collectMs);
    const question = page.getByRole('region', { name: 'Waits for your decision' });
    await question.getByText('A-1', { exact: true }).waitFor();
    await page.locator('a.conv').getByText('Asks you').waitFor();
    await desk().locator('.answering').getByText('waiting').waitFor();
    assert.equal(await question.getByText('orderId').count(), 1, 'what is asked stands there once');
    await page.getByRole('link', { name: 'Inbox 1 waits for you' }).waitFor();
    assert.equal(await page.title(), '(1) Inbox · dev');

    await page.getByRole('link', { name: 'Agent runs', exact: true }).click();
    await pane('Agent runs').getByRole('link').first().click();
    await pane('Timeline').getByRole('region', { name: 'Waits for your decision' }).waitFor();
    const trail = page.getByRole('navigation', { name: 'Cause and effect' });
    await trail.getByRole('link', { name: 'from the customer' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /^refund for Ann Larsen\? refund, \d/ }).click();
    await page.waitForURL(new RegExp(`/conversations/${conversationId}$`));
  });

  test('a refund that waits is allowed with another amount', async () => {
    const question = page.getByRole('region', { name: 'Waits for your decision' });
    await question.getByRole('button', { name: 'Change…' }).click();
    await question.getByLabel('Arguments').fill('{"orderId": "A-1", "euros": 12}');
    await question.getByRole('button', { name: 'Allow with changes' }).click();
    await question.waitFor({ state: 'detached' });
    await advance(collectMs);
    await phone().getByText('Refunded: 12 euros.').waitFor();
  });

  test('a colleague takes over: the AI is silent, and the list says so', async () => {
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('t');
    await desk().getByRole('button', { name: 'You answer' }).waitFor();
    await page.locator('a.conv').getByText('AI paused').waitFor();
    await writeAsCustomer('where is it now?');
    await advance(collectMs);
    await desk().getByLabel('Reply', { exact: true }).fill('I look after it');
    await page.keyboard.press('Control+Enter');
    await phone().getByText('I look after it').waitFor();
    assert.equal(await phone().getByText('Your order is shipped.').count(), 1);
  });

  test('handed back, the AI answers the customer again', async () => {
    await desk()
      .getByRole('button', { name: /^Hand back/ })
      .click();
    await desk().getByRole('button', { name: 'Nora answers' }).waitFor();
    await desk().locator('.happened').getByText('Handed back to the AI').waitFor();
    await writeAsCustomer('thank you');
    await advance(collectMs);
    await phone().getByText('You said: thank you').waitFor();
  });

  test('a run shows its calls, and what a model was sent beside the call before', async () => {
    await page.keyboard.press('Escape');
    await page.goto(`${url}/runs`);
    const list = pane('Agent runs');
    await until('four runs', async () => (await list.getByRole('link').count()) === 4);
    await list.getByRole('link').nth(1).click();
    await pane('Run').getByRole('heading', { name: 'Nora for Ann Larsen' }).waitFor();
    const timeline = pane('Timeline');
    await timeline.locator('.step', { hasText: '“refund it”' }).waitFor();
    await timeline.locator('.step', { hasText: 'Wants refund' }).waitFor();
    await timeline.locator('.step', { hasText: 'Person asked' }).getByText('allowed · with changes').waitFor();
    await timeline.locator('.step', { hasText: 'Completed · 1 message' }).waitFor();
    assert.deepEqual(
      await pane('Run')
        .getByRole('meter')
        .evaluateAll((all) => all.map((one) => one.ariaLabel)),
      ['Tokens', 'Model calls', 'Tool calls', 'Working time'],
    );
    await timeline.locator('a.step', { hasText: 'Answers' }).click();
    const sent = pane('Model call');
    await sent.locator('ins', { hasText: 'calls refund' }).waitFor();
    await sent.locator('ins', { hasText: '"euros":12' }).waitFor();
    await sent.getByRole('button', { name: /messages as before/ }).click();
    await sent.getByText('Help with orders.').waitFor();
    await sent.getByRole('tab', { name: 'Answer' }).click();
    await sent.getByText('Refunded: 12 euros.').waitFor();
    await timeline
      .locator('.step', { hasText: '12' })
      .filter({ has: page.locator('code', { hasText: 'refund' }) })
      .click();
    await pane('Tool call').getByRole('link', { name: 'Its invocation' }).waitFor();
    assert.match(page.url(), /\/runs\/run_\w+\?step=tlc_/);
  });

  test('a run that is run again is another one, and sends nothing to the customer', async () => {
    const messages = (await call('messages.list', { conversationId, limit: 200 })).items.length;
    const shown = new URL(page.url()).pathname;
    await pane('Run')
      .getByRole('button', { name: /^Run again R/ })
      .click();
    await until('another run', async () => new URL(page.url()).pathname !== shown);
    await until('a list with it', async () => (await pane('Agent runs').getByRole('link').count()) === 5);
    await emulator.settled();
    assert.equal((await call('messages.list', { conversationId, limit: 200 })).items.length, messages);
  });

  test('a stream that is cut 20 times during runs leads to what a fresh page shows', async () => {
    const path = `/tenants/dev/conversations/${conversationId}`;
    await page.goto(url + path);
    await desk().getByText('thank you').first().waitFor();
    let cuts = 0;
    const cut = () => {
      cuts++;
      server?.closeAllConnections();
    };
    for (let turn = 0; turn < 10; turn++) {
      await call('messages.receive', { conversationId, text: `where is it, ${turn}?` });
      cut();
      await advance(collectMs);
      cut();
      if (turn % 3 === 0) await desk().getByText(`it, ${turn}?`).waitFor();
    }
    await emulator.settled();
    assert.equal(cuts, 20);
    assert.ok(server, 'connections were cut');
    // Both show some rows around the end; how many depends on what each has measured.
    const shownIn = async (one: Page) => {
      const rows = ['As the customer', 'Agent desk'].map(async (name) => {
        return (await one.getByRole('region', { name, exact: true }).locator('.chat-row').allTextContents()).slice(-12);
      });
      return await Promise.all([one.getByRole('region', { name: 'Conversations' }).textContent(), ...rows]);
    };
    const fresh = await (await browser.newContext()).newPage();
    await fresh.goto(emulator.openUrl(path));
    await fresh.getByRole('region', { name: 'Agent desk' }).getByText('where is it, 9?').waitFor();
    await until('both show the same', async () => isDeepStrictEqual(await shownIn(page), await shownIn(fresh)));
    await fresh.context().close();
    wrong.splice(0);
  });

  test('a run that is not there says so', async () => {
    await page.goto(`${url}/runs/run_01M86EKWB0Z27CFHSZE7R95BZE`);
    await page.getByText('run_not_found').waitFor();
    wrong.splice(0);
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`axe finds nothing in a run, ${scheme} and narrow`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      const { items } = await emulator.door(everyone)('aiAgentRuns.list', { limit: 10 });
      const refund = items.find(({ usage, rerunOf }) => usage.toolCalls > 0 && rerunOf === null);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        for (const path of [`/runs/${refund?.id}`, `/tenants/dev/conversations/${conversationId}`]) {
          await page.goto(url + path);
          await until('rows', async () => (await page.locator('.step, .msg').count()) > 2);
          await page.evaluate(axe);
          const found = await page.evaluate<string>(
            `axe.run({ exclude: ['iframe'] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
              violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' | ')).join('\\n'))`,
          );
          assert.equal(found, '', `${path} at ${width}`);
          assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), `${path} fits ${width}`);
          if (process.env['SHOTS'])
            await page.screenshot({ path: `${process.env['SHOTS']}/${scheme}-${width}-${path.split('/')[1]}.png` });
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      assert.deepEqual(wrong.splice(0), []);
    });
  }
});
