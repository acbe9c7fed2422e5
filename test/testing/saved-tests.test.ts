import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isRecord } from '../../src/std/index.ts';
import { aWorkspace, type TestWorkspace } from '../../src/testing/index.ts';
import { App } from '../flows/app.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const nasty = `He said "it's \\ broken" </script> \${1} */ \`x\`\nand then\u2028so \u202eit is\u0007`;
const flows = {
  thanks: {
    nodes: {
      start: {
        type: 'trigger',
        on: 'message.received',
        priority: 10,
        filter: { field: 'message.text', op: 'contains', value: 'thanks' },
        next: 'ask',
      },
      ask: { type: 'message', text: 'Was that all?', quickReplies: [{ id: 'yes', title: 'Yes' }], next: 'listen' },
      listen: { type: 'wait', for: 'message.received', timeout: '2h', next: 'bye', onTimeout: 'remind' },
      bye: { type: 'message', text: 'Have a good day.', next: 'end' },
      remind: { type: 'message', text: 'We are here.', next: 'end' },
      end: { type: 'end' },
    },
  },
  talk: {
    nodes: {
      start: {
        type: 'trigger',
        on: 'message.received',
        priority: 10,
        filter: { field: 'message.text', op: 'contains', value: 'talk' },
        next: 'nora',
      },
      nora: { type: 'ai-agent', agent: 'nora', mode: 'conversation', next: 'bye', onHandover: 'end', onError: 'end' },
      bye: { type: 'message', text: 'Until next time.', next: 'end' },
      end: { type: 'end' },
    },
  },
  support: {
    nodes: {
      start: { type: 'trigger', on: 'message.received', next: 'nora' },
      nora: { type: 'ai-agent', agent: 'nora', next: 'end', onHandover: 'team', onError: 'team' },
      team: { type: 'handover', to: { workgroup: 'Support' }, next: 'told' },
      told: { type: 'message', text: 'Somebody will answer.', next: 'end' },
      end: { type: 'end' },
    },
  },
};
const nora = {
  title: 'Nora',
  instructions: 'Help.',
  models: { main: 'script:nora' },
  tools: ['refund'],
};
const script = {
  rules: [
    { when: { lastUser: { contains: 'person' } }, call: [{ tool: 'handover_to_human', args: { reason: 'asked' } }] },
    { when: { lastTool: 'refund', lastToolFailed: true }, say: 'It was not allowed.' },
    { when: { lastTool: 'refund' }, say: 'Refunded: {{lastToolResult.euros}} euros.' },
    {
      when: { lastUser: { contains: 'both orders' } },
      call: [
        { tool: 'refund', args: { orderId: 'A-1', euros: 24 } },
        { tool: 'refund', args: { orderId: 'A-2', euros: 5 } },
      ],
    },
    { when: { lastUser: { contains: 'refund' } }, call: [{ tool: 'refund', args: { orderId: "A-'1'", euros: 24 } }] },
  ],
  default: { say: 'You said: {{lastUser}}' },
};
const refund = `
export const config = {
  type: 'ai-tool',
  name: 'refund',
  description: 'Refunds an order',
  input: {
    type: 'object',
    properties: { orderId: { type: 'string' }, euros: { type: 'number' } },
    additionalProperties: false,
  },
  permissions: { callers: { aiAgents: 'all' } },
  confirm: 'human',
};
export default async (sdk) => ({ euros: sdk.tool.args.euros });
`;
const seed = {
  channels: [{ kind: 'messaging-app', name: "Ann's channel" }],
  workgroups: [{ name: 'Support' }],
  agents: [{ name: 'Jana Winter', email: 'jana@example.com', workgroups: ['Support'] }],
  customers: [
    {
      name: 'Tom Berg',
      phone: '+493012345699',
      conversations: [{ channel: 'messaging-app', messages: [{ from: 'customer', text: 'Hello', at: '-9d' }] }],
    },
  ],
};

