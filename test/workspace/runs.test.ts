import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Caller } from '../../src/contract/index.ts';
import { WorkspaceError } from '../../src/std/index.ts';
import type { Job, NewRun, RunEnd, RunSpec, RunUsage, Workspace } from '../../src/workspace/index.ts';
import { admin, aWorkspace } from './support.ts';

const phone = '+4930901820';
const worker = { kind: 'agent-run', free: 8 } as const;
const person: Caller = { type: 'agent', id: 'agt_1', scopes: ['read', 'write', 'send'] };

const spec: RunSpec = {
  app: 'order-desk',
  title: 'Nora',
  instructions: 'Help.',
  models: { main: 'script:nora' },
  input: [{ role: 'user', content: 'Where is A-1017?' }],
  tools: [],
  mcp: [],
  budget: { maxTokens: 50_000, maxModelCalls: 12, maxToolCalls: 20, maxSeconds: 120 },
  allowUnknownPrice: false,
  history: { maxMessages: 40 },
  maxReplies: 3,
  context: { customer: [], conversation: [] },
  sends: true,
  metadata: {},
};
const agent = { app: 'order-desk', name: 'nora', content: 'v1' };
const usage: RunUsage = {
  modelCalls: 1,
  toolCalls: 0,
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  costBasis: 'priced',
  seconds: 0.1,
  byModel: [],
};
const answered: RunEnd = {
  status: 'completed',
  events: [],
  usage,
  texts: ['It is on its way.'],
  error: null,
  warnings: [],
  handover: null,
  waitingFor: [],
  state: undefined,
};

async function aConversation(t: TestContext) {
  const made = await aWorkspace(t, {
    seed: {
      channels: [{ kind: 'sms', name: 'SMS' }],
      workgroups: [{ name: 'Orders' }],
      agents: [{ name: 'Jo', email: 'jo@a.example' }],
    },
  });
  const { conversationId } = await made.call('messages.receive', { phone, text: 'Hello' });
  const start = (given: Partial<NewRun> = {}, caller = admin) =>
    made.workspace.runs.create({ spec, agent, harness: 'builtin', conversationId, ...given }, caller);
  const messages = async () =>
    (await made.call('messages.list', { conversationId })).items.map(({ author, text }) => [author.type, text]);
  return { ...made, conversationId, start, messages };
}

async function claim(workspace: Workspace): Promise<Job> {
  const [job] = await workspace.jobs.claim([worker]);
  assert.ok(job);
  return job;
}

const startedCall = {
  type: 'modelCall.started',
  modelCallId: 'mdc_1',
  role: 'main',
  provider: 'scripted',
  model: 'script:nora',
  attempt: 1,
  reserved: null,
};
const endedCall = {
  type: 'modelCall.ended',
  modelCallId: 'mdc_1',
  role: 'main',
  provider: 'scripted',
  model: 'script:nora',
  finishReason: 'toolCalls',
  usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 },
  costUsd: 0,
  answer: {
    role: 'assistant',
    id: 'mdc_1',
    content: '',
    toolCalls: [{ id: 'tlc_1', externalId: 'x', modelCallId: 'mdc_1', name: 'find', arguments: { id: 'A-1017' } }],
  },
  error: null,
};
const requested = { type: 'toolCall.requested', messageId: 'mdc_1', call: endedCall.answer.toolCalls[0] };
const gotResult = {
  type: 'toolCall.ended',
  call: endedCall.answer.toolCalls[0],
  result: { status: 'ok', content: '{"status":"shipped"}', result: { status: 'shipped' } },
};

