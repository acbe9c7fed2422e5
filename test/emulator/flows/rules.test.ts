import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFlowWorkspace, type FlowDefinition, flowNode, hour } from './support.ts';

const end = { type: 'end' };
const trigger = (next: string, more: object = {}) => ({ type: 'trigger', on: 'message.received', next, ...more });
const contains = (value: string) => ({ field: 'message.text', op: 'contains', value });
const say = (text: string, next = 'e') => ({ type: 'message', text, next });
const answer = (word: string, text: string, more: object = {}): FlowDefinition => ({
  nodes: { t: trigger('m', { filter: contains(word), ...more }), m: say(text), e: end },
});

const world = await aFlowWorkspace(
  {
    apples: answer('apple', 'About apples'),
    fruit: answer('apple', 'About fruit'),
    greeting: answer('apple', 'Hello', { priority: 10, also: true }),
    archive: answer('apple', 'Archived', { also: true }),
    calls: {
      nodes: {
        t: trigger('f', { filter: contains('call') }),
        f: { type: 'custom-flow-node', function: 'flow-nodes/say', outcomes: { said: 'w' } },
        w: { type: 'wait', for: 'message.received', next: 'm' },
        m: say('{{message.text}}!', 'v'),
        v: { type: 'wait', for: 'message.received', next: 'm2' },
        m2: say('{{message.text}}?', 'x'),
        x: { type: 'wait', for: 'time', duration: '1h', next: 'y' },
        y: { type: 'wait', for: 'message.received', next: 'e' },
        e: end,
      },
    },
    unknown: {
      nodes: {
        t: trigger('f', { filter: contains('outcome') }),
        f: { type: 'custom-flow-node', function: 'flow-nodes/changes', outcomes: { a: 'e' } },
        e: end,
      },
    },
    assigned: {
      nodes: { t: { type: 'trigger', on: 'conversation.assigned', next: 'm' }, m: say('Assigned'), e: end },
    },
    replied: {
      nodes: { t: { type: 'trigger', on: 'template.replied', next: 'm' }, m: say('You replied to a template'), e: end },
    },
    byCode: {
      nodes: {
        t: {
          type: 'trigger',
          on: 'code',
          input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          next: 'f',
        },
        f: {
          type: 'custom-flow-node',
          function: 'flow-nodes/greet',
          input: { name: '{{input.name}}' },
          outcomes: { greeted: 'e' },
        },
        e: end,
      },
    },
  },
  {
    'flow-nodes/say': flowNode(
      ['said'],
      `await sdk.messages.send({ conversationId: sdk.flow.conversation.id, text: 'From the function' }); return { outcome: 'said' };`,
    ),
    'flow-nodes/changes': flowNode(['a'], `return { outcome: 'a' };`),
    'flow-nodes/greet': flowNode(['greeted'], `return { outcome: 'greeted', output: 'Hi ' + sdk.flow.input.name };`),
    'api/start': {
      config: { type: 'server-side-method' },
      body: `return sdk.flows.run({ id: 'byCode', input: await sdk.request.json() });`,
    },
  },
);
const { call, say: says, texts, lastRun, newPhone, runs, settled, advance, save, source } = world;

test('the first flow whose filter fits starts, others only with also; priority counts, then the name', async () => {
  const { conversationId } = await says(newPhone(), 'an apple');
  assert.deepEqual((await texts(conversationId)).slice(1).sort(), ['flow: Archived', 'flow: Hello']);
  const started = (await runs(conversationId)).map(({ flow }) => flow).sort();
  assert.deepEqual(started, ['archive', 'greeting'], 'greeting comes first; apples and fruit do not say also');
});

test('messages that come while a function runs wait for the flow, in their order', async () => {
  const phone = newPhone();
  const { conversationId } = await call('messages.receive', { phone, text: 'call' });
  await call('messages.receive', { phone, text: 'one' });
  await call('messages.receive', { phone, text: 'two' });
  await settled();
  assert.deepEqual(await texts(conversationId), [
    'customer: call',
    'customer: one',
    'customer: two',
    'function: From the function',
    'flow: one!',
    'flow: two?',
  ]);
  assert.equal((await runs(conversationId)).length, 1);
});

test('of 200 messages while a flow waits for a time, 20 are kept and the rest is counted', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'call');
  await says(phone, 'one');
  await says(phone, 'two');
  for (let i = 0; i < 200; i++) await call('messages.receive', { conversationId, text: `More ${i}` });
  await settled();
  assert.equal((await lastRun(conversationId)).missedMessages, 180);
  await advance(hour);
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, run.steps.at(-2)?.outcome], ['completed', 'message']);
});

