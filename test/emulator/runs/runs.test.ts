import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '../../../src/contract/index.ts';
import type { NewRun } from '../../../src/workspace/index.ts';
import { type AiAgents, anEmulator, everyone, method } from '../an-emulator.ts';

const tool = (name: string, body: string, more: Record<string, unknown> = {}) => ({
  config: {
    type: 'ai-tool',
    name,
    description: `${name} of an order`,
    input: { type: 'object', properties: { orderId: { type: 'string' } }, additionalProperties: false },
    annotations: { readOnly: true },
    permissions: { callers: { aiAgents: 'all' } },
    ...more,
  },
  body,
});

type Run = Output<'aiAgentRuns.show'>;

const script = (tool: string, args: object, say: string) => ({
  rules: [
    { when: { toolResults: { min: 1 }, lastToolFailed: true }, say: 'Sorry, that was not possible.' },
    { when: { toolResults: { min: 1 } }, say },
    { when: {}, call: [{ tool, args }] },
  ],
});

const agents: AiAgents = {
  ada: {
    file: { instructions: 'Look it up.', tools: ['order_status', 'no_such', 'closed'] },
    script: script('order_status', { orderId: 'A-1017' }, 'It is {{lastToolResult.status}}.'),
  },
  rex: {
    file: { instructions: 'Refund.', tools: ['refund'] },
    script: script('refund', { orderId: 'A-1017' }, 'Refunded: {{lastToolResult.refunded}}.'),
  },
  nora: {
    file: { title: 'Nora', instructions: 'Help with orders.', context: { customer: ['name'] } },
    script: {
      rules: [
        { when: { lastUser: { matches: 'where is (?<id>A-\\d+)' } }, say: 'Order {{id}} is on its way.' },
        {
          when: { lastUser: { contains: 'human' } },
          call: [{ tool: 'handover_to_human', args: { reason: 'asked', team: 'Orders' } }],
        },
        { when: { lastUser: { contains: 'slow' } }, say: 'Late.', delayMs: 60_000 },
        { when: { lastUser: { contains: 'broken' } }, fail: { status: 500 } },
      ],
      default: { say: 'Which order?' },
    },
  },
};

const here = await anEmulator({
  agents,
  functions: {
    'tools/order-status': tool('order_status', "return { status: 'shipped' };"),
    'tools/refund': tool('refund', "await sdk.store.increment('refunds'); return { refunded: true };", {
      confirm: 'human',
      annotations: { destructive: true },
    }),
    'tools/closed': tool('closed', 'return 1;', { permissions: {} }),
    'api/ask': method("return await sdk.aiAgentRuns.create({ agent: 'nora', input: 'Where is A-1017?' });"),
  },
});
const door = here.emulator.door(everyone);

async function read(
  id: string,
  lastEventId?: number,
): Promise<{ id: string; event: string; data: Record<string, unknown> }[]> {
  const headers = {
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
  };
  const response = await here.ask(`/ai-agent-runs/${id}`, { headers });
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((part) => part.includes('data: '))
    .map((part) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? '';
      return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
    });
}

async function ended(id: string): Promise<Run> {
  const done = (await read(id)).at(-1);
  assert.equal(done?.event, 'done');
  return done.data['run'] as Run;
}

test('a run answers by its script, and is followed as an event stream from any event on', async () => {
  const run = await door('aiAgentRuns.create', { agent: 'nora', input: 'Where is A-1017?' });
  assert.equal(run.status, 'queued');
  const all = await read(run.id);
  assert.deepEqual(
    all.filter(({ event }) => event !== 'text.delta').map(({ event }) => event),
    ['modelCall.started', 'modelCall.ended', 'message', 'done'],
  );
  const record = all.at(-1)?.data['run'] as Run;
  assert.equal(record.text, 'Order A-1017 is on its way.');
  assert.deepEqual([record.usage.modelCalls, record.usage.costUsd, record.usage.costBasis], [1, 0, 'priced']);
  const started = Number(all.find(({ event }) => event === 'modelCall.started')?.id);
  assert.deepEqual(
    (await read(run.id, started)).map(({ event }) => event),
    ['modelCall.ended', 'message', 'done'],
  );
});

test('in a conversation it answers there, and says which agent it is', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'where is A-7' });
  const run = await ended((await door('aiAgentRuns.create', { agent: 'shop/nora', conversationId })).id);
  const messages = (await door('messages.list', { conversationId })).items;
  assert.deepEqual(messages.at(-1)?.author, { type: 'aiAgent', id: run.aiAgentId });
  assert.equal(messages.at(-1)?.text, 'Order A-7 is on its way.');
  assert.deepEqual(run.result.messageIds, [messages.at(-1)?.id]);
});

