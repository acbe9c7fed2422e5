import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../until.ts';
import { anEmulator, everyone, type Functions, method } from '../an-emulator.ts';

/** A method that says what it got. */
const onMessage = (body: string, more: Record<string, unknown> = {}): Functions => ({
  'api/on-message': {
    config: { type: 'server-side-method', expose: false, events: ['message.received'], ...more },
    body,
  },
});

const counting = onMessage(`
    const event = await sdk.request.json();
    const headers = Object.fromEntries(sdk.request.headers);
    const count = await sdk.store.increment('count');
    await sdk.store.set('attempt', sdk.context.attempt);
    if (sdk.context.attempt === 1) throw new Error('not yet');
    if (sdk.context.attempt === 2) return new Response('still not', { status: 500 });
    await sdk.store.set('got', { count, event, id: headers['webhook-id'], signature: headers['webhook-signature'] ?? null });
    return { done: true };`);
const echo = {
  'api/echo': {
    config: { type: 'server-side-method', events: ['message.sent'] },
    body: `const { conversationId } = await sdk.request.json();
           await sdk.messages.send({ conversationId, text: 'Echo' });`,
  },
};

const tool = {
  config: { type: 'ai-tool', name: 'x', description: 'x', input: { type: 'object' }, permissions: { callers: {} } },
  body: 'return 1;',
};
const hook = method('return new Response(null, { status: 202 });');

// Before the first test: the workspaces are closed when those that were registered so far have ended.
const [called, changed, named, refusing, echoing] = await Promise.all([
  anEmulator({ functions: counting, now: '2026-11-20T12:00:00.000Z' }),
  anEmulator({ functions: onMessage('return 1;') }),
  anEmulator({ functions: { 'api/hook': hook } }),
  anEmulator({ functions: { 'api/hook': hook, 'tools/x': tool } }),
  anEmulator({ functions: echo }),
]);

test('a function that names events in its config is called with them, and answers for their delivery', async () => {
  const { emulator, workspace } = called;
  await emulator.work();
  const door = emulator.door(everyone);
  const [endpoint] = (await door('webhooks.list', {})).items;
  assert.deepEqual([endpoint?.source, endpoint?.kind, endpoint?.function], ['app', 'function', 'shop/api/on-message']);
  const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'Hi' });
  await door('clock.advance', { ms: 600_000 });
  const [delivery] = (await door('deliveries.list', {})).items;
  assert.deepEqual([delivery?.state, delivery?.attemptCount], ['delivered', 3]);
  const { attempts } = await door('deliveries.show', { id: delivery?.id ?? '' });
  assert.deepEqual(
    attempts.map(({ status, answer }) => [status, answer?.body]),
    [
      [500, 'Error: not yet'],
      [500, 'still not'],
      [200, '{"done":true}'],
    ],
  );
  const last = await door('invocations.show', { id: attempts[2]?.invocationId ?? '' });
  assert.deepEqual([last.trigger, last.causeId, last.traceId], ['event', delivery?.id, delivery?.traceId]);
  const app = { type: 'function', id: 'x', app: 'shop', scopes: ['read'] } as const;
  const { value } = await workspace.call('store.get', { key: 'got' }, app);
  const [event] = (await door('events.list', { type: 'message.received' })).items;
  assert.deepEqual(value, { count: 1, event, id: event?.id, signature: null }, 'a write that is repeated is made once');
  assert.equal((await workspace.call('store.get', { key: 'attempt' }, app)).value, 3, 'one that differs is made');
  assert.equal(event?.conversationId, conversationId);
  assert.deepEqual((await door('events.list', { type: 'function.failed' })).items, []);
});

test('the endpoint of a function follows its config and goes with it', async () => {
  const { emulator, source } = changed;
  await emulator.work();
  const door = emulator.door(everyone);
  const events = async () => (await door('webhooks.list', {})).items.map((one) => one.events);
  assert.deepEqual(await events(), [['message.received']]);
  source.change(onMessage('return 1;', { events: ['message.*'] }));
  await until('the change', async () => (await events())[0]?.[0] === 'message.*');
  source.change({});
  await until('the end', async () => (await events()).length === 0);
});

test('an endpoint can be a function that is named by hand; once it is gone, a delivery fails like 404', async () => {
  const { emulator, source } = named;
  const door = emulator.door(everyone);
  const { id } = await door('webhooks.add', { function: 'shop/api/hook', events: ['message.received'] });
  const status = async () => (await door('deliveries.list', { endpointId: id })).items[0]?.status;
  await door('webhooks.ping', { id });
  await until('the delivery', async () => (await status()) === 202);
  source.change({ 'tools/x': tool });
  await door('webhooks.ping', { id });
  await until('the failure', async () => (await status()) === 404);
});

test('an endpoint that is no method is refused, with the one that was probably meant', async () => {
  const door = refusing.emulator.door(everyone);
  const add = (target: string) => door('webhooks.add', { function: target, events: ['message.received'] });
  await assert.rejects(add('shop/api/hok'), { code: 'function_not_found', message: /did you mean "api\/hook"/ });
  await assert.rejects(add('shop/tools/x'), { code: 'function_type_mismatch' });
  await assert.rejects(add('shopp/api/hook'), { code: 'app_unknown' });
  const reader = refusing.emulator.door({ ...everyone, scopes: ['read'] });
  const asked = reader('webhooks.add', { function: 'shop/api/hok', events: ['message.received'] });
  await assert.rejects(asked, { code: 'token_scope' });
  assert.deepEqual((await door('webhooks.list', {})).items, []);
});

test('an event whose receiver causes it again is delivered eight times', async () => {
  const { emulator } = echoing;
  await emulator.work();
  const door = emulator.door(everyone);
  const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'Hi' });
  await door('messages.send', { conversationId, text: 'Hi' });
  const ended = await until('the end of the loop', async () =>
    (await door('deliveries.list', {})).items.find(({ state }) => state === 'failed'),
  );
  assert.match(ended.reason ?? '', /^loop_detected/);
  assert.equal((await door('events.list', { type: 'message.sent' })).items.length, 9);
});
