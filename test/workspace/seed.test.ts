import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { channelKinds } from '../../src/contract/index.ts';
import type { Seed } from '../../src/contract/shapes/index.ts';
import type { Json } from '../../src/workspace/types.ts';
import fc from '../properties.ts';
import { admin, aWorkspace, functionOf, noon, refusalOf } from './support.ts';

test('the default seed is a small company: every kind of channel, people, matters, templates with every component', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const created = await workspace.seed.apply(workspace.seed.default());
  assert.ok((created['customers'] ?? 0) >= 8);
  assert.ok((created['templates'] ?? 0) >= 8);
  const channels = (await call('channels.list', {})).items;
  assert.deepEqual(channels.map((channel) => channel.kind).sort(), [...channelKinds].sort());
  const templates = (await call('messageTemplates.list', {}, functionOf('template-app'))).items;
  const formats = new Set(templates.flatMap((one) => (one.header === undefined ? [] : [one.header.format])));
  assert.deepEqual([...formats].sort(), ['document', 'image', 'location', 'text', 'video']);
  const buttons = new Set(templates.flatMap((one) => (one.buttons ?? []).map((button) => button.type)));
  assert.deepEqual([...buttons].sort(), ['copy_code', 'phone', 'quick_reply', 'url']);
  assert.ok(templates.some((one) => one.carousel !== undefined));
  assert.deepEqual(new Set(templates.map((one) => one.variables.style)), new Set(['positional', 'named']));
  assert.deepEqual(new Set(templates.map((one) => one.category)), new Set(['utility', 'marketing', 'authentication']));
  assert.equal((await call('workspace.show', {})).name, 'Elbe Coffee Roasters');
});

test('applying a seed twice changes nothing the second time', async (t) => {
  const { workspace, call, clock } = await aWorkspace(t);
  assert.equal(await workspace.seed.isEmpty(), true);
  await workspace.seed.apply(workspace.seed.default());
  assert.equal(await workspace.seed.isEmpty(), false);
  const before = await call('workspace.export', {});
  clock.advance(3_600_000);
  const again = await workspace.seed.apply(workspace.seed.default());
  assert.ok(
    Object.values(again).every((count) => count === 0),
    JSON.stringify(again),
  );
  assert.deepEqual(await call('workspace.export', {}), before);
});

test('workspace.export, put into an empty workspace, exports the same again', async (t) => {
  const first = await aWorkspace(t, { seed: 'default' });
  await first.call('vars.set', { app: 'desk', name: 'HOURS', value: { open: 9 } });
  await first.call('packs.use', { days: 2.5 });
  await first.call('messages.receive', { phone: '+4930901820', channel: 'messaging-app', text: 'Hello' });
  const exported = await first.call('workspace.export', {});
  const second = await aWorkspace(t, { seed: exported });
  assert.deepEqual(await second.call('workspace.export', {}), exported);
});

