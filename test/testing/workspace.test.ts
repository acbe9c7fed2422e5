import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';
import { inspect } from 'node:util';
import { aWorkspace, invoke } from '../../src/testing/index.ts';
import { App, aMethod } from '../flows/app.ts';

let app: string;
before(() => {
  app = new App({
    'functions/wraps.js': aMethod("(() => { throw new Error('outer', { cause: new TypeError('inner') }); })()"),
    'functions/answers.js': aMethod('({ at: Date.now() })'),
    'functions/registers.js': aMethod(
      "sdk.customers.findOrCreate({ phone: '+4930901820', name: undefined, fields: undefined }, { idempotencyKey: undefined })",
    ),
    'functions/asks.js': aMethod(
      "fetch('https://shop.example/orders/A-17', { method: 'PUT', body: '€', headers: { authorization: 'Bearer k' } }).then((answer) => answer.json())",
    ),
    'functions/misconfigured.js':
      "export const config = { type: 'server-side-method', colour: 'red' };\nexport default () => 1;\n",
    'functions/misspells.ts': aMethod('sdk.customer.find({})'),
    'functions/waits.js': aMethod(
      "fetch('https://shop.example/', { signal: AbortSignal.timeout(20) }).catch((error) => error.name)",
    ),
    'shared/subscribed.js': "export const config = { type: 'server-side-method', events: ['message.received'] };\n",
    'functions/imports.js':
      "export { config } from '../shared/subscribed.js';\nexport default (sdk) => sdk.store.set('imports', true);\n",
    'functions/spreads.js':
      "import { config as shared } from '../shared/subscribed.js';\nexport const config = { ...shared };\nexport default (sdk) => sdk.store.set('spreads', true);\n",
    'functions/tools/refund.js': `export const config = {
      type: 'ai-tool', name: 'refund', description: 'Refunds an order', input: { type: 'object' }, confirm: 'human',
      permissions: { callers: { aiAgents: 'all' } },
    };
    export default () => ({ refunded: true });`,
    'agents/rex.json': JSON.stringify({ instructions: 'Refund.', tools: ['refund'] }),
    'agents/rex.model.json': JSON.stringify({
      rules: [
        { when: { toolResults: { min: 1 } }, say: 'Refunded: {{lastToolResult.refunded}}.' },
        { when: {}, call: [{ tool: 'refund', args: {} }] },
      ],
    }),
    'functions/throws.js': aMethod("sdk.customers.get({ id: 'cus_01JD3V8Q6W7Z8Y9A0B1C2D3E4F' })"),
  }).root;
});

/** What a test runner would print of it, without the names and the columns of this file. */
async function failure(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error, frames };
}

