import assert from 'node:assert/strict';
import { type SQLInputValue, StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { newSigningSecret } from '../../../src/std/index.ts';
import { until } from '../../until.ts';
import { aFailingReceiver, type ReceiverOptions } from '../../webhook/receiver.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

const secret = newSigningSecret();

async function aReceiver(t: TestContext, treat: NonNullable<ReceiverOptions['treat']> = []) {
  const receiver = await aFailingReceiver({ secrets: [secret], treat });
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

test('one trace goes from the message of a customer to the attempt to deliver its event', async (t) => {
  const { say, deliveries, door } = await anEndpoint(t, () => 200);
  const { id } = await say('Hi');
  const delivery = await until('the delivery', async () =>
    (await deliveries()).find((one) => one.state === 'delivered'),
  );
  const { spans } = await door('traces.show', { id: delivery.id });
  const [message, event, attempt] = ['message', 'event', 'delivery-attempt'].map((kind) =>
    spans.findLast((span) => span.kind === kind),
  );
  assert.equal(message?.id, id);
  assert.deepEqual([event?.name, event?.id], ['message.received', delivery.eventId]);
  assert.deepEqual([attempt?.parentId, attempt?.status, attempt?.ref], [event?.id, 'ok', delivery.id]);
});

test('an event that its receiver always refuses holds its conversation no longer than its third attempt', async (t) => {
  const poisoned = (body: string) => /"text":"poison"/.test(body);
  const { say, deliveries, advance, receiver } = await anEndpoint(t, ({ body }) =>
    poisoned(body.toString()) ? 500 : 200,
  );
  await say('poison');
  await say('after it');
  const texts = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).data.message.text);
  await until('the first attempt', () => receiver.received.length === 1);
  await advance(7_000); // 5 s, and a fifth
  assert.deepEqual(texts(), ['poison', 'poison']);
  await advance(370_000); // 5 min, and a fifth
  assert.deepEqual(texts(), ['poison', 'poison', 'poison', 'after it']);
  const [second, first] = await deliveries();
  assert.deepEqual([first?.state, first?.attemptCount, second?.state], ['waiting', 3, 'delivered']);
});

test('when the clock is turned back a delivery still waits no longer than its schedule says', async (t) => {
  const { say, deliveries, advance, receiver, door, clock } = await anEndpoint(t, [500]);
  await say('Hi');
  await until('the first attempt', async () => (await deliveries())[0]?.attemptCount === 1);
  await door('clock.set', { now: new Date(clock.now() - 30 * 86_400_000).toISOString() });
  assert.equal(receiver.received.length, 1);
  await advance(7_000);
  assert.equal((await deliveries())[0]?.state, 'delivered');
});

test('what was delivered while the disk was full is recorded when there is room, and not delivered again', async (t) => {
  const { say, deliveries, receiver, events, emulator } = await anEndpoint(t, () => 200);
  const { run } = StatementSync.prototype;
  let refused = 0;
  t.mock.method(StatementSync.prototype, 'run', function (this: StatementSync, ...values: SQLInputValue[]) {
    if (refused > 0 || !this.sourceSQL.startsWith('insert into "delivery_attempt"'))
      return run.apply(this, values as never);
    refused++;
    throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  });
  await say('Hi');
  const delivered = await until('the record', async () =>
    (await deliveries()).find((one) => one.state === 'delivered'),
  );
  assert.deepEqual(await emulator.settled(), []);
  assert.deepEqual([refused, receiver.received.length, delivered.attemptCount], [1, 1, 1]);
  const problems = events.filter((event) => event.type === 'problem');
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['delivery_not_recorded'],
  );
  assert.match(problems[0]?.message ?? '', /cannot be written yet: .*disk/);
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
