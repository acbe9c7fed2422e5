import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

test('the agent says where an order is', async () => {
  await using workspace = await aWorkspace();
  const run = await workspace.runAgent('{{name}}', 'Where is A-1017?');
  assert.equal(run.text, 'Order A-1017 is on its way.');
});

test('whoever wants a person gets one, and the AI is paused', async () => {
  await using workspace = await aWorkspace();
  const { conversationId } = await workspace.customerWrites({
    phone: '+4930901820',
    text: 'I want a person',
    channel: 'web-chat',
  });
  const run = await workspace.runAgent('{{name}}', undefined, {
    conversationId,
  });
  assert.equal(run.status, 'handedOver');
  const { ai } = await workspace.call('conversations.get', {
    id: conversationId,
  });
  assert.equal(ai.state, 'paused');
});