test('a run begins with what the run before it left for this conversation, not for another one', async (t) => {
  const { workspace, start, call } = await aConversation(t);
  const first = await start();
  const job = await claim(workspace);
  await workspace.runs.begin(job, first.id);
  assert.ok(await workspace.runs.end(job, first.id, { ...answered, state: { session: 's1' } }));
  const stateOf = async (given: Partial<NewRun>) => {
    const run = await start(given);
    const mine = await claim(workspace);
    const loaded = await workspace.runs.begin(mine, run.id);
    assert.ok(await workspace.runs.end(mine, run.id, answered));
    return loaded?.state;
  };
  assert.deepEqual(await stateOf({}), { session: 's1' });
  assert.deepEqual(await stateOf({}), { session: 's1' });
  const other = await call('messages.receive', { phone: '+4930901829', text: 'Hello' });
  assert.equal(await stateOf({ conversationId: other.conversationId }), undefined);
  await call('harnesses.add', { name: 'other', kind: 'builtin' });
  assert.equal(await stateOf({ harness: 'other' }), undefined);
});

test('a run answers in its conversation, in one transaction with its end', async (t) => {
  const { workspace, start, call, messages, heard } = await aConversation(t);
  const run = await start();
  assert.equal(run.status, 'queued');
  assert.equal(run.agent, 'order-desk/nora');
  const job = await claim(workspace);
  const loaded = await workspace.runs.begin(job, run.id);
  assert.deepEqual(
    loaded?.messages.map(({ author, content }) => [author, content]),
    [
      ['customer', 'Hello'],
      ['customer', 'Where is A-1017?'],
    ],
  );
  assert.ok(await workspace.runs.end(job, run.id, answered));
  assert.deepEqual(await messages(), [
    ['customer', 'Hello'],
    ['aiAgent', 'It is on its way.'],
  ]);
  const ended = await call('aiAgentRuns.show', { id: run.id });
  assert.equal(ended.status, 'completed');
  assert.equal(ended.text, 'It is on its way.');
  assert.equal(ended.result.messageIds.length, 1);
  const types = heard.filter(({ conversationId }) => conversationId === run.conversationId).map(({ type }) => type);
  assert.deepEqual(types.slice(-4), ['aiAgentRun.started', 'message.sent', 'message.status', 'aiAgentRun.completed']);
});

test('the record of a run reads as a timeline, and shows what each model call was asked', async (t) => {
  const { workspace, start, call, refused } = await aConversation(t);
  const { id } = await start();
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  const events = [startedCall, endedCall, requested, gotResult, { ...startedCall, modelCallId: 'mdc_2' }];
  const records = events.map((event, at) => ({ seq: at + 1, at: 1_000 + at, event }));
  assert.ok(await workspace.runs.record(job, id, { events: records, usage }));
  const run = await call('aiAgentRuns.show', { id });
  assert.deepEqual([...run.modelCalls, ...run.toolCalls].map(({ seq, id: one }) => [seq, one]).sort(), [
    [1, 'mdc_1'],
    [2, 'tlc_1'],
    [3, 'mdc_2'],
  ]);
  assert.equal(run.toolCalls[0]?.status, 'ok');
  assert.deepEqual(run.toolCalls[0]?.result, { status: 'shipped' });
  const second = await call('aiAgentRuns.showModelCall', { id, modelCallId: 'mdc_2' });
  assert.deepEqual(
    second.messages.map((message) => (message as { role: string }).role),
    ['user', 'user', 'assistant', 'tool'],
  );
  assert.equal((await refused('aiAgentRuns.showModelCall', { id, modelCallId: 'mdc_9' })).code, 'model_call_not_found');
  assert.equal((await refused('aiAgentRuns.show', { id: 'run_none' })).code, 'run_not_found');
});

test('a message of a person pauses the AI and cancels its run in the same transaction', async (t) => {
  const { workspace, start, call, conversationId, messages } = await aConversation(t);
  const { id } = await start();
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  const cancelled: string[] = [];
  workspace.runs.onCancel((runId) => cancelled.push(runId));
  await call('messages.send', { conversationId, text: 'I take over.' }, person);
  assert.deepEqual(cancelled, [id]);
  assert.equal(await workspace.runs.record(job, id, { events: [], usage }), false);
  assert.equal(await workspace.runs.end(job, id, answered), false);
  assert.deepEqual((await messages()).at(-1), ['agent', 'I take over.']);
  const { ai } = await call('conversations.get', { id: conversationId });
  assert.equal(ai.state, 'paused');
  assert.deepEqual(ai.by, { type: 'agent', id: 'agt_1' });
  assert.equal((await call('aiAgentRuns.show', { id })).status, 'cancelled');
  await assert.rejects(start(), (error) => error instanceof WorkspaceError && error.code === 'ai_paused');
});

