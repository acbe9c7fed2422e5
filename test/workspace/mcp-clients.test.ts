import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import type { WorkspaceError } from '../../src/std/index.ts';
import type { ListedMcpTool } from '../../src/workspace/index.ts';
import { admin, aWorkspace, withScopes } from './support.ts';

const url = 'https://mcp.example/sse';
const hash = (digit: string) => digit.repeat(64);

const aTool = (name: string, changes: Partial<ListedMcpTool> = {}): ListedMcpTool => ({
  name,
  title: null,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
  hash: hash('a'),
  problem: null,
  warnings: [],
  ...changes,
});

async function aClient(t: TestContext, tools: ListedMcpTool[] = [aTool('available'), aTool('reserve')]) {
  const made = await aWorkspace(t);
  const client = await made.call('mcpClients.add', { name: 'stock', url });
  const listed = async (...now: ListedMcpTool[]) => {
    const after = await made.workspace.mcpClients.recordListed(client.id, {
      transport: 'sse',
      protocolVersion: '2025-11-25',
      server: { name: 'Stock', version: '1' },
      tools: now,
    });
    assert.ok(after);
    return after.tools.map(({ name, state, reason }) => [name, state, reason]);
  };
  await listed(...tools);
  return { ...made, client, listed };
}

test('mcpClients.add keeps the secret where no operation shows it', async (t) => {
  const { call, workspace } = await aWorkspace(t);
  const auth = { kind: 'basic', user: 'ann', secret: 'correct horse' } as const;
  const added = await call('mcpClients.add', { name: 'crm', url: 'HTTPS://Crm.Example/sse', auth });
  assert.equal(added.url, 'https://crm.example/sse');
  assert.deepEqual(added.auth, { kind: 'basic', user: 'ann' });
  const shown = [await call('mcpClients.show', { id: 'crm' }), await call('mcpClients.list', {})];
  assert.doesNotMatch(JSON.stringify([added, shown]), /horse/);
  assert.equal((await workspace.mcpClients.load(added.id))?.secret, 'correct horse');
});

test('mcpClients.add refuses what cannot be a client', async (t) => {
  const { refused, call } = await aWorkspace(t);
  await call('mcpClients.add', { name: 'stock', url });
  for (const [input, code] of [
    [{ name: 'a', url: 'mcp.example' }, 'mcp_url_invalid'],
    [{ name: 'a', url: 'https://ann:secret@mcp.example/' }, 'mcp_url_invalid'],
    [{ name: 'a', url: 'http://mcp.example/' }, 'mcp_url_insecure'],
    [{ name: 'a', url: 'https://10.0.0.1/' }, 'mcp_url_private'],
    [{ name: 'stock', url }, 'mcp_client_exists'],
    [{ name: 'Stock', url }, 'input_invalid'],
    [{ name: 'a', url, auth: { kind: 'basic', secret: 'x' } }, 'input_invalid'],
  ] as const) {
    assert.equal((await refused('mcpClients.add', input)).code, code, JSON.stringify(input));
  }
  assert.equal((await refused('mcpClients.add', { name: 'b', url }, withScopes('write'))).code, 'token_scope');
});

test('a workspace has a limited number of MCP clients', async (t) => {
  const { refused, call } = await aWorkspace(t);
  for (let i = 0; i < limits.mcp.maxClients; i++) await call('mcpClients.add', { name: `c${i}`, url });
  assert.equal((await refused('mcpClients.add', { name: 'one-more', url })).code, 'mcp_client_limit');
});

