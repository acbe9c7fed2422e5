import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const job = '{{name}}';
const phone = '+493023125017';

test('a conversation is closed after a week without activity, not before', async () => {
  await using workspace = await aWorkspace({
    now: '2026-03-02T12:00:00Z',
    seed: {},
  });
  const { conversationId } = await workspace.customerWrites({
    phone,
    text: 'Thank you!',
    channel: 'web-chat',
  });
  const status = async () =>
    (await workspace.call('conversations.get', { id: conversationId })).status;

  await workspace.clock.advance('6d'); // the nightly job ran on the way, once
  assert.equal(await status(), 'open');

  await workspace.clock.advance('2d');
  assert.equal(await status(), 'closed');
});

test('if there is nothing to close, nothing happens', async () => {
  await using workspace = await aWorkspace({ seed: {} });
  assert.deepEqual(await workspace.invoke(job), {
    closed: [],
    total: 0,
  });
});
