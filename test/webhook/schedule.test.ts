import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Decision, decideDelivery, maxAttempts } from '../../src/webhook/index.ts';
import fc from '../properties.ts';

const nowMs = Date.UTC(2026, 0, 1);
const failed = (headers: Record<string, string> = {}, status = 500) => ({
  status,
  answer: { headers, body: '', truncated: false },
});
const facts = { attemptNumber: 1, random: 0.5, nowMs };

function delayOf(decision: Decision): number {
  assert.equal(decision.state, 'waiting');
  return decision.delayMs;
}

test('a delivery that fails for ever is tried ten times, over more than three days', () => {
  const delays: number[] = [];
  let decision: Decision;
  for (let attemptNumber = 1; ; attemptNumber++) {
    decision = decideDelivery(failed(), { ...facts, attemptNumber });
    if (decision.state !== 'waiting') break;
    delays.push(decision.delayMs / 1000);
  }
  assert.equal(maxAttempts, 10);
  assert.deepEqual(delays, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  assert.deepEqual(decision, { state: 'failed', reason: 'answered 500; that was the last of 10 attempts' });
});

test('the delay differs by up to a fifth, in whole milliseconds', () => {
  const at = (random: number) => delayOf(decideDelivery(failed(), { ...facts, random }));
  assert.deepEqual([at(0), at(0.5), at(1)], [4_000, 5_000, 6_000]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 9 }), (random, attemptNumber) => {
      const delay = delayOf(decideDelivery(failed(), { ...facts, random, attemptNumber }));
      const middle = delayOf(decideDelivery(failed(), { ...facts, attemptNumber }));
      assert.ok(Number.isInteger(delay) && delay >= middle * 0.8 && delay <= middle * 1.2, `${delay}`);
    }),
  );
});

test('fewer attempts than those of the schedule can be asked for', () => {
  const states = [1, 2, 3, 4].map(
    (attemptNumber) => decideDelivery(failed(), { ...facts, attemptNumber, maxAttempts: 4 }).state,
  );
  assert.deepEqual(states, ['waiting', 'waiting', 'waiting', 'failed']);
});

test('only 2xx is a success', () => {
  for (const status of [200, 201, 204, 299])
    assert.deepEqual(decideDelivery(failed({}, status), facts), { state: 'delivered', reason: `answered ${status}` });
  for (const status of [300, 304, 400, 401, 404, 429, 500, 503])
    assert.equal(decideDelivery(failed({}, status), facts).state, 'waiting');
});

test('a redirect is a failure that says so', () => {
  assert.equal(
    decideDelivery(failed({ location: 'https://shop.example/' }, 308), facts).reason,
    'answered 308: redirects are not followed; attempt 2 of 10 follows',
  );
});

test('410 disables the endpoint and is not tried again', () => {
  assert.deepEqual(decideDelivery(failed({}, 410), facts), {
    state: 'failed',
    disables: 'gone',
    reason: 'answered 410 (gone); the endpoint is disabled',
  });
});

test('a failure without an answer is tried again', () => {
  const error = { code: 'connection_refused', message: 'nothing is listening at 127.0.0.1:9' } as const;
  assert.deepEqual(decideDelivery({ error }, facts), {
    state: 'waiting',
    delayMs: 5_000,
    reason: 'nothing is listening at 127.0.0.1:9; attempt 2 of 10 follows',
  });
});

test('the receiver can end a delivery, or have its endpoint disabled', () => {
  const answered = (status: number, value: string) =>
    decideDelivery(failed({ 'webhook-delivery': value }, status), facts);
  assert.deepEqual(answered(500, 'abort-message'), {
    state: 'aborted',
    reason: 'answered 500; the receiver asked to end this delivery',
  });
  assert.deepEqual(answered(400, ' Disable'), {
    state: 'aborted',
    disables: 'asked',
    reason: 'answered 400; the receiver asked to disable the endpoint',
  });
  assert.equal(answered(200, 'abort-message').state, 'delivered');
  assert.deepEqual([answered(204, 'disable').state, answered(204, 'disable').disables], ['delivered', 'asked']);
  assert.equal(answered(302, 'abort-message').state, 'aborted');
  assert.equal(answered(500, 'abort-everything').state, 'waiting');
});

test('Retry-After makes the wait longer, never shorter, and at most a day', () => {
  const after = (value: string) => delayOf(decideDelivery(failed({ 'retry-after': value }, 429), facts));
  assert.equal(after('120'), 120_000);
  assert.equal(after('0'), 5_000);
  assert.equal(after('1'), 5_000);
  assert.equal(after('6.5'), 6_500);
  assert.equal(after('999999999999999999999'), 86_400_000);
  assert.equal(after(new Date(nowMs + 60_000).toUTCString()), 60_000);
  assert.equal(after(new Date(nowMs - 60_000).toUTCString()), 5_000);
  for (const unreadable of ['', 'soon', '-5', 'NaN']) assert.equal(after(unreadable), 5_000, unreadable);
});

test('no answer of a receiver makes a delay that is not whole milliseconds up to a day and a fifth', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer({ min: 100, max: 599 }), (after, steering, status) => {
      const decision = decideDelivery(failed({ 'retry-after': after, 'webhook-delivery': steering }, status), facts);
      if (decision.state === 'waiting')
        assert.ok(Number.isInteger(decision.delayMs) && decision.delayMs >= 0 && decision.delayMs <= 103_680_000);
    }),
  );
});
