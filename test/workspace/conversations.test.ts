import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seed } from '../../src/contract/shapes/index.ts';
import fc from '../properties.ts';
import { admin, aWorkspace, codeOf, functionOf } from './support.ts';

const link = functionOf('session-link-app');
const seed: Seed = {
  channels: [
    { kind: 'messaging-app', name: 'Messaging app' },
    { kind: 'email', name: 'Post' },
    { kind: 'web-chat', name: 'Shop chat' },
    { kind: 'sms', name: 'Old SMS', connected: false },
  ],
  workgroups: [{ name: 'Orders' }],
  agents: [{ name: 'Jonas', email: 'jonas@acme.example', workgroups: ['Orders'] }],
};

test('conversations.link makes customer and conversation, and gives the direct link', async (t) => {
  const { call, heard } = await aWorkspace(t, { seed });
  const made = await call('conversations.link', { phone: '+49 30 901820', name: 'Ann' }, link);
  assert.deepEqual(made.created, { customer: true, conversation: true });
  assert.equal(made.url, `http://127.0.0.1:4242/tenants/acme/conversations/${made.conversationId}`);
  const conversation = await call('conversations.get', { id: made.conversationId });
  assert.equal(conversation.url, made.url);
  assert.equal(conversation.inbox, false);
  assert.equal((await call('customers.get', { id: made.customerId })).name, 'Ann');
  assert.deepEqual(
    heard.map((event) => event.type),
    ['customer.created', 'conversation.created'],
  );
  assert.deepEqual(heard[0]?.actor, { type: 'function', id: 'api/x' });
});

test('linking twice gives the same conversation, whatever the spelling', async (t) => {
  const { call } = await aWorkspace(t, { seed });
  const separator = fc.constantFrom('', ' ', '-');
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[1-9][0-9]{6}$/), separator, separator, async (digits, one, two) => {
      const first = await call('conversations.link', { phone: `+4930${digits}` }, link);
      const again = await call('conversations.link', { phone: `+49${one}30${two}${digits}` }, link);
      assert.equal(again.conversationId, first.conversationId);
      assert.equal(again.customerId, first.customerId);
      assert.deepEqual(again.created, { customer: false, conversation: false });
    }),
    { numRuns: 50 },
  );
});

test('linking twice gives the same conversation, also under 200 parallel requests', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed, onDisk: true });
  const links = await Promise.all(
    Array.from({ length: 200 }, () => workspace.call('conversations.link', { phone: '+4930901820' }, link)),
  );
  assert.equal(new Set(links.map((one) => one.conversationId)).size, 1);
  assert.equal(links.filter((one) => one.created.conversation).length, 1);
  assert.equal((await call('conversations.list', { inbox: 'all' })).items.length, 1);
});

test('another channel is another conversation of the same customer', async (t) => {
  const { call } = await aWorkspace(t, { seed });
  const app = await call('conversations.link', { phone: '+4930901820', channel: 'messaging-app' }, link);
  const chat = await call('conversations.link', { phone: '+4930901820', channel: 'shop CHAT' }, link);
  assert.notEqual(app.conversationId, chat.conversationId);
  assert.equal(app.customerId, chat.customerId);
  const { channelId } = await call('conversations.get', { id: chat.conversationId });
  const byId = await call('conversations.link', { phone: '+4930901820', channel: channelId }, link);
  assert.equal(byId.conversationId, chat.conversationId);
});

test('without a channel the first connected one that reaches the identity is taken', async (t) => {
  const { call } = await aWorkspace(t, { seed });
  const channels = (await call('channels.list', {})).items;
  const kindOf = async (id: string) => {
    const { channelId } = await call('conversations.get', { id });
    return channels.find((channel) => channel.id === channelId)?.kind;
  };
  assert.equal(
    await kindOf((await call('conversations.link', { phone: '+4930901820' }, link)).conversationId),
    'messaging-app',
  );
  assert.equal(
    await kindOf((await call('conversations.link', { email: 'ann@mail.example' }, link)).conversationId),
    'email',
  );
});

