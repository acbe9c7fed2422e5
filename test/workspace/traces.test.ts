import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, newTraceId, toTimestamp } from '../../src/std/index.ts';
import type { NewInvocation } from '../../src/workspace/index.ts';
import { admin, aWorkspace, noon } from './support.ts';

const trace = { traceId: newTraceId(), causeId: null, depth: 0 };

function anInvocation(changes: Partial<NewInvocation>): NewInvocation {
  return {
    id: newId('inv', noon),
    app: 'desk',
    function: 'api/hello',
    type: 'server-side-method',
    version: 'local',
    trigger: 'http',
    caller: { type: 'token', id: 'tok_1' },
    trace,
    status: 'ok',
    startedAt: noon,
    wallMs: 12,
    cpuMs: 3,
    peakMemoryBytes: 1,
    error: null,
    inputJson: '{}',
    resultJson: '{}',
    logs: [{ at: toTimestamp(noon + 1), level: 'info', text: 'looking' }],
    calls: [{ kind: 'sdk', name: 'messages.send', startedMs: 2, ms: 3, status: 'ok', input: '{"text":"Hi"}' }],
    ...changes,
  };
}

/** An invocation that sent a message, which caused a background call, which ran another invocation. */
async function aTrace(t: Parameters<typeof aWorkspace>[0]) {
  const made = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const { workspace, call } = made;
  const first = anInvocation({});
  const caused = { ...admin, trace: { ...trace, causeId: first.id } };
  const { id: messageId } = await call('messages.receive', { phone: '+4930901820', text: 'Hi' }, caused);
  const [job] = await workspace.jobs.enqueue([
    { kind: 'invocation', payload: { app: 'desk', path: 'api/two' }, trace: { ...trace, causeId: first.id } },
  ]);
  const second = anInvocation({
    function: 'api/two',
    startedAt: noon + 50,
    trace: { ...trace, causeId: String(job?.id) },
    logs: [],
    calls: [],
  });
  workspace.invocations.record(first);
  workspace.invocations.record(second);
  return { ...made, first, second, messageId, jobId: String(job?.id) };
}

test('a trace has everything with the same first cause, oldest first, each with what caused it', async (t) => {
  const { call, first, second, messageId } = await aTrace(t);
  const { traceId, spans, truncated } = await call('traces.show', { id: first.id });
  assert.equal(traceId, trace.traceId);
  assert.equal(truncated, false);
  const parents = new Map(spans.map(({ id, parentId }) => [id, parentId]));
  assert.equal(parents.get(first.id), null);
  assert.equal(parents.get(messageId), first.id);
  assert.equal(parents.get(second.id), first.id, 'the job between them is no span');
  const received = spans.find(({ name }) => name === 'message.received');
  assert.equal(received?.parentId, messageId, 'an event stands below the message of which it tells');
  const kinds = spans.map(({ kind, name }) => `${kind} ${name}`);
  for (const expected of ['invocation desk/api/hello', 'sdk messages.send', 'log looking', 'event message.received']) {
    assert.ok(kinds.includes(expected), `${expected} is in ${kinds.join(', ')}`);
  }
  assert.deepEqual(
    spans.map(({ startedAt }) => startedAt),
    spans.map(({ startedAt }) => startedAt).sort(),
  );
});

test('a trace is found by any of its ids', async (t) => {
  const { call, second, messageId, jobId } = await aTrace(t);
  const { items } = await call('events.list', { type: 'message.received' });
  for (const id of [second.id, messageId, jobId, String(items[0]?.id), trace.traceId]) {
    assert.equal((await call('traces.show', { id })).traceId, trace.traceId, id);
  }
});

test('each attempt to deliver an event is a span below it, with what it led to', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const secretUrl = 'https://shop.example/hooks/s3cret';
  await call('webhooks.add', { url: secretUrl, events: ['message.received'] });
  await call('webhooks.add', { function: 'desk/api/on-message', events: ['message.received'] });
  const { id: messageId } = await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const [eventId] = (await call('events.list', { type: 'message.received' })).items.map(({ id }) => id);
  const invocation = anInvocation({});
  const deliveries = (await call('deliveries.list', {})).items;
  for (const job of await workspace.jobs.claim([{ kind: 'delivery', free: 8 }])) {
    const deliveryId = String(job.payload['deliveryId']);
    const { target, kind, trace: cause } = (await workspace.webhooks.load(deliveryId)) ?? assert.fail();
    if (kind === 'function') workspace.invocations.record({ ...invocation, trace: cause });
    const answered = kind === 'function' ? { status: 200, invocationId: invocation.id } : { status: 500 };
    const attempt = { startedAtMs: Date.now(), ms: 7, requestHeaders: {}, target, ...answered };
    const decision = { state: kind === 'function' ? 'delivered' : 'failed', reason: 'answered' } as const;
    assert.ok(await workspace.webhooks.record({ job, deliveryId, attempt, decision }));
  }
  const { spans } = await call('traces.show', { id: String(deliveries[0]?.id) });
  assert.ok(spans.some(({ id }) => id === messageId));
  const attempts = spans.filter(({ kind }) => kind === 'delivery-attempt');
  assert.deepEqual(
    attempts
      .map(({ name, status, parentId, ms }) => ({ name, status, parentId, ms }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'message.received to desk/api/on-message', status: 'ok', parentId: eventId, ms: 7 },
      { name: 'message.received to https://shop.example', status: '500', parentId: eventId, ms: 7 },
    ],
  );
  const ran = spans.find(({ id }) => id === invocation.id);
  assert.equal(ran?.parentId, attempts.find(({ status }) => status === 'ok')?.id);
  assert.deepEqual(
    spans.map(({ startedAt }) => startedAt),
    spans.map(({ startedAt }) => startedAt).sort(),
  );
});

test('spans have no payloads', async (t) => {
  const { call, first } = await aTrace(t);
  assert.doesNotMatch(JSON.stringify(await call('traces.show', { id: first.id })), /"Hi"/);
});

test('an id that nothing is kept of is refused', async (t) => {
  const { refused } = await aTrace(t);
  for (const id of ['evt_none', 'xyz_1', '__proto__']) {
    assert.equal((await refused('traces.show', { id })).code, 'trace_not_found');
  }
});
