import sample from '{{fixture}}' with { type: 'json' };
import { summaryOf } from '{{up}}functions/{{folder}}_{{last}}.summary.{{ending}}';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const noon = Date.parse('2026-03-02T12:00:00Z');

test('the panel shows who the customer is, what we know, and how long they have waited', () => {
  const { name, initials, contact, facts, waiting } = summaryOf(
    sample.customer,
    sample.messages,
    noon,
  );

  assert.deepEqual(
    [name, initials, contact],
    ['Ann Larsen', 'AL', '+493023125017'],
  );
  assert.deepEqual(facts, [
    ['Tier', 'gold'],
    ['Last order', 'A-1017'],
  ]);
  assert.equal(waiting, '3 h');
});

test('nobody is waiting once we have answered', () => {
  assert.equal(
    summaryOf(sample.customer, sample.messages.slice(0, 2), noon).waiting,
    undefined,
  );
});

test('it works with data from a workspace', async () => {
  await using workspace = await aWorkspace({
    now: '2026-03-02T12:00:00Z',
    seed: {},
  });
  const { conversationId } = await workspace.customerWrites({
    phone: '+493023125099',
    text: 'Hello?',
    channel: 'web-chat',
  });

  const conversation = await workspace.call('conversations.get', {
    id: conversationId,
  });
  const customer = await workspace.call('customers.get', {
    id: conversation.customerId,
  });
  const messages = await workspace.call('messages.list', { conversationId });
  const summary = summaryOf(customer, messages.items, noon);

  assert.equal(summary.name, '+493023125099');
  assert.deepEqual(summary.last, [
    { direction: 'in', text: 'Hello?', ago: '0 min ago' },
  ]);
});