test('a channel that cannot reach the identity is refused, and nothing is made', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed });
  const codes: [object, string][] = [
    [{ email: 'ann@mail.example', channel: 'messaging-app' }, 'channel_unreachable'],
    [{ phone: '+4930901820', channel: 'Post' }, 'channel_unreachable'],
    [{ phone: '+4930901820', channel: 'sms' }, 'channel_disconnected'],
    [{ phone: '+4930901820', channel: 'carrier pigeon' }, 'channel_not_found'],
    [{ phone: 'none' }, 'recipient_invalid'],
    [{ phone: '+4930901820', assign: { agentEmail: 'nobody@acme.example' } }, 'agent_not_found'],
    [{ phone: '+4930901820', assign: { agentEmail: 'no address' } }, 'agent_not_found'],
    [{ phone: '+4930901820', assign: { agentId: 'agt_nobody' } }, 'agent_not_found'],
    [{ phone: '+4930901820', assign: { workgroupId: 'wgr_none' } }, 'workgroup_not_found'],
  ];
  for (const [input, code] of codes) {
    assert.equal((await refused('conversations.link', input, link)).code, code, JSON.stringify(input));
  }
  assert.deepEqual((await call('customers.list', {})).items, []);
  assert.deepEqual((await call('conversations.list', { inbox: 'all' })).items, []);
});

test('without any channel that reaches the identity there is no link', async (t) => {
  const { refused } = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  assert.equal((await refused('conversations.link', { email: 'ann@mail.example' }, link)).code, 'channel_unreachable');
});

test('a customer known by phone is reached there, though asked for by e-mail', async (t) => {
  const { call } = await aWorkspace(t, { seed });
  await call('customers.findOrCreate', { phone: '+4930901820', email: 'ann@mail.example' });
  const byPhone = await call('conversations.link', { phone: '+4930901820', channel: 'messaging-app' }, link);
  const byEmail = await call('conversations.link', { email: 'ann@mail.example', channel: 'messaging-app' }, link);
  assert.equal(byEmail.conversationId, byPhone.conversationId);
});

test('linking opens a closed conversation again', async (t) => {
  const { call, heard } = await aWorkspace(t, { seed });
  const { conversationId: id } = await call('conversations.link', { phone: '+4930901820' }, link);
  await call('conversations.close', { id });
  assert.equal((await call('conversations.link', { phone: '+4930901820' }, link)).conversationId, id);
  assert.equal((await call('conversations.get', { id })).status, 'open');
  assert.equal(heard.at(-1)?.type, 'conversation.reopened');
});

test('a conversation is assigned by agent id, agent e-mail or workgroup, or to nobody', async (t) => {
  const { call, heard } = await aWorkspace(t, { seed });
  const [agent] = (await call('agents.list', {})).items;
  const [group] = (await call('workgroups.list', {})).items;
  const toAgent = { agentId: agent?.id ?? '', workgroupId: null };
  const { conversationId: id } = await call(
    'conversations.link',
    { phone: '+4930901820', assign: { agentEmail: 'JONAS@acme.example' } },
    link,
  );
  assert.deepEqual((await call('conversations.get', { id })).assignee, toAgent);
  const toGroup = await call('conversations.assign', { id, assign: { workgroupId: group?.id ?? '' } });
  assert.deepEqual(toGroup.assignee, { agentId: null, workgroupId: group?.id });
  assert.deepEqual(heard.at(-1)?.previous, { assignee: toAgent });
  assert.deepEqual(
    (await call('conversations.assign', { id, assign: { agentId: agent?.id ?? '' } })).assignee,
    toAgent,
  );
  assert.deepEqual((await call('conversations.assign', { id, assign: null })).assignee, {
    agentId: null,
    workgroupId: null,
  });
  const types = heard.map((event) => event.type).filter((type) => type.includes('assign'));
  assert.deepEqual(types, [
    'conversation.assigned',
    'conversation.assigned',
    'conversation.assigned',
    'conversation.unassigned',
  ]);
});

test('assigning, closing and reopening what is so already is no event', async (t) => {
  const { call, heard } = await aWorkspace(t, { seed });
  const { conversationId: id } = await call('conversations.link', { phone: '+4930901820' }, link);
  await call('conversations.assign', { id, assign: null });
  await call('conversations.reopen', { id });
  await call('conversations.close', { id });
  await call('conversations.close', { id });
  assert.deepEqual(heard.map((event) => event.type).slice(2), ['conversation.closed']);
});

test('each operation on a conversation says that there is none', async (t) => {
  const { refused } = await aWorkspace(t, { seed });
  const id = 'cnv_none';
  const inputs = {
    'conversations.get': { id },
    'conversations.close': { id },
    'conversations.reopen': { id },
    'conversations.assign': { id, assign: null },
    'messages.list': { conversationId: id },
    'messages.send': { conversationId: id, text: 'Hello' },
    'messages.receive': { conversationId: id, text: 'Hello' },
  } as const;
  for (const [name, input] of Object.entries(inputs)) {
    assert.equal((await refused(name as keyof typeof inputs, input)).code, 'conversation_not_found', name);
  }
});

