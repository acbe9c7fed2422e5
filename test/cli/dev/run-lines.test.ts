import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentRunLines, flowRunLines } from '../../../src/cli/dev/run-lines.ts';
import { openIo } from '../../../src/cli/io.ts';
import { exampleOf } from '../../../src/contract/shapes/index.ts';
import type { AgentRun, FlowRun } from '../../../src/dev/index.ts';
import { aHost } from '../context.ts';

const io = openIo(aHost({ env: { NO_COLOR: '1' } }).host, false);
const flowRun = exampleOf('flowRun.completed')['flowRun'] as FlowRun;
const agentRun = exampleOf('aiAgentRun.completed')['run'] as AgentRun;

test('a run of a flow that has ended is told with its steps', () => {
  assert.deepEqual(flowRunLines(flowRun, io), { label: 'flow', text: 'support completed 5 steps', below: [] });
});

test('a run of a flow that waits is told with the node, and what it waits for', () => {
  const waiting = { ...flowRun, status: 'waiting' as const, node: 'ask' };
  const forMessage = { type: 'message' as const, until: null, runId: null };
  const until = { type: 'time' as const, until: '2026-11-27T09:00:00Z', runId: null };
  assert.equal(flowRunLines({ ...waiting, waitingFor: forMessage }, io).text, 'support waits for a message at ask');
  assert.equal(
    flowRunLines({ ...waiting, waitingFor: until }, io).text,
    'support waits until 2026-11-27T09:00:00Z at ask',
  );
});

test('a run of a flow that failed is told with the reason, and the command that shows more', () => {
  const failed = exampleOf('flowRun.failed')['flowRun'] as FlowRun;
  assert.deepEqual(flowRunLines(failed, io), {
    label: 'flow',
    text: 'support failed at find',
    below: ['function_failed: flow-nodes/find: Error: the shop does not answer', `→ fn trace ${failed.id}`],
  });
});

test('a run of an AI agent is told with what it has used', () => {
  assert.equal(
    agentRunLines(agentRun, io).text,
    'order-desk/nora completed 2 model calls, 1 tool call, 209 tokens, 3.2 s',
  );
});

test('a run of an AI agent that failed is told with the reason, in one line whatever it contains', () => {
  const error = { code: 'budget_tokens', message: 'used up\n12:00:00 flow support completed\u001b[2J' };
  const { below } = agentRunLines({ ...agentRun, status: 'failed', error }, io);
  assert.deepEqual(below, [
    'budget_tokens: used up 12:00:00 flow support completed',
    `→ fn agent-run show ${agentRun.id}`,
  ]);
});

test('a question of an agent is told in quotes and cut, with the command that answers it', () => {
  const asks = (id: string, message: string) => {
    return { id, kind: 'agent' as const, message, toolCallId: null, expiresAt: null };
  };
  const waiting = { ...agentRun, status: 'waiting' as const };
  assert.deepEqual(agentRunLines({ ...waiting, waitingFor: [asks('q1', 'Refund 20 EUR?')] }, io).below, [
    'asks: “Refund 20 EUR?”',
    `→ fn agent-run answer ${agentRun.id} -d JSON`,
  ]);
  const two = agentRunLines({ ...waiting, waitingFor: [asks('q1', 'x'.repeat(500)), asks('q2', 'Which?')] }, io).below;
  assert.equal(two[0], `asks q1: “${'x'.repeat(199)}…”`);
  assert.deepEqual(two.slice(1), ['asks q2: “Which?”', `→ fn agent-run answer ${agentRun.id} --question ID -d JSON`]);
});
