import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCaller } from '../../../src/emulator/index.ts';
import { anEmulator, everyone, type Functions } from '../an-emulator.ts';

const tool = (name: string, config: Record<string, unknown>, body = 'return {};') => ({
  config: {
    type: 'ai-tool',
    name,
    description: name,
    input: { type: 'object' },
    permissions: { callers: { code: true } },
    ...config,
  },
  body,
});
const list = {
  type: 'object',
  properties: { items: { type: 'array', uniqueItems: true, items: { type: 'integer' } } },
};

const functions: Functions = {
  'tools/list': tool('list', { input: list }),
  'tools/pattern': tool('pattern', {
    input: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
  }),
  'tools/remote': tool('remote', {
    input: { type: 'object', properties: { a: { $ref: 'https://schemas.example/a.json' } } },
  }),
  'tools/bad-when': tool('bad_when', { confirm: { by: 'human', when: { pattern: '(' } } }),
  'tools/hangs': tool('hangs', { limits: { timeoutMs: 300 } }, 'await new Promise(() => {});'),
  'tools/spins': tool('spins', { limits: { timeoutMs: 300 } }, 'for (;;);'),
  'tools/eats': tool(
    'eats',
    { limits: { memoryMb: 16 } },
    'const all = []; for (;;) all.push(new Array(100_000).fill(all.length));',
  ),
  'tools/large': tool('large', {}, "return { text: 'x'.repeat(5 * 1024 * 1024) };"),
  'tools/wrong': tool('wrong', { output: { type: 'object', required: ['ok'] } }, "return { no: 'iban' };"),
  'tools/response': tool('response', {}, "return new Response('hi');"),
  'tools/throws': tool('throws', {}, "throw new TypeError('the shop is closed');"),
  'tools/itself': tool('itself', {}, "return sdk.tools.call({ name: 'itself', arguments: {} });"),
  'tools/often': tool('often', { limits: { perMinute: 50 } }),
  'tools/in-a-run': tool('in_a_run', { limits: { maxCallsPerRun: 2 }, permissions: { callers: { aiAgents: 'all' } } }),
  'tools/asks': tool('asks', { confirm: 'human' }, 'return { done: sdk.tool.args };'),
  'tools/customer': tool(
    'customer',
    { title: 'Refund', confirm: { by: 'customer', expiresAfter: '1h' } },
    'return { done: true };',
  ),
};

const { emulator, source } = await anEmulator({ functions, now: '2030-01-01T09:00:00Z' });
const door = emulator.door(everyone);
const person: ToolCaller = { kind: 'person', agentId: null };
const call = (name: string, given: unknown = {}, more = {}) =>
  emulator.tools.callTool({ name, arguments: given, caller: person, ...more });

const refusals: readonly (readonly [
  what: string,
  name: string,
  given: unknown,
  code: string,
  message: RegExp,
  more?: object,
])[] = [
  ['arguments that are no JSON', 'list', undefined, 'tool_invalid_arguments', /JSON/, { rawArguments: '{"a": ' }],
  ['a text instead of an object', 'list', 'all of them', 'tool_invalid_arguments', /object/],
  ['90,000 items', 'list', { items: Array.from({ length: 90_000 }, (_, i) => i) }, 'tool_invalid_arguments', /256 KiB/],
  [
    'a text that a backtracking pattern would hold',
    'pattern',
    { text: `${'a'.repeat(5_000)}!` },
    'tool_invalid_arguments',
    /text/,
  ],
  ['a schema that refers to another address', 'remote', {}, 'tool_failed', /cannot be called/],
  ['a schema of confirm.when that is none', 'bad_when', {}, 'tool_failed', /cannot be called/],
  ['a tool that hangs', 'hangs', {}, 'tool_timeout', /300/],
  ['a tool that never gives way', 'spins', {}, 'tool_timeout', /300/],
  ['a tool that eats memory', 'eats', {}, 'tool_failed', /memory/],
  ['an answer of 5 MiB', 'large', {}, 'tool_bad_output', /32768/],
  ['an answer against the schema', 'wrong', {}, 'tool_bad_output', /ok is missing/],
  ['a Response', 'response', {}, 'tool_bad_output', /not a Response/],
  ['a tool that throws', 'throws', {}, 'tool_failed', /^TypeError: the shop is closed$/],
  ['a tool that is not there', 'lisd', {}, 'tool_unknown', /did you mean list/],
];