const app = new App({
  'flows/thanks.json': JSON.stringify(flows.thanks),
  'flows/talk.json': JSON.stringify(flows.talk),
  'flows/support.json': JSON.stringify(flows.support),
  'agents/nora.json': JSON.stringify(nora),
  'agents/nora.model.json': JSON.stringify(script),
  'functions/tools/refund.js': refund,
  'seed.json': JSON.stringify(seed),
  'package.json': '{"type": "module"}',
});
let workspace: TestWorkspace;

before(async () => {
  workspace = await aWorkspace({ app: app.root });
});
after(() => workspace.close());

let customers = 0;
const newChat = (name?: string) =>
  workspace.chat({ as: `+4930123456${10 + ++customers}`, ...(name !== undefined && { name }) });
const open = async (conversationId: string) => {
  const { items } = await workspace.call('confirmations.list', { conversationId, open: true });
  return items[0]?.id ?? '';
};
const save = (conversationId: string, name: string) => workspace.call('tests.save', { conversationId, name });
test('what was said, tapped, waited for, confirmed and done by people stands in the test, with what came of it', async () => {
  const thanks = newChat();
  await thanks.say('thanks');
  await thanks.say({ quickReply: 'yes' });
  await thanks.say('thanks again');
  await thanks.advance('3h');
  assert.deepEqual(await save(thanks.conversationId, 'thanks'), { file: 'test/thanks.test.js' });
  assert.deepEqual(
    app
      .read('test/thanks.test.js')
      .match(/chat\.(?!conversationId)[^;]+/g)
      ?.slice(0, 5),
    [
      "chat.say('thanks')",
      "chat.expect.message('Was that all?')",
      "chat.say({ quickReply: 'yes' })",
      "chat.expect.message('Have a good day.')",
      "chat.expect.path('ask', 'listen:message', 'bye')",
    ],
  );
  assert.match(app.read('test/thanks.test.js'), /advance\('2h'\);\n {2}await chat\.expect\.message\('We are here\.'\)/);

  const allowed = newChat(nasty.slice(0, 30));
  await allowed.say('refund');
  await workspace.answerConfirmation(await open(allowed.conversationId), 'allow', {
    arguments: { orderId: 'A-2', euros: 12 },
  });
  await allowed.settled();
  await allowed.say('refund more');
  await workspace.answerConfirmation(await open(allowed.conversationId), 'deny', { reason: nasty });
  await allowed.settled();
  await save(allowed.conversationId, 'refunds');
  const text = app.read('test/refunds.test.js');
  assert.match(text, /'allow', \{ arguments: \{ orderId: 'A-2', euros: 12 \} \}/);
  assert.match(text, /expect\.message\('Refunded: 12 euros\.'\)/);
  assert.match(text, /expect\.tool\('refund', \{ orderId: 'A-\\'1\\'', euros: 24 \}\)/);

  const person = newChat();
  await person.say('I want a person');
  const { conversationId } = person;
  await workspace.call('messages.send', { conversationId, text: 'I am Jana' });
  await person.say('ok');
  await workspace.call('conversations.assign', { id: conversationId, assign: { agentEmail: 'jana@example.com' } });
  await workspace.call('conversations.resumeAi', { id: conversationId });
  await person.settled();
  await workspace.call('conversations.close', { id: conversationId });
  await save(conversationId, 'handover');
  assert.match(app.read('test/handover.test.js'), /expect\.path\('nora:handedOver', 'team', 'told'\)/);
  assert.match(app.read('test/handover.test.js'), /expect\.message\('You said: ok'\)/);
});

test('of several confirmations the one is answered that the person answered', async () => {
  const chat = newChat();
  await chat.say('both orders');
  const { items } = await workspace.call('confirmations.list', { conversationId: chat.conversationId, open: true });
  assert.equal(items.length, 2);
  // They are asked at once: which comes first differs.
  const of = (orderId: string) => items.find((one) => isRecord(one.arguments) && one.arguments['orderId'] === orderId);
  await workspace.answerConfirmation(of('A-1')?.id ?? '', 'allow');
  await workspace.answerConfirmation(of('A-2')?.id ?? '', 'deny');
  await chat.settled();
  await chat.expect.message('It was not allowed.');
  await save(chat.conversationId, 'both');
  const finds = app.read('test/both.test.js').match(/isDeepStrictEqual\([^)]+\)/g);
  assert.deepEqual(finds, [
    "isDeepStrictEqual({ ...given, ...{ orderId: 'A-1', euros: 24 } }, given)",
    "isDeepStrictEqual({ ...given, ...{ orderId: 'A-2', euros: 5 } }, given)",
  ]);
});

