import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFlowWorkspace, type FlowDefinition, flowNode, hour } from './support.ts';

const nightly = (schedule: string, more: object = {}): FlowDefinition => ({
  nodes: {
    t: { type: 'trigger', on: 'schedule', schedule, timezone: 'Europe/Berlin', ...more, next: 'sweep' },
    sweep: {
      type: 'custom-flow-node',
      function: 'sweep',
      input: { at: '{{input.scheduledAt}}' },
      outcomes: { next: 'e' },
      onError: 'e',
    },
    e: { type: 'end' },
  },
});
const functions = { sweep: flowNode(['next'], "return { outcome: 'next', variables: { at: sdk.flow.input.at } };") };

const daily = await aFlowWorkspace({ nightly: nightly('0 3 * * *') }, functions);
const jumping = await aFlowWorkspace({ nightly: nightly('0 3 * * *') }, functions);
const changing = await aFlowWorkspace({ nightly: nightly('0 3 * * *') }, functions);
const filtered = await aFlowWorkspace(
  { weekday: nightly('0 3 * * *', { filter: { field: 'now.weekday', op: 'eq', value: 'sunday' } }) },
  functions,
);

test('a flow starts when its schedule is due, in its time zone, and is told when that was', async () => {
  const { advance, runs, call } = daily;
  // It is 12:00 UTC, 13:00 in Berlin; 03:00 there is 02:00 UTC.
  await advance(14 * hour - 1);
  assert.deepEqual(await runs(), []);
  await advance(1);
  const [run] = await runs();
  assert.ok(run);
  const shown = await call('flowRuns.show', { id: run.id });
  assert.deepEqual([shown.status, shown.trigger, shown.conversationId], ['completed', 'schedule', null]);
  assert.deepEqual(shown.variables, { at: '2026-11-21T02:00:00.000Z' });
  await advance(24 * hour);
  assert.equal((await runs()).length, 2);
});

test('a jump over several due times starts it once, at the last', async () => {
  const { advance, runs, call } = jumping;
  await advance(80 * hour);
  const [run, ...others] = await runs();
  assert.deepEqual(others, []);
  const { steps, variables } = await call('flowRuns.show', { id: run?.id ?? '' });
  assert.deepEqual(steps.map(({ node, outcome, error }) => [node, outcome, error]).slice(1, -1), [
    ['sweep', 'next', null],
  ]);
  assert.deepEqual(variables, { at: '2026-11-23T02:00:00.000Z' });
});

test('a schedule that is changed counts from then on; a disabled or removed flow does not start', async () => {
  const { advance, runs, save, call } = changing;
  await save({ nightly: nightly('30 13 * * *') });
  await advance(hour / 2);
  assert.equal((await runs()).length, 1);
  await call('flows.disable', { id: 'nightly' });
  await advance(24 * hour);
  assert.equal((await runs()).length, 1);
  await call('flows.enable', { id: 'nightly' });
  await advance(24 * hour);
  assert.equal((await runs()).length, 2);
  await save({});
  await advance(48 * hour);
  assert.equal((await runs()).length, 2);
});

test('a filter decides whether a due flow starts', async () => {
  const { advance, runs } = filtered;
  await advance(24 * hour); // Saturday
  assert.deepEqual(await runs(), []);
  await advance(24 * hour);
  assert.equal((await runs()).length, 1);
});
