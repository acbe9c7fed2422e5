import fixture from '{{fixture}}' with { type: 'json' };
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const method = '{{name}}';
const endpoint = `/api/dev/custom-functions/{{app}}/${method}.js`;

test('a new number becomes a customer, once', async () => {
  await using workspace = await aWorkspace();

  const first = await workspace.invoke(method, fixture);
  const again = await workspace.invoke(method, fixture);

  assert.equal(first.created, true);
  assert.equal(again.created, false);
  assert.equal(again.customerId, first.customerId);
});

test('a customer who has already written has an open conversation', async () => {
  await using workspace = await aWorkspace();
  const { conversationId } = await workspace.customerWrites({
    phone: fixture.phone,
    text: 'Hello?',
  });

  const { openConversations } = await workspace.invoke(method, fixture);

  assert.equal(openConversations.length, 1);
  assert.ok(openConversations[0].endsWith(conversationId));
});

test('another system can call the endpoint, and a body without a usable number is refused', async () => {
  await using workspace = await aWorkspace();
  const post = (body = {}) =>
    workspace.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  assert.equal((await post(fixture)).status, 200);
  assert.equal((await post({ name: 'Nobody' })).status, 422);
  assert.equal((await post({ phone: 'unknown' })).status, 422);
});