test('an assignment by a person pauses the AI; by a token it does not', async (t) => {
  const { call, conversationId } = await aConversation(t);
  const [jo] = (await call('agents.list', {})).items;
  const assign = { agentId: jo?.id ?? '' };
  assert.equal((await call('conversations.assign', { id: conversationId, assign })).ai.state, 'active');
  assert.equal((await call('conversations.assign', { id: conversationId, assign }, person)).ai.state, 'paused');
});

test('after resumeAi the next run is told what happened, once', async (t) => {
  const { workspace, start, call, conversationId, clock } = await aConversation(t);
  assert.equal((await call('conversations.pauseAi', { id: conversationId, reason: 'a test' })).ai.reason, 'a test');
  clock.advance(1_000);
  await call('messages.send', { conversationId, text: 'I did it.' });
  clock.advance(1_000);
  assert.equal((await call('conversations.resumeAi', { id: conversationId })).ai.state, 'active');
  const notesOf = async () => {
    const { id } = await start();
    const job = await claim(workspace);
    const loaded = await workspace.runs.begin(job, id);
    await workspace.runs.end(job, id, { ...answered, texts: [] });
    return loaded?.messages.filter(({ author }) => author === 'system').map(({ content }) => content);
  };
  const [note, ...others] = (await notesOf()) ?? [];
  assert.match(note ?? '', /took this conversation over at .* and handed it back at/);
  assert.deepEqual(others, []);
  assert.deepEqual(await notesOf(), []);
});

test('what the customer has last written comes after the note that tells what happened', async (t) => {
  const { workspace, start, call, conversationId, clock } = await aConversation(t);
  await call('messages.send', { conversationId, text: 'This is Jo.' }, person);
  clock.advance(1_000);
  await call('messages.receive', { conversationId, text: 'And A-1018?' });
  clock.advance(1_000);
  await call('conversations.resumeAi', { id: conversationId });
  const { id } = await start();
  const loaded = await workspace.runs.begin(await claim(workspace), id);
  const last = loaded?.messages.slice(-4, -1).map(({ author, content }) => [author, content.slice(0, 11)]);
  assert.deepEqual(last, [
    ['agent', 'This is Jo.'],
    ['system', '[Note: a pe'],
    ['customer', 'And A-1018?'],
  ]);
});

test('a handover assigns the team, pauses the AI and leaves the summary as a note', async (t) => {
  const { workspace, start, call, conversationId } = await aConversation(t);
  const { id } = await start();
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  const handover = { team: 'orders', reason: 'asked', summary: 'Wants a refund.' };
  await workspace.runs.end(job, id, {
    ...answered,
    status: 'handedOver',
    texts: ['A colleague takes over.'],
    handover,
  });
  const conversation = await call('conversations.get', { id: conversationId });
  assert.equal(conversation.ai.state, 'paused');
  assert.match(conversation.assignee.workgroupId ?? '', /^wgr_/);
  const [note] = (await call('notes.list', { conversationId })).items;
  assert.deepEqual([note?.author.type, note?.text], ['aiAgent', 'Wants a refund.']);
  const run = await call('aiAgentRuns.show', { id });
  assert.equal(run.result.type, 'handover');
  assert.equal(run.result.teamId, conversation.assignee.workgroupId);
});

test('what failed says nothing to the customer, and keeps what it had said', async (t) => {
  const { workspace, start, call, messages } = await aConversation(t);
  const { id } = await start();
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  const error = { code: 'budget_tokens', message: 'The budget is used up', hint: 'Raise it.' };
  await workspace.runs.end(job, id, { ...answered, status: 'failed', error });
  assert.equal((await messages()).length, 1);
  const run = await call('aiAgentRuns.show', { id });
  assert.equal(run.budgetExceeded, 'tokens');
  assert.equal(run.text, 'It is on its way.');
});

