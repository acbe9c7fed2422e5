import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewConfirmation, NewToolCall } from '../../src/workspace/index.ts';
import { admin, aWorkspace, noon } from './support.ts';

const trace = { traceId: 'a'.repeat(32), causeId: null, depth: 0 };
const callOf = (id: string, more: Partial<NewToolCall> = {}): NewToolCall => ({
  id,
  tool: 'refund',
  source: { kind: 'app', name: 'shop' },
  version: 'local',
  caller: { type: 'aiAgent', id: 'shop/nora' },
  runId: 'run_1',
  modelCallId: null,
  conversationId: null,
  arguments: { orderId: 'A-1' },
  trace,
  ...more,
});
const kept = { orderId: 'A-1', iban: 'DE89370400440532013000' };
const question: NewConfirmation = {
  by: 'human',
  title: 'Refund',
  text: 'Refund?',
  expiresAfterMs: 900_000,
  onExpire: 'deny',
  request: { arguments: kept },
  fingerprint: 'f',
};
const ended = {
  outcome: { status: 'ok', result: { refunded: true } },
  ms: 3,
  resultBytes: 17,
  result: { refunded: true },
  message: undefined,
  invocationId: null,
} as const;

test('tools.logs shows the calls, newest first, and those of a tool, a run, or an outcome', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const { tools } = workspace;
  await tools.begin(callOf('tlc_1'), {});
  await tools.end('tlc_1', ended);
  await tools.begin(callOf('tlc_2', { tool: 'status', runId: 'run_2' }), {});
  assert.deepEqual(
    (await call('tools.logs', {})).items.map(({ id, status }) => [id, status]),
    [
      ['tlc_2', 'running'],
      ['tlc_1', 'ok'],
    ],
  );
  for (const filter of [{ tool: 'refund' }, { tool: 'shop/refund' }, { runId: 'run_1' }, { failed: false }]) {
    const { items } = await call('tools.logs', filter);
    assert.deepEqual([items.length, items[0]?.id], [1, 'tlc_1'], JSON.stringify(filter));
  }
});

test('a limit counts the calls of the last minute, and of the run', async (t) => {
  const { workspace, clock } = await aWorkspace(t);
  const { tools } = workspace;
  const begin = async (id: string, more = {}) =>
    (await tools.begin(callOf(id, more), { perMinute: 2, maxCallsPerRun: 3 })).state;
  assert.deepEqual([await begin('tlc_1'), await begin('tlc_2'), await begin('tlc_3')], ['begun', 'begun', 'refused']);
  clock.stop(noon + 60_001);
  assert.deepEqual([await begin('tlc_4'), await begin('tlc_5')], ['begun', 'refused']);
  assert.equal(await begin('tlc_6', { runId: 'run_2' }), 'begun');
});

test('a question to a customer whom no message reaches refuses the call', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: 'default' });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const { channelId } = await call('conversations.get', { id: conversationId });
  const asked = async (id: string) => {
    const begun = await workspace.tools.begin(callOf(id, { conversationId }), {}, { ...question, by: 'customer' });
    return begun.state === 'refused' ? begun.outcome.error?.message : begun.state;
  };
  const why = 'The customer has to confirm this call, and cannot be asked:';
  await call('channels.disconnect', { id: channelId });
  assert.match((await asked('tlc_1')) ?? '', new RegExp(`^${why} the channel .+ is not connected$`));
  await call('conversations.close', { id: conversationId });
  assert.equal(await asked('tlc_2'), `${why} the conversation is closed`);
  assert.equal((await call('messages.list', { conversationId })).items.length, 1);
  const [logged] = (await call('tools.logs', { id: 'tlc_2' })).items;
  assert.deepEqual([logged?.decision, logged?.error?.code], ['refused', 'tool_denied']);
});

test('a confirmation is shown with all arguments while it is open, and is answered once', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t);
  const { tools } = workspace;
  const asked = await tools.begin(callOf('tlc_1'), {}, question);
  assert.equal(asked.state, 'asked');
  const id = asked.state === 'asked' ? asked.confirmationId : '';
  assert.deepEqual((await call('confirmations.list', { open: true })).items[0]?.arguments, { orderId: 'A-1' });
  assert.deepEqual((await call('confirmations.show', { id })).arguments, kept);
  await tools.answer({ id, answer: 'allow' }, admin);
  await assert.rejects(tools.answer({ id, answer: 'deny' }, admin), { code: 'confirmation_answered' });
  assert.deepEqual((await call('confirmations.show', { id })).arguments, { orderId: 'A-1' });
  assert.deepEqual((await call('confirmations.list', { open: true })).items, []);
  assert.equal((await refused('confirmations.show', { id: 'cfm_none' })).code, 'confirmation_not_found');
});

test('an answer after the time is over is refused, and the call is denied when the job of that runs', async (t) => {
  const { workspace, call, clock } = await aWorkspace(t);
  const { tools, jobs } = workspace;
  const wake = { kind: 'agent-run', payload: { run: 'run_1' } } as const;
  const asked = await tools.begin(callOf('tlc_1'), {}, { ...question, wake });
  const id = asked.state === 'asked' ? asked.confirmationId : '';
  clock.stop(noon + 900_000);
  await assert.rejects(tools.answer({ id, answer: 'allow' }, admin), { code: 'confirmation_expired' });
  const [job] = await jobs.claim([{ kind: 'expiry', free: 1 }]);
  assert.ok(job);
  assert.equal(await tools.expire(job, id), true);
  assert.equal((await call('confirmations.show', { id })).state, 'expired');
  assert.equal((await call('tools.logs', {})).items[0]?.error?.code, 'tool_denied');
  assert.deepEqual(
    (await jobs.waiting('agent-run')).map(({ payload }) => payload),
    [wake.payload],
  );
});
