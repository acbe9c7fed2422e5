import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../until.ts';
import { aFlowWorkspace, type FlowDefinition, flowNode } from './support.ts';

const end = { type: 'end' };
const contains = (value: string) => ({ field: 'message.text', op: 'contains', value });
const trigger = (word: string, next: string): object => ({
  type: 'trigger',
  on: 'message.received',
  filter: contains(word),
  next,
});
const say = (text: string, next = 'e') => ({ type: 'message', text, next });

const flows: Record<string, FlowDefinition> = {
  agent: {
    nodes: {
      t: trigger('nora', 'a'),
      a: { type: 'ai-agent', agent: 'nora', next: 'bye', onHandover: 'team', onBudget: 'over', onError: 'error' },
      bye: say('Was that all?'),
      team: { type: 'handover', to: { workgroup: 'Orders' }, note: '{{steps.a.output.reason}}', next: 'told' },
      told: say('Somebody will answer soon'),
      over: say('Over budget'),
      error: say('Error {{steps.a.output.error.code}}'),
      e: end,
    },
  },
  talk: {
    nodes: {
      t: trigger('talk', 'a'),
      a: { type: 'ai-agent', agent: 'nora', mode: 'conversation', onNewMessage: 'queue', next: 'bye', onHandover: 'e' },
      bye: say('Bye'),
      e: end,
    },
  },
  thrifty: {
    nodes: {
      t: trigger('thrifty', 'a'),
      a: {
        type: 'ai-agent',
        agent: 'eager',
        mode: 'conversation',
        budget: { maxModelCalls: 2 },
        next: 'e',
        onBudget: 'over',
      },
      over: say('Over budget'),
      e: end,
    },
  },
  // What the files of the agents say of new messages, and a node that says something else.
  patient: { nodes: { t: trigger('patient', 'a'), a: { type: 'ai-agent', agent: 'patient', next: 'e' }, e: end } },
  eager: { nodes: { t: trigger('eager', 'a'), a: { type: 'ai-agent', agent: 'eager', next: 'e' }, e: end } },
  hurried: {
    nodes: {
      t: trigger('hurried', 'a'),
      a: { type: 'ai-agent', agent: 'patient', collectMs: 3_000, next: 'e' },
      e: end,
    },
  },
  hasty: { nodes: { t: trigger('hasty', 'a'), a: { type: 'ai-agent', agent: 'hasty', next: 'e' }, e: end } },
  busy: {
    nodes: {
      t: trigger('busy', 'a'),
      a: { type: 'ai-agent', agent: 'hasty', onNewMessage: 'reject', next: 'e' },
      e: end,
    },
  },
  brief: {
    nodes: {
      t: trigger('brief', 'i'),
      i: { type: 'ai', prompt: 'Sum up', model: 'script:nora', budget: { maxTokens: 1 }, next: 'yes', onError: 'x' },
      yes: say('Summed up'),
      x: say('{{steps.i.output.error.code}}'),
      e: end,
    },
  },
  stock: {
    nodes: {
      t: trigger('stock', 'i'),
      i: { type: 'ai', prompt: 'Look up', model: 'script:clerk', tools: ['stock', 'prices'], next: 'said' },
      said: say('{{steps.i.output.text}}'),
      e: end,
    },
  },
  classify: {
    nodes: {
      t: trigger('classify', 'i'),
      i: {
        type: 'ai',
        prompt: 'Classify: {{message.text}}',
        model: 'script:nora',
        output: { type: 'object', properties: { topic: { enum: ['order', 'other'] } }, required: ['topic'] },
        next: 'c',
        onError: 'x',
      },
      c: {
        type: 'condition',
        branches: [{ title: 'order', if: { field: 'steps.i.output.topic', op: 'eq', value: 'order' }, next: 'yes' }],
        else: 'no',
      },
      yes: say('An order'),
      no: say('Something else'),
      x: say('{{steps.i.output.error.code}}'),
      e: end,
    },
  },
  refund: {
    nodes: {
      t: { ...trigger('refund', 'a'), filter: { any: [contains('refund'), contains('Yes')] } },
      a: { type: 'ai-agent', agent: 'rex', next: 'bye' },
      bye: say('Was that all?'),
      e: end,
    },
  },
};

