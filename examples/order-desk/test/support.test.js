import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

/**
 * Starts the stock service for a test, at a free port.
 * @param {import('node:test').TestContext} t
 * @returns its address
 */
async function startStock(t) {
  const file = join(import.meta.dirname, '../stock/server.js');
  const server = spawn(process.execPath, [file, '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => server.kill());
  const [said] = await once(createInterface(server.stderr), 'line');
  return String(said).split(' ').at(-1) ?? '';
}

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

test('the agent asks the stock service what is there', async (t) => {
  await using workspace = await aWorkspace();
  await workspace.call('mcpClients.update', {
    id: 'stock',
    url: await startStock(t),
  });
  const chat = workspace.chat({ as: tom });
  await chat.say('Is tnt-120 in stock?');
  await chat.expect.message('Tent for two: 12 in stock');
});

test('a refund of 80 euros is made once a person has allowed it', async () => {
  await using workspace = await aWorkspace({ now: '2026-03-02T12:00:00Z' });
  const chat = workspace.chat({ as: tom });
  assert.deepEqual(await chat.say('Please refund 80 € of A-1017'), []);
  const { items } = await workspace.call('confirmations.list', { open: true });
  assert.deepEqual(items[0].arguments, {
    orderId: 'A-1017',
    euros: 80,
    reason: 'The customer asked for a refund',
  });
  await workspace.call('confirmations.answer', {
    id: items[0].id,
    answer: 'allow',
  });
  await chat.advance('1s');
  await chat.expect.message('€80.00 of A-1017 are refunded');
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
