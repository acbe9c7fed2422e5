import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const job = '{{name}}';
const phone = '+493023125017';

test('a conversation is reported after a week without activity, not before, and stays open', async () => {
  await using workspace = await aWorkspace({
    now: '2026-03-02T12:00:00Z',
    seed: {},
  });
  const { conversationId } = await workspace.customerWrites({
    phone,
    text: 'Thank you!',
    channel: 'web-chat',
  });
  const conversation = () =>
    workspace.call('conversations.get', { id: conversationId });

  await workspace.clock.advance('6d');
  assert.deepEqual(await workspace.invoke(job), { open: 1, idle: [] });

  await workspace.clock.advance('2d');
  const { url } = await conversation();
  assert.deepEqual(await workspace.invoke(job), { open: 1, idle: [url] });
  assert.equal((await conversation()).status, 'open');
});

test('it runs once a night', async () => {
  await using workspace = await aWorkspace({
    now: '2026-03-02T12:00:00Z',
    seed: {},
  });
  await workspace.clock.advance('1d');
  const { items } = await workspace.call('invocations.list', { function: job });
  assert.deepEqual(
    items.map(({ status }) => status),
    ['ok'],
  );
});
