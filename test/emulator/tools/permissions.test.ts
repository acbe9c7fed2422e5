import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCaller } from '../../../src/emulator/index.ts';
import { anEmulator, everyone, type Functions } from '../an-emulator.ts';

const permitting = (name: string, callers: Record<string, unknown> | undefined) => ({
  config: {
    type: 'ai-tool',
    name,
    description: name,
    input: { type: 'object' },
    ...(callers && { permissions: { callers } }),
  },
  body: 'return {};',
});

/** A change that a tool makes to its conversation, and the path that it needs for that. */
const changes = {
  'fields.order': "sdk.conversations.update({ id, fields: { order: 'A-1' } })",
  assignee: 'sdk.conversations.assign({ id, assign: null })',
  status: 'sdk.conversations.close({ id })',
  messages: "sdk.messages.send({ conversationId: id, text: 'hello' })",
  notes: "sdk.notes.add({ conversationId: id, text: 'called back' })",
  'customer.name': "sdk.customers.update({ id: customerId, name: 'Ann' })",
  'customer.fields.tier': "sdk.customers.update({ id: customerId, fields: { tier: 'gold' } })",
} as const;

const changing = (name: string, write: readonly string[] | undefined, body: string) => ({
  config: {
    type: 'ai-tool',
    name,
    description: name,
    input: { type: 'object' },
    permissions: { conversation: { read: ['id', 'customerId'], ...(write && { write }) } },
  },
  body: `const { id, customerId } = sdk.tool.conversation; await ${body}; return {};`,
});

const functions: Functions = {
  'tools/nobody': permitting('nobody', undefined),
  'tools/agents': permitting('agents', { aiAgents: ['nora', 'desk/otto'] }),
  'tools/every-agent': permitting('every_agent', { aiAgents: 'all' }),
  'tools/no-agent': permitting('no_agent', { aiAgents: 'none' }),
  'tools/nodes': permitting('nodes', { aiNodes: ['support/ask'] }),
  'tools/every-node': permitting('every_node', { aiNodes: 'all' }),
  'tools/harnesses': permitting('harnesses', { harnesses: ['builtin'] }),
  'tools/mcp': permitting('mcp', { mcp: true }),
  'tools/code': permitting('code', { code: true }),
  'tools/reads': {
    config: {
      type: 'ai-tool',
      name: 'reads',
      description: 'What it sees',
      input: { type: 'object' },
      permissions: { conversation: { read: ['id', 'fields.order', 'customer.name'] } },
    },
    body: 'return sdk.tool.conversation;',
  },
  'tools/reads-default': {
    config: { type: 'ai-tool', name: 'reads_default', description: 'What it sees', input: { type: 'object' } },
    body: 'return sdk.tool.conversation;',
  },
  'tools/nested': changing('nested', undefined, "sdk.methods.call('api/assigns', { id })"),
  'api/assigns': {
    config: { type: 'server-side-method' },
    body: 'const { id } = await sdk.request.json(); return sdk.conversations.assign({ id, assign: null });',
  },
  'tools/elsewhere': changing(
    'elsewhere',
    undefined,
    "sdk.customers.findOrCreate({ phone: '+4930901899' }).then((other) => sdk.customers.update({ id: other.id, name: 'Bo' }))",
  ),
  'tools/template': changing(
    'template',
    undefined,
    "sdk.templates.send({ to: '+49 30 901820', template: 'order_shipped', variables: { header: 'A', body: ['Ann', 'Friday'], buttons: [{ index: 0, value: 'A' }] } })",
  ),
  ...Object.fromEntries(
    Object.entries(changes).flatMap(([path, body], i) => [
      [`tools/with${i}`, changing(`with${i}`, [path], body)],
      [`tools/without${i}`, changing(`without${i}`, ['fields.other', 'customer.language'], body)],
    ]),
  ),
  'tools/above': changing(
    'above',
    ['fields', 'customer.*'],
    `Promise.all([${changes['fields.order']}, ${changes['customer.name']}])`,
  ),
};

const { emulator } = await anEmulator({ functions });
const door = emulator.door(everyone);
const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'Hello', name: 'Ann Larsen' });
await door('conversations.update', { id: conversationId, fields: { order: 'A-1017', secret: 's' } });

