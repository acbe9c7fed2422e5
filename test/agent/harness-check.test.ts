import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { checkCustomServer, type HarnessConfig, harnessScenarios, type ScenarioResult } from '../../src/agent/index.ts';
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
  assert.deepEqual(namesOf(results, 'skipped'), ['tool-inline'], 'MCP comes with a later release');
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
