import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const tom = '+493023125088';

test('a greeting is answered without an AI', async () => {
  await using workspace = await aWorkspace();
  const chat = workspace.chat({ as: tom });
  await chat.say('Hello!');
  await chat.expect.message('Write the number of your order');
  await chat.say({ quickReply: 'person' });
  await chat.expect.path('about:a person', 'team');
});

test('the agent looks an order up', async () => {
  await using workspace = await aWorkspace();
  const chat = workspace.chat({ as: tom });
  await chat.say('Where is A-1017?');
  await chat.expect.tool('order_status', { orderId: 'A-1017' });
  await chat.expect.message('It is shipped');
});

test('a refund of a whole order waits for a person; if it is denied, people take over', async () => {
  await using workspace = await aWorkspace();
  const chat = workspace.chat({ as: tom });
  assert.deepEqual(await chat.say('Please refund A-1017'), []);
  const { conversationId } = chat;
  const { items } = await workspace.call('confirmations.list', {
    conversationId,
    open: true,
  });
  assert.equal(items[0].tool, 'refund_order');
  await workspace.call('confirmations.answer', {
    id: items[0].id,
    answer: 'deny',
  });
  await workspace.settled();
  await chat.expect.path('nora:handedOver', 'team');
  const { ai } = await workspace.call('conversations.get', {
    id: conversationId,
  });
  assert.equal(ai.state, 'paused');
});
