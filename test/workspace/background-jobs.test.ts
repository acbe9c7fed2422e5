import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace, noon } from './support.ts';

const backgroundCall = (name: string, more: object = {}) => ({
  kind: 'invocation' as const,
  group: 'shop',
  payload: { app: 'shop', path: name, attempts: 2, body: { n: 1 } },
  ...more,
});

test('jobs.list is newest first; jobs.show gives what a job carries', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const [first] = await workspace.jobs.enqueue([backgroundCall('api/one', { due: noon + 1000 })]);
  await workspace.jobs.enqueue([{ kind: 'expiry', payload: {} }]);
  const { items } = await call('jobs.list', {});
  assert.deepEqual(
    items.map(({ kind, app, maxAttempts }) => [kind, app, maxAttempts]),
    [
      ['expiry', null, null],
      ['invocation', 'shop', 2],
    ],
  );
  const shown = await call('jobs.show', { id: String(first?.id) });
  assert.deepEqual(shown.payload, { app: 'shop', path: 'api/one', attempts: 2, body: { n: 1 } });
  assert.deepEqual([shown.function, shown.state, shown.dueAt], ['api/one', 'waiting', '2026-11-20T12:00:01.000Z']);
});

test('jobs of one first cause are listed by its trace', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t);
  await workspace.jobs.enqueue([
    backgroundCall('api/one', { trace: { traceId: 'a'.repeat(32), causeId: null, depth: 0 } }),
  ]);
  await workspace.jobs.enqueue([
    backgroundCall('api/two', { trace: { traceId: 'b'.repeat(32), causeId: null, depth: 0 } }),
  ]);
  const [two, one] = (await call('jobs.list', {})).items;
  assert.notEqual(one?.traceId, two?.traceId);
  const { items } = await call('jobs.list', { traceId: one?.traceId ?? '', state: 'waiting' });
  assert.deepEqual(
    items.map(({ function: name }) => name),
    ['api/one'],
  );
  assert.equal((await refused('jobs.list', { traceId: 'one' })).code, 'input_invalid');
});

test('a job that there is not is refused', async (t) => {
  const { refused } = await aWorkspace(t);
  assert.equal((await refused('jobs.show', { id: 'job_none' })).code, 'job_not_found');
  assert.equal((await refused('jobs.cancel', { id: 'job_none' })).code, 'job_not_found');
});

test('a background call that runs, or another kind of job, cannot be cancelled', async (t) => {
  const { workspace, refused, call } = await aWorkspace(t);
  const [running, delivery] = await workspace.jobs.enqueue([
    backgroundCall('api/one'),
    { kind: 'delivery', payload: {} },
  ]);
  await workspace.jobs.claim([{ kind: 'invocation', free: 1 }]);
  assert.equal((await call('jobs.show', { id: String(running?.id) })).state, 'running');
  assert.equal((await refused('jobs.cancel', { id: String(running?.id) })).code, 'job_running');
  assert.equal((await refused('jobs.cancel', { id: String(delivery?.id) })).code, 'job_not_cancellable');
});

test('a cancelled call is not claimed', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const [job] = await workspace.jobs.enqueue([backgroundCall('api/one')]);
  const { state, outcome } = await call('jobs.cancel', { id: String(job?.id) });
  assert.deepEqual([state, outcome], ['aborted', { reason: 'cancelled' }]);
  assert.deepEqual(await workspace.jobs.claim([{ kind: 'invocation', free: 1 }]), []);
});
