import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSigningSecret } from '../../src/std/index.ts';
import { admin, aWorkspace } from './support.ts';

const endpoint = 'http://127.0.0.1:4800/agent';

test('a new workspace has the harness builtin, which needs no key and cannot be removed', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const [builtin, ...others] = (await call('harnesses.list', {})).items;
  assert.deepEqual(others, []);
  assert.equal(builtin?.name, 'builtin');
  assert.equal(builtin?.state, 'ready');
  assert.equal(builtin?.provider, 'scripted');
  assert.equal((await refused('harnesses.remove', { id: 'builtin' })).code, 'harness_built_in');
});

test('a kind that was not tried with its live service says so wherever it is shown', async (t) => {
  const { call } = await aWorkspace(t);
  const kinds = ['builtin', 'openai-agents-sdk', 'openai-agents-api', 'claude-managed-agents'] as const;
  for (const kind of kinds.slice(1)) await call('harnesses.add', { name: kind, kind });
  const noted = (await call('harnesses.list', {})).items.filter(({ note }) => note !== null);
  assert.deepEqual(
    noted.map(({ kind, note }) => [kind, note]),
    kinds.slice(2).map((kind) => [kind, 'not verified against the live service']),
  );
  assert.equal((await call('harnesses.show', { id: 'openai-agents-api' })).note, noted[0]?.note);
});

test('harnesses.add makes a signing secret for custom, shows it once, and no other operation shows it', async (t) => {
  const { call } = await aWorkspace(t);
  const { secret, ...made } = await call('harnesses.add', { name: 'mine', kind: 'custom', endpoint });
  assert.match(secret ?? '', /^whsec_/);
  assert.equal(made.endpoint, endpoint);
  assert.equal(made.signed, true);
  assert.deepEqual(await call('harnesses.show', { id: 'mine' }), made);
  assert.ok(!JSON.stringify(await call('harnesses.list', {})).includes(secret ?? '-'));
});

test('the answer of harnesses.add is kept encrypted for a repeat with its idempotency key', async (t) => {
  const { call } = await aWorkspace(t);
  const add = () => call('harnesses.add', { name: 'mine', kind: 'custom', endpoint }, admin, { idempotencyKey: 'k' });
  assert.deepEqual(await add(), await add());
});

test('a key is kept and never shown; a harness that is removed takes it along', async (t) => {
  const { call, workspace, refused } = await aWorkspace(t);
  const apiKey = 'sk-test-1234567890';
  const made = await call('harnesses.add', { name: 'main', kind: 'builtin', provider: 'openai', apiKey });
  assert.equal(made.hasKey, true);
  assert.equal(made.secret, null);
  assert.ok(!JSON.stringify(made).includes(apiKey));
  assert.equal((await workspace.harnesses.load('main')).apiKey, apiKey);
  assert.equal((await call('harnesses.update', { id: 'main', apiKey: null })).hasKey, false);
  await call('harnesses.update', { id: 'main', apiKey, models: { main: 'm-1' }, name: 'other' });
  assert.equal((await workspace.harnesses.load('other')).models.main, 'm-1');
  await call('harnesses.remove', { id: 'other' });
  assert.equal((await refused('harnesses.show', { id: made.id })).code, 'harness_not_found');
  assert.equal((await workspace.secrets.ofApp(made.id)).size, 0);
});

test('harnesses.add and harnesses.update refuse what cannot be a harness', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('harnesses.add', { name: 'mine', kind: 'custom', endpoint });
  for (const [input, code] of [
    [{ name: 'mine', kind: 'builtin' }, 'harness_exists'],
    [{ name: 'a', kind: 'custom' }, 'input_invalid'],
    [{ name: 'a', kind: 'builtin', endpoint }, 'input_invalid'],
    [{ name: 'a', kind: 'custom', endpoint: 'http://shop.example/agent' }, 'harness_address_invalid'],
    [{ name: 'a', kind: 'custom', endpoint: 'https://user:pw@shop.example/' }, 'harness_address_invalid'],
    [{ name: 'a', kind: 'builtin', baseUrl: 'ftp://shop.example/' }, 'harness_address_invalid'],
    [{ name: 'a', kind: 'custom', endpoint, secret: 'short' }, 'signing_secret_invalid'],
    [{ name: 'A b', kind: 'builtin' }, 'input_invalid'],
  ] as const) {
    assert.equal((await refused('harnesses.add', input)).code, code, JSON.stringify(input));
  }
  assert.equal((await refused('harnesses.update', { id: 'mine', baseUrl: endpoint })).code, 'harness_address_invalid');
  assert.equal((await refused('harnesses.update', { id: 'mine', name: 'builtin' })).code, 'harness_exists');
});