for (const [what, name, given, code, message, more] of refusals) {
  test(`${what} is refused as ${code}, with one line in the log`, async () => {
    const answer = await call(name, given, more);
    assert.equal(answer.error?.code, code, answer.content);
    assert.match(answer.error?.message ?? '', message);
    assert.doesNotMatch(answer.content, / {2}at |\\n {4}at /);
    const { items } = await door('tools.logs', { id: answer.callId });
    assert.deepEqual([items.length, items[0]?.error?.code], [1, code]);
  });
}

test('a tool that calls itself comes to an end', async () => {
  const { status, content } = await call('itself');
  assert.equal(status, 'ok');
  assert.match(content, /tool_limit/);
});

test('of 200 calls at once exactly as many are made as a minute allows', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => call('often')));
  const refused = answers.filter(({ error }) => error?.code === 'tool_limit');
  assert.equal(refused.length, 150);
  assert.equal(answers.filter(({ status }) => status === 'ok').length, 50);
});

test('a run may call a tool as often as it says, and another run too', async () => {
  const caller: ToolCaller = { kind: 'aiAgent', app: 'shop', name: 'nora' };
  const codes = [];
  for (const runId of ['run_1', 'run_1', 'run_1', 'run_2'])
    codes.push((await call('in_a_run', {}, { caller, runId })).error?.code);
  assert.deepEqual(codes, [undefined, undefined, 'tool_limit', undefined]);
});

test('arguments that are changed with the answer are checked, and the call is made with them', async () => {
  const { confirmationId: id = '' } = await call('asks', { a: 1 });
  await assert.rejects(door('confirmations.answer', { id, answer: 'allow', arguments: 'none' }), {
    code: 'tool_invalid_arguments',
  });
  await assert.rejects(door('confirmations.answer', { id, answer: 'deny', arguments: {} }), { code: 'input_invalid' });
  await door('confirmations.answer', { id, answer: 'allow', arguments: { a: 2 } });
  assert.deepEqual((await call('asks', { a: 1 })).result, { done: { a: 2 } });
});

test('an answer to a tool that has changed, or is gone, does nothing', async () => {
  const changed = await call('asks', { b: 1 });
  const gone = await call('asks', { b: 2 });
  source.change({ ...functions, 'tools/asks': tool('asks', { confirm: 'human', title: 'Another' }) });
  await door('confirmations.answer', { id: changed.confirmationId ?? '', answer: 'allow' });
  await emulator.settled();
  assert.equal((await call('asks', { b: 1 })).error?.code, 'tool_changed');
  const { 'tools/asks': _, ...rest } = functions;
  source.change(rest);
  await door('confirmations.answer', { id: gone.confirmationId ?? '', answer: 'allow' });
  await emulator.settled();
  const { outcome } = await door('confirmations.show', { id: gone.confirmationId ?? '' });
  assert.equal(outcome?.error?.code, 'tool_unknown');
  source.change(functions);
});

test('the customer answers by a quick reply; another message leaves the question open', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'My money back' });
  assert.equal((await call('customer')).error?.code, 'tool_denied');
  const asked = await call('customer', {}, { conversationId });
  assert.equal(asked.error?.code, 'tool_confirmation_required');
  const id = asked.confirmationId ?? '';
  await assert.rejects(door('confirmations.answer', { id, answer: 'allow' }), { code: 'operation_not_allowed' });
  const { items } = await door('messages.list', { conversationId, order: 'desc' });
  assert.deepEqual(
    items[0]?.quickReplies.map(({ title }) => title),
    ['Yes', 'No'],
  );
  await door('messages.receive', { conversationId, text: 'When does it come?' });
  assert.equal((await door('confirmations.show', { id })).state, 'open');
  await door('messages.receive', { conversationId, quickReplyId: items[0]?.quickReplies[0]?.id ?? '' });
  await emulator.settled();
  assert.deepEqual((await door('confirmations.show', { id })).outcome?.result, { done: true });
});

test('nobody answers in time: the call is denied, and in a conversation a person is to take over', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901821', text: 'Hello' });
  const request = { runId: 'run_9', toolCallId: 'tlc_9', conversationId };
  assert.equal((await call('customer', {}, request)).status, 'awaitingConfirmation');
  const alone = await call('asks', { c: 1 });
  await door('clock.advance', { ms: 2 * 3_600_000 });
  const denied = await call('customer', {}, request);
  assert.deepEqual([denied.status, denied.handover, denied.error?.code], ['denied', true, 'tool_denied']);
  await assert.rejects(door('confirmations.answer', { id: alone.confirmationId ?? '', answer: 'allow' }), {
    code: 'confirmation_expired',
  });
});
