import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { anEmulator, everyone } from './an-emulator.ts';

/** Larger than any other body may be, with more keys, and a conversation longer than a day's. */
const seed = {
  channels: [{ kind: 'messaging-app' as const, name: 'Messages' }],
  customers: Array.from({ length: 12_000 }, (_, n) => ({
    name: `Customer ${n}`,
    email: `customer-${n}@mail.example`,
    phone: `+49151${10_000_000 + n}`,
    fields: { plan: 'pro', country: 'DE', since: 2019, notes: 'x'.repeat(n < 1000 ? 6_000 : 1), score: n, tier: 3 },
    conversations:
      n === 0
        ? [
            {
              channel: 'Messages',
              messages: Array.from({ length: 6_000 }, (_message, i) => ({ from: 'customer' as const, text: `${i}` })),
            },
          ]
        : [],
  })),
};

test('what a large workspace exports can be sent back to it, and to nothing but that', async () => {
  const { workspace, post } = await anEmulator({ seed });
  const exported = await workspace.call('workspace.export', {}, everyone);
  assert.equal(exported.customers?.[0]?.conversations?.[0]?.messages?.length, 6_000);
  const bytes = JSON.stringify({ seed: exported }).length;
  assert.ok(bytes > limits.request.bodyBytes, `${bytes} bytes would be no large body`);

  const imported = await post('/_local/workspace/import', { seed: exported });
  assert.equal(imported.status, 200, await imported.clone().text());
  const { created } = (await imported.json()) as { created: Record<string, number> };
  assert.deepEqual(new Set(Object.values(created)), new Set([0]));

  const elsewhere = await post('/customers', { phone: '+4930901820', fields: { notes: 'x'.repeat(bytes) } });
  assert.equal(elsewhere.status, 413);
});

test('who may not import is told so before the seed is looked at', async () => {
  const { workspace, ask } = await anEmulator({ seed: {} });
  const { token } = await workspace.call('tokens.create', { name: 'Reader', scopes: ['read'] }, everyone);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const refused = await ask('/_local/workspace/import', { method: 'POST', headers, body: '{ no JSON' });
  assert.equal(refused.status, 403);
  assert.equal(((await refused.json()) as { code: string }).code, 'token_scope');
});
