import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { newId, toTimestamp } from '../../src/std/index.ts';
import { openDatabase } from '../../src/workspace/database/open.ts';
import type { NewInvocation } from '../../src/workspace/index.ts';
import { InvocationLog } from '../../src/workspace/invocations/invocation-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { allPages, aWorkspace, noon } from './support.ts';

const anInvocation = (changes: Partial<NewInvocation> = {}): NewInvocation => ({
  id: newId('inv', noon),
  app: 'desk',
  function: 'api/orders/find',
  type: 'server-side-method',
  version: 'local',
  trigger: 'http',
  caller: { type: 'token', id: 'tok_1' },
  trace: { traceId: '0af7651916cd43dd8448eb211c80319c', causeId: null, depth: 0 },
  status: 'ok',
  startedAt: noon,
  wallMs: 12.5,
  cpuMs: 3.25,
  peakMemoryBytes: 4_000_000,
  error: null,
  inputJson: '{"phone":"+4930901820"}',
  resultJson: '{"found":true}',
  logs: [{ at: toTimestamp(noon), level: 'info', text: 'looking' }],
  calls: [{ kind: 'sdk', name: 'customers.find', startedMs: 1, ms: 2, status: 'ok' }],
  ...changes,
});

test('invocations.show gives a record back as it was made', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const error = { code: 'function_failed', name: 'TypeError', message: 'no', stack: 'at find.js:3:1' };
  const made = anInvocation({ status: 'error', error, resultJson: null });
  workspace.invocations.record(made);
  const shown = await call('invocations.show', { id: made.id });
  const { inputJson, resultJson, startedAt, trace, ...same } = made;
  const { traceId, causeId } = trace;
  assert.deepEqual(shown, {
    ...same,
    traceId,
    causeId,
    startedAt: toTimestamp(startedAt),
    input: JSON.parse(inputJson),
    result: null,
  });
  assert.equal(resultJson, null);
});

test('invocations.list is newest first and filters; what is not there is said', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t);
  const make = (changes: Partial<NewInvocation>) => {
    const invocation = anInvocation(changes);
    workspace.invocations.record(invocation);
    return invocation.id;
  };
  const one = make({ startedAt: noon });
  const two = make({ startedAt: noon + 10, function: 'tools/refund', type: 'ai-tool', status: 'timeout' });
  const three = make({ startedAt: noon + 5, app: 'shop' });
  const listed = async (input: object) => (await call('invocations.list', input)).items.map((item) => item.id);
  assert.deepEqual(await listed({}), [two, three, one]);
  assert.deepEqual(await listed({ app: 'desk' }), [two, one]);
  assert.deepEqual(await listed({ function: 'tools/refund' }), [two]);
  assert.deepEqual(await listed({ status: 'ok', limit: '1' }), [three]);
  assert.equal((await refused('invocations.show', { id: 'inv_none' })).code, 'invocation_not_found');
});

test('functions.logs has the lines of an app in the order written, page by page', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t);
  await workspace.apps.register('desk', false);
  const line = (n: number, level: 'info' | 'error' = 'info') => ({
    at: toTimestamp(noon + n),
    level,
    text: `line ${n}`,
  });
  workspace.invocations.record(anInvocation({ logs: [line(1), line(2)] }));
  workspace.invocations.record(anInvocation({ function: 'tools/refund', logs: [line(3, 'error')] }));
  workspace.invocations.record(anInvocation({ app: 'shop', logs: [line(4)] }));
  const lines = await allPages((cursor) =>
    call('functions.logs', { app: 'desk', limit: 2, ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.deepEqual(
    lines.map((one) => one.text),
    ['line 1', 'line 2', 'line 3'],
  );
  assert.deepEqual([lines[2]?.level, lines[2]?.function], ['error', 'tools/refund']);
  const since = toTimestamp(noon + 2);
  assert.equal((await call('functions.logs', { app: 'desk', since })).items.length, 2);
  assert.equal((await call('functions.logs', { app: 'desk', function: 'tools/refund' })).items.length, 1);
  assert.equal((await refused('functions.logs', { app: 'nobody' })).code, 'app_unknown');
});

test('a reset takes those, too, that are not written down yet', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  workspace.invocations.record(anInvocation());
  await workspace.seed.reset();
  assert.deepEqual((await call('invocations.list', {})).items, []);
});

