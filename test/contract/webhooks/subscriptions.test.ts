import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventKinds, findSubscriptionProblem, isSubscribed } from '../../../src/contract/index.ts';

test('a kind is matched by its name, its group, and everything', () => {
  for (const patterns of [['message.received'], ['message.*'], ['*'], ['customer.created', 'message.*']])
    assert.equal(isSubscribed(patterns, 'message.received'), true, patterns.join());
  for (const patterns of [['message.sent'], ['customer.*'], ['message'], ['*.received'], []])
    assert.equal(isSubscribed(patterns, 'message.received'), false, patterns.join());
});

test('a group does not match a kind whose name only begins like it', () => {
  assert.equal(isSubscribed(['conversation.*'], 'conversationLink.created'), false);
});

test('function.invoked is matched by its own name only', () => {
  assert.deepEqual(
    [['*'], ['function.*'], ['function.invoked']].map((patterns) => isSubscribed(patterns, 'function.invoked')),
    [false, false, true],
  );
  assert.equal(isSubscribed(['function.*'], 'function.failed'), true);
});

test('every kind can be subscribed to', () => {
  assert.equal(findSubscriptionProblem(eventKinds), undefined);
  assert.equal(findSubscriptionProblem(['*', 'message.*', 'message.sent']), undefined);
});

test('an unknown kind is refused with the one that was probably meant', () => {
  assert.deepEqual(findSubscriptionProblem(['message.sent', 'mesage.received']), {
    code: 'event_unknown',
    message: 'There is no event "mesage.received"',
    hint: 'Did you mean message.received?',
  });
  assert.equal(findSubscriptionProblem(['messages.*'])?.hint, 'Did you mean message.*?');
  assert.match(findSubscriptionProblem(['xyzzy'])?.hint ?? '', /fn webhook events/);
});