const nora = {
  file: { title: 'Nora', instructions: 'Help.' },
  script: {
    rules: [
      {
        when: { lastUser: { contains: 'human' } },
        call: [{ tool: 'handover_to_human', args: { reason: 'asked for it' } }],
      },
      { when: { lastUser: { contains: 'fail' } }, fail: { status: 401 } },
      { when: { lastUser: { contains: 'classify an order' } }, say: '```json\n{"topic":"order"}\n```' },
      { when: { lastUser: { contains: 'classify wrongly' } }, say: '{"topic":"weather"}' },
      { when: { lastUser: { contains: 'classify' } }, say: '{"topic":"other"}' },
    ],
    default: { say: 'You said: {{lastUser}}' },
  },
};

const rex = {
  file: { instructions: 'Refund.', tools: ['refund'] },
  script: {
    rules: [
      { when: { toolResults: { min: 1 } }, say: 'Refunded.' },
      { when: {}, call: [{ tool: 'refund', args: {} }] },
    ],
  },
};

const refund = {
  config: {
    type: 'ai-tool',
    name: 'refund',
    title: 'Refund',
    description: 'Refunds an order',
    input: { type: 'object' },
    confirm: { by: 'customer', expiresAfter: '1h' },
    permissions: { callers: { aiAgents: 'all', code: true } },
  },
  body: 'return { done: true };',
};

const patient = { file: { instructions: 'Help.', collectMs: 10_000 }, script: nora.script };
const eager = { file: { instructions: 'Help.', onNewMessage: 'queue' }, script: nora.script };
/** It takes its time while it is told to, before or after it has called a tool. */
const hasty = {
  file: { instructions: 'Help.', onNewMessage: 'interrupt', tools: ['book', 'stock'] },
  script: {
    rules: [
      { when: { lastTool: 'book' }, delayMs: 500, say: 'Booked: {{lastUser}}' },
      { when: { lastTool: 'stock' }, delayMs: 60_000, say: 'Never said' },
      { when: { lastUser: { contains: 'book' } }, call: [{ tool: 'book', args: {} }] },
      { when: { lastUser: { contains: 'stock' } }, call: [{ tool: 'stock', args: {} }] },
      { when: { lastUser: { contains: 'slowly' } }, delayMs: 500, say: 'You said: {{lastUser}}' },
      { when: { lastUser: { contains: 'wait' } }, delayMs: 60_000, say: 'Never said' },
    ],
    default: { say: 'You said: {{lastUser}}' },
  },
};
const clerk = {
  file: { instructions: 'Help.' },
  script: {
    rules: [{ when: { lastTool: 'stock' }, say: 'Three are left' }],
    default: { call: [{ tool: 'stock', args: {} }] },
  },
};

const aTool = (name: string, callers: object, annotations = {}) => ({
  config: {
    type: 'ai-tool',
    name,
    description: 'Looks it up.',
    input: { type: 'object' },
    permissions: { callers },
    annotations,
  },
  body: 'return { left: 3 };',
});
const functions = {
  'tools/refund': refund,
  'flow-nodes/x': flowNode(['a'], `return { outcome: 'a' };`),
  'tools/stock': aTool('stock', { aiNodes: ['stock/i'], aiAgents: 'all' }, { readOnly: true }),
  'tools/book': aTool('book', { aiAgents: 'all' }),
  'tools/prices': aTool('prices', { aiNodes: ['stock/other'], harnesses: 'all' }),
};

const world = await aFlowWorkspace(flows, functions, { nora, patient, eager, hasty, clerk, rex });
const { call, say: says, texts, lastRun, newPhone, settled, advance, path, as } = world;
const collect = 1_500;

test('an agent answers what was collected, and the flow goes on', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'nora');
  const waiting = await lastRun(conversationId);
  assert.deepEqual([waiting.status, waiting.waitingFor?.type], ['waiting', 'run']);
  await says(phone, 'second');
  await says(phone, 'third');
  await advance(collect);
  assert.deepEqual(await texts(conversationId), [
    'customer: nora',
    'customer: second',
    'customer: third',
    'aiAgent: You said: third',
    'flow: Was that all?',
  ]);
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, (await path(run.id)).slice(1)], ['completed', ['a:completed', 'bye:next', 'e:end']]);
  const { items } = await call('aiAgentRuns.list', { conversationId });
  assert.equal(items.length, 1, 'one run saw all three');
  assert.deepEqual([items[0]?.source.type, items[0]?.source.nodeId], ['flow', 'a']);
});

test('an agent that hands over takes onHandover: the note says why, the AI is paused, the flow goes on to its end', async () => {
  const { conversationId } = await says(newPhone(), 'nora, a human');
  await advance(collect);
  const run = await lastRun(conversationId);
  assert.deepEqual((await path(run.id)).slice(1), ['a:handedOver', 'team:next', 'told:next', 'e:end']);
  const conversation = await call('conversations.get', { id: conversationId });
  assert.equal(conversation.ai.state, 'paused');
  assert.ok(conversation.assignee.workgroupId);
  assert.equal((await texts(conversationId)).at(-1), 'flow: Somebody will answer soon');
  const { items } = await call('notes.list', { conversationId });
  assert.ok(items.some(({ text }) => text === 'asked for it'));
});