test('the first list is accepted; a tool that is new later or differs is withheld until it is accepted', async (t) => {
  const { call, refused, listed } = await aClient(t);
  const changed = aTool('reserve', { hash: hash('b'), description: 'Does reserve.' });
  assert.deepEqual(await listed(aTool('available'), changed, aTool('cancel')), [
    ['available', 'available', null],
    ['reserve', 'withheld', 'changed'],
    ['cancel', 'withheld', 'new'],
  ]);
  assert.deepEqual((await call('mcpClients.show', { id: 'stock' })).tools, { available: 1, withheld: 2 });
  const old = { id: 'stock', tools: { reserve: hash('a') } };
  assert.equal((await refused('mcpClients.accept', old)).code, 'mcp_tool_changed');
  assert.equal((await refused('mcpClients.accept', { id: 'stock', tools: { x: hash('a') } })).code, 'mcp_tool_unknown');
  const one = await call('mcpClients.accept', { id: 'stock', tools: { reserve: hash('b') } });
  assert.deepEqual(one.accepted, ['reserve']);
  assert.deepEqual(one.client.tools, { available: 2, withheld: 1 });
  assert.deepEqual((await call('mcpClients.accept', { id: 'stock' })).accepted, ['cancel']);
});

test('a changed tool is shown with what was accepted of it', async (t) => {
  const { workspace, listed, client } = await aClient(t);
  await listed(aTool('reserve', { hash: hash('b'), description: 'Other words' }));
  const loaded = await workspace.mcpClients.load(client.id);
  assert.equal(loaded?.tools[0]?.accepted?.description, 'Does reserve');
  assert.deepEqual(loaded?.gone, { available: hash('a') });
});

test('an unusable tool stays withheld, accepted or not', async (t) => {
  const { call, listed } = await aClient(t);
  const broken = aTool('reserve', { problem: 'its schema refers to elsewhere' });
  assert.deepEqual(await listed(broken), [['reserve', 'withheld', 'unusable']]);
  assert.deepEqual((await call('mcpClients.accept', { id: 'stock' })).accepted, []);
});

test('a lock file replaces what was accepted', async (t) => {
  const { call, listed } = await aClient(t);
  await call('mcpClients.accept', { id: 'stock', tools: { reserve: hash('c') }, exactly: true });
  assert.deepEqual(await listed(aTool('available'), aTool('reserve')), [
    ['available', 'withheld', 'new'],
    ['reserve', 'withheld', 'changed'],
  ]);
  assert.deepEqual(await listed(aTool('reserve', { hash: hash('c') })), [['reserve', 'available', null]]);
});

test('a destructive tool is confirmed by a person unless the client says otherwise', async (t) => {
  const annotations = { readOnly: null, destructive: true, idempotent: null, openWorld: null };
  const { call, refused, workspace } = await aClient(t, [aTool('available'), aTool('reserve', { annotations })]);
  const policy = async () =>
    (await workspace.mcpClients.load('stock'))?.tools.map(({ confirm, limits: own }) => [confirm, own.perMinute]);
  assert.deepEqual(await policy(), [
    ['never', 60],
    ['human', 60],
  ]);
  await call('mcpClients.update', { id: 'stock', tools: { reserve: { confirm: 'never', limits: { perMinute: 5 } } } });
  assert.deepEqual(await policy(), [
    ['never', 60],
    ['never', 5],
  ]);
  await call('mcpClients.update', { id: 'stock', tools: { reserve: null } });
  assert.deepEqual((await policy())?.[1], ['human', 60]);
  const unknown = { id: 'stock', tools: { nothing: { confirm: 'human' } } };
  assert.equal((await refused('mcpClients.update', unknown)).code, 'mcp_tool_unknown');
});

test('mcpClients.update replaces and removes the authentication', async (t) => {
  const { call, refused, workspace } = await aClient(t);
  await call('mcpClients.update', { id: 'stock', auth: { kind: 'bearer', secret: 'one' } });
  assert.equal((await workspace.mcpClients.load('stock'))?.secret, 'one');
  const plain = await call('mcpClients.update', { id: 'stock', auth: { kind: 'none' }, name: 'store' });
  assert.deepEqual([plain.name, plain.auth.kind], ['store', 'none']);
  assert.equal((await workspace.mcpClients.load('store'))?.secret, undefined);
  assert.equal((await refused('mcpClients.update', { id: 'stock', code: true })).code, 'mcp_client_not_found');
});

