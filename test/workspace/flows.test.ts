import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Flow } from '../../src/contract/shapes/index.ts';
import type { FlowRecord, Workspace } from '../../src/workspace/index.ts';
import { admin, aWorkspace } from './support.ts';

const definition = (trigger: object = {}): Flow =>
  ({
    nodes: {
      t: { type: 'trigger', on: 'message.received', next: 'm', ...trigger },
      m: { type: 'message', text: 'Hello', next: 'e' },
      e: { type: 'end' },
    },
  }) as Flow;

const flow = (name: string, trigger: object = {}) => {
  const made = definition(trigger);
  return { name, definition: made, content: JSON.stringify(made) };
};

/** Claims the next job of flows. */
async function claim(workspace: Workspace) {
  const [job] = await workspace.jobs.claim([{ kind: 'flow-step', free: 1 }]);
  assert.ok(job, 'a job is due');
  return job;
}

/** A run of a flow in a new conversation, with the job of its first turn. */
async function aRun(world: Awaited<ReturnType<typeof aWorkspace>>, phone = '+4930901820') {
  const { workspace, call } = world;
  const { conversationId } = await call('messages.receive', { phone, text: 'Hi' });
  const situation = await claim(workspace);
  const found = await workspace.flows.situation(situation);
  assert.ok(found);
  await workspace.flows.begin(
    situation,
    found.flows.map(({ id }) => id),
  );
  const job = await claim(workspace);
  const runId = String(job.payload['runId']);
  return { conversationId, job, runId };
}

const record = (runId: string, seq: number, more: Partial<FlowRecord> = {}): FlowRecord => ({
  runId,
  seq,
  state: { node: 'e', seq: seq + 1, variables: {}, queue: [] },
  step: { seq, node: 'm', type: 'message', outcome: 'next', ms: 1 },
  changes: [{ type: 'sendMessage', message: { text: 'Hello' } }],
  next: { type: 'go' },
  ...more,
});

test('a flow keeps its id; its version counts up with its content; one that is gone can no longer be started', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t, { seed: 'default' });
  await workspace.flows.publish('shop', [flow('support'), flow('a', { on: 'code' })]);
  const first = await call('flows.show', { id: 'support' });
  assert.deepEqual([first.version, first.state, first.trigger.on], [1, 'enabled', 'message.received']);
  await workspace.flows.publish('shop', [flow('support'), flow('a', { on: 'manual', priority: 5 })]);
  const { items } = await call('flows.list', {});
  assert.deepEqual(
    items.map(({ name, version, trigger }) => [name, version, trigger.priority]),
    [
      ['a', 2, 5],
      ['support', 1, 0],
    ],
  );
  await workspace.flows.publish('shop', [flow('a', { on: 'manual', priority: 5 })]);
  assert.equal((await call('flows.show', { id: first.id })).state, 'removed');
  assert.equal((await refused('flows.run', { id: 'support' })).code, 'flow_not_found');
  assert.equal((await refused('flows.show', { id: 'none' })).code, 'flow_not_found');
  const { items: events } = await call('events.list', { type: 'flow.published' });
  assert.equal(events.length, 3);
});

test('versions that are not live stay as long as a run of them is kept', async (t) => {
  const world = await aWorkspace(t, { seed: 'default' });
  const { flows } = world.workspace;
  const priorities = async (...all: number[]) => {
    for (const priority of all) await flows.publish('shop', [flow('support', { priority })]);
  };
  await priorities(1, 2);
  const { job, runId } = await aRun(world);
  await priorities(3, 4, 5);
  const { id } = await world.call('flows.show', { id: 'support' });
  const kept = await Promise.all([1, 2, 3, 4, 5].map((version) => flows.definition(id, version)));
  assert.deepEqual(
    kept.map((one) => one !== undefined),
    [false, true, false, false, true],
  );
  assert.equal((await flows.load(job, runId))?.id, runId);
});

test('a name that two apps use is asked for with its app', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t, { seed: 'default' });
  await workspace.flows.publish('shop', [flow('support')]);
  await workspace.flows.publish('desk', [flow('support')]);
  assert.equal((await refused('flows.show', { id: 'support' })).code, 'flow_ambiguous');
  assert.equal((await call('flows.show', { id: 'desk/support' })).app, 'desk');
});

