import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFlowWorkspace, flowNode, hour } from './support.ts';

const support = {
  title: 'Support',
  nodes: {
    t: { type: 'trigger', on: 'message.received', next: 'about' },
    about: {
      type: 'condition',
      branches: [{ title: 'order', if: { field: 'message.text', op: 'contains', value: 'order' }, next: 'find' }],
      else: 'greet',
    },
    greet: {
      type: 'message',
      text: 'Hello {{customer.name}}, how can we help?',
      quickReplies: [{ id: 'order', title: 'My order' }],
      next: 'listen',
    },
    listen: { type: 'wait', for: 'message.received', timeout: '7d', next: 'about', onTimeout: 'end' },
    find: {
      type: 'custom-flow-node',
      function: 'flow-nodes/find',
      input: { text: '{{message.text}}' },
      outcomes: { found: 'tell', missing: 'team' },
      onError: 'team',
    },
    tell: { type: 'message', text: '{{steps.find.output.id}} is {{steps.find.output.status}}', next: 'end' },
    team: {
      type: 'handover',
      to: { workgroup: 'Orders' },
      note: 'Order not found: {{steps.find.output.error.code}}',
      next: 'end',
    },
    end: { type: 'end' },
  },
};

const world = await aFlowWorkspace(
  { support },
  {
    'flow-nodes/find': flowNode(
      ['found', 'missing'],
      `const id = /[A-Z]-\\d+/.exec(sdk.flow.input.text)?.[0];
       await sdk.store.increment('looked');
       if (sdk.flow.input.text.includes('boom')) throw new Error('boom');
       return id === undefined
         ? { outcome: 'missing', output: {} }
         : { outcome: 'found', output: { id, status: 'shipped' }, variables: { orderId: id } };`,
    ),
  },
);
const { call, say, texts, lastRun, path, newPhone, advance, runs } = world;

test('a message starts the flow, a condition decides, a function runs, an answer is sent', async () => {
  const { conversationId } = await say(newPhone(), 'Where is my order A-1017?');
  assert.deepEqual(await texts(conversationId), ['customer: Where is my order A-1017?', 'flow: A-1017 is shipped']);
  const run = await lastRun(conversationId);
  assert.deepEqual(
    [run.status, run.flow, run.version, run.trigger, run.stepCount, run.error],
    ['completed', 'support', 1, 'message.received', 5, null],
  );
  assert.deepEqual(await path(run.id), ['t:next', 'about:order', 'find:found', 'tell:next', 'end:end']);
  assert.deepEqual(run.steps[2]?.output, { id: 'A-1017', status: 'shipped' });
  assert.match(run.steps[2]?.ref ?? '', /^inv_/);
  assert.match(run.steps[3]?.ref ?? '', /^msg_/);
  assert.deepEqual(run.variables, { orderId: 'A-1017' });
  const { items } = await call('events.list', { conversationId, limit: 200 });
  const caused = items
    .filter(({ traceId }) => traceId === run.traceId)
    .map(({ type, actor }) => `${actor.type} ${type}`);
  assert.deepEqual(caused.slice(-4), [
    'system flowRun.started',
    'flow message.sent',
    'flow message.status',
    'flow flowRun.completed',
  ]);
});

test('a flow waits for the next message and goes on with it, in the same run', async () => {
  const phone = newPhone();
  const { conversationId } = await say(phone, 'Hi', { name: 'Ann' });
  const waiting = await lastRun(conversationId);
  assert.deepEqual([waiting.status, waiting.node, waiting.waitingFor?.type], ['waiting', 'listen', 'message']);
  assert.deepEqual((await texts(conversationId)).at(-1), 'flow: Hello Ann, how can we help?');
  await call('messages.receive', { conversationId, quickReplyId: 'order' });
  await world.settled();
  assert.equal((await lastRun(conversationId)).status, 'completed');
  assert.equal((await runs(conversationId)).length, 1);
  const { assignee } = await call('conversations.get', { id: conversationId });
  assert.ok(assignee.workgroupId, 'the order was missing: the team has it');
});

test('a wait of seven days ends by the clock, once', async () => {
  const { conversationId } = await say(newPhone(), 'Hi');
  await advance(7 * 24 * hour - 1);
  assert.equal((await lastRun(conversationId)).status, 'waiting');
  await advance(1);
  const run = await lastRun(conversationId);
  assert.deepEqual((await path(run.id)).slice(-2), ['listen:timeout', 'end:end']);
});

test('a function that throws takes onError, and the note says so', async () => {
  const { conversationId } = await say(newPhone(), 'my order, boom');
  const run = await lastRun(conversationId);
  assert.deepEqual((await path(run.id)).slice(2), ['find:error', 'team:next', 'end:end']);
  assert.equal(run.steps[2]?.error?.code, 'function_failed');
  const { items } = await call('notes.list', { conversationId });
  assert.deepEqual(
    items.map(({ text, author }) => [text, author.type]),
    [['Order not found: function_failed', 'flow']],
  );
});

test('a conversation that is closed ends its run, which says why', async () => {
  const { conversationId } = await say(newPhone(), 'Hi');
  await call('conversations.close', { id: conversationId });
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, run.reason], ['cancelled', 'the conversation was closed']);
  await advance(8 * 24 * hour);
  assert.equal((await lastRun(conversationId)).status, 'cancelled');
});
