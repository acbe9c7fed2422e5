import fixture from '{{fixture}}' with { type: 'json' };
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const method = '{{name}}';
const endpoint = `/api/dev/custom-functions/{{app}}/${method}.js`;

test('a customer who has written is found, with the open conversation', async () => {
  await using workspace = await aWorkspace({ seed: {} });
  const { conversationId } = await workspace.customerWrites({
    phone: fixture.phone,
    text: 'Hello?',
    channel: 'web-chat',
  });

  const found = await workspace.invoke(method, fixture);

  const conversation = await workspace.call('conversations.get', {
    id: conversationId,
  });
  assert.equal(found.customerId, conversation.customerId);
  assert.equal(found.openConversations.length, 1);
  assert.ok(found.openConversations[0].endsWith(conversationId));
});

test('another system can call the endpoint; an unknown number is 404, a body without one is refused', async () => {
  await using workspace = await aWorkspace({
    seed: { customers: [{ name: 'Ann Larsen', phone: fixture.phone }] },
  });
  const post = (body = {}) =>
    workspace.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  assert.equal((await post(fixture)).status, 200);
  assert.equal((await post({ phone: '+49 30 23125 099' })).status, 404);
  assert.equal((await post({ phone: 'unknown' })).status, 404);
  assert.equal((await post({ name: 'Nobody' })).status, 422);
});