test('aiAgentRuns.cancel ends a run that waits in its lane, and again changes nothing', async (t) => {
  const { workspace, start, call } = await aConversation(t);
  const { id } = await start();
  const { id: second } = await start();
  assert.equal((await call('aiAgentRuns.cancel', { id })).status, 'cancelled');
  assert.equal((await call('aiAgentRuns.cancel', { id })).status, 'cancelled');
  const job = await claim(workspace);
  assert.equal(job.payload['runId'], second);
});

test('aiAgentRuns.answer keeps each answer, and lets the run go on with the last one', async (t) => {
  const { workspace, start, call } = await aConversation(t);
  const { id } = await start();
  await assert.rejects(call('aiAgentRuns.answer', { id, payload: 1 }), { code: 'run_not_waiting' });
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  const asks = (question: string) => {
    return { id: question, kind: 'agent' as const, message: 'Refund?', toolCallId: null, expiresAt: null };
  };
  await workspace.runs.end(job, id, { ...answered, status: 'waiting', waitingFor: [asks('int_1'), asks('int_2')] });
  await assert.rejects(call('aiAgentRuns.answer', { id, interruptId: 'int_3' }), { code: 'interrupt_not_found' });
  assert.equal((await call('aiAgentRuns.answer', { id, interruptId: 'int_1', payload: 'yes' })).status, 'waiting');
  assert.equal((await call('aiAgentRuns.answer', { id, status: 'cancelled' })).status, 'queued');
  const events = (await workspace.runs.eventsAfter(id, 0, 100)).map(({ event }) => event);
  const by = events.findLast(({ type }) => type === 'interrupt.answered')?.['by'];
  assert.equal((by as { type: string }).type, 'api');
  assert.deepEqual(
    events.filter(({ type }) => type === 'interrupt.answered'),
    [
      { type: 'interrupt.answered', interruptId: 'int_1', status: 'resolved', payload: 'yes', by },
      { type: 'interrupt.answered', interruptId: 'int_2', status: 'cancelled', payload: null, by },
    ],
  );
  assert.equal((await claim(workspace)).payload['runId'], id);
});

test('caps of an agent hold, and are told of at 80 %', async (t) => {
  const { start, heard } = await aConversation(t);
  const capped = { agent: { ...agent, caps: { perDay: 5 } } };
  for (let i = 0; i < 5; i++) await start(capped);
  assert.deepEqual(
    heard
      .filter(({ type }) => type === 'aiAgentRun.capNear')
      .map(({ data }) => (data['agent'] as { used: number }).used),
    [4],
  );
  await assert.rejects(start(capped), (error) => error instanceof WorkspaceError && error.code === 'ai_cap_reached');
});

test('runs that start each other too deeply are refused', async (t) => {
  const { start } = await aConversation(t);
  const deep: Caller = { ...admin, trace: { traceId: 'a'.repeat(32), causeId: null, depth: 8 } };
  await assert.rejects(start({}, deep), (error) => error instanceof WorkspaceError && error.code === 'run_depth');
});

test('aiAgentRuns.rerun takes what came before a call from the record', async (t) => {
  const { workspace, start, call, refused } = await aConversation(t);
  const { id } = await start();
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  const events = [startedCall, endedCall, requested, gotResult, { ...startedCall, modelCallId: 'mdc_2' }];
  const records = events.map((event, at) => ({ seq: at + 1, at: 1_000 + at, event }));
  await workspace.runs.record(job, id, { events: records, usage });
  await workspace.runs.end(job, id, answered);
  const again = await call('aiAgentRuns.rerun', { id, from: 'mdc_2', models: { main: 'script:other' } });
  assert.equal(again.rerunOf, id);
  assert.equal(again.models.main, 'script:other');
  assert.deepEqual(
    again.toolCalls.map((one) => one.id),
    ['tlc_1'],
  );
  assert.equal((await refused('aiAgentRuns.rerun', { id, from: 'mdc_9' })).code, 'model_call_not_found');
  assert.equal((await refused('aiAgentRuns.rerun', { id, from: 'mdc_2', input: 'x' })).code, 'input_invalid');
  const { items } = await call('aiAgentRuns.list', { agent: 'order-desk/nora' });
  assert.deepEqual(
    items.map((run) => run.id),
    [again.id, id],
  );
});

