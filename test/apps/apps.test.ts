import assert from 'node:assert/strict';
import test from 'node:test';
import { anEmulator } from '../emulator/an-emulator.ts';

const { post, ask, url, emulator, workspace } = await anEmulator();
const send = '/custom-functions/template-app/api/template/send.js';
const list = '/custom-functions/template-app/api/template/list.js';
const upload = '/custom-functions/template-app/api/template/upload-credentials.js';
const link = '/custom-functions/session-link-app/api/session/link.js';
const everyone = { type: 'local', id: null, scopes: ['read', 'write', 'send', 'deploy', 'admin'] } as const;
const door = emulator.door(everyone);
const variables = { body: ['Ann', 'A-17'] };

interface Sent {
  conversationId: string;
  conversationUrl: string;
  customerId: string;
  messageId: string;
  created: { customer: boolean; conversation: boolean };
}
const sendTo = async (to: string, more: object = {}): Promise<Sent> => {
  const response = await post(send, { to, template: 'order_shipped', variables, ...more });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Sent;
};
const linkTo = async (who: object) => {
  const response = await post(link, who);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as {
    conversationId: string;
    url: string;
    customerId: string;
    created: { customer: boolean; conversation: boolean };
  };
};

// The rules below are sentences of the platform's developer interface (4.1 to 4.4).

test('When the recipient number is new, the customer is created.', async () => {
  const sent = await sendTo('+4930901701');
  assert.deepEqual(sent.created, { customer: true, conversation: true });
  assert.equal((await door('customers.get', { id: sent.customerId })).phone, '+4930901701');
  assert.equal((await sendTo('+4930901701')).created.customer, false);
});

test('The response is the conversation id and a direct link to the conversation.', async () => {
  const sent = await sendTo('+4930901702');
  assert.equal(sent.conversationUrl, `${url}/tenants/dev/conversations/${sent.conversationId}`);
  const page = await fetch(sent.conversationUrl, { headers: { authorization: `Bearer fn_local_${'t'.repeat(32)}` } });
  assert.equal(page.status, 200);
  const { items } = await door('messages.list', { conversationId: sent.conversationId });
  assert.match(items[0]?.text ?? '', /A-17/);
});

test('When the customer replies, the conversation appears in the workspace inbox.', async () => {
  const { conversationId } = await sendTo('+4930901703');
  const inbox = async () =>
    (await door('conversations.list', { limit: 200 })).items.some(({ id }) => id === conversationId);
  assert.equal(await inbox(), false);
  await door('messages.receive', { conversationId, text: 'Thanks!' });
  assert.equal(await inbox(), true);
});

test('It returns the approved templates of the workspace.', async () => {
  const { items } = (await (await ask(`${list}?limit=200`)).json()) as { items: { status: string; name: string }[] };
  assert.ok(items.length > 3);
  assert.deepEqual([...new Set(items.map(({ status }) => status))], ['approved']);
});

test('The Template API app offers an operation that returns upload credentials for media headers of templates.', async () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const made = await post(upload, { fileName: 'a.png', contentType: 'image/png', bytes: bytes.length });
  assert.equal(made.status, 201);
  const { uploadUrl, method, headers, mediaId } = (await made.json()) as {
    uploadUrl: string;
    method: string;
    headers: Record<string, string>;
    mediaId: string;
  };
  const put = await fetch(uploadUrl, { method, headers, body: bytes });
  assert.equal(put.status, 200, await put.clone().text());
  const again = await fetch(uploadUrl, { method, headers, body: bytes });
  assert.equal(((await again.json()) as { code: string }).code, 'upload_already_done');
  const got = await ask(`/media/${mediaId}`);
  assert.deepEqual(new Uint8Array(await got.arrayBuffer()), bytes);
  assert.match(got.headers.get('content-security-policy') ?? '', /sandbox/);
});

test('When the customer or the conversation does not exist, both are created.', async () => {
  assert.deepEqual((await linkTo({ phone: '+4930901704' })).created, { customer: true, conversation: true });
  assert.deepEqual((await linkTo({ email: 'new@example.org' })).created, { customer: true, conversation: true });
});

test('The same customer on the same channel always yields the same conversation, also under 200 parallel requests.', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => linkTo({ phone: '+4930901705' })));
  assert.equal(new Set(answers.map(({ conversationId }) => conversationId)).size, 1);
  assert.equal(answers.filter(({ created }) => created.conversation).length, 1);
});