test('after a rotation both secrets sign for 24 hours', async (t) => {
  const { call, workspace, clock, refused } = await aWorkspace(t);
  const { secret: first } = await call('harnesses.add', { name: 'mine', kind: 'custom', endpoint });
  const given = newSigningSecret();
  const rotated = await call('harnesses.rotateSecret', { id: 'mine', secret: given });
  assert.equal(rotated.secret, given);
  assert.deepEqual((await workspace.harnesses.load('mine')).secrets, [given, first]);
  clock.advance(24 * 3_600_000 + 1);
  assert.deepEqual((await workspace.harnesses.load('mine')).secrets, [given]);
  assert.equal((await refused('harnesses.rotateSecret', { id: 'builtin' })).code, 'harness_unsigned');
});

test('a harness that signs its requests still does after an export and an import, once it has a secret again', async (t) => {
  const { call, workspace } = await aWorkspace(t);
  await call('harnesses.add', { name: 'mine', kind: 'custom', endpoint });
  await call('harnesses.add', { name: 'open', kind: 'custom', endpoint, unsigned: true });
  const { harnesses = [] } = await call('workspace.export', {});
  assert.deepEqual(harnesses, [
    { name: 'mine', kind: 'custom', endpoint },
    { name: 'open', kind: 'custom', endpoint, unsigned: true },
  ]);
  await workspace.seed.reset();
  await workspace.seed.apply({ harnesses });
  const mine = await call('harnesses.show', { id: 'mine' });
  assert.deepEqual([mine.signed, mine.state], [true, 'needsSecret']);
  assert.equal((await workspace.harnesses.load('mine')).needsSecret, true);
  const open = await call('harnesses.show', { id: 'open' });
  assert.deepEqual([open.signed, open.state], [false, 'ready']);
  const { secret, oldSecretUntil } = await call('harnesses.rotateSecret', { id: 'mine' });
  assert.equal(oldSecretUntil, null);
  assert.deepEqual((await workspace.harnesses.load('mine')).secrets, [secret]);
  assert.equal((await call('harnesses.show', { id: 'mine' })).state, 'ready');
  assert.deepEqual((await call('workspace.export', {})).harnesses, harnesses);
});

test('a seed adds harnesses; one whose secret has no value here says so', async (t) => {
  const { call, workspace } = await aWorkspace(t, {
    seed: {
      harnesses: [
        { name: 'main', kind: 'builtin', provider: 'openai', models: { main: 'm-1' }, secretFrom: 'MODEL_KEY' },
        { name: 'mine', kind: 'custom', endpoint },
      ],
    },
  });
  const main = await call('harnesses.show', { id: 'main' });
  assert.equal(main.state, 'needsSecret');
  assert.equal(main.secretFrom, 'MODEL_KEY');
  const exported = await call('workspace.export', {});
  assert.deepEqual(exported.harnesses, [
    { name: 'main', kind: 'builtin', provider: 'openai', models: { main: 'm-1' }, secretFrom: 'MODEL_KEY' },
    { name: 'mine', kind: 'custom', endpoint },
  ]);
  await workspace.seed.reset();
  assert.deepEqual(
    (await call('harnesses.list', {})).items.map(({ name }) => name),
    ['builtin'],
  );
});

test('a module is named by whoever is at this machine, for the kind agent-framework, as a path below the app', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const machine = { ...admin, isMachine: true };
  const kind = 'agent-framework' as const;
  assert.equal(
    (await refused('harnesses.add', { name: 'bot', kind, module: 'agents/bot.js' })).code,
    'operation_not_allowed',
  );
  for (const module of [
    '/etc/bot.js',
    '../bot.js',
    'agents/../../bot.js',
    'C:\\bot.js',
    'agents//bot.js',
    'file:bot.js',
  ])
    assert.equal(
      (await refused('harnesses.add', { name: 'bot', kind, module }, machine)).code,
      'input_invalid',
      module,
    );
  for (const input of [
    { name: 'bot', kind },
    { name: 'bot', kind: 'builtin', module: 'agents/bot.js' },
  ])
    assert.equal((await refused('harnesses.add', input, machine)).code, 'harness_module_invalid');
  const made = await call('harnesses.add', { name: 'bot', kind, module: './agents/bot.js' }, machine);
  assert.equal(made.module, './agents/bot.js');
  assert.equal(
    (await refused('harnesses.update', { id: 'bot', module: 'agents/other.js' })).code,
    'operation_not_allowed',
  );
  const changed = await call('harnesses.update', { id: 'bot', module: 'agents/other.js' }, machine);
  assert.equal(changed.module, 'agents/other.js');
  const foreign = await refused('harnesses.update', { id: 'builtin', module: 'agents/other.js' }, machine);
  assert.equal(foreign.code, 'harness_module_invalid');
});