test('of calls, those are listed that 64 KiB can hold, and the others counted', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const one = { kind: 'fetch' as const, name: `GET http://shop.example/${'é'.repeat(1_000)}`, startedMs: 1, ms: 2 };
  const many = anInvocation({ calls: Array.from({ length: 1_000 }, () => ({ ...one, status: 'ok' })) });
  workspace.invocations.record(many);
  const { calls, callsLeftOut = 0 } = await call('invocations.show', { id: many.id });
  assert.equal(calls.length + callsLeftOut, 1_000);
  assert.equal(calls.length, 31);
});

test('input and result beyond 64 KiB are cut, and say so', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const long = JSON.stringify('ä'.repeat(limits.invocations.recordedBytes));
  const { id } = (() => {
    const made = anInvocation({ inputJson: long, resultJson: long });
    workspace.invocations.record(made);
    return made;
  })();
  const { input, result } = await call('invocations.show', { id });
  const cut = input as { truncated: boolean; bytes: number; start: string };
  assert.equal(cut.truncated, true);
  assert.equal(cut.bytes, Buffer.byteLength(long));
  assert.ok(Buffer.byteLength(cut.start) <= limits.invocations.recordedBytes);
  assert.ok(long.startsWith(cut.start));
  assert.deepEqual(result, input);
});

