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