test('a function that was changed and answers an outcome without a way stops the run, which says so', async () => {
  const before = source;
  const { conversationId } = await says(newPhone(), 'outcome');
  assert.equal((await lastRun(conversationId)).status, 'completed');
  await withFunctions({ 'flow-nodes/changes': flowNode(['a', 'b'], `return { outcome: 'b' };`) }, async () => {
    const second = await says(newPhone(), 'outcome');
    const run = await lastRun(second.conversationId);
    assert.deepEqual([run.status, run.error?.code], ['failed', 'flow_outcome_unknown']);
    assert.match(run.error?.message ?? '', /answered the outcome b, for which the node has no way out \(it has a\)/);
  });
  await withFunctions({}, async () => {
    const third = await says(newPhone(), 'outcome');
    assert.equal((await lastRun(third.conversationId)).error?.code, 'function_not_found');
  });
  assert.equal(before, source);
});

test('an assignment starts a flow, and a reply to a template, too', async () => {
  const { items } = await call('workgroups.list', {});
  const { conversationId } = await says(newPhone(), 'nothing');
  await call('conversations.assign', { id: conversationId, assign: { workgroupId: items[0]?.id ?? '' } });
  await settled();
  assert.equal((await texts(conversationId)).at(-1), 'flow: Assigned');
});

test('a function starts a flow with an input, which is checked', async () => {
  const start = (body: object) => call('functions.invoke', { app: 'shop', name: 'api/start', input: body as never });
  const { result } = await start({ name: 'Ann' });
  await settled();
  const run = await call('flowRuns.show', { id: (result as { id: string }).id });
  assert.deepEqual([run.status, run.steps[1]?.output], ['completed', 'Hi Ann']);
  await assert.rejects(start({}), (error: Error) => /flow_input_invalid|input\.name/.test(error.message));
});

test('a flow that is saved while a run waits goes on in its version; the next message starts the new one', async () => {
  const waits = (text: string): FlowDefinition => ({
    nodes: {
      t: trigger('w', { filter: { any: [contains('version'), contains('again')] } }),
      w: { type: 'wait', for: 'message.received', next: 'm' },
      m: say(text),
      e: end,
    },
  });
  await save({ versions: waits('Version 1') });
  const phone = newPhone();
  const { conversationId } = await says(phone, 'version');
  await save({ versions: waits('Version 2') });
  assert.equal((await call('flows.show', { id: 'versions' })).version, 2);
  await says(phone, 'go on');
  assert.equal((await texts(conversationId)).at(-1), 'flow: Version 1');
  await says(phone, 'again');
  await says(phone, 'go on');
  assert.equal((await texts(conversationId)).at(-1), 'flow: Version 2');
  await says(phone, 'again');
  await save({});
  await says(phone, 'go on');
  assert.equal((await texts(conversationId)).at(-1), 'flow: Version 2', 'its file is gone, and the run goes on');
  await says(phone, 'again');
  assert.equal((await runs(conversationId)).length, 3);
});

test('a flow that is wrong is not taken, what is wrong is told, and the one before stays live', async () => {
  await save({ good: answer('good', 'Good') });
  await save({ good: { nodes: { t: trigger('x'), e: end } } as FlowDefinition });
  const told = world.events.flatMap((event) =>
    event.type === 'problem' && event.code === 'flow_invalid' ? [event.message] : [],
  );
  assert.match(
    told.at(-1) ?? '',
    /flows\/good\.json is not live:\n {2}nodes\.t\.next names the node x, which does not exist/,
  );
  const { conversationId } = await says(newPhone(), 'good');
  assert.equal((await texts(conversationId)).at(-1), 'flow: Good');
  const { items } = await call('flows.check', {});
  assert.deepEqual(
    items.map(({ name, problems }) => [name, problems[0]?.code]),
    [['good', 'flow_node_unknown']],
  );
});

test('a rerun uses the data of its run, from a node on', async () => {
  await save({
    again: {
      nodes: {
        t: trigger('f', { filter: contains('rerun') }),
        f: {
          type: 'custom-flow-node',
          function: 'flow-nodes/greet',
          input: { name: '{{message.text}}' },
          outcomes: { greeted: 'm' },
        },
        m: say('{{steps.f.output}}'),
        e: end,
      },
    },
  });
  await world.withFirstFunctions();
  const { conversationId } = await says(newPhone(), 'rerun me');
  const run = await lastRun(conversationId);
  const again = await call('flowRuns.rerun', { id: run.id, from: 'm' });
  await settled();
  assert.deepEqual(await world.path(again.id), ['m:next', 'e:end']);
  assert.deepEqual((await texts(conversationId)).slice(1), ['flow: Hi rerun me', 'flow: Hi rerun me']);
});

async function withFunctions(functions: Parameters<typeof source.change>[0], work: () => Promise<void>): Promise<void> {
  source.change(functions);
  await work();
  await world.withFirstFunctions();
}