test('The conversation may be assigned to an agent, given by id or by e-mail, or to a workgroup.', async () => {
  const [agent] = (await door('agents.list', {})).items;
  const [group] = (await door('workgroups.list', {})).items;
  assert.ok(agent && group);
  const assigneeAfter = async (assign: object) => {
    const { conversationId } = await linkTo({ phone: '+4930901706', assign });
    return (await door('conversations.get', { id: conversationId })).assignee;
  };
  assert.equal((await assigneeAfter({ agentId: agent.id })).agentId, agent.id);
  assert.equal((await assigneeAfter({ agentEmail: agent.email })).agentId, agent.id);
  assert.equal((await assigneeAfter({ workgroupId: group.id })).workgroupId, group.id);
});

test('It works with every connected channel.', async () => {
  const channels = (await door('channels.list', { limit: 200 })).items.filter(({ connected }) => connected);
  assert.ok(channels.length > 1);
  for (const channel of channels) {
    const who = channel.reaches.includes('phone') ? { phone: '+4930901707' } : { email: 'every@example.org' };
    const { conversationId } = await linkTo({ ...who, channel: channel.id });
    assert.equal((await door('conversations.get', { id: conversationId })).channelId, channel.id);
  }
});

test('a send that fails on a variable creates no customer', async () => {
  const response = await post(send, {
    to: '+4930901708',
    template: 'order_shipped',
    variables: { body: ['only one'] },
  });
  assert.equal(response.status, 422);
  const { errors } = (await response.json()) as { errors: { path: string }[] };
  assert.deepEqual(
    errors.map(({ path }) => path),
    ['variables.body[1]'],
  );
  await assert.rejects(door('customers.find', { phone: '+4930901708' }), /./);
});

test('the same key sends once, whatever is repeated', async () => {
  const headers = { 'idempotency-key': '"order-17"' };
  const body = { to: '+4930901709', template: 'order_shipped', variables };
  const answers = [await post(send, body, headers), await post(send, body, headers), await post(send, body, headers)];
  const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as Sent).messageId));
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(
    answers.map((answer) => answer.headers.get('idempotent-replayed')),
    [null, 'true', 'true'],
  );
  assert.equal((await post(send, { ...body, to: '+4930901710' }, headers)).status, 422);
});

test('an app that is not installed says so at its documented paths', async () => {
  await door('apps.uninstall', { app: 'session-link-app' });
  const response = await post(link, { phone: '+4930901711' });
  assert.equal(response.status, 404);
  assert.equal(((await response.json()) as { code: string }).code, 'app_not_installed');
  await door('apps.install', { app: 'session-link-app' });
  await linkTo({ phone: '+4930901711' });
});

test('the primitives behind the apps are for functions of those apps only', async () => {
  for (const operation of [
    'messages.sendTemplate',
    'conversations.link',
    'media.createUpload',
    'messageTemplates.list',
  ] as const) {
    await assert.rejects(door(operation, {} as never), { code: 'operation_not_allowed' });
  }
});

test('a send is an invocation of the app like that of any function', async () => {
  await sendTo('+4930901712');
  const { items } = await door('invocations.list', { app: 'template-app', function: 'api/template/send', limit: 1 });
  const [last] = items;
  assert.ok(last);
  const { calls } = await door('invocations.show', { id: last.id });
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['messages.sendTemplate'],
  );
});

test('a token without the scope send may not send', async () => {
  const made = (await (await post('/tokens', { name: 'writer', scopes: ['read', 'write'] })).json()) as {
    token: string;
  };
  const response = await post(
    send,
    { to: '+4930901713', template: 'order_shipped', variables },
    { authorization: `Bearer ${made.token}` },
  );
  assert.equal(response.status, 403);
});

test('a send that is stopped once its message is written is answered all the same: the message is there', async () => {
  const stop = new AbortController();
  const unsubscribe = workspace.events.subscribe(({ type }) => {
    if (type === 'message.sent') stop.abort();
  });
  const input = { to: '+4930901790', template: 'order_shipped', variables };
  const { messageId } = await door('templates.send', input, { signal: stop.signal });
  unsubscribe();
  assert.equal(stop.signal.aborted, true);
  assert.match(messageId, /^msg_/);
});

test('a send that is stopped before it has begun does nothing', async () => {
  const input = { to: '+4930901791', template: 'order_shipped', variables };
  await assert.rejects(door('templates.send', input, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(door('customers.find', { phone: '+4930901791' }), { code: 'customer_not_found' });
});
