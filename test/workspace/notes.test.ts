import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aWorkspace } from './support.ts';

async function aConversation(t: TestContext) {
  const made = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const { conversationId } = await made.call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  return { ...made, conversationId };
}

test('a note is kept on its conversation, in order, and is announced', async (t) => {
  const { call, conversationId, heard } = await aConversation(t);
  const first = await call('notes.add', { conversationId, text: 'Called back' });
  await call('notes.add', { conversationId, text: 'Wants a refund' });
  const { items } = await call('notes.list', { conversationId });
  assert.deepEqual(
    items.map(({ text }) => text),
    ['Called back', 'Wants a refund'],
  );
  const event = heard.find(({ type }) => type === 'note.created');
  assert.deepEqual(event?.data, { note: first });
});

test('a note on a conversation that there is not is refused', async (t) => {
  const { refused } = await aConversation(t);
  assert.equal((await refused('notes.add', { conversationId: 'cnv_no', text: 'x' })).code, 'conversation_not_found');
  assert.equal((await refused('notes.list', { conversationId: 'cnv_no' })).code, 'conversation_not_found');
});

test('conversations.update merges fields, and announces only a change', async (t) => {
  const { call, conversationId: id, heard } = await aConversation(t);
  await call('conversations.update', { id, fields: { order: 'A-1', vip: true } });
  const after = await call('conversations.update', { id, fields: { order: 'A-2', vip: null } });
  assert.deepEqual(after.fields, { order: 'A-2' });
  await call('conversations.update', { id, fields: { order: 'A-2' } });
  const events = heard.filter(({ type }) => type === 'conversation.updated');
  assert.equal(events.length, 2);
  assert.deepEqual(events[1]?.previous, { fields: { order: 'A-1', vip: true } });
});

test('a message that was sent is delivered at once, and is read when the customer opens it', async (t) => {
  const { call, conversationId, heard, refused } = await aConversation(t);
  const { id, status } = await call('messages.send', { conversationId, text: 'Hello' });
  assert.equal(status, 'sent');
  const listed = async () => (await call('messages.list', { conversationId })).items.at(-1)?.status;
  assert.equal(await listed(), 'delivered');
  assert.equal((await call('messages.updateStatus', { id, status: 'read' })).status, 'read');
  assert.equal(await listed(), 'read');
  const told = heard.filter(({ type }) => type === 'message.status').map(({ previous }) => previous);
  assert.deepEqual(told, [{ status: 'sent' }, { status: 'delivered' }]);
  assert.equal((await refused('messages.updateStatus', { id, status: 'delivered' })).code, 'message_status_invalid');
});

test('a message that failed says why', async (t) => {
  const { call, conversationId } = await aConversation(t);
  const { id } = await call('messages.send', { conversationId, text: 'Hello' });
  const failed = await call('messages.updateStatus', { id, status: 'failed', error: 'the number is blocked' });
  assert.deepEqual([failed.status, failed.error], ['failed', 'the number is blocked']);
});

test('the status of a message that there is not, or of one that the customer wrote, cannot be changed', async (t) => {
  const { call, conversationId, refused } = await aConversation(t);
  assert.equal((await refused('messages.updateStatus', { id: 'msg_no', status: 'read' })).code, 'message_not_found');
  const { id } = await call('messages.receive', { conversationId, text: 'Me' });
  assert.equal((await refused('messages.updateStatus', { id, status: 'read' })).code, 'message_status_invalid');
});

test('a customer taps a quick reply of the last message that offers some', async (t) => {
  const { call, conversationId, refused } = await aConversation(t);
  const quickReplies = [
    { id: 'yes', title: 'Yes' },
    { id: 'no', title: 'No' },
  ];
  await call('messages.send', { conversationId, text: 'Sure?', quickReplies });
  const { text, quickReplyId } = await call('messages.receive', { conversationId, quickReplyId: 'yes' });
  assert.deepEqual([text, quickReplyId], ['Yes', 'yes']);
  const wrong = await refused('messages.receive', { conversationId, quickReplyId: 'maybe' });
  assert.equal(wrong.code, 'quick_reply_unknown');
});

test('a customer can send media', async (t) => {
  const { call, conversationId, refused } = await aConversation(t);
  const { media } = await call('messages.receive', { conversationId, media: { url: 'https://shop.example/a.png' } });
  assert.equal(media?.url, 'https://shop.example/a.png');
  assert.equal((await refused('messages.receive', { conversationId })).code, 'input_invalid');
});