test('drafts of an answer are live frames, and never messages', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901821', text: 'where is A-8' });
  const follows = new AbortController();
  const response = await here.ask('/events/stream?live=draft,run', { signal: follows.signal });
  const run = await door('aiAgentRuns.create', { agent: 'nora', conversationId });
  await ended(run.id);
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString();
    if (text.includes('aiAgentRun.completed')) break;
  }
  follows.abort();
  assert.match(text, /event: live\.draft\ndata: .*"text":"Order/);
  assert.match(text, /event: live\.run/);
});

test('a handover assigns the team and pauses the AI', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901822', text: 'a human, please' });
  const run = await ended((await door('aiAgentRuns.create', { agent: 'nora', conversationId })).id);
  assert.equal(run.status, 'handedOver');
  assert.deepEqual([run.toolCalls[0]?.name, run.toolCalls[0]?.source.type], ['handover_to_human', 'platform']);
  const conversation = await door('conversations.get', { id: conversationId });
  assert.equal(conversation.ai.state, 'paused');
  assert.equal(conversation.assignee.workgroupId, run.result.teamId);
});

test('a run that is cancelled while a model thinks ends at once', async () => {
  const { id } = await door('aiAgentRuns.create', { agent: 'nora', input: 'be slow' });
  const following = read(id);
  while ((await door('aiAgentRuns.show', { id })).modelCalls.length === 0) await new Promise(setImmediate);
  assert.equal((await door('aiAgentRuns.cancel', { id })).status, 'cancelled');
  assert.equal((await following).at(-1)?.data['status'], 'cancelled');
  assert.deepEqual(await here.emulator.settled(), []);
});

test('a model that fails ends the run in a named code', async () => {
  const run = await ended((await door('aiAgentRuns.create', { agent: 'nora', input: 'broken' })).id);
  assert.equal(run.status, 'failed');
  assert.equal(run.error?.code, 'model_unavailable');
});

test('a function starts a run as its app does', async () => {
  const answer = await here.post('/custom-functions/shop/api/ask.js', {});
  const run = (await answer.json()) as Run;
  assert.deepEqual([run.source.type, run.source.app, run.source.function], ['function', 'shop', 'api/ask']);
  assert.equal((await ended(run.id)).text, 'Order A-1017 is on its way.');
});

test('a budget of money refuses a model without a price, unless that is allowed', async () => {
  const given = { agent: 'nora', input: 'x', models: { main: 'no-such-model' }, budget: { maxCostUsd: 1 } };
  await assert.rejects(door('aiAgentRuns.create', given), { code: 'budget_price_unknown' });
  const run = await door('aiAgentRuns.create', { ...given, models: { main: 'script:nora' } });
  assert.equal((await ended(run.id)).status, 'completed');
});

test('a budget that the first call uses up ends the run before the call', async () => {
  const run = await ended(
    (await door('aiAgentRuns.create', { agent: 'nora', input: 'x', budget: { maxTokens: 50 } })).id,
  );
  assert.deepEqual([run.status, run.budgetExceeded, run.usage.modelCalls], ['failed', 'tokens', 0]);
});

test('a tool of the agent is called through the gate, and what it names in vain is a warning', async () => {
  const run = await ended((await door('aiAgentRuns.create', { agent: 'ada', input: 'Where is it?' })).id);
  assert.equal(run.text, 'It is shipped.');
  const [call] = run.toolCalls;
  assert.deepEqual(
    [call?.name, call?.status, call?.result, call?.source.function],
    ['order_status', 'ok', { status: 'shipped' }, 'shop/tools/order-status'],
  );
  assert.equal(call?.modelCallId, run.modelCalls[0]?.id);
  assert.deepEqual(run.warnings.map(({ code }) => code).sort(), ['tool_forbidden', 'tool_unknown']);
  const logged = (await door('tools.logs', { limit: 10 })).items.find(({ id }) => id === call?.id);
  assert.deepEqual([logged?.runId, logged?.caller.type], [run.id, 'aiAgent']);
});

