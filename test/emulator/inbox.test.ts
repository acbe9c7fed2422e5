import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Output } from '../../src/contract/index.ts';
import { anEmulator, token } from './an-emulator.ts';

const customers = Array.from({ length: 3 }, (_, n) => ({
  name: `Customer ${n}`,
  phone: `+493090182${n}`,
  conversations: [
    {
      channel: 'messaging-app',
      messages: Array.from({ length: 450 }, (_message, i) => ({
        from: 'customer' as const,
        text: `${n}: message ${i + 1} of 450`,
      })),
    },
  ],
}));

test('the inbox reads the last message of a conversation, the conversation its last 200, however long it is', async () => {
  const { workspace, url } = await anEmulator({
    seed: { channels: [{ kind: 'messaging-app', name: 'Messages' }], customers },
  });
  const call = mock.method(workspace, 'call');
  const messagesRead = async () => {
    const listed = call.mock.calls.filter(({ arguments: [name] }) => name === 'messages.list');
    call.mock.resetCalls();
    const pages = await Promise.all(listed.map(({ result }) => result as Promise<Output<'messages.list'>>));
    return pages.flatMap(({ items }) => items).length;
  };
  const headers = { authorization: `Bearer ${token}` };
  const inbox = await (await fetch(`${url}/tenants/dev`, { headers })).text();
  for (const n of [0, 1, 2]) assert.match(inbox, new RegExp(`${n}: message 450 of 450<`));
  assert.equal(await messagesRead(), 3);

  const path = /href="(\/tenants\/dev\/conversations\/[^"]+)"/.exec(inbox)?.[1];
  const conversation = await (await fetch(`${url}${path}`, { headers })).text();
  assert.match(conversation, /The last 200 messages/);
  const shown = [...conversation.matchAll(/: message (\d+) of 450</g)].map(([, number]) => Number(number));
  assert.deepEqual(
    shown,
    Array.from({ length: 200 }, (_, i) => 251 + i),
  );
  assert.equal(await messagesRead(), 200);
});

test('what is written on the page of a conversation comes from its customer, and from nobody who is not signed in', async () => {
  const { url, ask } = await anEmulator({
    seed: { channels: [{ kind: 'messaging-app', name: 'Messages' }], customers: customers.slice(0, 1) },
  });
  const { items } = (await (await ask('/conversations')).json()) as Output<'conversations.list'>;
  const path = `/tenants/dev/conversations/${items[0]?.id}`;
  const write = (text: string, headers: Readonly<Record<string, string>> = {}, place = path) =>
    fetch(`${url}${place}`, {
      method: 'POST',
      body: new URLSearchParams({ text }),
      redirect: 'manual',
      headers: { accept: 'text/html', authorization: `Bearer ${token}`, ...headers },
    });
  const written = await write('Is it öpen?\n<b>');
  assert.equal(written.status, 303);
  assert.equal(written.headers.get('location'), `${path}#text`);
  const last = await ask(`/conversations/${items[0]?.id}/messages?order=desc&limit=1`);
  const [message] = ((await last.json()) as Output<'messages.list'>).items;
  assert.equal(message?.text, 'Is it öpen?\n<b>');
  assert.equal(message?.author.type, 'customer');

  const refused = {
    'nothing written': await write(''),
    'too much written': await write('x'.repeat(100_000)),
    'no such conversation': await write('a', {}, '/tenants/dev/conversations/cnv_none'),
    'a wrong token': await write('a', { authorization: 'Bearer fn_local_no' }),
    'a page elsewhere': await write('a', { origin: 'https://elsewhere.example' }),
    'no form': await write('a', { 'content-type': 'text/plain' }),
    'not signed in': await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams({ text: 'a' }) }),
  };
  const statuses = Object.entries(refused).map(([what, { status }]) => [what, status]);
  assert.deepEqual(Object.fromEntries(statuses), {
    'nothing written': 422,
    'too much written': 413,
    'no such conversation': 404,
    'a wrong token': 401,
    'a page elsewhere': 403,
    'no form': 415,
    'not signed in': 401,
  });
  assert.match(refused['nothing written'].headers.get('content-type') ?? '', /text\/html/);
});

test('who is not at a page finds the way to one', async () => {
  const { url } = await anEmulator();
  const get = (path: string) =>
    fetch(url + path, { redirect: 'manual', headers: { accept: 'text/html', authorization: `Bearer ${token}` } });
  const missing = await get('/tenants/dev/conversations/cnv_none');
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /<a href="\/tenants\/dev">Inbox<\/a>/);
  // Where a refused token leaves the address bar.
  const session = await get('/session');
  assert.deepEqual([session.status, session.headers.get('location')], [303, '/']);
  // Browsers look for it beside documents that are no pages.
  assert.equal((await fetch(`${url}/favicon.ico`)).status, 204);
});
