import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Output } from '../../../src/contract/index.ts';
import { type Event, openAgentServer } from '../../agent/stand-ins/agent-server.ts';
import type { ServedRequest } from '../../agent/stand-ins/server.ts';
import { anEmulator, everyone, token } from '../an-emulator.ts';
import { cancelOrder, orderTool } from './order-tools.ts';

type Run = Output<'aiAgentRuns.show'>;

const here = await anEmulator({
  agents: { nora: { file: { instructions: 'Help.', tools: ['order_status', 'cancel_order'] } } },
  functions: {
    'tools/order-status': orderTool('order_status', "return sdk.tool.args.orderId + ' shipped';"),
    'tools/cancel-order': cancelOrder,
  },
});
const door = here.emulator.door(everyone);

type Call = (name: string, args: Record<string, unknown>) => Promise<{ isError: boolean; text: string }>;

/** Connects the official client to what the request of a leg names, and leaves. */
async function withTools<T>({ body }: ServedRequest, use: (call: Call, client: Client) => Promise<T>): Promise<T> {
  const { url, headers } = body.forwardedProps.mcp;
  const client = new Client({ name: 'an agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    return await use(async (name, args) => {
      const { isError, content } = await client.callTool({ name, arguments: args });
      const [first] = content;
      return { isError: isError === true, text: first?.type === 'text' ? first.text : '' };
    }, client);
  } finally {
    await client.close();
  }
}

const said = (text: string): Event[] => [
  { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: text },
  { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
];

const resultsIn = ({ body }: ServedRequest): string[] =>
  body.messages.flatMap(({ role, content }: Event) => (role === 'tool' ? [content] : []));

/** A custom agent whose legs do this: what it gives back comes between start and end. */
let work: (request: ServedRequest, leg: number) => Promise<readonly Event[]> = async () => [];
const requests: ServedRequest[] = [];
const server = await openAgentServer({
  reply: async (request, number) => {
    requests.push(request);
    const { runId, threadId } = request.body;
    return [
      { type: 'RUN_STARTED', runId, threadId },
      ...(await work(request, number)),
      { type: 'RUN_FINISHED', runId, threadId },
    ];
  },
});
after(() => server[Symbol.asyncDispose]());
await door('harnesses.add', { name: 'mine', kind: 'custom', endpoint: server.url, unsigned: true });

async function run(input: string, does: typeof work, more: object = {}): Promise<Run> {
  work = does;
  const { id } = await door('aiAgentRuns.create', { agent: 'nora', harness: 'mine', input, ...more });
  return worked(id);
}

async function worked(id: string): Promise<Run> {
  await here.emulator.settled();
  return door('aiAgentRuns.show', { id });
}

const callsOf = ({ toolCalls }: Run) => toolCalls.map(({ name, status, result }) => [name, status, result]);

describe('an agent that calls tools inside its loop', () => {
  test('is shown the tools of its run, and its calls stand in the record', async () => {
    const made = await run('Where is A17?', (request) =>
      withTools(request, async (call, client) => {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(({ name }) => name).sort(), ['cancel_order', 'handover_to_human', 'order_status']);
        assert.equal(tools.find(({ name }) => name === 'order_status')?.annotations?.readOnlyHint, true);
        const { isError, text } = await call('order_status', { orderId: 'A17' });
        assert.equal(isError, false);
        return said(`Your order: ${JSON.parse(text)}`);
      }),
    );
    assert.deepEqual([made.status, made.text], ['completed', 'Your order: A17 shipped']);
    assert.deepEqual(callsOf(made), [['order_status', 'ok', 'A17 shipped']]);
    assert.equal(made.usage.toolCalls, 1);
    assert.equal(made.toolCalls[0]?.source.function, 'shop/tools/order-status');
  });

  test('is not recorded twice when it tells of its calls, with a result or without', async () => {
    for (const tellsResult of [true, false]) {
      const made = await run('Where is A17?', (request) =>
        withTools(request, async (call) => {
          const { text } = await call('order_status', { orderId: 'A17' });
          return [
            { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'order_status' },
            { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"orderId": "A17"}' },
            { type: 'TOOL_CALL_END', toolCallId: 'c1' },
            ...(tellsResult ? [{ type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: text }] : []),
            ...said('It shipped.'),
          ];
        }),
      );
      assert.deepEqual([made.status, made.text], ['completed', 'It shipped.']);
      assert.deepEqual(callsOf(made), [['order_status', 'ok', 'A17 shipped']]);
    }
  });

  test('hears what is wrong with a call', async () => {
    const made = await run('Where is it?', (request) =>
      withTools(request, async (call) => {
        const wrong = await call('order_status', { orderId: 17 });
        const unknown = await call('no_such_tool', {});
        assert.deepEqual([wrong.isError, unknown.isError], [true, true]);
        return said(`${JSON.parse(wrong.text).error.code}, ${JSON.parse(unknown.text).error.code}`);
      }),
    );
    assert.equal(made.text, 'tool_invalid_arguments, tool_unknown');
    assert.deepEqual(
      made.toolCalls.map(({ status }) => status),
      ['error', 'error'],
    );
  });

  test('leaves a call that waits for a person, and goes on with its result', async () => {
    const before = requests.length;
    const does: typeof work = (request) => {
      const [result] = resultsIn(request);
      if (result !== undefined) return Promise.resolve(said(`Done: ${result}`));
      return withTools(request, async (call) => {
        const { isError, text } = await call('cancel_order', { orderId: 'A17' });
        assert.equal(isError, true);
        assert.match(text, /tool_confirmation_required.*Cancel the order\?.*End your turn/);
        return [];
      });
    };
    const waiting = await run('Please cancel the order', does);
    assert.equal(waiting.status, 'waiting');
    await door('confirmations.answer', { id: waiting.waitingFor[0]?.id ?? '', answer: 'allow' });
    const made = await worked(waiting.id);
    assert.deepEqual([made.status, made.text], ['completed', 'Done: true']);
    assert.deepEqual(callsOf(made), [['cancel_order', 'ok', true]]);
    const [first, second] = requests.slice(before).map(({ body }) => body.forwardedProps.mcp.headers.authorization);
    assert.notEqual(first, second, 'who works on again has another token');
  });

  test('hands over, and what it says afterwards is its last word', async () => {
    const made = await run('I want a human', (request) =>
      withTools(request, async (call) => {
        await call('handover_to_human', { reason: 'asked' });
        return said('I hand you over.');
      }),
    );
    assert.deepEqual([made.status, made.result.reason], ['handedOver', 'asked']);
  });

  test('is stopped by the budget of tool calls', async () => {
    const does: typeof work = (request) =>
      withTools(request, async (call) => {
        for (let i = 0; i < 5; i++) await call('order_status', { orderId: `A${i}` }).catch(() => {});
        return said('never');
      });
    const made = await run('for ever', does, { budget: { maxToolCalls: 2 } });
    assert.deepEqual([made.status, made.budgetExceeded, made.text], ['failed', 'toolCalls', null]);
    assert.deepEqual(callsOf(made).slice(0, 2), [
      ['order_status', 'ok', 'A0 shipped'],
      ['order_status', 'ok', 'A1 shipped'],
    ]);
  });
});