test('any workspace of customers and messages survives export and import', async (t) => {
  const text = fc.string({ minLength: 1, maxLength: 40 });
  const message = fc.record({ from: fc.constantFrom('customer' as const, 'agent' as const, 'system' as const), text });
  const customer = fc.record({
    name: text,
    email: fc.uuid().map((id) => `${id}@mail.example`),
    fields: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(fc.integer(), text, fc.boolean())),
    conversations: fc.array(
      fc.record({
        channel: fc.constant('Post'),
        status: fc.constantFrom('open' as const, 'closed' as const),
        messages: fc.array(message, { maxLength: 4 }),
      }),
      { maxLength: 1 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(customer, { maxLength: 5 }), async (customers) => {
      const seed: Seed = { channels: [{ kind: 'email', name: 'Post' }], customers };
      const first = await aWorkspace(t, { seed });
      const exported = await first.call('workspace.export', {});
      const second = await aWorkspace(t, { seed: exported });
      assert.deepEqual(await second.call('workspace.export', {}), exported);
      assert.equal(exported.customers?.length, customers.length);
    }),
    { numRuns: 15 },
  );
});

test('times may be told from now, and messages never go backwards', async (t) => {
  const messages = [
    { from: 'customer' as const, text: 'one', at: '-2h' },
    { from: 'agent' as const, text: 'two', at: '-3d' },
    { from: 'customer' as const, text: 'three', at: '-90s' },
    { from: 'customer' as const, text: 'four' },
  ];
  const seed: Seed = {
    channels: [{ kind: 'sms', name: 'SMS' }],
    customers: [{ phone: '+4930901820', conversations: [{ channel: 'sms', messages }] }],
  };
  const { call } = await aWorkspace(t, { seed });
  const [conversation] = (await call('conversations.list', {})).items;
  const listed = (await call('messages.list', { conversationId: conversation?.id ?? '' })).items;
  const ago = listed.map((message) => (noon - Date.parse(message.createdAt)) / 1000);
  assert.deepEqual(ago, [7200, 7200, 90, 0]);
  assert.equal(conversation?.lastMessageAt, new Date(noon).toISOString());
});

test('a seed that does not fit is refused with every problem and its path, and adds nothing', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const template = { name: 'x', language: 'en', category: 'utility' as const };
  const seed: Seed = {
    channels: [{ kind: 'sms', name: 'SMS' }],
    agents: [
      { name: 'A', email: 'no address' },
      { name: 'B', email: 'b@mail.example', workgroups: ['Nobody'] },
    ],
    templates: [
      { ...template, body: '{{1}} {{name}}' },
      { ...template, language: 'de', body: 'Hallo' },
      { ...template, language: 'de', body: 'Hallo wieder' },
    ],
    customers: [
      { name: 'Without identity' },
      { phone: '12' + '3', email: 'x' + '@y' },
      { phone: '+4930901820', conversations: [{ channel: 'Fax', assign: { workgroup: 'Nobody' } }] },
    ],
    packs: [{ days: 1, used: 2 }],
  };
  const error = await refusalOf(workspace.seed.apply(seed));
  assert.equal(error.code, 'seed_invalid');
  assert.deepEqual(
    error.errors?.map((problem) => problem.path),
    [
      'agents[0].email',
      'agents[1].workgroups[0]',
      'templates[0].body',
      'templates[2]',
      'customers[0]',
      'customers[1].phone',
      'customers[1].email',
      'customers[2].conversations[0].channel',
      'customers[2].conversations[0].assign',
      'packs[0].used',
    ],
  );
  assert.equal(await workspace.seed.isEmpty(), true);
  const misshapen = await refusalOf(workspace.seed.apply({ chanels: [], version: 2 } as never));
  assert.equal(misshapen.code, 'seed_invalid');
  assert.deepEqual(misshapen.errors?.map((problem) => problem.path).sort(), ['chanels', 'version']);
  assert.deepEqual((await call('channels.list', {})).items, []);
});

test('a time, a pack or a nesting beyond all measure is refused, not planted', async (t) => {
  const { workspace } = await aWorkspace(t);
  const said = (at: string): Seed => ({
    customers: [
      { phone: '+4930901820', conversations: [{ channel: 'SMS', messages: [{ from: 'customer', text: 'x', at }] }] },
    ],
  });
  let deep: Json = 1;
  for (let n = 0; n < 5_000; n++) deep = [deep];
  const at = 'customers[0].conversations[0].messages[0].at';
  const seeds: [Seed, string][] = [
    [said('-400000000d'), at],
    [said('-99999999999999s'), at],
    [{ packs: [{ days: Number.MAX_SAFE_INTEGER }] }, 'packs[0].days'],
    [{ vars: { desk: { deep } } }, ''],
  ];
  for (const [seed, path] of seeds) {
    const error = await refusalOf(workspace.seed.apply(seed));
    assert.deepEqual([error.code, error.errors?.map((problem) => problem.path)], ['seed_invalid', [path]]);
  }
  await workspace.seed.apply({ channels: [{ kind: 'sms', name: 'SMS' }], ...said('-99999d') });
  await workspace.call('workspace.export', {}, admin);
});

test('a template that reads otherwise is replaced; what a seed does not name stays', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: 'default' });
  const template = { name: 'how_to_brew', language: 'en', category: 'marketing' as const, body: 'Brew {{1}}!' };
  await workspace.seed.apply({ templates: [template] });
  const { items } = await call('messageTemplates.list', { name: 'how_to_brew' }, functionOf('template-app'));
  assert.deepEqual(
    items.map((one) => one.body),
    ['Brew {{1}}!'],
  );
  assert.equal((await call('customers.list', {})).items.length, 8);
});

