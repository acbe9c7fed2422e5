import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newSigningSecret } from '../../../src/std/index.ts';
import { until } from '../../until.ts';
import { aFailingReceiver, type Treatment } from '../../webhook/receiver.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

const secret = newSigningSecret();

async function aReceiver(t: TestContext, treat: readonly Treatment[] | ((n: number) => Treatment) = []) {
  const receiver = await aFailingReceiver({
    secrets: [secret],
    treat: typeof treat === 'function' ? (_request, count) => treat(count) : treat,
  });
  t.after(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

/** A living workspace with one endpoint. */
async function anEndpoint(t: TestContext, treat?: Parameters<typeof aReceiver>[1], events = ['message.received']) {
  const receiver = await aReceiver(t, treat);
  const made = await anEmulator({ now: '2026-11-20T12:00:00.000Z' });
  const door = made.emulator.door(everyone);
  const endpoint = await door('webhooks.add', { url: receiver.url, events, secret });
  const deliveries = async () => (await door('deliveries.list', { endpointId: endpoint.id })).items;
  const advance = (ms: number) => door('clock.advance', { ms });
  const say = (text: string) => door('messages.receive', { phone: '+4930901820', text });
  return { ...made, receiver, door, endpoint, deliveries, advance, say };
}

test('an endpoint gets the event of a message, signed, with the id and the body of the event', async (t) => {
  const { receiver, say, door } = await anEndpoint(t);
  const message = await say('Hi');
  const [received] = await until('the delivery', () => receiver.received.length > 0 && receiver.received);
  const event = (await door('events.list', { type: 'message.received' })).items.at(-1);
  assert.ok(received && event);
  assert.equal(received.verification.isValid, true);
  assert.equal(received.headers['webhook-id'], event.id);
  assert.deepEqual(JSON.parse(received.body.toString()), event);
  assert.deepEqual(event.data, { message });
  assert.match(String(received.headers['traceparent']), new RegExp(`^00-${event.traceId}-[0-9a-f]{16}-01$`));
  assert.equal(received.headers['tracestate'], 'fn=1');
});

test('a delivery that fails is tried again by the schedule, each attempt in its turn, and disabled after five days', async (t) => {
  const { receiver, say, deliveries, advance, door, endpoint, events } = await anEndpoint(t, () => 500);
  await say('Hi');
  await until('the first attempt', () => receiver.received.length === 1);
  const start = performance.now();
  assert.equal((await advance(6 * 86_400_000)).stillRunning, undefined);
  assert.ok(performance.now() - start < 30_000);
  const [delivery] = await deliveries();
  assert.deepEqual([delivery?.state, delivery?.attemptCount], ['failed', 10]);
  assert.match(delivery?.reason ?? '', /that was the last of 10 attempts/);
  assert.equal(receiver.received.length, 10);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.ok(receiver.received.every(({ verification }) => verification.isValid));
  const shown = await door('webhooks.show', { id: endpoint.id });
  assert.deepEqual([shown.state, shown.reason], ['disabled', 'nothing but failures for 5 days']);
  const problems = events.filter((event) => event.type === 'problem').map(({ code }) => code);
  assert.deepEqual(problems, ['delivery_failed']);
});

test('the log holds what was sent, what was answered, and why another attempt follows', async (t) => {
  const answer = { status: 503, headers: { 'retry-after': '60', 'set-cookie': 'a=b' }, body: 'x'.repeat(5_000) };
  const { say, deliveries, door, advance, receiver } = await anEndpoint(t, [answer]);
  await say('Hi');
  const waiting = await until('the first attempt', async () =>
    (await deliveries()).find((one) => one.attemptCount > 0),
  );
  await advance(60_000);
  const { attempts, body, state } = await door('deliveries.show', { id: waiting.id });
  assert.equal(state, 'delivered');
  assert.deepEqual(
    receiver.received.map((one) => one.body.toString()),
    [body, body],
  );
  assert.equal(attempts[0]?.status, 503);
  assert.equal(attempts[0]?.reason, 'answered 503; attempt 2 of 10 follows, later because of Retry-After');
  assert.deepEqual(
    [attempts[0]?.answer?.body.length, attempts[0]?.answer?.truncated, attempts[0]?.answer?.headers['set-cookie']],
    [4096, true, undefined],
  );
  assert.equal(attempts[0]?.requestHeaders['webhook-signature'], receiver.received[0]?.headers['webhook-signature']);
  assert.equal(attempts[1]?.reason, 'answered 204');
});

test('a receiver that answers 410 is disabled; one that asks to end a delivery gets the next', async (t) => {
  const abort = { status: 500, headers: { 'webhook-delivery': 'abort-message' } };
  const { say, deliveries, door, endpoint } = await anEndpoint(t, [abort, 410]);
  await say('One');
  await until('the end', async () => (await deliveries())[0]?.state === 'aborted');
  await say('Two');
  await until('the end', async () => (await deliveries())[0]?.state === 'failed');
  const { state, reason } = await door('webhooks.show', { id: endpoint.id });
  assert.deepEqual([state, reason], ['disabled', 'answered 410 (gone); the endpoint is disabled']);
});

test('events of a conversation arrive in their order', async (t) => {
  const { say, receiver } = await anEndpoint(t, () => 200);
  for (let n = 0; n < 30; n++) await say(`${n}`);
  await until('all of them', () => receiver.received.length === 30);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body.toString()).data.message.text),
    Array.from({ length: 30 }, (_, n) => `${n}`),
  );
});
