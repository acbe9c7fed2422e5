import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunEvent } from '../../src/agent/index.ts';
import { codeOf, Gate, ofType, statusOf, textsOf } from './a-run.ts';
import { closedPort } from './closed-port.ts';
import { agentsApi, key, managedAgents, stateOf } from './hosted-kinds.ts';

/** What holds for every kind whose loop and conversation are at a vendor. */
for (const hosted of [agentsApi, managedAgents]) {
  const { adapter, at, run, open, kind } = hosted;

  describe(kind, { skip: hosted.missing ?? false }, () => {
    test('is checked by asking the endpoint with the key', async () => {
      await using server = await open({ key });
      assert.deepEqual(await adapter.check(at(server.url)), { ok: true, problems: [] });
      assert.equal((await adapter.check(at(server.url, { apiKey: 'sk-another-one' }))).problems[0]?.code, 'model_auth');
    });

    test('fails as model_unavailable after three tries where nothing listens', async () => {
      const harness = at(`http://127.0.0.1:${await closedPort()}/v1`);
      const gate = new Gate();
      assert.equal(codeOf(await run(harness, 'hello', { gate })), 'model_unavailable');
      assert.equal(gate.waits.length, 2);
      assert.equal((await adapter.check(harness)).problems[0]?.code, 'model_unavailable');
    });

    test('goes on when an endpoint that failed once is asked again', async () => {
      await using server = await open({ trouble: (number) => (number === 1 ? { status: 503 } : undefined) });
      assert.deepEqual(textsOf(await run(at(server.url), 'hello')), ['Good morning, Ann.']);
      assert.equal(server.sessions.size, 1);
    });

    test('fails as model_auth at once with a key that is refused, which stands in no event', async () => {
      await using server = await open({ key: 'sk-the-right-one' });
      const events = await run(at(server.url), 'hello');
      assert.equal(codeOf(events), 'model_auth');
      assert.equal(server.requests.length, 1);
      assert.doesNotMatch(JSON.stringify(events), /sk-secret/);
    });

    test('is refused without a key or without a model', async () => {
      const { apiKey: _, baseUrl: _url, ...keyless } = at('');
      assert.equal(codeOf(await run(keyless, 'hello')), 'model_key_missing');
      const events = await run(at('http://127.0.0.1:9'), 'hello', { models: { main: 'script:default' } });
      assert.match(ofType(events, 'error')[0]?.hint ?? '', /fn harness update hosted --model/);
    });

    test('gets nothing of the user’s environment', async (t) => {
      const names = ['API_KEY', 'AUTH_TOKEN', 'BASE_URL', 'CUSTOM_HEADERS', 'ORG_ID', 'PROJECT_ID'].flatMap((name) => {
        return [`OPENAI_${name}`, `ANTHROPIC_${name}`];
      });
      for (const name of names) process.env[name] = name.endsWith('HEADERS') ? 'x-mine: of-the-user' : 'of-the-user';
      t.after(() => {
        for (const name of names) delete process.env[name];
      });
      await using server = await open({ key });
      assert.equal(statusOf(await run(at(server.url), 'hello')), 'completed');
      assert.doesNotMatch(JSON.stringify(server.requests), /of-the-user/);
    });

    test('has one session for a conversation: the next run sends what is new', async () => {
      await using server = await open();
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

    test('has its turn cancelled by a run that is cancelled, hands over or goes beyond its budget', async () => {
      for (const [say, limitsOfBudget] of [
        ['I want a human', {}],
        ['for ever', { maxToolCalls: 2 }],
        ['for ever', { maxTokens: 300 }],
        ['for ever', { maxModelCalls: 2 }],
      ] as const) {
        await using server = await open();
        assert.notEqual(statusOf(await run(at(server.url), say, { limitsOfBudget })), 'completed');
        const [session] = server.sessions.values();
        assert.deepEqual([session?.inputs.at(-1), session?.turn], [hosted.cancel, undefined], say);
      }
      await using server = await open({ trouble: () => 'stall' });
      const stop = new AbortController();
      const onEvent = (event: RunEvent) => {
        if (event.type === 'text.delta') stop.abort();
      };
      assert.equal(statusOf(await run(at(server.url), 'hello', { signal: stop.signal, onEvent })), 'cancelled');
      const [session] = server.sessions.values();
      assert.deepEqual([session?.inputs.at(-1), session?.turn], [hosted.cancel, undefined]);
    });

    test('fails when its stream breaks off, and what was said stays', async () => {
      await using server = await open({ trouble: () => 'cut' });
      const events = await run(at(server.url), 'hello');
      assert.equal(codeOf(events), 'model_unavailable');
      assert.deepEqual(
        ofType(events, 'message').map(({ text, partial }) => [text, partial]),
        [['Good ', true]],
      );
    });
  });
}
