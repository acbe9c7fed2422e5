import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aFakeServer, type FakeOptions } from '../../mcp/fake-server.ts';
import { aFlowWorkspace } from './support.ts';

const available = {
  name: 'available',
  description: 'What is in stock',
  inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  annotations: { readOnlyHint: true },
};
const order = { ...available, name: 'order', description: 'Orders an article' };

/** Asks the stock service, and says what it has answered. */
const asks = {
  rules: [{ when: { toolResults: { min: 1 } }, say: '{{lastToolResult.pieces}} left' }],
  default: { call: [{ tool: 'mcp_stock_available', args: { article: 'TNT-120' } }] },
};
const mcp = [{ client: 'stock', tools: ['available'] }];
const flows = {
  node: {
    nodes: {
      t: {
        type: 'trigger',
        on: 'message.received',
        filter: { field: 'message.text', op: 'contains', value: 'node' },
        next: 'i',
      },
      i: { type: 'ai', prompt: 'How many are left?', model: 'script:clerk', mcp, next: 'said', onError: 'said' },
      said: { type: 'message', text: 'Asked: {{steps.i.output.text}}', next: 'e' },
      e: { type: 'end' },
    },
  },
  agent: {
    nodes: {
      t: {
        type: 'trigger',
        on: 'message.received',
        filter: { field: 'message.text', op: 'contains', value: 'agent' },
        next: 'a',
      },
      a: { type: 'ai-agent', agent: 'clerk', onNewMessage: 'queue', mcp, next: 'e' },
      e: { type: 'end' },
    },
  },
};

/** A workspace with a client for a stock service, and flows whose nodes use it. */
async function aWorld(t: TestContext, habits: FakeOptions = {}) {
  const told = { pieces: 12 };
  const server = await aFakeServer(t, {
    tools: [available, order],
    call: () => ({ content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told }),
    ...habits,
  });
  const world = await aFlowWorkspace({}, {}, { clerk: { file: { instructions: 'Help.' }, script: asks } });
  await world.call('mcpClients.add', { name: 'stock', url: server.url });
  await world.save(flows);
  const lastRun = async () => {
    const { items } = await world.call('aiAgentRuns.list', { limit: 1 });
    return world.call('aiAgentRuns.show', { id: items[0]?.id ?? '' });
  };
  const answer = async (text: string) => {
    const { conversationId } = await world.say(world.newPhone(), text);
    return (await world.texts(conversationId)).slice(1);
  };
  return { ...world, server, lastRun, answer };
}

for (const [type, said, caller] of [
  ['node', 'flow: Asked: 12 left', { type: 'flow', id: 'shop/node/i' }],
  ['agent', 'aiAgent: 12 left', { type: 'aiAgent' }],
] as const) {
  test(`an AI ${type} calls the tools of an MCP client that it names, through the gate`, async (t) => {
    const { call, answer } = await aWorld(t);
    assert.deepEqual(await answer(`the ${type}, please`), [said]);
    const { items } = await call('tools.logs', {});
    assert.deepEqual(
      items.map(({ tool, status, source }) => [tool, status, source]),
      [['available', 'ok', { kind: 'mcp', name: 'stock' }]],
    );
    assert.deepEqual({ ...items[0]?.caller, ...caller }, items[0]?.caller);
  });
}

test('a tool that the node does not name is not offered', async (t) => {
  const { lastRun, answer, server } = await aWorld(t, { tools: [order] });
  await answer('the node, please');
  const { warnings, toolCalls } = await lastRun();
  assert.deepEqual(warnings, [{ code: 'tool_unknown', message: 'There is no tool stock/available' }]);
  assert.deepEqual(
    toolCalls.map(({ name, error }) => [name, error?.code]),
    [['mcp_stock_available', 'tool_unknown']],
  );
  assert.ok(!server.received.includes('tools/call'));
});

test('a node without its MCP server works without these tools, and says so', async (t) => {
  const { lastRun, answer, server } = await aWorld(t);
  await server.close();
  assert.equal((await answer('the agent, please')).length, 1);
  const { warnings } = await lastRun();
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['mcp_unavailable'],
  );
});

test('a flow that names a client which is not there is not live, and the one that was meant is told', async (t) => {
  const { save, answer, events } = await aWorld(t);
  const nodes = { ...flows.node.nodes, i: { ...flows.node.nodes.i, mcp: [{ client: 'stok' }] } };
  await save({ node: { nodes } });
  const problems = events.flatMap((event) => (event.type === 'problem' ? event.message : []));
  assert.match(
    problems.at(-1) ?? '',
    /nodes\.i\.mcp\[0\]\.client names the MCP client stok, which does not exist; did you mean stock\?/,
  );
  assert.deepEqual(await answer('the node, please'), ['flow: Asked: 12 left'], 'the flow of before stays');
});