test('conversations.assign, close and reopen honour If-Match', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t, { seed });
  const { conversationId: id } = await call('conversations.link', { phone: '+4930901820' }, link);
  const ifMatch = workspace.etagOf('conversations.get', await call('conversations.get', { id })) ?? '';
  await call('conversations.close', { id }, admin, { ifMatch });
  for (const name of ['conversations.close', 'conversations.reopen'] as const) {
    assert.equal((await refused(name, { id }, admin, { ifMatch })).code, 'version_conflict');
  }
  assert.equal(
    (await refused('conversations.assign', { id, assign: null }, admin, { ifMatch })).code,
    'version_conflict',
  );
});

test('conversations.list shows the inbox, the newest activity first, and filters', async (t) => {
  const { call, clock } = await aWorkspace(t, { seed });
  const ids: string[] = [];
  for (const phone of ['+4930901820', '+4930901821', '+4930901822']) {
    ids.push((await call('messages.receive', { phone, text: 'Hello' })).conversationId);
    clock.advance(1000);
  }
  const [first = '', second = '', third = ''] = ids;
  const silent = await call('conversations.link', { email: 'silent@mail.example' }, link);
  await call('messages.receive', { conversationId: first, text: 'Again' });
  await call('conversations.close', { id: second });
  const listed = async (input: object) => (await call('conversations.list', input)).items.map((item) => item.id);
  assert.deepEqual(await listed({}), [first, third, second]);
  assert.deepEqual(await listed({ status: 'open' }), [first, third]);
  assert.deepEqual(await listed({ inbox: 'false' }), [silent.conversationId]);
  assert.equal((await listed({ inbox: 'all' })).length, 4);
  assert.deepEqual(await listed({ customerId: silent.customerId, inbox: 'all' }), [silent.conversationId]);
  const [agent] = (await call('agents.list', {})).items;
  await call('conversations.assign', { id: third, assign: { agentId: agent?.id ?? '' } });
  assert.deepEqual(await listed({ agentId: agent?.id }), [third]);
  assert.deepEqual(await listed({ workgroupId: 'wgr_none' }), []);
  const post = (await call('channels.list', {})).items.find((channel) => channel.kind === 'email');
  assert.deepEqual(await listed({ channelId: post?.id, inbox: 'all' }), [silent.conversationId]);
});

test('agents.list names each agent’s workgroups and finds by name or e-mail', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const agents = (await call('agents.list', {})).items;
  const names = new Map((await call('workgroups.list', {})).items.map((group) => [group.id, group.name]));
  assert.deepEqual(
    agents.map((agent) => agent.name),
    ['Jonas Petersen', 'Lena Brandt', 'Mira Öztürk', 'Samuel Adeyemi'],
  );
  assert.deepEqual(agents[2]?.workgroupIds.map((id) => names.get(id)).sort(), ['Orders', 'Wholesale']);
  assert.deepEqual(
    (await call('agents.list', { search: 'LENA@' })).items.map((agent) => agent.name),
    ['Lena Brandt'],
  );
});

test('channels.connect and channels.disconnect: a channel that comes back is the same one', async (t) => {
  const { call, refused, heard } = await aWorkspace(t);
  const channel = await call('channels.connect', { kind: 'messaging-app' });
  assert.deepEqual([channel.name, channel.connected, channel.reaches], ['Messaging app', true, ['phone']]);
  assert.equal((await refused('channels.connect', { kind: 'messaging-app' })).code, 'channel_exists');
  assert.equal((await refused('channels.connect', { kind: 'sms', name: 'MESSAGING APP' })).code, 'channel_exists');
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hello' });
  assert.equal((await call('channels.disconnect', { id: channel.id })).connected, false);
  assert.equal((await call('channels.disconnect', { id: channel.id })).connected, false);
  assert.equal((await refused('messages.send', { conversationId, text: 'Hi' })).code, 'channel_disconnected');
  assert.equal((await refused('messages.receive', { conversationId, text: 'Hi' })).code, 'channel_disconnected');
  assert.equal((await call('channels.connect', { kind: 'messaging-app' })).id, channel.id);
  await call('messages.send', { conversationId, text: 'Hi' });
  assert.equal((await refused('channels.disconnect', { id: 'chn_none' })).code, 'channel_not_found');
  const types = heard.map((event) => event.type).filter((type) => type.startsWith('channel.'));
  assert.deepEqual(types, ['channel.connected', 'channel.disconnected', 'channel.connected']);
});