test('an agent that fails takes onError', async () => {
  const { conversationId } = await says(newPhone(), 'nora, fail');
  await advance(collect);
  const run = await lastRun(conversationId);
  assert.deepEqual((await path(run.id)).slice(1), ['a:error', 'error:next', 'e:end']);
  assert.match((await texts(conversationId)).at(-1) ?? '', /^flow: Error \w+/);
});

test('a person who writes ends the run and the flow run, and what the agent was about to say is never said', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'nora');
  const { items: people } = await call('agents.list', {});
  const person = as({ type: 'agent', id: people[0]?.id ?? '' });
  await person('messages.send', { conversationId, text: 'I take over' });
  await settled();
  await advance(collect);
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, run.reason], ['cancelled', 'a person took over']);
  assert.deepEqual((await texts(conversationId)).slice(1), ['agent: I take over']);
  await says(phone, 'nora again');
  await advance(collect);
  assert.deepEqual(
    (await texts(conversationId)).at(-1),
    'customer: nora again',
    'while a person answers, no flow starts',
  );
  await call('conversations.resumeAi', { id: conversationId });
  await settled();
  await advance(collect);
  const [answer, after] = (await texts(conversationId)).slice(-2);
  assert.deepEqual([answer, after], ['aiAgent: You said: nora again', 'flow: Was that all?']);
  const { items: aiRuns } = await call('aiAgentRuns.list', { conversationId, limit: 1 });
  const { id, modelCalls } = await call('aiAgentRuns.show', { id: aiRuns[0]?.id ?? '' });
  const asked = await call('aiAgentRuns.showModelCall', { id, modelCallId: modelCalls[0]?.id ?? '' });
  const [note, last] = asked.messages.slice(-2).map((message) => JSON.stringify(message));
  assert.match(note ?? '', /a person of the team took this conversation over/, 'it knows what happened');
  assert.match(last ?? '', /nora again/);
});

test('in a conversation an agent waits for the customer after each answer, until a day has passed', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'talk');
  assert.equal((await texts(conversationId)).at(-1), 'aiAgent: You said: talk');
  assert.equal((await lastRun(conversationId)).waitingFor?.type, 'message');
  await says(phone, 'more');
  assert.equal((await texts(conversationId)).at(-1), 'aiAgent: You said: more');
  await advance(24 * 3_600_000);
  const run = await lastRun(conversationId);
  assert.deepEqual((await path(run.id)).slice(1), ['a:answered', 'a:answered', 'a:completed', 'bye:next', 'e:end']);
});

test('in a conversation all answers share the budget of the node, and a new stay in it has a new one', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'thrifty one');
  await says(phone, 'two');
  await says(phone, 'three');
  assert.deepEqual(
    (await texts(conversationId)).filter((text) => !text.startsWith('customer')),
    ['aiAgent: You said: thrifty one', 'aiAgent: You said: two', 'flow: Over budget'],
  );
  const run = await lastRun(conversationId);
  assert.deepEqual((await path(run.id)).slice(1), ['a:answered', 'a:answered', 'a:budget', 'over:next', 'e:end']);
  await says(phone, 'thrifty four');
  assert.equal((await texts(conversationId)).at(-1), 'aiAgent: You said: thrifty four');
});

test('a rerun has the whole budget of the node, however little was left for its run', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'thrifty one');
  await says(phone, 'two');
  await says(phone, 'three');
  const { items } = await call('aiAgentRuns.list', { conversationId });
  const [over] = items;
  assert.deepEqual([over?.budgetExceeded, over?.budget.maxModelCalls], ['modelCalls', 0]);
  const { id } = await call('aiAgentRuns.rerun', { id: over?.id ?? '' });
  await settled();
  const again = await call('aiAgentRuns.show', { id });
  assert.deepEqual([again.status, again.text, again.budget.maxModelCalls], ['completed', 'You said: three', 2]);
  const third = await call('aiAgentRuns.rerun', { id, budget: { maxToolCalls: 1 } });
  assert.deepEqual([third.budget.maxModelCalls, third.budget.maxToolCalls], [2, 1]);
  await settled();
});

test('in a conversation an agent that hands over ends it', async () => {
  const phone = newPhone();
  const { conversationId } = await says(phone, 'talk');
  await says(phone, 'a human');
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, (await path(run.id)).at(-2)], ['completed', 'a:handedOver']);
});