test('a flow is started by hand or by code only if its trigger says so, and with the input that it takes', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t, { seed: 'default' });
  const input = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  await workspace.flows.publish('shop', [
    flow('support'),
    flow('code', { on: 'code', input }),
    flow('hand', { on: 'manual' }),
  ]);
  assert.equal((await refused('flows.run', { id: 'support' })).code, 'flow_trigger_mismatch');
  assert.equal((await refused('flows.run', { id: 'code', input: { id: 1 } })).code, 'flow_input_invalid');
  assert.equal((await refused('flows.run', { id: 'hand', conversationId: 'cnv_none' })).code, 'conversation_not_found');
  const run = await call('flows.run', { id: 'code', input: { id: 'A-1' } });
  assert.deepEqual([run.status, run.node, run.trigger, run.conversationId], ['running', 't', 'code', null]);
  const deep = { ...admin, trace: { traceId: '0'.repeat(32), causeId: null, depth: 9 } };
  assert.equal((await refused('flows.run', { id: 'hand' }, deep)).code, 'loop_detected');
  assert.equal((await refused('flows.run', { id: 'hand', input: 'x'.repeat(70_000) })).code, 'body_too_large');
  const disabled = await call('flows.disable', { id: 'hand' });
  assert.equal(disabled.state, 'disabled');
  assert.equal((await refused('flows.run', { id: 'hand' })).code, 'flow_disabled');
  assert.equal((await call('flows.enable', { id: 'hand' })).state, 'enabled');
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  await call('flows.run', { id: 'hand', conversationId });
  assert.equal((await refused('flows.run', { id: 'hand', conversationId })).code, 'flow_running');
});

test('a message makes a flow step only if an enabled flow can start on it', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: 'default' });
  const due = async () => (await call('jobs.list', { kind: 'flow-step' })).items.length;
  await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  assert.equal(await due(), 0);
  await workspace.flows.publish('shop', [flow('support')]);
  await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  assert.equal(await due(), 1);
  await call('flows.disable', { id: 'support' });
  await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  assert.equal(await due(), 1);
});

test('a step is written once: with its message, its record and what comes next', async (t) => {
  const world = await aWorkspace(t, { seed: 'default' });
  const { workspace, call } = world;
  await workspace.flows.publish('shop', [flow('support')]);
  const { conversationId, job, runId } = await aRun(world);
  assert.deepEqual(await workspace.flows.record(job, record(runId, 0)), { is: 'recorded' });
  // The same step again, as after a kill whose commit nobody heard of.
  assert.deepEqual(await workspace.flows.record(job, record(runId, 0)), { is: 'stale' });
  const { items } = await call('messages.list', { conversationId });
  assert.deepEqual(
    items.map(({ author, text }) => [author.type, text]),
    [
      ['customer', 'Hi'],
      ['flow', 'Hello'],
    ],
  );
  const run = await call('flowRuns.show', { id: runId });
  assert.deepEqual([run.status, run.stepCount, run.node, run.steps.length], ['running', 1, 'e', 1]);
});

test('what the workspace refuses is answered, and nothing of the step is written', async (t) => {
  const world = await aWorkspace(t, { seed: 'default' });
  const { workspace, call } = world;
  await workspace.flows.publish('shop', [flow('support')]);
  const { job, runId } = await aRun(world);
  const message = { type: 'sendMessage', message: { text: 'x'.repeat(5_000) } } as const;
  const tooLong = await workspace.flows.record(job, record(runId, 0, { changes: [message] }));
  assert.equal(tooLong.is === 'refused' && tooLong.error.code, 'input_invalid');
  const nobody = { type: 'assign', to: { workgroup: 'Nobody' }, pausesAi: true } as const;
  const missing = await workspace.flows.record(job, record(runId, 0, { changes: [nobody] }));
  assert.equal(missing.is === 'refused' && missing.error.code, 'workgroup_not_found');
  assert.equal((await call('flowRuns.show', { id: runId })).stepCount, 0);
});