test('of each function the last thousand are kept, with their logs', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  await workspace.apps.register('desk', false);
  workspace.invocations.record(anInvocation({ function: 'other', startedAt: noon - 5000 }));
  const total = limits.invocations.keptPerFunction + 700;
  for (let n = 0; n < total; n++) {
    workspace.invocations.record(anInvocation({ startedAt: noon + n }));
    if (n % 300 === 0) await workspace.invocations.flush();
  }
  const kept = await allPages((cursor) =>
    call('invocations.list', { limit: 200, function: 'api/orders/find', ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.ok(kept.length >= limits.invocations.keptPerFunction, `${kept.length}`);
  assert.ok(kept.length < limits.invocations.keptPerFunction + 250, `${kept.length}`);
  assert.equal(kept[0]?.startedAt, toTimestamp(noon + total - 1));
  const lines = await allPages((cursor) =>
    call('functions.logs', { app: 'desk', limit: 200, ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.equal(lines.length, kept.length + 1);
});

test('of ten thousand in one batch, no more are written than would be kept: the last ones, in order', async (t) => {
  const { workspace, call, heard } = await aWorkspace(t);
  await call('listeners.open', { name: 'log', events: ['function.invoked'] });
  for (let n = 0; n < 10_300; n++)
    workspace.invocations.record(anInvocation({ id: `inv_${n}`, startedAt: noon + n, logs: [] }));
  const [newest] = (await call('invocations.list', { limit: 1 })).items;
  assert.equal(newest?.startedAt, toTimestamp(noon + 10_299));
  const last = Array.from({ length: limits.invocations.keptPerFunction }, (_, n) => `inv_${9_300 + n}`);
  assert.deepEqual(
    heard.map(({ invocationId }) => invocationId),
    last,
  );
});

test('of a function that logs much fewer are kept, the last ones with all of their log', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  await workspace.apps.register('desk', false);
  const line = { at: toTimestamp(noon), level: 'info' as const, text: 'x'.repeat(1024 * 1024) };
  workspace.invocations.record(anInvocation({ function: 'other' }));
  const most = (2 * limits.invocations.keptLogBytes) / line.text.length;
  for (let n = 0; n < 3 * most; n++) {
    workspace.invocations.record(anInvocation({ startedAt: noon + n, logs: [line] }));
    // The first ones come faster than they are written.
    if (n > most && n % 8 === 0) await workspace.invocations.flush();
  }
  const kept = await allPages((cursor) =>
    call('invocations.list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const own = kept.filter((one) => one.function !== 'other');
  assert.equal(kept.length, own.length + 1);
  assert.ok(own.length >= most / 2 && own.length <= most + 8, `${own.length} MiB`);
  assert.equal(own[0]?.startedAt, toTimestamp(noon + 3 * most - 1));
  assert.equal(own.at(-1)?.startedAt, toTimestamp(noon + 3 * most - own.length));
  const lines = await allPages((cursor) =>
    call('functions.logs', { app: 'desk', limit: 200, ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.equal(lines.length, kept.length);
});

test('logs are bounded over many openings, too, each of which writes less than is kept', async (t) => {
  let made = await aWorkspace(t, { onDisk: true });
  const text = 'x'.repeat(1024 * 1024);
  const line = { at: toTimestamp(noon), level: 'info' as const, text };
  const kept = limits.invocations.keptLogBytes / text.length;
  let startedAt = noon;
  for (let opening = 0; opening < 4; opening++) {
    for (let n = 0; n < kept - 6; n++)
      made.workspace.invocations.record(anInvocation({ startedAt: startedAt++, logs: [line] }));
    made = await made.reopened();
  }
  const items = await allPages((cursor) =>
    made.call('invocations.list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.ok(items.length >= kept && items.length <= 2 * kept, `${items.length} MiB`);
  assert.equal(items[0]?.startedAt, toTimestamp(startedAt - 1));
});

test('what is older than seven days goes', async (t) => {
  const { workspace, call, clock } = await aWorkspace(t);
  workspace.invocations.record(anInvocation({ startedAt: noon }));
  await workspace.invocations.flush();
  clock.advance(7 * 86_400_000 + 1);
  for (let n = 0; n < 260; n++) workspace.invocations.record(anInvocation({ startedAt: clock.now() }));
  const kept = await allPages((cursor) =>
    call('invocations.list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.equal(kept.length, 260);
});

test('records that could not be written on a full disk are written once there is room', async (t) => {
  const database = await openDatabase({ file: join(temporaryFolder('fn-workspace'), 'workspace.db') });
  t.after(() => database.close());
  const pages = (most: number) =>
    database.writer.use((connection) => connection.db.exec(`PRAGMA max_page_count = ${most}`));
  const log = new InvocationLog(
    database,
    () => noon,
    async () => {},
  );
  await pages(1);
  for (let n = 0; n < 100; n++) log.record(anInvocation({ inputJson: JSON.stringify('x'.repeat(10_000)) }));
  await assert.rejects(log.flush());
  log.record(anInvocation());
  await pages(1_000_000);
  await log.flush();
  const written = await database.reader.use((connection) => connection.get('SELECT count(*) AS n FROM invocation'));
  assert.equal(written?.['n'], 101);
});

test('a failed invocation is an event without its arguments; a successful one only while somebody names it', async (t) => {
  const { workspace, heard, call } = await aWorkspace(t);
  const error = { code: 'function_timeout', name: 'LimitError', message: 'took more than 30 s' };
  const made = anInvocation({ status: 'timeout', error });
  await call('webhooks.add', { url: 'https://all.example/', events: ['*', 'function.*'] });
  workspace.invocations.record(anInvocation());
  workspace.invocations.record(made);
  await workspace.invocations.flush();
  assert.deepEqual(
    heard.map((event) => event.type),
    ['function.failed'],
  );
  assert.deepEqual(heard[0]?.data, {
    invocation: {
      id: made.id,
      app: 'desk',
      function: 'api/orders/find',
      trigger: 'http',
      status: 'timeout',
      wallMs: 12.5,
      error: { code: 'function_timeout', message: 'took more than 30 s' },
    },
  });
  assert.deepEqual(await workspace.events.after(0, 10), heard);
  assert.equal((await call('deliveries.list', {})).items.length, 1);
  await call('listeners.open', { name: 'laptop', events: ['function.invoked'] });
  workspace.invocations.record(anInvocation());
  await workspace.invocations.flush();
  assert.equal(heard[1]?.type, 'function.invoked');
  assert.equal(heard[1]?.causeId, heard[1]?.invocationId);
});

test('an invocation that an event has caused is no event', async (t) => {
  const { workspace, heard, call } = await aWorkspace(t);
  await call('webhooks.add', { url: 'https://all.example/', events: ['function.invoked', 'function.failed'] });
  const error = { code: 'function_failed', name: 'Error', message: 'no' };
  workspace.invocations.record(anInvocation({ trigger: 'event' }));
  workspace.invocations.record(anInvocation({ trigger: 'event', status: 'error', error }));
  await workspace.invocations.flush();
  assert.deepEqual(heard, []);
});

test('a failure that waits is written with its event when the workspace is closed', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  const error = { code: 'function_failed', name: 'Error', message: 'no' };
  const made = anInvocation({ status: 'error', error });
  first.workspace.invocations.record(made);
  const second = await first.reopened();
  assert.equal((await second.call('invocations.show', { id: made.id })).status, 'error');
  assert.equal((await second.call('events.list', {})).items[0]?.type, 'function.failed');
});

test('records that wait are written when the workspace is closed', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  const made = anInvocation();
  first.workspace.invocations.record(made);
  const second = await first.reopened();
  assert.equal((await second.call('invocations.show', { id: made.id })).status, 'ok');
});