test('the answer of an AI node is JSON of its schema, and a condition decides by it', async () => {
  const order = await says(newPhone(), 'classify an order');
  assert.equal((await texts(order.conversationId)).at(-1), 'flow: An order');
  const other = await says(newPhone(), 'classify this');
  assert.equal((await texts(other.conversationId)).at(-1), 'flow: Something else');
  assert.deepEqual((await lastRun(other.conversationId)).steps[1]?.output, { topic: 'other' });
  const wrong = await says(newPhone(), 'classify wrongly');
  assert.equal((await texts(wrong.conversationId)).at(-1), 'flow: output_invalid');
});

test('an AI node whose budget runs out takes onError, and so does one whose model hands over', async () => {
  const over = await says(newPhone(), 'brief');
  assert.equal((await texts(over.conversationId)).at(-1), 'flow: budget_tokens');
  const handing = await says(newPhone(), 'classify for a human');
  assert.equal((await texts(handing.conversationId)).at(-1), 'flow: run_handedOver');
});

test('an AI node calls the tools that name it in callers.aiNodes, and no others', async () => {
  const { conversationId } = await says(newPhone(), 'stock');
  assert.equal((await texts(conversationId)).at(-1), 'flow: Three are left');
  const { items } = await call('tools.logs', {});
  assert.deepEqual(
    items.map(({ tool, status, caller }) => [tool, status, caller]),
    [['stock', 'ok', { type: 'flow', id: 'shop/stock/i' }]],
  );
  const { items: aiRuns } = await call('aiAgentRuns.list', { limit: 1 });
  const run = await call('aiAgentRuns.show', { id: aiRuns[0]?.id ?? '' });
  assert.deepEqual(
    run.warnings.map(({ code }) => code),
    ['tool_forbidden'],
  );
});

test('what the file of an agent says of new messages holds for a node that says nothing of them', async () => {
  const answerOf = async (text: string, ms: number) => {
    const { conversationId } = await says(newPhone(), text);
    if (ms > 0) await advance(ms);
    return (await texts(conversationId)).at(-1);
  };
  assert.equal(await answerOf('eager', 0), 'aiAgent: You said: eager', 'it does not wait');
  assert.equal(await answerOf('patient one', 9_000), 'customer: patient one');
  assert.equal(await answerOf('patient two', 10_000), 'aiAgent: You said: patient two');
  assert.equal(await answerOf('hurried', 3_000), 'aiAgent: You said: hurried', 'the node says it otherwise');
});
/** Writes without waiting for what it causes. */
const write = (phone: string, text: string) => call('messages.receive', { phone, text });
const aiRunsOf = async (conversationId: string) =>
  (await call('aiAgentRuns.list', { conversationId })).items.toReversed();
/** Resolves when so many runs of AI agents have begun, and the last one has asked its model (so often). */
const asksModel = (conversationId: string, runs: number, calls = 1) =>
  until('the model is asked', async () => {
    const all = await aiRunsOf(conversationId);
    const last = all.at(-1);
    if (last === undefined || all.length < runs) return false;
    return (await call('aiAgentRuns.show', { id: last.id })).modelCalls.length >= calls;
  });

test('interrupt: of three messages within a second, each ends the run before, and one run that saw all three answers', async () => {
  const phone = newPhone();
  const { conversationId } = await write(phone, 'hasty, wait');
  await asksModel(conversationId, 1);
  await write(phone, 'wait, there is more');
  await asksModel(conversationId, 2);
  await write(phone, 'that is all');
  await settled();
  assert.deepEqual((await texts(conversationId)).slice(3), ['aiAgent: You said: that is all']);
  const aiRuns = await aiRunsOf(conversationId);
  assert.deepEqual(
    aiRuns.map(({ status }) => status),
    ['cancelled', 'cancelled', 'completed'],
  );
  const { history } = await call('aiAgentRuns.show', { id: aiRuns[2]?.id ?? '' });
  assert.equal(history.messages, 3);
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, await path(run.id)], ['completed', ['t:next', 'a:completed', 'e:end']]);
  assert.equal((await world.runs(conversationId)).length, 1);
});

test('interrupt: a run that has only read is ended, too', async () => {
  const phone = newPhone();
  const { conversationId } = await write(phone, 'hasty, stock');
  await asksModel(conversationId, 1, 2);
  await write(phone, 'never mind');
  await settled();
  assert.deepEqual((await texts(conversationId)).slice(2), ['aiAgent: You said: never mind']);
});