test('a function that fails is told at its own line, and then at the line of the test', async () => {
  await using workspace = await aWorkspace({ app });
  const { error, frames } = await failure(workspace.invoke('throws'));
  assert.match(error.stack ?? '', /^WorkspaceError: There is no customer cus_/);
  assert.equal(
    inspect(error).match(/There is no customer cus_/g)?.length,
    2,
    'its stack is printed once, and the message in its details',
  );
  assert.match(frames[0] ?? '', /functions\/throws\.js:\d+:\d+/);
  assert.match(frames[1] ?? '', /test\/testing\/workspace\.test\.ts/);
  assert.ok(
    frames.every((frame) => !/node:|\/src\//.test(frame)),
    frames.join('\n'),
  );
  assert.ok(Object.values(error).every((value) => value !== undefined));
});

test('a failure because of a misspelt member of sdk says what was meant', async () => {
  await assert.rejects(invoke('misspells', {}, { app }), {
    message: "TypeError: Cannot read properties of undefined (reading 'find')",
    hint: 'There is no sdk.customer. Did you mean sdk.customers? See: fn docs reference/sdk',
  });
});

test('what caused the failure is told behind it, with its name', async () => {
  await using workspace = await aWorkspace({ app });
  const { error } = await failure(workspace.invoke('wraps'));
  assert.match(
    error.stack ?? '',
    /^WorkspaceError: Error: outer\n.*workspace\.test\.ts[^\n]*\ncaused by TypeError: inner\n\s+at [^\n]*functions\/wraps\.js:\d+:\d+/s,
  );
  assert.equal(error.stack?.match(/workspace\.test\.ts/g)?.length, 1);
});

test('what is refused before a function runs is told at the line of the test', async () => {
  await using workspace = await aWorkspace({ app });
  for (const work of [
    () => workspace.invoke('answrs'),
    () => workspace.run('answrs'),
    () => workspace.call('customers.get', { id: 'cus_01JD3V8Q6W7Z8Y9A0B1C2D3E4F' }),
    () => workspace.customerWrites({ phone: '1', text: 'Hello' }),
    () => workspace.clock.advance('8 parsecs'),
  ]) {
    const { frames } = await failure(work());
    assert.match(frames[0] ?? '', /test\/testing\/workspace\.test\.ts/);
  }
});

test('a function that cannot be used is told with its file, and without a line of fn', async () => {
  await using workspace = await aWorkspace({ app });
  const { error } = await failure(workspace.invoke('misconfigured'));
  assert.match(error.message, /functions\/misconfigured\.js: config\.colour/);
  assert.doesNotMatch(inspect(error), /\/src\//);
});

test('a function sees the time at which the clock was stopped, to the millisecond, until the test turns it', async () => {
  await using workspace = await aWorkspace({ app, now: '2026-03-02T12:00:00Z' });
  const noon = Date.UTC(2026, 2, 2, 12);
  assert.deepEqual(await workspace.invoke('answers'), { at: noon });
  await workspace.clock.advance('4h');
  assert.deepEqual(await workspace.invoke('answers'), { at: noon + 4 * 3_600_000 });
  await workspace.clock.set('2026-03-03T08:00:00Z');
  assert.deepEqual(await workspace.invoke('answers'), { at: Date.UTC(2026, 2, 3, 8) });
});

test('an option or an operation that there is not is refused with the one that was meant', async () => {
  // As JavaScript without types would say it.
  const misspelt: object = { app, sedd: {} };
  await assert.rejects(aWorkspace(misspelt), { code: 'option_unknown', hint: 'Did you mean seed?' });
  await assert.rejects(invoke('answers', {}, misspelt), { code: 'option_unknown' });
  await using workspace = await aWorkspace({ app });
  const call: (name: string, input: object) => Promise<unknown> = workspace.call as never;
  await assert.rejects(call('customers.gt', {}), { code: 'operation_unknown', hint: 'Did you mean customers.get?' });
});

test('what is undefined is as if it were left out: in options, in the input of an operation, and in a function', async () => {
  await using workspace = await aWorkspace({ app, seed: undefined, now: undefined, secrets: undefined });
  const options = { method: undefined, query: undefined, headers: undefined, conversationId: undefined };
  const { name } = await workspace.invoke<{ name: string | null }>('registers', { note: undefined }, options);
  assert.equal(name, null);
  const { items } = await workspace.call('customers.list', {
    search: '+4930901820',
    limit: undefined,
    cursor: undefined,
  });
  assert.equal(items.length, 1);
});

test('an input that is no JSON is refused in words, at the line of the test', async () => {
  await using workspace = await aWorkspace({ app });
  const circle: Record<string, unknown> = {};
  circle['circle'] = circle;
  for (const [input, says] of [
    [() => 1, /^The input is a function, which cannot be sent as JSON$/],
    [{ amount: 1n }, /^The input is not JSON: .*BigInt/],
    [circle, /^The input is not JSON: .*circular/],
  ] as const) {
    const { error, frames } = await failure(workspace.invoke('answers', input));
    assert.match(error.message, says);
    assert.match(frames[0] ?? '', /test\/testing\/workspace\.test\.ts/);
  }
});

test('a time that is none is refused, for the workspace and for its clock', async () => {
  await assert.rejects(aWorkspace({ app, now: 'tomorrow' }), { code: 'time_invalid' });
  await using workspace = await aWorkspace({ app, now: '2026-03-02T12:00:00Z' });
  await assert.rejects(workspace.clock.set('tomorrow'), { code: 'time_invalid' });
  assert.equal(workspace.clock.now().toISOString(), '2026-03-02T12:00:00.000Z');
});

test('what functions fetch is answered by the test, which sees the request', async () => {
  const seen: unknown[] = [];
  await using workspace = await aWorkspace({
    app,
    async fetch(request) {
      seen.push([request.method, request.url, request.headers.get('authorization'), await request.text()]);
      return Response.json({ status: 'shipped' }, { status: 201 });
    },
  });
  assert.deepEqual(await workspace.invoke('asks'), { status: 'shipped' });
  assert.deepEqual(seen, [['PUT', 'https://shop.example/orders/A-17', 'Bearer k', '€']]);
});

test('an answer of the test leads on like any other: a redirect is followed', async () => {
  const asked: string[] = [];
  const fetch = ({ method, url }: Request) => {
    asked.push(`${method} ${url}`);
    return asked.length === 1 ? Response.redirect('https://elsewhere.example/a', 303) : Response.json([]);
  };
  assert.deepEqual(await invoke('asks', {}, { app, fetch }), []);
  assert.deepEqual(asked, ['PUT https://shop.example/orders/A-17', 'GET https://elsewhere.example/a']);
});

test('a test that throws in place of an answer is a network that fails', async () => {
  await using workspace = await aWorkspace({
    app,
    fetch() {
      throw new Error('the shop is closed');
    },
  });
  const { error } = await workspace.run('asks');
  assert.equal(error?.message, 'fetch failed: shop.example: the shop is closed');
});

test('an answer that is none is said to be none', async () => {
  const fetch: () => Response = () => undefined as never;
  await assert.rejects(invoke('asks', {}, { app, fetch }), /the fetch given to aWorkspace answered with undefined/);
});

test('Response.error() is a network that fails', async () => {
  const fetch = () => Response.error();
  await assert.rejects(invoke('asks', {}, { app, fetch }), /fetch failed: shop\.example: .*Response\.error\(\)/);
});

test('an answer that was read already is told, and not taken for an empty one', async () => {
  const answer = Response.json([]);
  const fetch = () => answer;
  assert.deepEqual(await invoke('asks', {}, { app, fetch }), []);
  await assert.rejects(invoke('asks', {}, { app, fetch }), /was read already: make a new one for each request/);
});

test('a test that never answers is given up like a server that does not', async () => {
  const { promise: never } = Promise.withResolvers<Response>();
  assert.equal(await invoke('waits', {}, { app, fetch: () => never }), 'TimeoutError');
});

test('a test that replaces the fetch of its process still reaches its workspace', async () => {
  await using workspace = await aWorkspace({ app });
  const replaced = mock.method(globalThis, 'fetch', async () => Response.json({ is: 'replaced' }));
  try {
    const answer = await workspace.fetch('/api/dev/customers');
    assert.ok('items' in Object(await answer.json()));
    assert.deepEqual(await workspace.invoke('asks'), { is: 'replaced' });
  } finally {
    replaced.mock.restore();
  }
});

test('a function that subscribes to events is found however its config is written', async () => {
  await using workspace = await aWorkspace({ app });
  await workspace.customerWrites({ phone: '+4930901820', text: 'Hi' });
  await workspace.settled();
  const { items } = await workspace.call('invocations.list', {});
  assert.deepEqual(items.map((invocation) => invocation.function).sort(), ['imports', 'spreads']);
});

test('an agent runs until a person has to answer, and goes on with the answer', async () => {
  await using workspace = await aWorkspace({ app });
  const waiting = await workspace.runAgent('rex', 'Refund it.');
  assert.deepEqual([waiting.status, waiting.toolCalls[0]?.status], ['waiting', 'awaitingConfirmation']);
  const answer = await workspace.answerConfirmation(waiting.waitingFor[0]?.id ?? '', 'allow');
  assert.deepEqual(answer.result, { refunded: true });
  const run = await workspace.call('aiAgentRuns.show', { id: waiting.id });
  assert.deepEqual([run.status, run.text, run.usage.modelCalls], ['completed', 'Refunded: true.', 2]);
  await assert.rejects(workspace.runAgent('rexx', 'x'), { code: 'ai_agent_not_found' });
});