describe('the token of a run', () => {
  const ask = ({ body }: ServedRequest, authorization: string | undefined, at: string = body.forwardedProps.mcp.url) =>
    fetch(at, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  test('opens its own run only, while it works, and nothing else', async () => {
    const statuses: number[] = [];
    await run('hello', async (request) => {
      const { url, headers, expiresAt } = request.body.forwardedProps.mcp;
      assert.ok(Date.parse(expiresAt) > Date.now());
      const others = [
        undefined,
        `Bearer ${token}`,
        `${headers.authorization}x`,
        'Bearer fn_run_',
        headers.authorization,
      ];
      for (const authorization of others) statuses.push((await ask(request, authorization)).status);
      statuses.push(
        (await ask(request, headers.authorization, url.replace(/run_\w+$/, 'run_01M8AN37EYGEKJQZVWPTTSBKG5'))).status,
      );
      statuses.push((await ask(request, headers.authorization, `${here.url}/mcp`)).status);
      statuses.push((await fetch(`${here.api}/customers`, { headers })).status);
      return said('Hi');
    });
    assert.deepEqual(statuses, [401, 401, 401, 401, 200, 401, 401, 401]);
  });

  test('opens nothing once the run has ended', async () => {
    const request = requests.at(-1);
    assert.ok(request);
    assert.equal((await ask(request, request.body.forwardedProps.mcp.headers.authorization)).status, 401);
  });

  test('stands in no record', async () => {
    const made = await run('hello', async () => said('Hi'));
    const given: string = requests.at(-1)?.body.forwardedProps.mcp.headers.authorization;
    assert.doesNotMatch(JSON.stringify(made), new RegExp(given.slice('Bearer '.length)));
  });
});
