import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Forwarded, Forwarder, type ListenedEvent } from '../../../src/cli/webhooks/forwarder.ts';
import type { Input } from '../../../src/contract/index.ts';
import { exampleEventOf } from '../../../src/contract/shapes/index.ts';
import { UnreachableError, WorkspaceError } from '../../../src/std/index.ts';
import { aReceiver } from '../../../src/testing/receiver.ts';
import type { ReceiverOptions } from '../../../src/testing/types.ts';
import { WebhookSender } from '../../../src/webhook/index.ts';
import { until } from '../../until.ts';

type Ack = Pick<Input<'listeners.ack'>, 'cursor' | 'attempts'>;

const event = (id: string, conversationId: string | null = 'cnv_1'): ListenedEvent => ({
  event: { ...exampleEventOf('message.received'), id, conversationId },
  depth: 1,
});

/** A forwarder to one receiver; what it tells the workspace is kept, or answered by `acknowledge`. */
async function forwarding(
  t: TestContext,
  {
    answer,
    acknowledge = async () => {},
  }: { answer?: ReceiverOptions['answer']; acknowledge?: (ack: Ack) => Promise<void> } = {},
) {
  const receiver = await aReceiver({ answer });
  const sender = new WebhookSender({ reach: 'loopback' });
  const acks: Ack[] = [];
  const told: Forwarded[] = [];
  const problems: unknown[] = [];
  const forwarder = new Forwarder({
    targetsOf: () => [receiver.url],
    secret: receiver.secret,
    headers: { authorization: 'Bearer secret' },
    sender,
    acknowledge: async (ack) => {
      await acknowledge(ack);
      acks.push(ack);
    },
    tell: (forwarded) => told.push(forwarded),
    onProblem: (error) => problems.push(error),
  });
  t.after(async () => {
    await forwarder.close();
    await sender.close();
    await receiver.close();
  });
  const attempts = () => acks.flatMap((ack) => ack.attempts ?? []);
  const cursor = () => acks.findLast((ack) => ack.cursor !== undefined)?.cursor;
  return { forwarder, receiver, acks, attempts, cursor, told, problems };
}

test('a target that answers 500 twice is tried three times, and the cursor moves on when it is done', async (t) => {
  let answers = 0;
  const { forwarder, attempts, cursor, told } = await forwarding(t, { answer: () => (++answers < 3 ? 500 : 204) });
  await forwarder.take(event('evt_1'), 'c1');
  for (const number of [1, 2]) {
    await until(`attempt ${number} is told`, () => told.length === number);
    assert.equal(cursor(), undefined);
    await until('it waits for the next attempt', () => forwarder.retryNow() > 0);
  }
  await until('it is done', () => cursor() === 'c1');
  assert.deepEqual(
    attempts().map(({ status, nextAttemptInMs }) => [status, nextAttemptInMs !== null]),
    [
      [500, true],
      [500, true],
      [204, false],
    ],
  );
  assert.equal(told[1]?.number, 2);
});

test('a developer’s own headers are sent, but their values are not told to the workspace', async (t) => {
  const { forwarder, receiver, attempts } = await forwarding(t);
  await forwarder.take(event('evt_1'), 'c1');
  assert.equal((await receiver.next()).headers['authorization'], 'Bearer secret');
  await until('it is recorded', () => attempts().length === 1);
  assert.equal(attempts()[0]?.requestHeaders?.['authorization'], '(not shown)');
});

test('events of one conversation wait for each other, until one has failed for the third time', async (t) => {
  const { forwarder, receiver, cursor, told } = await forwarding(t, {
    answer: ({ id }) => (id === 'evt_bad' ? 500 : 204),
  });
  await forwarder.take(event('evt_bad'), 'c1');
  await forwarder.take(event('evt_next'), 'c2');
  await forwarder.take(event('evt_other', 'cnv_2'), 'c3');
  const ids = () => receiver.received.map(({ id }) => id);
  await until('the other conversation goes on', () => ids().includes('evt_other'));
  assert.ok(!ids().includes('evt_next'));
  for (const number of [2, 3]) {
    await until('it waits for the next attempt', () => forwarder.retryNow() > 0);
    await until(`attempt ${number} is told`, () => told.some((one) => one.number === number));
  }
  await until('the next one passes', () => ids().includes('evt_next'));
  assert.equal(cursor(), undefined, 'the first one is not done');
  await until('it waits for the last attempt', () => forwarder.retryNow() > 0);
  await until('all are done', () => cursor() === 'c3');
  assert.match(told.at(-1)?.decision.reason ?? '', /last of 4 attempts/);
});

test('what the stream shows again, because it has begun again, is forwarded once', async (t) => {
  const { forwarder, receiver, cursor } = await forwarding(t);
  for (const id of ['evt_1', 'evt_2', 'evt_1', 'evt_2', 'evt_3']) await forwarder.take(event(id), `c of ${id}`);
  await until('all are done', () => cursor() === 'c of evt_3');
  assert.deepEqual(
    receiver.received.map(({ id }) => id),
    ['evt_1', 'evt_2', 'evt_3'],
  );
});

test('while the workspace is away, what was done is kept and told later', async (t) => {
  let isAway = true;
  const { forwarder, receiver, acks, cursor, problems } = await forwarding(t, {
    acknowledge: async () => {
      if (isAway) throw new UnreachableError('connection_failed', 'there is no connection');
    },
  });
  for (const id of ['evt_1', 'evt_2']) await forwarder.take(event(id), `c of ${id}`);
  await until('both have come', () => receiver.received.length === 2);
  assert.deepEqual(acks, []);
  isAway = false;
  await until('both are told', () => cursor() === 'c of evt_2');
  assert.deepEqual(problems, []);
});

test('attempts that the workspace refuses are told as a problem, and the cursor still moves on', async (t) => {
  const { forwarder, cursor, problems } = await forwarding(t, {
    acknowledge: async ({ attempts = [] }) => {
      if (attempts.length > 0) throw new WorkspaceError('event_not_found', 404, 'There is no event evt_1');
    },
  });
  await forwarder.take(event('evt_1'), 'c1');
  await until('it moves on', () => cursor() === 'c1');
  assert.equal(problems.length, 1);
});

test('an attempt that is cut when the listener ends is not done, and not told', async (t) => {
  const answered = Promise.withResolvers<number>();
  const { forwarder, receiver, attempts, cursor } = await forwarding(t, { answer: () => answered.promise });
  await forwarder.take(event('evt_1'), 'c1');
  await until('it has come', () => receiver.received.length === 1);
  await forwarder.close();
  answered.resolve(204);
  assert.deepEqual([attempts(), cursor()], [[], undefined]);
});