const agent = (name: string, app = 'shop'): ToolCaller => ({ kind: 'aiAgent', app, name });
const node = (flow: string, of: string, app = 'shop'): ToolCaller => ({ kind: 'aiNode', app, flow, node: of });
const code: ToolCaller = { kind: 'code', type: 'function', app: 'shop', id: 'shop/api/x' };
const api: ToolCaller = { kind: 'code', type: 'api', id: 'tok_1' };
const person: ToolCaller = { kind: 'person', agentId: null };

const rows: readonly (readonly [tool: string, permitted: readonly ToolCaller[], refused: readonly ToolCaller[]])[] = [
  [
    'nobody',
    [person],
    [agent('nora'), node('support', 'ask'), { kind: 'harness', name: 'builtin' }, { kind: 'mcp' }, code, api],
  ],
  [
    'agents',
    [agent('nora'), agent('otto', 'desk'), person],
    [agent('otto'), agent('nora', 'desk'), code, { kind: 'mcp' }],
  ],
  [
    'every_agent',
    [agent('nora'), agent('anyone', 'desk')],
    [node('support', 'ask'), { kind: 'harness', name: 'builtin' }],
  ],
  ['no_agent', [person], [agent('nora')]],
  ['nodes', [node('support', 'ask')], [node('support', 'other'), node('support', 'ask', 'desk'), agent('ask')]],
  ['every_node', [node('a', 'b', 'desk')], [agent('nora')]],
  ['harnesses', [{ kind: 'harness', name: 'builtin' }], [{ kind: 'harness', name: 'other' }, agent('builtin')]],
  ['mcp', [{ kind: 'mcp' }], [code, agent('nora')]],
  ['code', [code, api, person], [{ kind: 'mcp' }, agent('nora')]],
];

for (const [name, permitted, refused] of rows) {
  test(`${name}: who is named may call it, and nobody else`, async () => {
    for (const caller of permitted) {
      const { status, content } = await emulator.tools.callTool({ name, arguments: {}, caller });
      assert.equal(status, 'ok', `${JSON.stringify(caller)}: ${content}`);
    }
    for (const caller of refused) {
      const { error } = await emulator.tools.callTool({ name, arguments: {}, caller });
      assert.equal(error?.code, 'tool_forbidden', JSON.stringify(caller));
    }
  });
}

test('listTools gives a caller the tools that it may call', async () => {
  const names = async (caller: ToolCaller) => (await emulator.tools.listTools(caller)).map((tool) => tool.name).sort();
  assert.deepEqual(await names(agent('nora')), ['agents', 'every_agent']);
  assert.deepEqual(await names({ kind: 'mcp' }), ['mcp']);
  assert.ok((await names(person)).length > 20);
});

const call = (name: string) => emulator.tools.callTool({ name, arguments: {}, caller: person, conversationId });

test('a tool sees the fields that it names, and without any id, channel and customerId', async () => {
  assert.deepEqual((await call('reads')).result, {
    id: conversationId,
    fields: { order: 'A-1017' },
    customer: { name: 'Ann Larsen' },
  });
  const { customerId } = await door('conversations.get', { id: conversationId });
  assert.deepEqual((await call('reads_default')).result, { id: conversationId, channel: 'messaging-app', customerId });
  const outside = await emulator.tools.callTool({ name: 'reads', arguments: {}, caller: person });
  assert.equal(outside.result, null);
});

for (const [i, path] of Object.keys(changes).entries()) {
  test(`${path} may be changed by a tool that names it, and by no other`, async () => {
    const refused = await call(`without${i}`);
    assert.equal(refused.error?.code, 'tool_forbidden', refused.content);
    assert.ok(refused.error?.message.includes(path), refused.error?.message);
    const done = await call(`with${i}`);
    assert.equal(done.status, 'ok', done.content);
    await door('conversations.reopen', { id: conversationId });
  });
}

test('a path includes what is below it, and * is any name', async () => {
  assert.equal((await call('above')).status, 'ok');
});

test('a method that the tool calls has no further rights on its conversation', async () => {
  const { error } = await call('nested');
  assert.equal(error?.code, 'tool_failed');
  assert.match(error?.message ?? '', /assignee/);
});

test('another customer may be changed, and a template to its own one needs the path messages', async () => {
  assert.equal((await call('elsewhere')).status, 'ok');
  const { error } = await call('template');
  assert.equal(error?.code, 'tool_forbidden');
  assert.match(error?.message ?? '', /messages/);
});