test('interrupt: a run that has called a tool with an effect goes on, and the message is answered afterwards', async () => {
  const phone = newPhone();
  const { conversationId } = await write(phone, 'hasty, book it');
  await asksModel(conversationId, 1, 2);
  await write(phone, 'hasty, thank you');
  await settled();
  assert.deepEqual((await texts(conversationId)).slice(2), [
    'aiAgent: Booked: hasty, book it',
    'aiAgent: You said: hasty, thank you',
  ]);
  assert.deepEqual(
    (await aiRunsOf(conversationId)).map(({ status }) => status),
    ['completed', 'completed'],
  );
});

test('reject: a message that comes while the agent works starts nothing and is counted; the next one does', async () => {
  const phone = newPhone();
  const { conversationId } = await write(phone, 'busy, slowly');
  await asksModel(conversationId, 1);
  await write(phone, 'busy again');
  await settled();
  assert.deepEqual((await texts(conversationId)).slice(2), ['aiAgent: You said: busy, slowly']);
  const run = await lastRun(conversationId);
  assert.deepEqual([run.status, run.missedMessages], ['completed', 1]);
  await says(phone, 'busy once more');
  assert.equal((await texts(conversationId)).at(-1), 'aiAgent: You said: busy once more');
});

for (const by of ['its title', 'a quick reply']) {
  test(`what the customer answers to a tool by ${by} starts no flow, and is no message to the one under way`, async () => {
    const phone = newPhone();
    const { conversationId } = await says(phone, 'refund it');
    await advance(collect);
    const [question] = (await call('messages.list', { conversationId, order: 'desc' })).items;
    const [yes] = question?.quickReplies ?? [];
    assert.equal(yes?.title, 'Yes');
    await advance(60_000);
    const answer = await (by === 'its title'
      ? says(phone, 'Yes')
      : call('messages.receive', { conversationId, quickReplyId: yes?.id ?? '' }));
    await settled();
    await advance(collect);
    assert.deepEqual(
      (await texts(conversationId)).slice(2),
      ['customer: Yes', 'aiAgent: Refunded.', 'flow: Was that all?'],
      'the flow does not begin again with it',
    );
    assert.equal((await world.runs(conversationId)).length, 1);
    const { items } = await call('events.list', { conversationId, type: 'message.received' });
    assert.ok(
      items.some(({ data }) => (data['message'] as { id: string }).id === answer.id),
      'the journal has it',
    );
  });
}

test('one trace shows the message, the flow run, its nodes, the run of the agent, its model calls and tool calls', async () => {
  const phone = newPhone();
  const { id, conversationId } = await says(phone, 'refund it');
  await advance(collect);
  await says(phone, 'Yes');
  const run = await lastRun(conversationId);
  for (const by of [run.id, run.steps[1]?.ref ?? '']) {
    assert.equal((await call('traces.show', { id: by })).traceId, run.traceId, by);
  }
  const { spans } = await call('traces.show', { id });
  const nameOf = new Map(spans.map((span) => [span.id, `${span.kind} ${span.name}`]));
  const shown = (kinds: readonly string[]) =>
    spans
      .filter(({ kind }) => kinds.includes(kind))
      .map((span) => `${nameOf.get(span.parentId ?? '') ?? ''} > ${nameOf.get(span.id)}: ${span.status}`);
  assert.deepEqual(shown(['flow-run', 'node-run']), [
    'event message.received > flow-run shop/refund: ok',
    'flow-run shop/refund > node-run t (trigger): ok',
    'flow-run shop/refund > node-run a (ai-agent): ok',
    'flow-run shop/refund > node-run bye (message): ok',
    'flow-run shop/refund > node-run e (end): ok',
  ]);
  assert.deepEqual(shown(['agent-run', 'model-call', 'tool-call', 'confirmation', 'invocation']), [
    'node-run a (ai-agent) > agent-run shop/rex: ok',
    'agent-run shop/rex > model-call script:rex: ok',
    'agent-run shop/rex > model-call script:rex: ok',
    'agent-run shop/rex > tool-call refund: ok',
    'tool-call refund > confirmation refund: allowed',
    'tool-call refund > invocation shop/tools/refund: ok',
  ]);
  assert.deepEqual(shown(['message']).slice(1), [
    'agent-run shop/rex > message to the customer, from aiAgent: ok',
    'node-run bye (message) > message to the customer, from flow: ok',
  ]);
  assert.ok(
    spans.filter(({ kind }) => kind === 'event').every(({ name, parentId }) => parentId || !/Run|Tool/.test(name)),
  );
});
