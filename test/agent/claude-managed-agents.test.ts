import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeOf, ofType, statusOf, textsOf } from './a-run.ts';
import { managedAgents, stateOf } from './hosted-kinds.ts';
import { openManagedAgents } from './stand-ins/managed-agents-server.ts';

const { at, run, missing } = managedAgents;

describe('Claude Managed Agents', { skip: missing ?? false }, () => {
  test('the agent has our tools, and an environment without a network', async () => {
    await using server = await openManagedAgents();
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
});
