import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OpenDoor, RunDoor, RunEvent, ToolResult } from '../../src/agent/index.ts';
import { harnessAdapters } from '../../src/agent/index.ts';
import { codeOf, Gate, inputOf, ofType, type RunOptions, statusOf } from './a-run.ts';
import { openServer, type Server } from './stand-ins/server.ts';

/** A gate whose calls go on until the test ends them, and the door through which an agent's server makes them. */
class SlowGate extends Gate {
  door: RunDoor | undefined;
  readonly begun = Promise.withResolvers<void>();
  readonly result: PromiseWithResolvers<ToolResult>;

  constructor() {
    const result = Promise.withResolvers<ToolResult>();
    super({}, () => {
      this.begun.resolve();
      return result.promise;
    });
    this.result = result;
  }

  openDoor(door: RunDoor): OpenDoor {
    this.door = door;
    const url = 'http://127.0.0.1/';
    return { mcp: { url, headers: {} }, callback: { url }, close: () => {} };
  }
}

interface Options extends Partial<RunOptions> {
  /** Whether the server breaks off while a call is under way, instead of waiting for two. */
  readonly breaksOff?: boolean;
  /** Called once the first call is under way. */
  readonly onBegun?: (gate: SlowGate, server: Server) => void;
  readonly isLast?: (event: RunEvent) => boolean;
}

/** Runs an agent whose server is in the middle of its reply. @returns also what the server hears of each of its calls */
async function run({ breaksOff = false, onBegun, isLast, ...options }: Options) {
  const gate = new SlowGate();
  const heard: Promise<ToolResult>[] = [];
  const call = (orderId: string) => gate.door?.callTool('order_status', { orderId }) ?? assert.fail('no door');
  await using server = await openServer(async ({ body: { runId, threadId } }, response) => {
    const send = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send({ type: 'RUN_STARTED', runId, threadId });
    heard.push(call('A1'));
    await gate.begun.promise;
    onBegun?.(gate, server);
    if (!breaksOff) return void heard.push(call('A2'));
    send({ type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' });
    send({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I look' });
    response.end();
  });
  const harness = { kind: 'custom', name: 'mine', baseUrl: server.url } as const;
  const events: RunEvent[] = [];
  for await (const event of harnessAdapters.custom.run(inputOf({ say: 'Where is it?', harness, ...options }), gate)) {
    events.push(event);
    // The reply has broken off before this is looked at.
    if (event.type === 'message') setImmediate(() => gate.result.resolve(shipped));
    if (isLast?.(event)) break;
  }
  return { events, heard };
}

const shipped: ToolResult = { status: 'ok', content: 'A1 shipped' };

const statusesOf = (results: readonly ToolResult[]) => results.map(({ status }) => status);
const endsOf = (events: readonly RunEvent[]) =>
  statusesOf(ofType(events, 'toolCall.ended').map(({ result }) => result));

describe('a call inside the loop of an agent is told and answered', () => {
  test('when the budget refuses the one beside it, which closes the connection at once', async () => {
    const { events, heard } = await run({
      limitsOfBudget: { maxToolCalls: 1 },
      onBegun: (gate, server) => void server.nextEarlyClose().then(() => gate.result.resolve(shipped)),
    });
    assert.deepEqual([statusOf(events), codeOf(events)], ['failed', 'budget_tool_calls']);
    assert.deepEqual(endsOf(events), ['ok']);
    assert.deepEqual(statusesOf(await Promise.all(heard)), ['ok', 'cancelled']);
  });

  test('when the reply breaks off', async () => {
    const { events, heard } = await run({ breaksOff: true });
    assert.deepEqual([statusOf(events), codeOf(events)], ['failed', 'harness_connection_lost']);
    assert.deepEqual(endsOf(events), ['ok']);
    assert.deepEqual(statusesOf(await Promise.all(heard)), ['ok']);
  });

  test('when the run is cancelled', async () => {
    const cancel = new AbortController();
    const { events, heard } = await run({ signal: cancel.signal, onBegun: () => cancel.abort() });
    assert.deepEqual([statusOf(events), codeOf(events)], ['cancelled', undefined]);
    assert.deepEqual(endsOf(events), ['cancelled']);
    assert.deepEqual(statusesOf(await Promise.all(heard)), ['cancelled', 'cancelled']);
  });

  test('when whoever reads the run leaves with it', async () => {
    const { events, heard } = await run({
      onBegun: (gate) => gate.result.resolve(shipped),
      isLast: ({ type }) => type === 'toolCall.ended',
    });
    assert.deepEqual(endsOf(events), ['ok']);
    assert.equal((await heard[0])?.status, 'ok');
  });
});

test('a call at which the gate fails is answered, and ends the run', async () => {
  const { events, heard } = await run({ onBegun: (gate) => gate.result.reject(new Error('the disk is full')) });
  assert.deepEqual([statusOf(events), codeOf(events)], ['failed', 'internal']);
  assert.deepEqual(endsOf(events), []);
  assert.equal((await heard[0])?.error?.code, 'internal');
});
