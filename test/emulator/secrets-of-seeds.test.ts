import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../src/contract/index.ts';
import { anEmulator, everyone } from './an-emulator.ts';

const token: Caller = { type: 'token', id: 'tok_1', scopes: everyone.scopes };
const seeds = {
  webhooks: [{ url: 'https://elsewhere.example', events: ['*'], secretFrom: 'PAY_KEY' }],
  harnesses: [{ name: 'mine', kind: 'custom', endpoint: 'https://elsewhere.example', secretFrom: 'PAY_KEY' }],
  mcpClients: [{ name: 'stock', url: 'https://elsewhere.example', auth: { kind: 'bearer', secretFrom: 'PAY_KEY' } }],
} as const;

for (const [what, entries] of Object.entries(seeds)) {
  test(`an API token loads no seed whose ${what} name a secret of this machine`, async () => {
    const { emulator } = await anEmulator({});
    const seed = { [what]: entries } as never;
    for (const operation of ['workspace.import', 'workspace.reset'] as const)
      await assert.rejects(emulator.door(token)(operation, { seed }), { code: 'operation_not_allowed' });
    await emulator.door(everyone)('workspace.import', { seed });
  });
}

test('an API token loads a seed that names none', async () => {
  const { emulator } = await anEmulator({});
  await emulator.door(token)('workspace.import', {
    seed: { harnesses: [{ name: 'mine', kind: 'custom', endpoint: 'https://elsewhere.example' }] },
  } as never);
});
