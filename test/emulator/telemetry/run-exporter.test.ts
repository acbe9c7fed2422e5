import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { Output } from '../../../src/contract/index.ts';
import type { OtlpSpan } from '../../../src/emulator/telemetry/run-spans.ts';
import { openTelemetry } from '../../../src/emulator/telemetry/telemetry.ts';
import { spanIdOf } from '../../../src/std/index.ts';
import { until } from '../../until.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

interface Received {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly schemaUrl: string; readonly spans: readonly OtlpSpan[] }[];
    }[];
  };
}

/** What a collector of OTLP/HTTP is. */
const received: Received[] = [];
let status = 200;
const collector = createServer((request, response) => {
  let text = '';
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    received.push({ path: request.url, type: request.headers['content-type'], body: JSON.parse(text) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => collector.once('listening', resolve));
after(() => {
  collector.close();
  collector.closeAllConnections();
});
const otlpEndpoint = `http://127.0.0.1:${(collector.address() as { port: number }).port}`;

const here = await anEmulator({
  otlpEndpoint,
  agents: {
    ada: {
      file: { instructions: 'Look it up.', tools: ['order_status'] },
      script: {
        rules: [
          { when: { toolResults: { min: 1 } }, say: 'It is {{lastToolResult.status}}.' },
          { when: { lastUser: { contains: 'broken' } }, fail: { status: 400 } },
          { when: { lastUser: { contains: 'slow' } }, say: 'Late.', delayMs: 60_000 },
        ],
        default: { call: [{ tool: 'order_status', args: { orderId: 'A-1017' } }] },
      },
    },
  },
  functions: {
    'tools/order-status': {
      config: {
        type: 'ai-tool',
        name: 'order_status',
        description: 'Status of an order',
        input: { type: 'object', properties: { orderId: { type: 'string' } }, additionalProperties: false },
        permissions: { callers: { aiAgents: 'all' } },
      },
      body: "return { status: 'shipped' };",
    },
  },
});
const door = here.emulator.door(everyone);

async function runOf(input: string): Promise<Output<'aiAgentRuns.show'>> {
  const { id } = await door('aiAgentRuns.create', { agent: 'ada', input });
  await here.emulator.settled();
  return door('aiAgentRuns.show', { id });
}

const spans = (): OtlpSpan[] =>
  received.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
  );
const sentOf = async (run: { traceId: string }): Promise<OtlpSpan[]> => {
  await until('the spans of the run', async () => spans().some(({ traceId }) => traceId === run.traceId));
  return spans().filter(({ traceId }) => traceId === run.traceId);
};
const attribute = (span: OtlpSpan | undefined, key: string) =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

test('a collector is sent the tree of a run, as its record has it', async () => {
  const run = await runOf('Where is it?');
  assert.equal(run.status, 'completed');
  const sent = await sentOf(run);
  assert.deepEqual(
    sent.map(({ name, spanId, parentSpanId, status }) => [name, spanId, parentSpanId, status.code]),
    [
      ['invoke_agent shop/ada', spanIdOf(run.id), undefined, 1],
      ...run.modelCalls.map(({ id, model }) => [`chat ${model}`, spanIdOf(id), spanIdOf(run.id), 1]),
      ...run.toolCalls.map(({ id, name, modelCallId }) => [
        `execute_tool ${name}`,
        spanIdOf(id),
        spanIdOf(modelCallId ?? ''),
        1,
      ]),
    ],
  );
  assert.deepEqual([run.modelCalls.length, run.toolCalls.length], [2, 1]);
  const [root, call] = sent;
  assert.equal(attribute(root, 'gen_ai.usage.input_tokens'), String(run.usage.inputTokens));
  assert.equal(attribute(call, 'gen_ai.usage.output_tokens'), String(run.modelCalls[0]?.usage?.outputTokens));
  assert.deepEqual(attribute(call, 'gen_ai.response.finish_reasons'), { values: [{ stringValue: 'toolCalls' }] });
  for (const span of sent) {
    assert.match(span.traceId, /^[0-9a-f]{32}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name);
  }
  const [request] = received;
  assert.deepEqual([request?.path, request?.type], ['/v1/traces', 'application/json']);
  assert.doesNotMatch(JSON.stringify(received), /A-1017|shipped|Where is it/, 'texts stay here');
});

test('a run that fails, and one that is cancelled, are sent with their errors', async () => {
  const failed = await runOf('broken');
  assert.equal(failed.status, 'failed');
  const [root, call] = await sentOf(failed);
  assert.deepEqual(
    [root?.status, call?.status],
    [
      { code: 2, message: 'model_bad_request' },
      { code: 2, message: 'model_bad_request' },
    ],
  );
  assert.equal(attribute(root, 'error.type'), 'model_bad_request');
  const { id } = await door('aiAgentRuns.create', { agent: 'ada', input: 'slow' });
  await until('its model call', async () => (await door('aiAgentRuns.show', { id })).modelCalls.length > 0);
  const cancelled = await door('aiAgentRuns.cancel', { id });
  assert.equal((await sentOf(cancelled))[0]?.name, 'invoke_agent shop/ada');
});

test('a collector that takes nothing is told of once, and the runs go on', async () => {
  status = 503;
  const problems = () => here.events.filter((event) => event.type === 'problem' && event.code === 'otlp_unavailable');
  const first = await runOf('one');
  await sentOf(first);
  await sentOf(await runOf('two'));
  await until('the problem', async () => problems().length > 0);
  assert.equal(first.status, 'completed');
  status = 200;
  await sentOf(await runOf('three'));
  assert.equal(problems().length, 1);
  assert.match(JSON.stringify(problems()[0]), /takes no spans: it answers 503/);
});

test('without an address there is nothing that could send', () => {
  assert.equal(
    openTelemetry(undefined, here.workspace, () => {}),
    undefined,
  );
});
