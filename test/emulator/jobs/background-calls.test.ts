import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anEmulator, everyone, type Functions } from '../an-emulator.ts';

const method = (body: string) => ({ config: { type: 'server-side-method' }, body });

const functions: Functions = {
  'api/start': method(`return sdk.methods.enqueue('api/step', { left: 3 }, { key: 'chain' });`),
  'api/step': method(`
    const { left } = await sdk.request.json();
    await sdk.store.increment('steps');
    if (left > 1) await sdk.methods.enqueue('api/step', { left: left - 1 });
    return left;`),
  'api/flaky': method(`
    const written = await sdk.store.increment('written');
    if (sdk.context.attempt < 3) return new Response('no', { status: 500 });
    return written;`),
  'api/refuses': method(`await sdk.store.increment('refused'); return new Response('no', { status: 404 });`),
  'api/throws': method(`throw new Error('always');`),
  'tools/x': {
    config: { type: 'ai-tool', name: 'x', description: 'x', input: { type: 'object' }, permissions: { callers: {} } },
    body: 'return 1;',
  },
};

const { emulator, workspace, clock } = await anEmulator({ functions, now: '2026-11-20T12:00:00.000Z' });
after(() => emulator.close());
const call = emulator.door(everyone);
const enqueue = (path: string, more: object = {}) => call('methods.enqueue', { app: 'shop', path, ...more });
/** The code of what a call is refused with. */
const refused = async (work: Promise<unknown>, code: string) => assert.rejects(work, { code });
const show = (id: string) => call('jobs.show', { id });

test('a background call runs after the answer, and what it enqueues runs, too, in one trace', async () => {
  const { id, created } = (await call('functions.invoke', { app: 'shop', name: 'api/start' })).result as {
    id: string;
    created: boolean;
  };
  assert.equal(created, true);
  assert.deepEqual(await emulator.settled(), []);
  const job = await show(id);
  assert.equal(job.state, 'done');
  assert.deepEqual((job.outcome as { result: number }).result, 3);
  const { items } = await call('invocations.list', { app: 'shop', function: 'api/step' });
  assert.equal(items.length, 3);
  assert.deepEqual(new Set(items.map(({ traceId }) => traceId)), new Set([job.traceId]));
  assert.deepEqual(new Set(items.map(({ trigger }) => trigger)), new Set(['job']));
});

test('a key names one job until 24 h after its end', async () => {
  const again = (await call('functions.invoke', { app: 'shop', name: 'api/start' })).result as { created: boolean };
  assert.equal(again.created, false);
});

test('a method that answers 500 twice is tried three times, visibly', async () => {
  const { id } = await enqueue('api/flaky');
  await emulator.settled();
  const waiting = await show(id);
  assert.deepEqual([waiting.state, waiting.attempt, waiting.maxAttempts], ['waiting', 1, 6]);
  assert.equal((waiting.outcome as { status: number }).status, 500);
  await call('clock.advance', { ms: 3_600_000 });
  const done = await show(id);
  assert.deepEqual([done.state, done.attempt], ['done', 3]);
  assert.equal((done.outcome as { result: number }).result, 1, 'a write that is repeated is made once');
  const { items } = await call('invocations.list', { app: 'shop', function: 'api/flaky' });
  assert.equal(items.length, 3);
});

test('an answer of 404 ends a background call', async () => {
  const { id } = await enqueue('api/refuses');
  await emulator.settled();
  const job = await show(id);
  assert.deepEqual([job.state, job.attempt], ['failed', 1]);
});

test('a method that always throws is tried as often as was said, and then has failed', async () => {
  const { id } = await enqueue('api/throws', { attempts: 2 });
  await call('clock.advance', { ms: 3_600_000 });
  const job = await show(id);
  assert.deepEqual([job.state, job.attempt], ['failed', 2]);
  assert.match((job.outcome as { error: { message: string } }).error.message, /always/);
});

test('a call that waits can be cancelled, and cancelling it again changes nothing', async () => {
  const { id } = await enqueue('api/throws', { delayMs: 86_400_000 });
  assert.equal((await call('jobs.cancel', { id })).state, 'aborted');
  assert.equal((await call('jobs.cancel', { id })).state, 'aborted');
});

test('a call at a moment runs when the clock gets there', async () => {
  const runAt = new Date(clock.now() + 60_000).toISOString();
  const { id } = await enqueue('api/refuses', { runAt });
  assert.equal((await show(id)).dueAt, runAt);
  await call('clock.advance', { ms: 60_000 });
  assert.equal((await show(id)).state, 'failed');
});

test('jobs.list filters by kind, state and app', async () => {
  const { items } = await call('jobs.list', { kind: 'invocation', state: 'failed', app: 'shop' });
  assert.ok(items.length >= 2);
  assert.deepEqual(
    new Set(items.map((job) => `${job.kind} ${job.state} ${job.app}`)),
    new Set(['invocation failed shop']),
  );
});

test('what cannot be called later is refused at once', async () => {
  await refused(enqueue('api/nothing'), 'function_not_found');
  await refused(enqueue('tools/x'), 'function_type_mismatch');
  await refused(enqueue('api/step', { body: 'x'.repeat(65_536) }), 'body_too_large');
  await refused(enqueue('api/step', { delayMs: 1, runAt: '2026-12-01T00:00:00Z' }), 'input_invalid');
  await refused(call('methods.enqueue', { path: 'api/step' }), 'input_invalid');
  await refused(call('jobs.show', { id: 'job_none' }), 'job_not_found');
});

test('a call that was enqueued before a kill is not enqueued again by the repeat of its request', async () => {
  const options = { idempotencyKey: 'step-7' };
  const input = { app: 'shop', path: 'api/refuses', body: 1, delayMs: 86_400_000 };
  const { id } = await call('methods.enqueue', input, options);
  // As at the next start: the answer had not been kept when the process was killed.
  await workspace.idempotency.abandon('step-7', everyone);
  assert.deepEqual(await call('methods.enqueue', input, options), { id, created: false });
  await workspace.idempotency.abandon('step-7', everyone);
  const other = await call('methods.enqueue', { ...input, body: 2 }, options);
  assert.ok(other.created && other.id !== id);
});