test('messages.list has the messages in order, messages.send puts text, media and quick replies into it', async (t) => {
  const { call, clock, refused } = await aWorkspace(t, { seed });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hello' });
  clock.advance(1000);
  const quickReplies = [{ id: 'y', title: 'Yes' }];
  const sent = await call('messages.send', { conversationId, text: 'Coming?', quickReplies }, functionOf('desk'));
  assert.deepEqual(sent.author, { type: 'function', id: 'api/x' });
  assert.deepEqual(sent.quickReplies, quickReplies);
  const media = { url: 'https://acme.example/menu.pdf', fileName: 'menu.pdf' };
  const withMedia = await call('messages.send', { conversationId, media });
  assert.deepEqual(withMedia.media, { ...media, type: 'link' });
  const listed = (await call('messages.list', { conversationId })).items;
  assert.deepEqual(
    listed.map((message) => [message.direction, message.text]),
    [
      ['in', 'Hello'],
      ['out', 'Coming?'],
      ['out', null],
    ],
  );
  const { lastMessageAt } = await call('conversations.get', { id: conversationId });
  assert.equal(lastMessageAt, sent.createdAt);
  assert.equal(
    (await refused('messages.send', { conversationId, media: { mediaId: 'med_none' } })).code,
    'media_not_found',
  );
  assert.equal((await refused('messages.send', { conversationId })).code, 'input_invalid');
  assert.equal(
    (await refused('messages.send', { conversationId, media: { url: 'http://acme.example/a' } })).code,
    'input_invalid',
  );
});

test('messages.list begins at the end of a conversation where it is asked to', async (t) => {
  const { call, clock, refused } = await aWorkspace(t, { seed });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: '1' });
  for (const text of ['2', '3']) {
    clock.advance(1000);
    await call('messages.send', { conversationId, text });
  }
  // Of one moment: the order is that in which they came.
  await call('messages.send', { conversationId, text: '4' });
  const texts: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await call('messages.list', { conversationId, order: 'desc', limit: 2, ...(cursor && { cursor }) });
    texts.push(...page.items.map(({ text }) => text));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(texts, ['4', '3', '2', '1']);
  const { nextCursor } = await call('messages.list', { conversationId, order: 'desc', limit: 2 });
  assert.equal((await refused('messages.list', { conversationId, cursor: nextCursor })).code, 'cursor_invalid');
  assert.equal((await refused('messages.list', { conversationId, order: 'newest' })).code, 'input_invalid');
});

test('nothing is sent into a closed conversation; the customer’s next message opens it', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hello' });
  await call('conversations.close', { id: conversationId });
  assert.equal((await refused('messages.send', { conversationId, text: 'Hi' })).code, 'conversation_closed');
  await call('messages.receive', { conversationId, text: 'One more thing' });
  assert.equal((await call('conversations.get', { id: conversationId })).status, 'open');
});

test('messages.receive makes customer and conversation where they are missing', async (t) => {
  const { call, refused, heard } = await aWorkspace(t, { seed });
  const message = await call('messages.receive', {
    email: 'ann@mail.example',
    channel: 'Shop chat',
    name: 'Ann',
    text: 'Hello',
  });
  assert.deepEqual([message.direction, message.author.type, message.status], ['in', 'customer', 'received']);
  const conversation = await call('conversations.get', { id: message.conversationId });
  assert.equal(conversation.inbox, true);
  assert.deepEqual(
    heard.map((event) => event.type),
    ['customer.created', 'conversation.created', 'message.received'],
  );
  assert.equal((await refused('messages.receive', { text: 'Who am I?' })).code, 'input_invalid');
  assert.equal((await refused('messages.receive', { phone: 'x1z', text: 'Hello' })).code, 'recipient_invalid');
});

test('fifty messages at once keep the number and the order in which they were answered', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed, onDisk: true });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'start' });
  const order: string[] = [];
  await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      order.push((await workspace.call('messages.send', { conversationId, text: String(n) }, admin)).id);
    }),
  );
  const listed = (await call('messages.list', { conversationId, limit: 200 })).items.slice(1);
  assert.deepEqual(
    listed.map((message) => message.id),
    order,
  );
});

test('an unknown workgroup leaves the conversation as it was', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed });
  const { conversationId: id } = await call('conversations.link', { phone: '+4930901820' }, link);
  assert.equal(
    await codeOf(workspace.call('conversations.assign', { id, assign: { workgroupId: 'wgr_none' } }, admin)),
    'workgroup_not_found',
  );
  assert.deepEqual((await call('conversations.get', { id })).assignee, { agentId: null, workgroupId: null });
});
