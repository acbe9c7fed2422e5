import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookAt, waitForAnswers } from '../../../src/cli/chat/answers.ts';
import { flowWorker } from '../../../src/emulator/flows/flow-worker.ts';
import { NodeStubs } from '../../../src/emulator/flows/node-stubs.ts';
import type { FlowWorkerParts } from '../../../src/emulator/flows/worker.ts';
import type { AgentRunsOptions } from '../../../src/emulator/runs/agent-runs.ts';
import { runWorker } from '../../../src/emulator/runs/run-worker.ts';
import type { Job } from '../../../src/workspace/index.ts';
import { aFlowWorkspace } from './support.ts';

const support = {
  nodes: {
    start: { type: 'trigger', on: 'message.received', next: 'listen' },
    listen: { type: 'wait', for: 'message.received', timeout: '7d', next: 'end', onTimeout: 'end' },
    end: { type: 'end' },
  },
};
const { call, say, lastRun, newPhone, workspace, settled } = await aFlowWorkspace({ support });
const missing = async () => {
  throw new Error("Cannot find package '@ai-sdk/anthropic'");
};
const never = new AbortController().signal;

const aJob = (kind: Job['kind'], payload: Job['payload']): Job => ({
  id: 'job_of_the_test',
  kind,
  key: null,
  lane: null,
  group: null,
  due: 0,
  attempt: 0,
  epoch: 1,
  payload,
  trace: { traceId: 'a'.repeat(32), causeId: null, depth: 0 },
  causeId: null,
});

for (const name of ['runId', 'flowRunId']) {
  test(`a flow run (${name}) fails with the reason when what works on flows cannot be loaded`, async () => {
    const { conversationId } = await say(newPhone(), 'Hello');
    const run = await lastRun(conversationId);
    assert.equal(run.status, 'waiting');
    const worker = flowWorker({ workspace } as unknown as FlowWorkerParts, new NodeStubs(), missing);
    const job = aJob('flow-step', { do: 'turn', runId: 'run_of_an_agent', [name]: run.id });
    await assert.rejects(worker.run(job, never), /Cannot find package/);
    const failed = await lastRun(conversationId);
    assert.deepEqual(
      [failed.status, failed.error],
      ['failed', { code: 'internal_error', message: "Cannot find package '@ai-sdk/anthropic'" }],
    );
    const { items } = await call('events.list', { conversationId, type: 'flowRun.failed' });
    assert.equal(items.length, 1);
    // The job of the wait went with it.
    assert.deepEqual((await call('jobs.list', { kind: 'flow-step', state: 'waiting' })).items, []);
  });
}

test('a workspace that stops leaves the flow run for the next start', async () => {
  const { conversationId } = await say(newPhone(), 'Hello');
  const run = await lastRun(conversationId);
  const worker = flowWorker({ workspace } as unknown as FlowWorkerParts, new NodeStubs(), missing);
  await assert.rejects(worker.run(aJob('flow-step', { do: 'turn', runId: run.id }), AbortSignal.abort()));
  assert.equal((await lastRun(conversationId)).status, 'waiting');
});

test('fn chat --wait tells why no flow could work on the message', async () => {
  const phone = newPhone();
  const { conversationId } = await say(phone, 'Hello');
  const before = await lookAt(call, conversationId);
  const message = await call('messages.receive', { phone, text: 'Still there?' });
  const { items } = await call('events.list', { conversationId, type: 'message.received', order: 'desc', limit: 1 });
  const traceId = items[0]?.traceId ?? '';
  const trace = { traceId, causeId: null, depth: 0 };
  await workspace.jobs.enqueue([{ kind: 'flow-step', payload: { do: 'nothing that is known' }, trace }]);
  await settled();
  const { error } = await waitForAnswers(call, conversationId, before, 10_000, never, message.id);
  assert.equal(error?.code, 'job_failed');
  assert.match(error.message, /^Flows could not work: .*a flow knows no job that does nothing that is known$/);
  assert.match(error.hint, /^fn job show job_/);
  // What had failed before is no news.
  const later = await lookAt(call, conversationId);
  const again = await waitForAnswers(call, conversationId, later, 10_000, never);
  assert.equal(again.error, undefined);
});

test('what others have caused is not waited for', async () => {
  const { conversationId } = await say(newPhone(), 'Hello');
  const before = await lookAt(call, conversationId);
  const due = Date.parse('2026-11-20T12:00:05Z');
  const trace = { traceId: 'b'.repeat(32), causeId: null, depth: 0 };
  await workspace.jobs.enqueue([{ kind: 'tool-call', due, payload: {}, trace }]);
  const answers = await waitForAnswers(call, conversationId, before, 10_000, never);
  assert.deepEqual(answers.messages, []);
});

test('what is caused by the message and due within the time is waited for', async () => {
  const { conversationId } = await say(newPhone(), 'Hello');
  const before = await lookAt(call, conversationId);
  const { traceId } = await lastRun(conversationId);
  const due = Date.parse('2026-11-20T12:00:05Z');
  const trace = { traceId, causeId: null, depth: 0 };
  await workspace.jobs.enqueue([{ kind: 'tool-call', due, payload: {}, trace }]);
  let looks = 0;
  // The clock stands still until the wait has looked once.
  const door = (async (name: 'clock.show', ...rest: [Record<string, never>]) => {
    if (name === 'clock.show' && ++looks === 2) await call('clock.advance', { ms: 10_000 });
    return call(name, ...rest);
  }) as typeof call;
  await waitForAnswers(door, conversationId, before, 60_000, never);
  assert.ok(looks >= 2, 'it has looked again');
  const { items } = await call('jobs.list', { kind: 'tool-call', state: 'waiting' });
  assert.deepEqual(
    items.filter((job) => job.traceId === traceId),
    [],
  );
});

test('a run fails with the reason when what works on runs cannot be loaded', async () => {
  const ended: unknown[] = [];
  const run = { usage: {}, state: undefined };
  const runs = {
    begin: async () => run,
    end: async (_job: Job, runId: string, end: { status: string; error: { message: string } }) => {
      ended.push([runId, end.status, end.error.message]);
      return true;
    },
  };
  const worker = runWorker({ workspace: { runs } } as unknown as AgentRunsOptions, missing);
  await assert.rejects(worker.run(aJob('agent-run', { runId: 'run_1' }), never), /Cannot find package/);
  assert.deepEqual(ended, [['run_1', 'failed', "Cannot find package '@ai-sdk/anthropic'"]]);
  await worker.close();
});