test('a run waits for a person, goes on with the answer, and does nothing twice', async () => {
  const waiting = async () => {
    const { id } = await door('aiAgentRuns.create', { agent: 'rex', input: 'Refund it.' });
    await here.emulator.settled();
    const run = await door('aiAgentRuns.show', { id });
    assert.equal(run.status, 'waiting');
    assert.equal(run.toolCalls[0]?.status, 'awaitingConfirmation');
    return { id, question: run.waitingFor[0]?.id ?? '' };
  };
  const first = await waiting();
  await door('confirmations.answer', { id: first.question, answer: 'allow' });
  const allowed = await ended(first.id);
  assert.deepEqual([allowed.text, allowed.toolCalls.length, allowed.usage.modelCalls], ['Refunded: true.', 1, 2]);
  const second = await waiting();
  await door('confirmations.answer', { id: second.question, answer: 'deny', reason: 'too much' });
  const denied = await ended(second.id);
  assert.deepEqual([denied.text, denied.toolCalls[0]?.status], ['Sorry, that was not possible.', 'denied']);
});

test('a question that nobody answers in time hands the conversation over', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901829', text: 'refund' });
  const { id } = await door('aiAgentRuns.create', { agent: 'rex', conversationId });
  await here.emulator.settled();
  await door('clock.advance', { ms: 16 * 60_000 });
  assert.equal((await ended(id)).status, 'handedOver');
  assert.equal((await door('conversations.get', { id: conversationId })).ai.state, 'paused');
});

test('a run that another process began goes on; a model call whose end nobody saw counts with what was put aside', async () => {
  const reserved = { model: 'script:nora', inputTokens: 100, outputTokens: 64, costUsd: 0, clampedBy: null };
  const call = { role: 'main', provider: 'scripted', model: 'script:nora' };
  const { spec, agent } = planned();
  const { id } = await here.workspace.runs.create(
    {
      spec,
      agent,
      harness: 'builtin',
      events: [
        { seq: 1, at: 1, event: { type: 'modelCall.started', modelCallId: 'mdc_1', ...call, attempt: 1, reserved } },
      ],
    },
    everyone,
  );
  const run = await ended(id);
  assert.equal(run.text, 'Order A-1017 is on its way.');
  assert.deepEqual(
    run.modelCalls.map(({ finishReason, error }) => [finishReason, error?.code ?? null]),
    [
      ['error', 'run_interrupted'],
      ['stop', null],
    ],
  );
  assert.deepEqual(run.modelCalls[0]?.usage?.inputTokens, 100);
  assert.ok(run.usage.inputTokens > 100 && run.usage.outputTokens >= 64);
});

/** What a run of nora is, without starting one. */
function planned(): Pick<NewRun, 'spec' | 'agent'> {
  const agent = { app: 'shop', name: 'nora', content: JSON.stringify(agents['nora']?.file) };
  const budget = { maxTokens: 50_000, maxModelCalls: 12, maxToolCalls: 20, maxSeconds: 120 };
  const spec: NewRun['spec'] = {
    app: 'shop',
    title: null,
    instructions: 'Help.',
    models: { main: 'script:nora' },
    input: [{ role: 'user', content: 'Where is A-1017?' }],
    tools: [],
    mcp: [],
    budget,
    allowUnknownPrice: false,
    history: { maxMessages: 40 },
    maxReplies: 3,
    context: { customer: [], conversation: [] },
    sends: false,
    metadata: {},
  };
  return { spec, agent };
}

test('the token of this machine acts as the person that Fn-Agent names', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901823', text: 'hello' });
  const [jonas] = (await door('agents.list', {})).items;
  const sent = await here.post(
    `/conversations/${conversationId}/messages`,
    { text: 'I am here.' },
    { 'fn-agent': jonas?.id ?? '' },
  );
  assert.equal(((await sent.json()) as Output<'messages.send'>).author.id, jonas?.id);
  assert.equal((await door('conversations.get', { id: conversationId })).ai.by?.id, jonas?.id);
  const nobody = await here.post(
    `/conversations/${conversationId}/messages`,
    { text: 'x' },
    { 'fn-agent': 'agt_none' },
  );
  assert.equal(((await nobody.json()) as { code: string }).code, 'operation_not_allowed');
});

test('AI agents are listed and shown with an id that stays', async () => {
  const nora = (await door('aiAgents.list', {})).items.find(({ name }) => name === 'nora');
  assert.deepEqual([nora?.app, nora?.name, nora?.title, nora?.version], ['shop', 'nora', 'Nora', 1]);
  const shown = await door('aiAgents.show', { id: nora?.id ?? '' });
  assert.equal(shown.instructions, 'Help with orders.');
});
