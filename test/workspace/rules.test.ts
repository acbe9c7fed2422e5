/** The rules that the specification states, each under its own words (contract.md 4, in italics). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelKinds } from '../../src/contract/index.ts';
import { admin, aWorkspace, functionOf } from './support.ts';

const templateApp = functionOf('template-app');
const linkApp = functionOf('session-link-app');
const shipped = { template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } };

test('unknown number → the customer is created', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed: 'default' });
  assert.equal((await refused('customers.find', { phone: '+4930901820' })).code, 'customer_not_found');
  const sent = await call('messages.sendTemplate', { to: '+49 30 901820', ...shipped }, templateApp);
  assert.deepEqual(sent.created, { customer: true, conversation: true });
  assert.equal((await call('customers.find', { phone: '+4930901820' })).id, sent.customerId);
});

test('when the customer replies, the conversation appears in the inbox', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const { conversationId } = await call('messages.sendTemplate', { to: '+4930901820', ...shipped }, templateApp);
  const inbox = async () => (await call('conversations.list', {})).items.map((item) => item.id);
  assert.equal((await call('conversations.get', { id: conversationId })).inbox, false);
  assert.ok(!(await inbox()).includes(conversationId));
  await call('messages.receive', { phone: '+4930901820', channel: 'messaging-app', text: 'Thank you!' });
  assert.equal((await call('conversations.get', { id: conversationId })).inbox, true);
  assert.equal((await inbox())[0], conversationId);
});

test('approved templates', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const { items } = await call('messageTemplates.list', {}, templateApp);
  assert.ok(items.length >= 8);
  assert.deepEqual(new Set(items.map((template) => template.status)), new Set(['approved']));
  assert.ok(!items.some((template) => ['feedback_request', 'flash_sale', 'winter_roast'].includes(template.name)));
});

test('creates what is missing', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const first = await call('conversations.link', { phone: '+4930901820', channel: 'messaging-app' }, linkApp);
  assert.deepEqual(first.created, { customer: true, conversation: true });
  const second = await call('conversations.link', { phone: '+4930901820', channel: 'web-chat' }, linkApp);
  assert.deepEqual(second.created, { customer: false, conversation: true });
});

test('the same customer on the same channel always gets the same conversation', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: 'default', onDisk: true });
  const ways = [
    () => workspace.call('conversations.link', { phone: '+4930901820', channel: 'messaging-app' }, linkApp),
    () => workspace.call('messages.sendTemplate', { to: '0049 30 901820', ...shipped }, templateApp),
    () =>
      workspace.call('messages.receive', { phone: '+49-30-901820', channel: 'messaging-app', text: 'Hello' }, admin),
  ];
  const made = await Promise.all(Array.from({ length: 200 }, (_, n) => (ways[n % 3] ?? ways[0])?.()));
  assert.equal(new Set(made.map((one) => one?.conversationId)).size, 1);
  const id = made[0]?.conversationId ?? '';
  await call('conversations.close', { id });
  assert.equal(
    (await call('conversations.link', { phone: '+4930901820', channel: 'messaging-app' }, linkApp)).conversationId,
    id,
  );
  assert.equal((await call('conversations.get', { id })).status, 'open');
});

test('works with every connected channel', async (t) => {
  const { call } = await aWorkspace(t);
  for (const kind of channelKinds) {
    const channel = await call('channels.connect', { kind });
    const identity = channel.reaches.includes('phone') ? { phone: '+4930901820' } : { email: 'ann@mail.example' };
    const { conversationId } = await call('conversations.link', { ...identity, channel: kind }, linkApp);
    assert.equal((await call('conversations.get', { id: conversationId })).channelId, channel.id);
  }
});

test('the value is shown once', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const { token, id } = await call('tokens.create', { name: 'CRM' });
  assert.equal((await workspace.authenticate(`Bearer ${token}`)).id, id);
  assert.ok(!JSON.stringify(await call('tokens.list', {})).includes(token));
  assert.ok(!JSON.stringify(await call('tokens.revoke', { id })).includes(token));
  assert.ok(!JSON.stringify(await call('workspace.export', {})).includes(token));
});

test('days never expire and can be combined', async (t) => {
  const { call, clock } = await aWorkspace(t);
  const first = await call('packs.add', { days: 2, name: 'First' });
  const second = await call('packs.add', { days: 3, name: 'Second' });
  clock.advance(20 * 365 * 86_400_000);
  assert.deepEqual(await call('packs.balance', {}), { days: 5, used: 0, left: 5 });
  const booked = await call('packs.use', { days: 4.25, note: 'CRM sync' });
  assert.deepEqual(booked.packs, [
    { id: first.id, days: 2 },
    { id: second.id, days: 2.25 },
  ]);
  assert.equal(booked.left, 0.75);
});
