import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { eventData } from '../../src/contract/shapes/index.ts';
import { aWorkspace, noon } from './support.ts';

/** A workspace with a conversation: `customer.created`, `conversation.created`, three times `message.received`. */
async function aConversation(t: Parameters<typeof aWorkspace>[0], options: { onDisk?: boolean } = {}) {
  const made = await aWorkspace(t, { ...options, seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const { conversationId } = await made.call('messages.receive', { phone: '+4930901820', text: 'One' });
  await made.call('messages.receive', { conversationId, text: 'Two' });
  await made.call('messages.receive', { conversationId, text: 'Three' });
  return { ...made, conversationId };
}

const types = ({ items }: { items: { type: string }[] }) => items.map(({ type }) => type);

test('events.list is oldest first, and its cursor goes on where the page ended', async (t) => {
  const { call } = await aConversation(t);
  const first = await call('events.list', { limit: 2 });
  assert.deepEqual(types(first), ['customer.created', 'conversation.created']);
  assert.ok(first.nextCursor);
  const rest = await call('events.list', { cursor: first.nextCursor });
  assert.deepEqual(types(rest), ['message.received', 'message.received', 'message.received']);
  assert.equal(rest.nextCursor, null);
});

test('events.list with order desc is newest first', async (t) => {
  const { call } = await aConversation(t);
  const first = await call('events.list', { limit: 2, order: 'desc' });
  assert.deepEqual(types(first), ['message.received', 'message.received']);
  assert.ok(first.nextCursor);
  const next = await call('events.list', { limit: 2, order: 'desc', cursor: first.nextCursor });
  assert.deepEqual(types(next), ['message.received', 'conversation.created']);
});

test('events.list filters by kind, group, conversation and time', async (t) => {
  const { call, clock, conversationId } = await aConversation(t);
  assert.deepEqual(types(await call('events.list', { type: 'message.received', limit: 1 })), ['message.received']);
  assert.deepEqual(types(await call('events.list', { type: 'customer.*, message.received', limit: 2 })), [
    'customer.created',
    'message.received',
  ]);
  assert.deepEqual(types(await call('events.list', { conversationId, limit: 1 })), ['conversation.created']);
  clock.advance(1000);
  await call('messages.receive', { conversationId, text: 'Later' });
  assert.deepEqual(types(await call('events.list', { since: new Date(noon + 1000).toISOString() })), [
    'message.received',
  ]);
});

test('the resume cursor of a list shows what happened after it, and nothing else', async (t) => {
  const { call, conversationId } = await aConversation(t);
  const { resumeCursor } = await call('events.list', { type: 'customer.created' });
  assert.deepEqual(types(await call('events.list', { cursor: resumeCursor })), []);
  await call('messages.receive', { conversationId, text: 'Four' });
  assert.deepEqual(types(await call('events.list', { cursor: resumeCursor })), ['message.received']);
});

test('an event has the envelope of the contract, and its data fits the shape of its kind', async (t) => {
  const { call } = await aConversation(t);
  const { items } = await call('events.list', {});
  for (const { type, data } of items) eventData[type].strict().parse(data);
  const [event] = items;
  assert.ok(event);
  const { id, data, traceId, ...rest } = event;
  assert.match(id, /^evt_/);
  assert.match(String(traceId), /^[0-9a-f]{32}$/);
  assert.ok('customer' in data);
  assert.deepEqual(rest, {
    type: 'customer.created',
    timestamp: new Date(noon).toISOString(),
    apiVersion: '2026-11-01',
    workspace: 'acme',
    environment: 'local',
    actor: { type: 'api', id: 'tok_admin' },
    conversationId: null,
    sequence: null,
    previous: null,
    causeId: null,
  });
});

test('events of one change share a trace', async (t) => {
  const { call } = await aConversation(t);
  const { items } = await call('events.list', {});
  assert.equal(items[0]?.traceId, items[1]?.traceId);
  assert.notEqual(items[2]?.traceId, items[3]?.traceId);
});

test('events.show gives an event; one that there is not is refused', async (t) => {
  const { call, refused } = await aConversation(t);
  const { items } = await call('events.list', { limit: 1 });
  assert.deepEqual(await call('events.show', { id: String(items[0]?.id) }), items[0]);
  assert.equal((await refused('events.show', { id: 'evt_none' })).code, 'event_not_found');
});

test('a kind that there is not is refused with the one that was meant', async (t) => {
  const { refused } = await aConversation(t);
  const error = await refused('events.list', { type: 'message.recieved' });
  assert.equal(error.code, 'event_unknown');
  assert.match(String(error.hint), /message\.received/);
});

test('a cursor of something else is refused', async (t) => {
  const { refused } = await aConversation(t);
  assert.equal((await refused('events.list', { cursor: 'MTA.aaaaaaaaaaaaaaaa' })).code, 'cursor_invalid');
});

test('a cursor older than what is kept is refused with the oldest one', async (t) => {
  const made = await aConversation(t, { onDisk: true });
  const { nextCursor } = await made.call('events.list', { limit: 1 });
  assert.ok(nextCursor);
  await made.workspace.close();
  const database = new DatabaseSync(made.file);
  database.exec('DELETE FROM journal WHERE seq < 4');
  database.close();
  const { call, refused } = await made.reopened();
  const error = await refused('events.list', { cursor: nextCursor });
  assert.equal(error.code, 'cursor_expired');
  const { oldestCursor } = error.details as { oldestCursor: string };
  assert.deepEqual(types(await call('events.list', { cursor: oldestCursor })), [
    'message.received',
    'message.received',
  ]);
});

test('events.trigger writes an example that is marked synthetic, with what is to differ', async (t) => {
  const { call } = await aWorkspace(t);
  const event = await call('events.trigger', { type: 'message.received', data: { message: { text: 'Where is it?' } } });
  assert.deepEqual([event.type, event.synthetic, event.sequence], ['message.received', true, null]);
  const { message } = event.data as { message: { text: string; conversationId: string; direction: string } };
  assert.deepEqual([message.text, message.direction], ['Where is it?', 'in']);
  assert.equal(event.conversationId, message.conversationId);
  assert.deepEqual((await call('events.list', {})).items, [event]);
  assert.deepEqual((await call('conversations.list', { inbox: 'all' })).items, [], 'nothing has happened');
});

test('events.trigger refuses kinds that there are not, and what an event cannot carry', async (t) => {
  const { refused } = await aWorkspace(t);
  const unknown = await refused('events.trigger', { type: 'message.recieved' });
  assert.deepEqual([unknown.code, unknown.hint], ['event_unknown', 'Did you mean message.received?']);
  assert.equal((await refused('events.trigger', { type: 'message.*' })).code, 'event_unknown');
  const problems = async (data: Record<string, never>) => {
    const { code, errors } = await refused('events.trigger', { type: 'message.received', data });
    return [code, errors?.map(({ path }) => path)];
  };
  const given = (data: object) => problems(data as Record<string, never>);
  assert.deepEqual(await given({ message: { txt: 'Hi' } }), ['input_invalid', ['data.message.txt']]);
  assert.deepEqual(await given({ message: { text: 7 } }), ['input_invalid', ['data.message.text']]);
  assert.deepEqual(await given({ customer: {} }), ['input_invalid', ['data.customer']]);
});