test('a removed client leaves no secret and is not recorded again', async (t) => {
  const { call, refused, workspace, client } = await aClient(t);
  await call('mcpClients.remove', { id: 'stock' });
  assert.equal((await refused('mcpClients.show', { id: 'stock' })).code, 'mcp_client_not_found');
  assert.equal((await workspace.secrets.ofApp(client.id)).size, 0);
  await workspace.mcpClients.recordFailed(client.id, { code: 'mcp_timeout', message: 'late' });
  assert.equal(await workspace.mcpClients.load(client.id), undefined);
});

test('connecting, changed tools and a failure are events, each once', async (t) => {
  const { heard, listed, workspace, client } = await aClient(t);
  await listed(aTool('available'), aTool('reserve'));
  await listed(aTool('available'), aTool('cancel'));
  const fail = () => workspace.mcpClients.recordFailed(client.id, { code: 'mcp_unavailable', message: 'stock: down' });
  await fail();
  await fail();
  await listed(aTool('available'), aTool('cancel'));
  assert.deepEqual(
    heard.map(({ type, data }) => [type, (data['mcpClient'] as { changed: string[] }).changed]),
    [
      ['mcpClient.connected', []],
      ['mcpClient.toolsChanged', ['cancel', 'reserve']],
      ['mcpClient.failed', []],
      ['mcpClient.connected', []],
    ],
  );
  assert.match(JSON.stringify(heard), /"origin":"https:\/\/mcp.example"/);
  assert.doesNotMatch(JSON.stringify(heard), /mcp.example\/sse/);
});

test('a reset removes clients and their secrets', async (t) => {
  const { call, workspace, client } = await aClient(t);
  await call('mcpClients.update', { id: 'stock', auth: { kind: 'bearer', secret: 'one' } }, admin);
  await workspace.seed.reset({});
  assert.deepEqual((await call('mcpClients.list', {})).items, []);
  assert.equal((await workspace.secrets.ofApp(client.id)).size, 0);
});

test('a seed adds MCP clients with secrets by name; what is exported can be imported again', async (t) => {
  const mcpClients = [
    {
      name: 'stock',
      url,
      auth: { kind: 'basic' as const, user: 'shop', secretFrom: 'STOCK_PASSWORD' },
      code: true,
      tools: { reserve: { confirm: 'human' as const } },
    },
    {
      name: 'prices',
      url: 'https://prices.example/sse',
      auth: { kind: 'bearer' as const, secretFrom: 'PRICES_TOKEN' },
    },
    { name: 'open', url: 'https://open.example/sse' },
  ];
  const secrets: Record<string, string> = { STOCK_PASSWORD: 'stock-secret' };
  const { call, workspace } = await aWorkspace(t, { seed: { mcpClients }, secrets });
  assert.equal((await workspace.mcpClients.load('stock'))?.secret, 'stock-secret');
  assert.equal((await workspace.mcpClients.load('prices'))?.secret, undefined);
  const exported = await call('workspace.export', {});
  assert.deepEqual(exported.mcpClients, mcpClients);
  assert.ok(!JSON.stringify(exported).includes('stock-secret'));
  secrets['PRICES_TOKEN'] = 'prices-secret';
  await workspace.seed.fillSecrets();
  assert.equal((await workspace.mcpClients.load('prices'))?.secret, 'prices-secret');
  assert.equal((await workspace.seed.apply(exported))['mcpClients'], 0);
});

test('an MCP client of a seed that could not be added by hand is refused with its path', async (t) => {
  const { workspace } = await aWorkspace(t);
  await assert.rejects(
    workspace.seed.apply({ mcpClients: [{ name: 'stock', url: 'http://mcp.example/sse' }] }),
    (error: WorkspaceError) => {
      assert.deepEqual([error.code, error.errors?.map(({ path }) => path)], ['seed_invalid', ['mcpClients[0].url']]);
      return true;
    },
  );
});
