import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type CheckServerOptions,
  checkCustomServer,
  type HarnessConfig,
  harnessScenarios,
  type ScenarioResult,
} from '../../src/agent/index.ts';
import { serveRunDoors } from '../../src/emulator/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { secret } from './harnesses.ts';
import { openAgentServer } from './stand-ins/agent-server.ts';
import { type Fault, faults, openFaultyServer } from './stand-ins/faulty-server.ts';

const template: { openServer(secret: string): Server } = await import(
  pathToFileURL(packageFile('templates/harness/custom/server.js')).href
);

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

async function resultsOf(
  server: Server,
  config: Partial<HarnessConfig> = {},
  only?: string[],
): Promise<ScenarioResult[]> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const harness = { kind: 'custom', name: 'mine', baseUrl, secrets: [secret], ...config } as const;
    return await all(checkCustomServer(harness, { only }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const namesOf = (results: readonly ScenarioResult[], status: ScenarioResult['status']) =>
  results.filter((result) => result.status === status).map(({ name }) => name);

test('the template server passes every scenario', async () => {
  const results = await resultsOf(template.openServer(secret));
  assert.deepEqual(
    results.filter(({ status }) => status === 'failed'),
    [],
  );
  assert.deepEqual(namesOf(results, 'skipped'), ['tool-inline'], 'without an MCP endpoint');
  assert.deepEqual(
    results.map(({ name, rule }) => ({ name, rule })),
    harnessScenarios,
  );
});

describe('a server with one fault fails that scenario only', () => {
  for (const [fault, what] of Object.entries(faults)) {
    test(`${fault}: it ${what}`, async () => {
      const results = await resultsOf(openFaultyServer(secret, fault as Fault));
      assert.deepEqual(namesOf(results, 'failed'), [fault]);
      const message = results.find(({ status }) => status === 'failed')?.message ?? '';
      assert.match(message, /^[A-Z].{15,}\.$/, 'a sentence says what it did');
    });
  }
});

test('a scenario can be chosen', async () => {
  const results = await resultsOf(template.openServer(secret), {}, ['garbage', 'hello']);
  assert.deepEqual(namesOf(results, 'passed'), ['hello', 'garbage']);
});

test('a server with another secret fails what needs an answer', async () => {
  const other = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const results = await resultsOf(template.openServer(other), {}, ['hello', 'wrong-secret']);
  assert.deepEqual(namesOf(results, 'failed'), ['hello']);
  assert.match(results[0]?.message ?? '', /401/);
});

test('without a secret, signatures are not checked', async () => {
  await using server = await openAgentServer();
  const harness = { kind: 'custom', name: 'mine', baseUrl: server.url } as const;
  const results = await all(checkCustomServer(harness, { only: ['hello', 'wrong-secret'] }));
  assert.deepEqual(namesOf(results, 'passed'), ['hello']);
  assert.deepEqual(namesOf(results, 'skipped'), ['wrong-secret']);
});

test('where nobody listens every scenario fails, and says why', async () => {
  const harness = { kind: 'custom', name: 'mine', baseUrl: 'http://127.0.0.1:9', secrets: [secret] } as const;
  const results = await all(checkCustomServer(harness));
  assert.deepEqual(namesOf(results, 'passed'), []);
  assert.match(results[0]?.message ?? '', /Nothing listens at 127\.0\.0\.1:9/);
});

describe('a server that calls tools inside its loop', () => {
  /** Answers with what the tool gives back, or with something else. */
  async function checkInline(say: (result: string) => string): Promise<ScenarioResult | undefined> {
    await using doors = await serveRunDoors();
    await using server = await openAgentServer({
      reply: async ({ body: { runId, threadId, forwardedProps } }) => {
        const client = new Client({ name: 'an agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        const { url, headers } = forwardedProps.mcp;
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
        const { content } = await client.callTool({ name: 'check_echo', arguments: { value: 'A-1017' } });
        await client.close();
        return [
          { type: 'RUN_STARTED', runId, threadId },
          { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: say(JSON.stringify(content)) },
          { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
          { type: 'RUN_FINISHED', runId, threadId },
        ];
      },
    });
    const harness = { kind: 'custom', name: 'mine', baseUrl: server.url } as const;
    const openDoor: CheckServerOptions['openDoor'] = (runId, door) => doors.doors.open(runId, door);
    const [result] = await all(checkCustomServer(harness, { only: ['tool-inline'], openDoor }));
    return result;
  }

  test('passes if it tells the result', async () => {
    assert.deepEqual([(await checkInline((result) => `It is ${result}`))?.status], ['passed']);
  });

  test('fails if it does not', async () => {
    const result = await checkInline(() => 'I do not know');
    assert.equal(result?.status, 'failed');
    assert.match(result.message ?? '', /does not tell the result of the tool, CODE-/);
  });

  test('is told from one that calls none', async () => {
    await using doors = await serveRunDoors();
    const openDoor: CheckServerOptions['openDoor'] = (runId, door) => doors.doors.open(runId, door);
    await using server = await openAgentServer();
    const harness = { kind: 'custom', name: 'mine', baseUrl: server.url } as const;
    const [result] = await all(checkCustomServer(harness, { only: ['tool-inline'], openDoor }));
    assert.deepEqual(
      [result?.status, result?.message],
      ['skipped', 'It called no tool through the MCP endpoint of its run.'],
    );
  });
});

test('a check stops when it is told to', async () => {
  const stop = new AbortController();
  const harness = { kind: 'custom', name: 'mine', baseUrl: 'http://127.0.0.1:9' } as const;
  for await (const _ of checkCustomServer(harness, { signal: stop.signal })) stop.abort();
  assert.deepEqual(await all(checkCustomServer(harness, { signal: stop.signal })), []);
});

test('the template’s own test passes', async () => {
  await promisify(execFile)(process.execPath, ['--test', packageFile('templates/harness/custom/server.test.js')], {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
});