test('a run whose end is waited for enqueues that job in the transaction of its end', async (t) => {
  const { workspace, start } = await aConversation(t);
  const { id } = await start({ next: { kind: 'flow-step', payload: { flowRunId: 'flr_1' } } });
  const job = await claim(workspace);
  await workspace.runs.begin(job, id);
  await workspace.runs.end(job, id, answered);
  const [next] = await workspace.jobs.claim([{ kind: 'flow-step', free: 1 }]);
  // The last message that it has seen, so that whoever waits knows what came later.
  const { seen, ...rest } = next?.payload ?? {};
  assert.deepEqual(rest, { flowRunId: 'flr_1', runId: id, status: 'completed' });
  assert.match(String(seen), /^msg_/);
});

test('a token with a person acts as this person, and pauses the AI', async (t) => {
  const { workspace, call, refused, conversationId } = await aConversation(t);
  const [jo] = (await call('agents.list', {})).items;
  const agentId = jo?.id ?? '';
  assert.equal((await refused('tokens.create', { name: 'x', agentId: 'agt_none' })).code, 'agent_not_found');
  const { token } = await call('tokens.create', { name: 'desk', agentId });
  const caller = await workspace.authenticate(`Bearer ${token}`);
  assert.deepEqual([caller.type, caller.id], ['agent', agentId]);
  await call('messages.send', { conversationId, text: 'Hi' }, caller);
  assert.equal((await call('conversations.get', { id: conversationId })).ai.state, 'paused');
  assert.deepEqual(
    (await call('tokens.list', {})).items.map((one) => one.agentId),
    [agentId],
  );
  const acting = workspace.authenticate(`Bearer ${token}`, agentId);
  await assert.rejects(acting, (error) => error instanceof WorkspaceError && error.code === 'operation_not_allowed');
});

test('what a rerun leaves for its agent is not handed to the next run of the conversation', async (t) => {
  const { workspace, start, call } = await aConversation(t);
  const work = async (id: string, state: unknown) => {
    const job = await claim(workspace);
    const before = await workspace.runs.begin(job, id);
    await workspace.runs.end(job, id, { ...answered, state });
    return before?.state;
  };
  const { id } = await start();
  await work(id, { told: 'the customer' });
  const again = await call('aiAgentRuns.rerun', { id });
  assert.equal(await work(again.id, { told: 'nobody' }), undefined);
  const next = await start();
  assert.deepEqual(await work(next.id, null), { told: 'the customer' });
});

test('a warning that is told again when a run goes on stands in its record once', async (t) => {
  const { workspace, start, call } = await aConversation(t);
  const { id } = await start();
  const warnings = [{ code: 'history_cut', message: 'The 2 oldest messages were left out' }];
  const asks = { id: 'int_1', kind: 'agent' as const, message: null, toolCallId: null, expiresAt: null };
  const first = await claim(workspace);
  await workspace.runs.begin(first, id);
  await workspace.runs.end(first, id, { ...answered, status: 'waiting', waitingFor: [asks], warnings });
  await call('aiAgentRuns.answer', { id, payload: true });
  const second = await claim(workspace);
  await workspace.runs.begin(second, id);
  const more = { code: 'harness_retry', message: 'Asked again' };
  await workspace.runs.end(second, id, { ...answered, warnings: [...warnings, more] });
  assert.deepEqual((await call('aiAgentRuns.show', { id })).warnings, [...warnings, more]);
});