test('a reset empties and seeds anew; tokens, secrets, apps and the journal stay', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: 'default', onDisk: true });
  const { token } = await call('tokens.create', { name: 'CRM' });
  await call('secrets.set', { app: 'desk', name: 'KEY', value: 'x' });
  await call('store.set', { key: 'a', value: 1 }, functionOf('desk'));
  await call('customers.findOrCreate', { phone: '+4930901820' });
  await workspace.apps.installed('template-app', { settings: {}, version: null }, admin);
  const events = await workspace.events.latest();

  await workspace.seed.reset({ channels: [{ kind: 'sms', name: 'SMS' }] });
  assert.deepEqual((await call('customers.list', {})).items, []);
  assert.deepEqual(
    (await call('channels.list', {})).items.map((channel) => channel.name),
    ['SMS'],
  );
  assert.equal((await call('store.get', { key: 'a' }, functionOf('desk'))).value, null);
  assert.deepEqual(await call('packs.balance', {}), { days: 0, used: 0, left: 0 });
  assert.equal((await workspace.authenticate(`Bearer ${token}`)).name, 'CRM');
  assert.equal((await workspace.secrets.ofApp('desk')).size, 1);
  assert.equal((await workspace.apps.state('template-app')).installed, true);
  assert.equal(await workspace.events.latest(), events);

  await workspace.seed.reset();
  assert.equal(await workspace.seed.isEmpty(), true);
});

test('a reset gives the space back to the disk, while others read', async (t) => {
  const { workspace, call, file } = await aWorkspace(t, { seed: 'default', onDisk: true });
  const bytes = () => statSync(file).size + statSync(`${file}-wal`).size;
  const text = 'where is my order? '.repeat(200);
  const customers = Array.from({ length: 1_000 }, (_, n) => ({
    phone: `+49301${1_000_000 + n}`,
    conversations: [{ channel: 'Messaging', messages: [{ from: 'customer' as const, text }] }],
  }));
  await workspace.seed.apply({ channels: [{ kind: 'messaging-app', name: 'Messaging' }], customers });
  assert.ok(bytes() > 4_000_000, `${bytes()} bytes`);
  const reads = Array.from({ length: 20 }, () => call('customers.list', { limit: 200 }));
  const resetting = workspace.seed.reset(workspace.seed.default());
  await Promise.all(reads);
  await resetting;
  assert.ok(bytes() < 1_000_000, `${bytes()} bytes`);
  assert.equal((await call('customers.list', {})).items.length, 8);
  await call('customers.findOrCreate', { phone: '+4930901820' });
});

test('a reset with a seed that does not fit empties nothing', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: 'default' });
  const error = await refusalOf(
    workspace.seed.reset({ customers: [{ phone: '+4930901820', conversations: [{ channel: 'Fax' }] }] }),
  );
  assert.equal(error.code, 'seed_invalid');
  assert.equal((await call('customers.list', {})).items.length, 8);
});

test('workspace.show tells addresses, the clock, and the token that asks', async (t) => {
  const { call } = await aWorkspace(t);
  assert.deepEqual(await call('workspace.show', {}), {
    slug: 'acme',
    name: 'Acme',
    url: 'http://127.0.0.1:4242/tenants/acme',
    apiUrl: 'http://127.0.0.1:4242/api/acme',
    environment: 'local',
    token: { id: 'tok_admin', name: 'Admin', scopes: ['read', 'write', 'send', 'deploy', 'admin'] },
    now: new Date(noon).toISOString(),
  });
  assert.equal((await call('workspace.show', {}, functionOf('desk'))).token, null);
});

test('clock.show tells how far the clock was turned, and the offset is kept over restarts', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  assert.equal(await first.workspace.clock.keptOffset(), 0);
  first.clock.set(Date.now() + 86_400_000);
  const { offsetMs } = await first.call('clock.show', {});
  assert.ok(Math.abs(offsetMs - 86_400_000) < 60_000);
  await first.workspace.clock.keepOffset(86_400_000);
  const second = await first.reopened();
  assert.equal(await second.workspace.clock.keptOffset(), 86_400_000);
});
