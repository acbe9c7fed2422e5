import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

test('a question about opening hours is answered without an AI', async () => {
  await using workspace = await aWorkspace();
  const chat = workspace.chat({ as: '+4930901820' });
  await chat.say('What are your opening hours?');
  await chat.expect.message('from 9 to 17');
  await chat.expect.path('which:opening hours', 'hours');
});

test('the AI agent says where an order is', async () => {
  await using workspace = await aWorkspace();
  const chat = workspace.chat({ as: '+4930901820' });
  await chat.say('Where is A-1017?');
  await chat.expect.message('Order A-1017 is on its way.');
  await chat.expect.path('which:else', 'answer:completed');
});

test('whoever wants a person gets one, and the AI is paused', async () => {
  await using workspace = await aWorkspace();
  const chat = workspace.chat({ as: '+4930901820' });
  await chat.say('I want a person');
  await chat.expect.path('answer:handedOver', 'team');
  const { ai, assignee } = await workspace.call('conversations.get', {
    id: chat.conversationId,
  });
  assert.equal(ai.state, 'paused');
  assert.ok(assignee.workgroupId);
});