test('a run that is cancelled says why, and nothing of it is written afterwards', async (t) => {
  const world = await aWorkspace(t, { seed: 'default' });
  const { workspace, call, refused } = world;
  await workspace.flows.publish('shop', [flow('support')]);
  const { conversationId, job, runId } = await aRun(world);
  assert.equal((await refused('flowRuns.rerun', { id: runId })).code, 'flow_run_not_ended');
  const cancelled = await call('flowRuns.cancel', { id: runId, reason: 'enough' });
  assert.deepEqual([cancelled.status, cancelled.reason], ['cancelled', 'enough']);
  assert.deepEqual(await workspace.flows.record(job, record(runId, 0)), { is: 'stale' });
  assert.equal((await call('messages.list', { conversationId })).items.length, 1);
  assert.equal((await call('flowRuns.cancel', { id: runId })).reason, 'enough');
  assert.equal((await refused('flowRuns.cancel', { id: 'flr_none' })).code, 'flow_run_not_found');
  const { items } = await call('flowRuns.list', { conversationId, status: 'cancelled', flow: 'support' });
  assert.deepEqual(
    items.map(({ id }) => id),
    [runId],
  );
});

test('a wait ends by its job, or before, and then the job is gone', async (t) => {
  const world = await aWorkspace(t, { seed: 'default' });
  const { workspace, call } = world;
  await workspace.flows.publish('shop', [flow('support')]);
  const { conversationId, job, runId } = await aRun(world);
  const wait = { type: 'wait', for: 'message', ms: 60_000 } as const;
  await workspace.flows.record(job, record(runId, 0, { changes: [], next: wait }));
  const waiting = await call('flowRuns.show', { id: runId });
  assert.deepEqual([waiting.status, waiting.waitingFor?.type], ['waiting', 'message']);
  assert.equal((await call('jobs.list', { kind: 'flow-step', state: 'waiting' })).items.length, 1);
  await call('messages.receive', { conversationId, text: 'More' });
  const next = await claim(workspace);
  const situation = await workspace.flows.situation(next);
  assert.deepEqual(
    situation?.runs.map(({ id, waitingFor }) => [id, waitingFor]),
    [[runId, 'message']],
  );
  await workspace.flows.wake(next, runId, { type: 'message' });
  assert.equal((await call('flowRuns.show', { id: runId })).status, 'running');
  const turn = await claim(workspace);
  assert.equal(turn.payload['do'], 'turn');
  assert.deepEqual((await workspace.flows.load(turn, runId))?.event, { type: 'message' });
  assert.equal((await call('jobs.list', { kind: 'flow-step', state: 'waiting' })).items.length, 0);
});

test('a rerun begins where it is told, with what the run before had done until then', async (t) => {
  const world = await aWorkspace(t, { seed: 'default' });
  const { workspace, call, refused } = world;
  await workspace.flows.publish('shop', [flow('support')]);
  const { job, runId } = await aRun(world);
  const step = { seq: 0, node: 't', type: 'trigger', outcome: 'next', output: { a: 1 }, variables: { b: 2 }, ms: 0 };
  await workspace.flows.record(job, record(runId, 0, { changes: [], step }));
  await workspace.flows.record(job, record(runId, 1));
  await workspace.flows.record(
    job,
    record(runId, 2, {
      changes: [],
      step: { seq: 2, node: 'e', type: 'end', outcome: 'end', ms: 0 },
      next: { type: 'end', status: 'completed' },
    }),
  );
  assert.equal((await call('flowRuns.show', { id: runId })).status, 'completed');
  assert.equal((await refused('flowRuns.rerun', { id: runId, from: 'x' })).code, 'flow_node_not_passed');
  const again = await call('flowRuns.rerun', { id: runId, from: 'm' });
  assert.deepEqual([again.rerunOf, again.node, again.status], [runId, 'm', 'running']);
  const turn = await claim(workspace);
  const loaded = await workspace.flows.load(turn, again.id);
  assert.deepEqual(
    loaded?.beginning.from?.steps.map(({ node, output, variables }) => [node, output, variables]),
    [['t', { a: 1 }, { b: 2 }]],
  );
  assert.equal(loaded?.beginning.message?.text, 'Hi');
});
