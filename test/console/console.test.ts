import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noChromium, openChromium } from '../../scripts/chromium.ts';
import { anEmulator, everyone, type Functions, method, token } from '../emulator/an-emulator.ts';
import { until } from '../until.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e\u0007';
const functions: Functions = {
  'api/orders': {
    config: { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } },
    body: 'const { id } = await sdk.request.json(); await sdk.store.set("seen", { id }); console.warn("looked for", id); if (!id) throw new Error("no id given"); return { id, found: true };',
    example: { id: 'A-1017' },
  },
  'tools/refund': {
    config: {
      type: 'ai-tool',
      name: 'refund',
      description: 'Refunds an order',
      input: {
        type: 'object',
        required: ['orderId'],
        properties: { orderId: { type: 'string' }, euros: { type: 'number' } },
        additionalProperties: false,
      },
      permissions: { callers: { code: true, aiAgents: 'all' } },
      confirm: 'human',
    },
    body: 'return { refunded: sdk.tool.args.euros ?? "all" };',
  },
  'views/panel': {
    config: { type: 'custom-view', title: 'Order panel', placement: 'conversation' },
    body: 'sdk.view.container.textContent = "panel of " + (sdk.customer?.name ?? "nobody");',
  },
};
const said = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ from: 'customer' as const, text: `message ${i}`, at: `-${500 - i}m` }));
const seed = {
  channels: [{ kind: 'messaging-app' as const, name: 'Messages' }],
  agents: [{ name: 'Jana Winter', email: 'jana@example.com' }],
  templates: [
    {
      name: 'order_here',
      language: 'en',
      category: 'utility' as const,
      status: 'approved' as const,
      body: 'Hello {{1}}, it is here',
      buttons: [{ type: 'quick_reply' as const, text: 'Thanks' }],
    },
  ],
  customers: [
    { name: 'Ann Larsen', phone: '+493090182001', conversations: [{ channel: 'messaging-app', messages: said(3) }] },
    { name: 'Long Talker', phone: '+493090182002', conversations: [{ channel: 'messaging-app', messages: said(450) }] },
    {
      name: hostile,
      phone: '+493090182003',
      conversations: [
        { channel: 'messaging-app', messages: [{ from: 'customer' as const, text: hostile, at: '-9m' }] },
      ],
    },
  ],
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the console', { skip: noChromium }, async () => {
  const { emulator, url, source, post } = await anEmulator({ functions, seed: seed as never });
  const door = emulator.door(everyone);
  const { items } = await door('conversations.list', { inbox: 'all' });
  const conversationOf = async (name: string) => {
    for (const { id, customerId } of items)
      if ((await door('customers.get', { id: customerId })).name === name) return id;
    throw new Error(`${name} has no conversation`);
  };
  const ann = await conversationOf('Ann Larsen');
  let browser: Browser;
  let page: Page;
  /** What the browser complained about, and what it asked of others. */
  const wrong: string[] = [];

  before(async () => {
    browser = await openChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('dialog', (dialog) => {
      wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.setDefaultTimeout(20_000);
    page.on(
      'request',
      (request) => !request.url().startsWith(url) && !request.url().startsWith('data:') && wrong.push(request.url()),
    );
    await page.goto(emulator.openUrl('/'));
  });
  after(() => browser?.close());

  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const pane = (name: string) => page.getByRole('region', { name, exact: true });

  test('is opened by a code that is used once, and its token is in no document and no storage', async () => {
    await page.getByRole('heading', { name: 'Functions', exact: true }).first().waitFor();
    await pane('Functions').getByText('tools/refund').waitFor();
    assert.equal(page.url(), `${url}/`);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    const shown = await page.content();
    for (const text of [String(stored), shown]) assert.doesNotMatch(text, /fnc_|fnt_|fn_local_/);
    const policy = (await page.request.get(`${url}/`)).headers()['content-security-policy'] ?? '';
    assert.match(policy, /default-src 'none'; script-src 'nonce-[\w-]+'; style-src 'nonce-/);
    assert.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/);
  });

  test('a new function stands among the functions without loading the page again', async () => {
    await page.evaluate('window.sameDocument = true');
    source.change({ ...functions, 'api/second': method('return 2;') });
    await pane('Functions').getByText('api/second').waitFor();
    source.change(functions);
    await pane('Functions').getByText('api/second').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('window.sameDocument'), true);
  });

  test('what does not build stands before everything else, until it is mended', async () => {
    source.change({ ...functions, 'views/broken': { config: { type: 'custom-view' }, body: '' } });
    const problem = pane('Build problem of views/broken');
    await problem.getByText('config.title is missing').waitFor();
    await page
      .locator('.nav-item', { hasText: 'Functions' })
      .getByText('does not build')
      .waitFor({ state: 'attached' });
    source.change(functions);
    await problem.waitFor({ state: 'detached' });
  });

  /** The input of a function, once it has its fixture: what is written in the same moment would be mixed with it. */
  const filledField = async () => {
    const field = page.getByLabel('Input as JSON');
    await until('the fixture', async () => /A-1017/.test(await field.inputValue()));
    return field;
  };

  test('a function is invoked with a form, and its record is a link away', async () => {
    await link('api/orders').click();
    const invoke = pane('Invoke api/orders');
    assert.match((await invoke.locator('.command code').textContent()) ?? '', /^curl -X POST \S+\/api\/orders\.js /);
    await (await filledField()).fill('{"id": "A-1"}');
    await invoke.getByRole('button', { name: /^Invoke Ctrl/ }).click();
    await invoke.getByText('"found"').waitFor();
    await invoke.getByRole('link', { name: 'Open' }).click();
    await page.waitForURL(/\/invocations\/inv_/);
    await page.getByRole('table').getByText('store.set').waitFor();
    await page.getByRole('table').getByText('looked for A-1').waitFor();
  });

  test('what is no JSON is said at the field, and nothing is invoked', async () => {
    await page.goto(`${url}/functions/shop/api/orders`);
    const field = await filledField();
    await field.fill('{"id": ');
    await page.getByRole('button', { name: /^Invoke Ctrl/ }).click();
    await page.getByRole('alert').getByText('is no JSON').waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
  });

  test('an invocation that failed shows its error, and is run again with edited input', async () => {
    await page.goto(`${url}/functions/shop/api/orders`);
    await (await filledField()).fill('{"id": ""}');
    await page.getByRole('button', { name: /^Invoke Ctrl/ }).click();
    await page.getByRole('alert').getByText('no id given').waitFor();
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await pane('Error').getByText('Error: no id given').waitFor();
    await page.getByRole('button', { name: /^Again with edited input/ }).click();
    await page.waitForURL(/\/functions\/shop\/api\/orders\?input=/);
    const field = page.getByLabel('Input as JSON');
    await until('the input of that time', async () => /"id": ""/.test(await field.inputValue()));
    await field.fill('{"id": "A-2"}');
    await page.getByRole('button', { name: /^Invoke Ctrl/ }).click();
    await page.getByText('"A-2"', { exact: true }).waitFor();
  });

  test('the list of invocations is live, keeps its filter in the address, and “Again” leads to the new one', async () => {
    await page.goto(`${url}/invocations?status=ok`);
    const list = pane('Invocations');
    const before = await list.getByRole('link').count();
    await post('/custom-functions/shop/api/orders.js', { id: 'live' });
    await until('another row', async () => (await list.getByRole('link').count()) > before);
    await list.getByRole('link').first().click();
    assert.match(page.url(), /\/invocations\/inv_\w+\?status=ok/);
    const shown = page.url();
    await page.getByRole('button', { name: /^Again R/ }).click();
    await until('another invocation', async () => page.url() !== shown);
    await list.getByLabel('Filter by status').selectOption('error');
    await until('the filter in the address', async () => page.url().includes('status=error'));
  });

  test('the input of an invocation is saved as a fixture; the page says why if it is not', async () => {
    await post('/custom-functions/shop/api/orders.js', { id: 'live' });
    const { items: newest } = await door('invocations.list', { function: 'api/orders', limit: 1 });
    await page.goto(`${url}/invocations/${newest[0]?.id}`);
    await page.getByRole('button', { name: 'Save as fixture' }).click();
    await page.getByLabel('Name of the fixture').fill('as-it-was');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('fixture_unsavable').waitFor();
    const saved: unknown[] = [];
    Object.assign(source, {
      saveFixture: async (...given: unknown[]) => {
        saved.push(given);
        return 'fixtures/api/orders.as-it-was.json';
      },
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved: fixtures/api/orders.as-it-was.json').waitFor();
    assert.deepEqual(saved, [['api/orders', 'as-it-was', { id: 'live' }]]);
    Object.assign(source, { saveFixture: undefined });
    wrong.splice(0);
  });

  test('a message has its whole trace, from the customer to what it caused', async () => {
    const message = await door('messages.receive', { conversationId: ann, text: 'traced' });
    await page.goto(`${url}/traces/${message.id}`);
    await page.getByRole('table').getByText('from the customer').waitFor();
    await page.getByRole('table').getByText('message.received').waitFor();
  });

  test('the customer writes, a colleague answers and notes; both sides see what is theirs', async () => {
    await page.goto(`${url}/tenants/dev`);
    await pane('Conversations').getByText('Ann Larsen').click();
    const phone = pane('As the customer');
    const desk = pane('Agent desk');
    await phone.getByLabel('Write as Ann Larsen').fill('Where is my order?');
    await page.keyboard.press('Enter');
    await desk.getByText('Where is my order?').waitFor();
    await until('an empty field', async () => (await phone.getByLabel('Write as Ann Larsen').inputValue()) === '');
    await desk.getByLabel('Reply', { exact: true }).fill('On its <b>way</b>');
    await page.keyboard.press('Control+Enter');
    await phone.getByText('On its <b>way</b>').waitFor();
    await desk.locator('.msg', { hasText: 'On its <b>way</b>' }).getByText('Jana Winter').waitFor();
    await desk.getByRole('button', { name: 'Note', exact: true }).click();
    await desk.getByLabel('Internal note').fill('a good customer');
    await desk.getByRole('button', { name: /^Add note/ }).click();
    await desk.getByText('a good customer').waitFor();
    assert.equal(await phone.getByText('a good customer').count(), 0);
    await desk.getByLabel('Delivery state').last().selectOption('read');
    await until('the state', async () => {
      const {
        items: [last],
      } = await door('messages.list', { conversationId: ann, order: 'desc', limit: 1 });
      return last?.status === 'read';
    });
    await desk.getByLabel('Assigned to').selectOption({ label: 'Jana Winter' });
    await desk.getByText('Assigned to Jana Winter').waitFor();
  });

  test('a quick reply is tapped on the phone', async () => {
    const quickReplies = [
      { id: 'yes', title: 'Yes please' },
      { id: 'no', title: 'No' },
    ];
    await door('messages.send', { conversationId: ann, text: 'Shall we?', quickReplies });
    await pane('As the customer').getByRole('button', { name: 'Yes please' }).click();
    await pane('Agent desk').locator('.msg .bubble').getByText('Yes please').waitFor();
    const {
      items: [last],
    } = await door('messages.list', { conversationId: ann, order: 'desc', limit: 1 });
    assert.equal(last?.quickReplyId, 'yes');
  });

  test('a template is refused with a reason until all fits, and sent as the customer sees it', async () => {
    await pane('Agent desk').getByRole('button', { name: 'Use a template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use a template' });
    await dialog.getByLabel('Variable 1').waitFor();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('variables_invalid').waitFor();
    await dialog.getByLabel('Variable 1').fill('Ann');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await pane('As the customer').locator('.tpl').getByText('Hello Ann, it is here').waitFor();
    await pane('As the customer').getByRole('button', { name: 'Thanks' }).waitFor();
  });

  test('Escape closes a dialog and leaves a field: neither the conversation nor a draft is lost', async () => {
    const shown = page.url();
    const desk = pane('Agent desk');
    await desk.getByRole('button', { name: 'Reply', exact: true }).click();
    await desk.getByLabel('Reply', { exact: true }).fill('a draft');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
    await desk.getByRole('button', { name: 'Use a template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use a template' });
    await dialog.getByLabel('Variable 1').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(page.url(), shown);
    assert.equal(await desk.getByLabel('Reply', { exact: true }).inputValue(), 'a draft');
    await desk.getByLabel('Reply', { exact: true }).fill('');
  });

  test('a call that a person has to confirm waits above the composer, and is allowed with other arguments', async () => {
    const caller = { ...everyone, type: 'token' as const, id: 'tok_1' };
    const called = await emulator.door(caller)('tools.call', {
      name: 'refund',
      arguments: { orderId: 'A-1', euros: 24 },
      conversationId: ann,
    });
    assert.equal(called.error?.code, 'tool_confirmation_required');
    const question = page.getByRole('region', { name: 'Waits for your decision' });
    await question.getByText('A-1', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Change…' }).click();
    await question.getByLabel('Arguments').fill('{"orderId": "A-1", "euros": 12}');
    await question.getByRole('button', { name: 'Allow with changes' }).click();
    await question.waitFor({ state: 'detached' });
  });

  test('a long conversation is read from its end, and earlier messages come when one scrolls there', async () => {
    await page.goto(`${url}/tenants/dev/conversations/${await conversationOf('Long Talker')}`);
    const desk = pane('Agent desk');
    await desk.getByText('message 449', { exact: true }).waitFor();
    assert.ok((await desk.locator('.msg').count()) < 60, 'only what is near the view is in the document');
    const isAtEnd =
      "(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight >= scrollHeight - 8)(document.querySelector('[data-part=desk] [role=log]'))";
    await until('the end', () => page.evaluate<boolean>(isAtEnd));
    const scroll = "document.querySelector('[data-part=desk] [role=log]')";
    // To the first of the messages that are there: those before it come, and it must not move while they do.
    await page.evaluate(`${scroll}.scrollTop = 60`);
    const read = desk.getByText('message 252', { exact: true });
    await read.waitFor();
    const at = await read.evaluate((one) => one.getBoundingClientRect().top);
    await desk.getByText('message 248', { exact: true }).waitFor({ state: 'attached' });
    assert.ok(Math.abs((await read.evaluate((one) => one.getBoundingClientRect().top)) - at) < 1, 'it stands still');
    await until('the first message of all', async () => {
      await page.evaluate(`${scroll}.scrollTop = 0`);
      return (await desk.getByText('message 0', { exact: true }).count()) === 1;
    });
  });

  test('a message that comes while one reads earlier ones moves nothing; at the end it is followed', async () => {
    const id = await conversationOf('Long Talker');
    const desk = pane('Agent desk');
    const top = () => page.evaluate<number>("document.querySelector('[data-part=desk] [role=log]').scrollTop");
    await page.evaluate("document.querySelector('[data-part=desk] [role=log]').scrollTop = 0");
    await door('messages.receive', { conversationId: id, text: 'while reading' });
    await pane('Conversations').locator('a.conv', { hasText: 'while reading' }).waitFor();
    assert.equal(await top(), 0);
    assert.equal(await desk.getByText('while reading').count(), 0, 'it is far below the view');
    await page.evaluate(
      "(one => one.scrollTop = one.scrollHeight)(document.querySelector('[data-part=desk] [role=log]'))",
    );
    await desk.getByText('while reading').waitFor();
    await door('messages.receive', { conversationId: id, text: 'at the end' });
    await desk.getByText('at the end').waitFor();
    assert.ok(await desk.getByText('at the end').evaluate((one) => one.getBoundingClientRect().bottom < 900));
  });

  test('what is being written stays, and so does a selection, when the next message comes', async () => {
    const id = await conversationOf('Long Talker');
    await page.getByLabel('Write as Long Talker').fill('half writ');
    await pane('Agent desk').getByText('message 448', { exact: true }).selectText();
    await door('messages.receive', { conversationId: id, text: 'meanwhile' });
    await pane('Agent desk').getByText('meanwhile').waitFor();
    assert.equal(await page.getByLabel('Write as Long Talker').inputValue(), 'half writ');
    assert.equal(await page.evaluate('getSelection().toString()'), 'message 448');
  });

  test('a message that is not sent stays in its field, and the page says why', async () => {
    const phone = pane('As the customer');
    const field = phone.getByLabel('Write as Long Talker');
    await page.route('**/messages/receive', (route) => route.abort());
    await field.fill('lost on the way');
    await field.press('Enter');
    await phone.getByText('The workspace does not answer').waitFor();
    assert.equal(await field.inputValue(), 'lost on the way');
    await page.unroute('**/messages/receive');
    await field.fill('x'.repeat(5_000));
    await field.press('Enter');
    await phone.getByText('input_invalid').waitFor();
    await field.fill('a short one');
    await field.press('Enter');
    await pane('Agent desk').getByText('a short one').waitFor();
    wrong.splice(0);
  });

  test('names and messages with markup and control characters are text', async () => {
    await page.goto(`${url}/tenants/dev/conversations/${await conversationOf(hostile)}`);
    await pane('Agent desk').locator('.bubble', { hasText: '<img src=x' }).waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
  });

  test('a conversation shows the views for it, each in a frame of another origin', async () => {
    await page.goto(`${url}/tenants/dev/conversations/${ann}`);
    await page.frameLocator('iframe:not([hidden])').getByText('panel of Ann Larsen').waitFor();
    assert.match((await page.locator('iframe').getAttribute('sandbox')) ?? '', /^allow-scripts(?!.*same-origin)/);
  });

  test('a message that comes in moves its conversation to the top, and the focus of the keyboard stays', async () => {
    await page.goto(`${url}/tenants/dev`);
    const rows = page.locator('a.conv');
    await rows.getByText('Long Talker').waitFor();
    const last = rows.last();
    const address = await last.getAttribute('href');
    const text = 'up to the top';
    await last.focus();
    await door('messages.receive', { phone: '+49309018299', name: 'Somebody new', text });
    await rows.first().getByText(text).waitFor();
    assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), address);
  });

  test('the back button leads from a conversation to the page that opened it, and the field keeps the focus', async () => {
    await page.locator('a.conv', { hasText: 'Somebody new' }).click();
    const field = pane('As the customer').getByLabel('Write as Somebody new');
    for (const text of ['first of mine', 'second of mine']) {
      await field.fill(text);
      await field.press('Enter');
      await pane('Agent desk').locator('.bubble').getByText(text, { exact: true }).waitFor();
    }
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Write as Somebody new');
    await page.goBack();
    assert.equal(page.url(), `${url}/tenants/dev`);
  });

  test('a message in Hebrew is set from right to left', async () => {
    await door('messages.receive', { conversationId: ann, text: 'שלום!' });
    await page.goto(`${url}/tenants/dev/conversations/${ann}`);
    const bubble = pane('Agent desk').locator('.bubble', { hasText: 'שלום!' });
    await bubble.waitFor();
    const direction = "getComputedStyle([...document.querySelectorAll('[data-part=desk] .bubble')].at(-1)).direction";
    assert.equal(await page.evaluate(direction), 'rtl');
  });

  test('a page that nobody looks at keeps no connection, and is up to date when it is looked at', async () => {
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    await door('messages.receive', { conversationId: ann, text: 'while nobody looked' });
    assert.equal(await page.getByText('while nobody looked').count(), 0);
    await hide(false);
    await pane('Agent desk').getByText('while nobody looked').waitFor();
  });

  test('names of any length fit any page, and a narrow page shows one side at a time', async () => {
    const name = 'W'.repeat(180);
    const { conversationId } = await door('messages.receive', { phone: '+493090182399', name, text: 'hi' });
    await page.setViewportSize({ width: 360, height: 700 });
    for (const path of ['/tenants/dev', `/tenants/dev/conversations/${conversationId}`, '/views/shop/views/panel']) {
      await page.goto(url + path);
      await page.getByText(name).first().waitFor({ state: 'attached' });
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 360'), path);
    }
    await page.goto(`${url}/tenants/dev/conversations/${conversationId}`);
    await pane('Agent desk').waitFor();
    assert.equal(await pane('As the customer').isVisible(), false);
    await pane('Agent desk').getByRole('button', { name: 'Customer' }).click();
    await pane('As the customer').waitFor();
    await page.getByRole('button', { name: 'Back to the conversations' }).click();
    await pane('Conversations').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('print is dark on white without buttons; with forced colours buttons and bubbles have a border', async () => {
    await page.goto(`${url}/tenants/dev/conversations/${ann}`);
    await pane('Agent desk').locator('.bubble').first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(20, 24, 29)');
    assert.equal(await page.locator('.btn:visible').count(), 0);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light', forcedColors: 'active' });
    const edges = "['.btn', '.bubble'].map((one) => getComputedStyle(document.querySelector(one)).borderTopWidth)";
    assert.deepEqual(await page.evaluate(edges), ['1px', '1px']);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('everything is found by the keyboard: the palette opens pages, functions and ids', async () => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search or run' });
    await field.fill('refund');
    await page.getByRole('option', { name: /Invoke tools\/refund/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/functions\/shop\/tools\/refund/);
    await page.keyboard.press('Control+k');
    await field.fill(ann);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/conversations/${ann}`));
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.waitForURL(/\/invocations$/);
  });

  test('two tabs show the same, and go on when one of them is closed', async () => {
    await page.goto(`${url}/tenants/dev/conversations/${ann}`);
    const other = await page.context().newPage();
    await other.goto(page.url());
    const deskOf = (one: Page) => one.getByRole('region', { name: 'Agent desk' });
    await pane('As the customer').getByLabel('Write as Ann Larsen').fill('in both');
    await page.keyboard.press('Enter');
    await deskOf(other).getByText('in both').waitFor();
    await deskOf(other).getByLabel('Reply', { exact: true }).fill('from the other');
    await deskOf(other).getByRole('button', { name: /^Send/ }).click();
    await deskOf(page).getByText('from the other').waitFor();
    await other.close();
    await door('messages.receive', { conversationId: ann, text: 'to one alone' });
    await deskOf(page).getByText('to one alone').waitFor();
  });

  test('a clock that jumps forth and back is told, and what is of another day says so', async () => {
    const clock = page.getByTitle('The clock of the workspace');
    await door('clock.advance', { ms: 2 * 86_400_000 });
    await clock.getByText('+2 d').waitFor();
    await pane('Agent desk').getByText('to one alone').waitFor();
    await door('messages.receive', { conversationId: ann, text: 'two days later' });
    await pane('Agent desk').locator('.bubble').last().getByText('two days later').waitFor();
    await pane('Agent desk').getByText('Today').waitFor();
    await door('clock.set', { now: '2025-03-01T12:00:00Z' });
    await clock.getByText(/^−/).waitFor();
    await door('clock.set', { now: 'system' });
    await clock.getByText(/[+−]/).waitFor({ state: 'detached' });
  });

  test('a body that is not UTF-8 is named by its size, and what was read of it is shown', async () => {
    const answer = await fetch(`${url}/api/dev/custom-functions/shop/api/orders.js`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0xc3, 0x22, 0x7d]),
    });
    assert.equal(answer.status, 200, await answer.text());
    await page.goto(`${url}/invocations`);
    await pane('Invocations').getByRole('link').first().click();
    await pane('Input').getByText('<12 bytes>').waitFor();
    await pane('Answer').getByText('\ufffd').waitFor();
  });

  test('a view that loops without end leaves the inbox at work', async () => {
    const view = { ...functions['views/panel'], body: 'for (;;);' } as Functions[string];
    source.change({ ...functions, 'views/panel': view });
    await page.goto(`${url}/tenants/dev/conversations/${ann}`);
    await pane('As the customer').getByLabel('Write as Ann Larsen').fill('beside a loop');
    await page.keyboard.press('Enter');
    await pane('Agent desk').getByText('beside a loop').waitFor();
    source.change(functions);
    await page.frameLocator('iframe:not([hidden])').getByText('panel of Ann Larsen').waitFor();
    wrong.splice(0);
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`axe finds nothing, ${scheme} and narrow`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      const {
        items: [last],
      } = await door('invocations.list', { limit: 1 });
      const paths = [
        '/',
        '/functions/shop/tools/refund',
        `/tenants/dev/conversations/${ann}`,
        `/invocations/${last?.id}`,
      ];
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        for (const path of paths) {
          await page.goto(url + path);
          await page.locator('.pane .pane-head').first().waitFor({ state: 'attached' });
          await until('rows', async () => (await page.locator('.row, .fname, .msg').count()) > 0);
          await page.evaluate(axe);
          const found = await page.evaluate<string>(
            `axe.run({ exclude: ['iframe'] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
              violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' | ')).join('\\n'))`,
          );
          assert.equal(found, '', `${path} at ${width}`);
          assert.ok(
            await page.evaluate(`document.documentElement.scrollWidth <= ${width}`),
            `${path} fits ${width} pixels`,
          );
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });
  }

  test('a conversation that is gone with a reset says so', async () => {
    await page.goto(`${url}/tenants/dev/conversations/${ann}`);
    await pane('Agent desk').getByText('Where is my order?').waitFor();
    assert.deepEqual(wrong.splice(0), [], 'nothing was wrong in the browser, and nothing was asked of others');
    await door('workspace.reset', {});
    await page.getByText('conversation_not_found').waitFor();
    wrong.splice(0);
  });

  test('a browser that is not signed in any more is told so, and so is one whose workspace is gone', async () => {
    await page.goto(`${url}/`);
    await pane('Functions').getByText('tools/refund').waitFor();
    await page.context().clearCookies();
    await page.goto(`${url}/`);
    await page.getByText('To open this page signed in').waitFor();
    const open = await page.request.post(`${url}/session/token`);
    assert.equal(open.status(), 401);
  });
});

test('the first load is at most 60 kB, everything at most 200 kB, compressed', async () => {
  const { gzipSync } = await import('node:zlib');
  const { buildConsole } = await import('../../src/console/build.ts');
  const files = await buildConsole(() => {});
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? new Uint8Array()).length, 0);
  const first = new Set(['main.js', 'console.css', 'icons.svg']);
  for (const name of first) {
    const text = Buffer.from(files.get(name) ?? []).toString('utf8');
    for (const [, imported = ''] of text.matchAll(/from"\.\/([\w.-]+)"/g)) first.add(imported);
  }
  assert.ok(sizeOf(first) <= 60_000, `${sizeOf(first)} bytes at first`);
  assert.ok(sizeOf(files.keys()) <= 200_000, `${sizeOf(files.keys())} bytes altogether`);
});