test('the day of silence passes that ends a conversation with an agent', async () => {
  const chat = newChat();
  await chat.say('talk');
  await chat.advance('25h');
  await chat.expect.message('Until next time.');
  await save(chat.conversationId, 'silence');
  // The agent answers a moment after the message; the day begins then.
  assert.match(
    app.read('test/silence.test.js'),
    /expect\.message\('You said: talk'\);\n\n {2}await chat\.advance\('864\d\ds'\);\n {2}await chat\.expect\.message\('Until next time\.'\)/,
  );
});

test('quotes, markup, line ends and characters that nobody sees are text in the test, too', async () => {
  const chat = newChat();
  await chat.say(nasty);
  await chat.expect.message(nasty);
  await save(chat.conversationId, 'nasty');
  const text = app.read('test/nasty.test.js');
  assert.doesNotMatch(text, /[^\P{C}\n]|[\u2028\u2029]/u);
});

test('nothing is overwritten, and nothing is written outside the app', async () => {
  const chat = newChat();
  await chat.say('hello');
  const before = app.read('test/thanks.test.js');
  await assert.rejects(save(chat.conversationId, 'thanks'), {
    code: 'test_unsavable',
    message: 'test/thanks.test.js exists already',
  });
  assert.equal(app.read('test/thanks.test.js'), before);
  for (const name of ['../out', 'a/b', 'a.b', '', '.hidden', '-x', 'x'.repeat(101)])
    await assert.rejects(save(chat.conversationId, name), { code: 'input_invalid' }, name);

  const outside = temporaryFolder('fn-outside');
  const linked = new App({ 'seed.json': JSON.stringify(seed) });
  mkdirSync(`${outside}/test`);
  symlinkSync(`${outside}/test`, linked.path('test'));
  await using other = await aWorkspace({ app: linked.root });
  const { conversationId } = await other.customerWrites({ phone: '+4930123456', text: 'hello' });
  await assert.rejects(other.call('tests.save', { conversationId, name: 'out' }), {
    code: 'test_unsavable',
    message: 'test/ leads out of the app’s folder',
  });
  assert.ok(!existsSync(`${outside}/test/out.test.js`));
});

test('what a test could not repeat is refused, saying why', async () => {
  const refused = async (conversationId: string, message: RegExp) => {
    await assert.rejects(save(conversationId, 'refused'), { code: 'test_unsavable', message });
    assert.ok(!existsSync(app.path('test/refused.test.js')));
  };
  const file = newChat();
  await file.say('hello');
  await workspace.call('messages.receive', {
    conversationId: file.conversationId,
    media: { url: 'https://example.com/a.png' },
  });
  await refused(file.conversationId, /The customer sent a file/);

  const { items } = await workspace.call('conversations.list', { inbox: 'all', limit: 200 });
  await refused(items.at(-1)?.id ?? '', /The customer has written nothing/);

  const unknown = 'cnv_01M86EKWB0Z27CFHSZE7R95BZE';
  await assert.rejects(save(unknown, 'refused'), { code: 'conversation_not_found' });
});

test('the tests pass; one that no longer holds says what there was instead', async () => {
  const chat = newChat();
  await chat.say('hello');
  await save(chat.conversationId, 'changed');
  app.write('test/changed.test.js', app.read('test/changed.test.js').replace('You said: hello', 'Good day'));
  const { out } = await app.fn(['test', '--json', '--', '--test-isolation=none']);
  const lines = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const named = (type: string) => lines.filter((line) => line.type === type && line.name).map(({ name }) => name);
  assert.deepEqual(named('passed').sort(), ['both', 'handover', 'nasty', 'refunds', 'silence', 'thanks'], out);
  assert.deepEqual(named('failed'), ['changed']);
  assert.match(out, /No message with Good day; there was \[\\"You said: hello\\"\]/);
});
