import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HarnessConfig, harnessAdapters, type RunEvent } from '../../src/agent/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { codeOf, Gate, ofType, runAgent, statusOf, textsOf } from './a-run.ts';
import { closedPort } from './closed-port.ts';
import { openManagedAgents } from './stand-ins/managed-agents-server.ts';
import { appWithPackages, missingOf } from './vendor-apps.ts';

const kind = 'claude-managed-agents';
const adapter = harnessAdapters[kind];
const packages = { '@anthropic-ai/sdk': '@anthropic-ai/sdk' };
const missing = missingOf(packages);
const key = 'sk-secret-of-the-test';

test('without the package the check names the line that installs it', async () => {
  const folder = temporaryFolder('fn-vendor');
  const { problems } = await adapter.check({ kind, name: 'managed', apiKey: key, packages: { folder, trusted: true } });
  assert.equal(problems[0]?.code, 'harness_package_missing');
  assert.match(problems[0]?.fix ?? '', /npm install @anthropic-ai\/sdk@">=0\.116 <2\.0"$/);
});

describe('with the package', { skip: missing ?? false }, () => {
  const folder = missing === undefined ? appWithPackages(packages) : '';
  const at = (baseUrl: string, more: Partial<HarnessConfig> = {}): HarnessConfig => {
    return { kind, name: 'managed', apiKey: key, baseUrl, packages: { folder, trusted: true }, ...more };
  };
  const run = (harness: HarnessConfig, say: string, more: Partial<Parameters<typeof runAgent>[0]> = {}) =>
    runAgent({ say, harness, models: { main: 'claude-haiku-4-5' }, ...more });
  const stateOf = (events: readonly RunEvent[]) => ofType(events, 'leg.ended').at(-1)?.state;

  test('the check asks the endpoint with the key', async () => {
    await using server = await openManagedAgents({ key });
    assert.deepEqual(await adapter.check(at(server.url)), { ok: true, problems: [] });
    assert.equal((await adapter.check(at(server.url, { apiKey: 'sk-another-one' }))).problems[0]?.code, 'model_auth');
  });

  test('an endpoint where nothing listens is model_unavailable, after three tries', async () => {
    const port = await closedPort();
    const gate = new Gate();
    assert.equal(codeOf(await run(at(`http://127.0.0.1:${port}`), 'hello', { gate })), 'model_unavailable');
    assert.equal(gate.waits.length, 2);
  });

  test('a key that is refused is model_auth at once, and stands in no event', async () => {
    await using server = await openManagedAgents({ key: 'sk-the-right-one' });
    const events = await run(at(server.url), 'hello');
    assert.equal(codeOf(events), 'model_auth');
    assert.equal(server.requests.length, 1);
    assert.doesNotMatch(JSON.stringify(events), /sk-secret/);
  });

  test('the agent has our tools, an environment without a network, and nothing of the user’s environment', async (t) => {
    const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS'];
    for (const name of names) process.env[name] = name.endsWith('HEADERS') ? 'x-mine: of-the-user' : 'of-the-user';
    t.after(() => {
      for (const name of names) delete process.env[name];
    });
    await using server = await openManagedAgents({ key });
    assert.equal(statusOf(await run(at(server.url), 'hello')), 'completed');
    const [agent] = server.agents;
    assert.deepEqual(
      agent.tools.map(({ type, name }: { type: string; name: string }) => [type, name]),
      ['order_status', 'cancel_order', 'handover_to_human'].map((name) => ['custom', name]),
    );
    assert.deepEqual(server.environments[0].config.networking, {
      type: 'limited',
      allowed_hosts: [],
      allow_mcp_servers: false,
      allow_package_managers: false,
    });
    assert.doesNotMatch(JSON.stringify(server.requests), /of-the-user/);
  });

  test('an agent gets another version when its instructions change, and each session keeps its own', async () => {
    await using server = await openManagedAgents();
    const about = { agent: { id: 'aia_1', name: 'shop/nora' } };
    for (const instructions of ['Sell tea.', 'Sell tea.', 'Sell coffee.', 'Sell tea.']) {
      assert.equal(statusOf(await run(at(server.url), 'hello', { instructions, about })), 'completed');
    }
    assert.equal(server.agents.length, 1);
    assert.equal(server.environments.length, 1);
    assert.deepEqual(
      [...server.sessions.values()].map(({ agent }) => [agent.version, agent.system]),
      [
        [1, 'Sell tea.'],
        [1, 'Sell tea.'],
        [2, 'Sell coffee.'],
        [1, 'Sell tea.'],
      ],
    );
  });

  test('facts about a customer are told in the first message of a session, and make no version of the agent', async () => {
    await using server = await openManagedAgents();
    const about = { agent: { id: 'aia_1', name: 'shop/nora' } };
    const states: unknown[] = [];
    for (const value of ['Ann', 'Bob']) {
      const facts = [{ description: 'customer.name', value }];
      states.push(stateOf(await run(at(server.url), 'hello', { facts, about, state: states.at(-1) })));
    }
    assert.deepEqual(
      server.agents.map(({ version, system }) => [version, system]),
      [[1, 'You help with orders.']],
    );
    // What a session was told stays, so other facts begin another one.
    assert.equal(server.sessions.size, 2);
    const sent = server.requests.flatMap(({ body }) => body?.events ?? []);
    assert.deepEqual(
      sent.map(({ content: [{ text }] }) =>
        text
          .split('\n')
          .slice(1)
          .map((line: string) => JSON.parse(line)),
      ),
      ['Ann', 'Bob'].map((name) => [
        { from: 'facts', facts: { 'customer.name': name } },
        { from: 'customer', text: 'hello' },
      ]),
    );
  });

  test('an agent and an environment that are there already are used', async () => {
    await using server = await openManagedAgents();
    await run(at(server.url), 'hello');
    // Another key is another account for whoever remembers.
    await run(at(server.url, { apiKey: 'sk-another-of-the-account' }), 'hello');
    assert.deepEqual([server.agents.length, server.environments.length], [1, 1]);
  });

  test('the stream is open before anything is sent', async () => {
    await using server = await openManagedAgents();
    await run(at(server.url), 'Where is order A17?');
    const paths = server.requests.map(({ path }) => path.replace(/\?.*/, '').replace(/^.*\/sessions\/[^/]+/, ''));
    assert.deepEqual(
      paths.filter((path) => path.startsWith('/events')),
      ['/events/stream', '/events', '/events/stream', '/events'],
    );
  });

  test('a conversation has one session: the next run sends what is new', async () => {
    await using server = await openManagedAgents();
    const messages = [{ role: 'user' as const, id: 'msg_1', content: 'hello' }];
    const first = await run(at(server.url), '', { messages });
    const next = [
      ...messages,
      { role: 'assistant' as const, id: 'msg_2', content: 'Good morning, Ann.' },
      { role: 'user' as const, id: 'msg_3', content: 'Where is order A17?' },
    ];
    const second = await run(at(server.url), '', { messages: next, state: stateOf(first) });
    assert.equal(textsOf(second).at(-1), 'Your order: A17 shipped');
    assert.equal(server.sessions.size, 1);
  });

  test('a session that waits for somebody else begins no turn: another one begins with the conversation', async () => {
    await using server = await openManagedAgents();
    const first = await run(at(server.url), 'Please cancel the order');
    assert.equal(statusOf(first), 'waiting');
    const messages = [
      { role: 'user' as const, id: 'msg_1', content: 'Please cancel the order' },
      { role: 'user' as const, id: 'msg_2', content: 'hello' },
    ];
    const second = await run(at(server.url), '', { messages, state: stateOf(first) });
    assert.deepEqual(textsOf(second), ['Good morning, Ann.']);
    assert.equal(server.sessions.size, 2);
    assert.equal([...server.sessions.values()][0]?.inputs.at(-1), 'user.interrupt');
  });

  test('a run that is cancelled, hands over or goes beyond its budget interrupts the turn', async () => {
    for (const [say, limitsOfBudget] of [
      ['I want a human', {}],
      ['for ever', { maxToolCalls: 2 }],
      ['for ever', { maxTokens: 300 }],
      ['for ever', { maxModelCalls: 2 }],
    ] as const) {
      await using server = await openManagedAgents();
      assert.notEqual(statusOf(await run(at(server.url), say, { limitsOfBudget })), 'completed');
      const [session] = server.sessions.values();
      assert.equal(session?.inputs.at(-1), 'user.interrupt', say);
      assert.equal(session?.turn, undefined);
    }
    await using server = await openManagedAgents({ trouble: () => 'stall' });
    const stop = new AbortController();
    const onEvent = (event: RunEvent) => {
      if (event.type === 'text.delta') stop.abort();
    };
    assert.equal(statusOf(await run(at(server.url), 'hello', { signal: stop.signal, onEvent })), 'cancelled');
    const [session] = server.sessions.values();
    assert.deepEqual(session?.inputs, ['user.message', 'user.interrupt']);
  });

  test('the money that is left is the session’s list cost limit, and its end is budget_cost', async () => {
    await using server = await openManagedAgents({ centsPerRequest: 4 });
    const limitsOfBudget = { maxCostUsd: 0.1 };
    const events = await run(at(server.url), 'for ever', { limitsOfBudget });
    assert.equal([...server.sessions.values()][0]?.limit, 10);
    assert.equal(codeOf(events), 'budget_cost');
    const messages = [{ role: 'user' as const, id: 'msg_1', content: 'hello' }];
    const first = await run(at(server.url), '', { messages, limitsOfBudget });
    const next = [...messages, { role: 'user' as const, id: 'msg_2', content: 'hello again' }];
    await run(at(server.url), '', { messages: next, limitsOfBudget, state: stateOf(first) });
    assert.equal([...server.sessions.values()][1]?.limit, 14);
    // A session gets its limit when it is made, or never.
    const unlimited = await run(at(server.url), '', { messages });
    await run(at(server.url), '', { messages: next, limitsOfBudget, state: stateOf(unlimited) });
    assert.deepEqual(
      [...server.sessions.values()].slice(2).map(({ limit }) => limit),
      [undefined, 10],
    );
  });

  test('each model call is in the record, with the tokens of the cache', async () => {
    await using server = await openManagedAgents();
    const calls = ofType(await run(at(server.url), 'Where is order A17?'), 'modelCall.ended');
    assert.deepEqual(
      calls.map(({ finishReason, usage, provider }) => [finishReason, usage?.cachedInputTokens, provider]),
      [
        ['toolCalls', 100, 'anthropic'],
        ['stop', 100, 'anthropic'],
      ],
    );
    assert.ok((calls[0]?.usage?.inputTokens ?? 0) > 100);
  });

  test('a model that cannot be asked and one that refuses fail the run by name', async () => {
    await using busy = await openManagedAgents({ ending: 'retries_exhausted' });
    const events = await run(at(busy.url), 'hello');
    assert.equal(codeOf(events), 'model_unavailable');
    assert.match(ofType(events, 'error')[0]?.message ?? '', /Overloaded/);
    await using refusing = await openManagedAgents({ ending: 'refusal' });
    assert.equal(codeOf(await run(at(refusing.url), 'hello')), 'model_empty_answer');
  });

  test('a stream that breaks off fails the run, and what was said stays', async () => {
    await using server = await openManagedAgents({ trouble: (number) => (number > 4 ? 'cut' : undefined) });
    const events = await run(at(server.url), 'hello');
    assert.equal(codeOf(events), 'model_unavailable');
    assert.deepEqual(
      ofType(events, 'message').map(({ text, partial }) => [text, partial]),
      [['Good ', true]],
    );
  });
});
