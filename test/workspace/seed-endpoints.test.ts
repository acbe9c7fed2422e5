import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSigningSecret } from '../../src/std/index.ts';
import { aWorkspace, noon, refusalOf } from './support.ts';

const secret = newSigningSecret();
const url = 'https://shop.example/hooks';
const channels = [{ kind: 'sms' as const, name: 'SMS' }];

test('webhook endpoints and notes survive export and import, without the values of secrets', async (t) => {
  const secrets = { HOOK: secret };
  const first = await aWorkspace(t, {
    secrets,
    seed: {
      channels,
      agents: [{ name: 'Jana', email: 'jana@shop.example' }],
      customers: [
        {
          phone: '+4930901820',
          conversations: [
            {
              channel: 'SMS',
              notes: [{ text: 'Called twice', agentEmail: 'Jana@shop.example', at: '-2h' }, { text: 'Imported' }],
            },
          ],
        },
      ],
      webhooks: [
        { url, events: ['message.*'], description: 'CRM', secretFrom: 'HOOK' },
        { function: 'desk/api/on-message', events: ['message.received'] },
        { url: 'https://old.example', events: ['*'], state: 'disabled', secretFrom: 'HOOK' },
      ],
    },
  });
  const exported = await first.call('workspace.export', {});
  assert.deepEqual(exported.customers?.[0]?.conversations?.[0]?.notes, [
    { text: 'Called twice', agentEmail: 'jana@shop.example', at: new Date(noon - 7_200_000).toISOString() },
    { text: 'Imported', at: new Date(noon).toISOString() },
  ]);
  assert.deepEqual(
    exported.webhooks?.map((one) => [one.url ?? one.function, one.state, one.secretFrom]),
    [
      [url, undefined, 'HOOK'],
      ['desk/api/on-message', undefined, undefined],
      ['https://old.example/', 'disabled', 'HOOK'],
    ],
  );
  assert.ok(!JSON.stringify(exported).includes(secret));
  const second = await aWorkspace(t, { secrets, seed: exported });
  assert.deepEqual(await second.call('workspace.export', {}), exported);
  const again = await second.workspace.seed.apply(exported);
  assert.ok(Object.values(again).every((count) => count === 0));
  await second.call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const deliveries = (await second.call('deliveries.list', {})).items;
  const loaded = await Promise.all(deliveries.map(({ id }) => second.workspace.webhooks.load(id)));
  assert.ok(loaded.some((one) => one?.target === url && one.secrets[0] === secret));
});

test('an endpoint whose secret has no value is there, gets nothing, and is enabled by the value', async (t) => {
  const seed = { channels, webhooks: [{ url, events: ['message.received'], secretFrom: 'HOOK' }] };
  const first = await aWorkspace(t, { seed, onDisk: true });
  const [before] = (await first.call('webhooks.list', {})).items;
  assert.deepEqual([before?.state, before?.reason], ['needsSecret', 'the secret HOOK has no value on this machine']);
  await first.call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  assert.deepEqual((await first.call('deliveries.list', {})).items, []);
  assert.equal((await first.refused('webhooks.ping', { id: before?.id })).code, 'webhook_disabled');
  await first.workspace.seed.fillSecrets();
  await first.workspace.close();
  const second = await aWorkspace(t, { file: first.file, secrets: { HOOK: secret } });
  await second.workspace.seed.fillSecrets();
  const [after] = (await second.call('webhooks.list', {})).items;
  assert.deepEqual([after?.id, after?.state, after?.reason], [before?.id, 'enabled', null]);
  await second.call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const [delivery] = (await second.call('deliveries.list', {})).items;
  assert.deepEqual((await second.workspace.webhooks.load(String(delivery?.id)))?.secrets, [secret]);
});

test('endpoints and notes that do not fit are refused with their paths, without a value, and nothing is added', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: { channels }, secrets: { SHORT: 'whsec_c2hvcnQ=' } });
  const events = ['message.received'];
  const refusal = await refusalOf(
    workspace.seed.apply({
      customers: [
        {
          phone: '+4930901820',
          conversations: [{ channel: 'SMS', notes: [{ text: 'x', agentEmail: 'no@one.example' }] }],
        },
      ],
      webhooks: [
        { url, events: ['message.recieved'] },
        { url: 'http://shop.example', events },
        { url, events, secretFrom: 'SHORT' },
        { events },
        { function: 'desk/api/x', events, secretFrom: 'SHORT' },
      ],
    }),
  );
  assert.deepEqual(
    refusal.errors?.map(({ path }) => path),
    [
      'customers[0].conversations[0].notes[0].agentEmail',
      'webhooks[0].events',
      'webhooks[1].url',
      'webhooks[2].secretFrom',
      'webhooks[3]',
      'webhooks[4].secretFrom',
    ],
  );
  assert.ok(!JSON.stringify(refusal.errors).includes('c2hvcnQ='));
  assert.deepEqual((await call('webhooks.list', {})).items, []);
});
