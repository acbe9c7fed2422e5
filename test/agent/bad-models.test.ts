import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { addEvent, Budget, createPrices, defaultBudget, harnessAdapters, noProgress } from '../../src/agent/index.ts';
import { harnessKinds } from '../../src/contract/index.ts';
import { codeOf, failed, Gate, ofType, type RunOptions, runAgent, statusOf, textsOf } from './a-run.ts';
import { harnesses } from './harnesses.ts';
import { openModelServer } from './stand-ins/model-server.ts';
import type { Trouble } from './stand-ins/server.ts';

const overHttp = harnesses.filter(({ title, hasFallback }) => title !== 'the scripted model' && hasFallback);

for (const kind of overHttp) {
  describe(kind.title, { skip: kind.missing ?? false }, () => {
    const run = async (
      say: string,
      trouble?: (number: number, model: string) => Trouble | undefined,
      more: Partial<RunOptions> = {},
    ) => {
      await using open = await kind.open(trouble === undefined ? {} : { trouble });
      const { harness, models } = open;
      const gate = more.gate ?? open.gate();
      const events = await runAgent({ say, harness, models: { main: models.main }, ...more, gate });
      return { events, gate, requests: open.server?.requests ?? [], closedEarly: open.server?.nextEarlyClose };
    };

    for (const [status, code, tries] of [
      [429, 'model_rate_limited', 3],
      [500, 'model_unavailable', 3],
      [503, 'model_unavailable', 3],
      [529, 'model_unavailable', 3],
      [401, 'model_auth', 1],
      [403, 'model_auth', 1],
      [404, 'model_bad_request', 1],
      [400, 'model_bad_request', 1],
    ] as const) {
      test(`a model that answers ${status} ends the run as ${code} after ${tries} tries`, async () => {
        const { events, requests, gate } = await run('hello', () => ({ status }));
        assert.equal(codeOf(events), code);
        assert.equal(statusOf(events), 'failed');
        assert.equal(requests.length, tries);
        assert.equal(gate.waits.length, tries - 1);
        const calls = ofType(events, 'modelCall.ended');
        assert.deepEqual(
          calls.map(({ error }) => error?.code),
          Array.from({ length: tries }, () => code),
        );
        assert.deepEqual(
          calls.map(({ usage }) => usage),
          Array.from({ length: tries }, () => null),
        );
        assert.equal(JSON.stringify(events).includes('sk-secret'), false);
      });
    }

    test('a model that recovers answers after a retry', async () => {
      const { events } = await run('hello', (number) => (number < 3 ? { status: 503 } : undefined));
      assert.deepEqual(textsOf(events), ['Good morning, Ann.']);
    });

    test('Retry-After is kept to, up to its limit', async () => {
      const wait = (seconds: string) => (number: number) =>
        number === 1 ? { status: 429, headers: { 'retry-after': seconds } } : undefined;
      const soon = await run('hello', wait('7'));
      assert.equal(statusOf(soon.events), 'completed');
      assert.deepEqual(soon.gate.waits, [7_000]);
      const late = await run('hello', wait('31'));
      assert.equal(codeOf(late.events), 'model_rate_limited');
      assert.deepEqual(late.gate.waits, []);
    });

    test('a connection that is closed before the answer is tried again', async () => {
      const { events, requests } = await run('hello', (number) => (number === 1 ? 'reset' : undefined));
      assert.equal(statusOf(events), 'completed');
      assert.equal(requests.length, 2);
    });

    test('a model that never answers ends the run as model_unavailable', async () => {
      const { events } = await run('hello', () => 'hang', { limits: { firstByteMs: 20, retryMs: [] } });
      assert.equal(codeOf(events), 'model_unavailable');
    });

    test('a model that falls silent in the middle of an answer ends the run as model_unavailable', async () => {
      const { events, closedEarly } = await run('hello', () => 'stall', { limits: { silenceMs: 20 } });
      assert.equal(codeOf(events), 'model_unavailable');
      assert.deepEqual(
        ofType(events, 'message').map(({ partial }) => partial),
        [true],
      );
      await closedEarly?.();
    });

    test('a cancelled run closes the connection of a model that never answers', async () => {
      await using open = await kind.open({ trouble: () => 'hang' });
      const stop = new AbortController();
      const { harness, models } = open;
      const running = runAgent({
        say: 'hello',
        harness,
        models,
        signal: stop.signal,
        onEvent: ({ type }) => {
          if (type === 'modelCall.started') open.server?.nextRequest().then(() => stop.abort());
        },
      });
      const events = await running;
      assert.equal(statusOf(events), 'cancelled');
      await open.server?.nextEarlyClose();
      assert.equal(open.server?.requests.length, 1, 'no other model is asked');
    });

    test('a cancelled run closes the connection of a model that streams, also while nobody reads its events', async () => {
      await using open = await kind.open({ trouble: () => 'endless' });
      const stop = new AbortController();
      const { harness, models } = open;
      const events = await runAgent({
        say: 'hello',
        harness,
        models,
        signal: stop.signal,
        async onEvent({ type }) {
          if (type !== 'text.delta') return;
          stop.abort();
          await open.server?.nextEarlyClose();
        },
      });
      assert.equal(statusOf(events), 'cancelled');
    });

    test('a model that streams for ever is cut at the length it was given', async () => {
      const { events, closedEarly } = await run('hello', () => 'endless', { maxOutputTokens: 100 });
      await closedEarly?.();
      assert.equal(statusOf(events), 'completed');
      assert.deepEqual(
        ofType(events, 'warning').map(({ code }) => code),
        ['model_answer_cut'],
      );
      assert.equal(textsOf(events)[0]?.length, 400);
    });

    test('a model that ignores the rest of the budget is cut there, and what was said stays', async () => {
      const limitsOfBudget = { maxTokens: 600 };
      const { events, closedEarly } = await run('hello', () => 'endless', { limitsOfBudget });
      await closedEarly?.();
      assert.equal(codeOf(events), 'budget_tokens');
      const [said] = ofType(events, 'message');
      assert.equal(said?.partial, true);
      assert.match(said?.text ?? '', /^Good morning, Ann\./);
    });

    test('a model that breaks off keeps what was said, and no other model begins again', async () => {
      const { events, requests } = await run('hello', () => 'cut', { models: { main: 'big', fallback: 'small' } });
      assert.equal(codeOf(events), 'model_unavailable');
      assert.equal(requests.length, 1);
      assert.equal(ofType(events, 'message')[0]?.partial, true);
    });

    test('an answer that cannot be read ends the run as model_bad_answer', async () => {
      const { events } = await run('hello', () => 'garbage');
      assert.equal(codeOf(events), 'model_bad_answer');
    });

    test('arguments that are no JSON go to the gate as they are, and the model hears of it', async () => {
      const { events, gate } = await run('broken');
      assert.deepEqual(
        gate.calls.map(({ args }) => args),
        [undefined, undefined, undefined],
      );
      assert.equal(ofType(events, 'toolCall.requested')[0]?.call.rawArguments, '{"orderId": "A1');
      assert.equal(codeOf(events), 'tool_loop');
    });

    test('a tool that does not exist is answered, and ends the run when it is called for the third time', async () => {
      const { events, requests } = await run('unknown tool');
      assert.equal(codeOf(events), 'tool_loop');
      assert.equal(requests.length, 3);
    });

    test('arguments against the schema end the run when they come for the third time', async () => {
      const gate = new Gate({}, () => failed('tool_invalid_arguments', '/orderId must be a number'));
      const { events } = await run('for ever', undefined, { gate });
      assert.equal(codeOf(events), 'tool_loop');
      assert.equal(gate.calls.length, 3);
    });

    test('the same call for ever ends at the budget of model calls', async () => {
      const { events } = await run('for ever');
      assert.equal(codeOf(events), 'budget_model_calls');
      assert.equal(ofType(events, 'modelCall.started').length, 12);
    });

    test('an empty answer ends the run as model_empty_answer', async () => {
      const { events } = await run('silence');
      assert.equal(codeOf(events), 'model_empty_answer');
    });

    test('an answer of 5 MiB is cut', async () => {
      await using server = await openModelServer(
        kind.title.includes('chat') ? 'chat' : kind.title.includes('responses') ? 'responses' : 'messages',
        { keepsToLimit: false },
      );
      await using open = await kind.open();
      const { harness, models } = open;
      const events = await runAgent({ say: '5 MiB', harness: { ...harness, baseUrl: server.url }, models });
      assert.equal(statusOf(events), 'completed');
      assert.equal(textsOf(events)[0]?.length, 4_096 * 4);
    });

    test('the budget of time ends a run that hangs', async () => {
      const { events } = await run('hello', () => 'hang', { limitsOfBudget: { maxSeconds: 0.05 } });
      assert.equal(codeOf(events), 'budget_time');
    });

    test('the budget can be used up by the first call', async () => {
      const { events, requests } = await run('hello', undefined, { limitsOfBudget: { maxTokens: 100 } });
      assert.equal(codeOf(events), 'budget_tokens');
      assert.equal(requests.length, 0);
    });

    test('every call tells the model how long its answer may be', async () => {
      const { requests } = await run('hello');
      const { body } = requests[0] ?? {};
      assert.equal(body.max_tokens ?? body.max_output_tokens, 4_096);
    });

    test('the instructions and the tools are sent, and nothing is kept at the provider', async () => {
      const { requests } = await run('hello');
      const { text = '', body } = requests[0] ?? {};
      assert.match(text, /You help with orders\./);
      assert.match(text, /order_status/);
      if (kind.title.includes('responses')) assert.equal(body.store, false);
    });
  });
}

for (const [api, provider] of [
  ['responses', 'openai'],
  ['messages', 'anthropic'],
] as const) {
  test(`a model of ${provider} that reasons gets its thoughts back, also after a restart`, async () => {
    await using server = await openModelServer(api);
    let progress = noProgress;
    const dead = new Error('killed');
    const options = {
      say: 'Please think',
      harness: { provider, baseUrl: server.url, apiKey: 'sk-1234' },
      models: { main: provider === 'openai' ? 'gpt-5' : 'claude-sonnet-4-5' },
    };
    const killed = runAgent({
      ...options,
      onEvent(event) {
        progress = addEvent(progress, event);
        if (event.type === 'toolCall.ended') throw dead;
      },
    });
    await assert.rejects(killed, dead);
    const events = await runAgent({ ...options, progress: JSON.parse(JSON.stringify(progress)) });
    assert.deepEqual(textsOf(events), ['I think it A17 shipped']);
    assert.deepEqual(
      ofType(events, 'reasoning.delta').map(({ text }) => text),
      ['It has shipped.'],
    );
    assert.match(server.requests[1]?.text ?? '', /sealed thought/);
  });
}

test('a fallback is asked for each model call anew', async () => {
  await using server = await openModelServer('chat', {
    trouble: (_, model) => (model === 'big' ? { status: 503 } : undefined),
  });
  const harness = { provider: 'openai-compatible', baseUrl: server.url } as const;
  const events = await runAgent({ say: 'Where is order A17?', harness, models: { main: 'big', fallback: 'small' } });
  assert.deepEqual(
    ofType(events, 'modelCall.ended').map(({ role, error }) => `${role} ${error?.code ?? 'ok'}`),
    ['main model_unavailable', 'fallback ok', 'main model_unavailable', 'fallback ok'],
  );
});

for (const [status, asked] of [
  [401, true],
  [403, true],
  [404, true],
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [529, true],
  [400, false],
  [413, false],
  [422, false],
] as const) {
  test(`after ${status} of the main model the fallback is ${asked ? '' : 'not '}asked`, async () => {
    await using server = await openModelServer('chat', {
      trouble: (_, model) => (model === 'big' ? { status } : undefined),
    });
    const harness = { provider: 'openai-compatible', baseUrl: server.url } as const;
    const events = await runAgent({ say: 'hello', harness, models: { main: 'big', fallback: 'small' } });
    assert.equal(statusOf(events), asked ? 'completed' : 'failed');
    assert.equal(server.requests.length, asked ? 2 : 1);
  });
}

test('a fallback that fails, too, is tried three times', async () => {
  await using server = await openModelServer('chat', { trouble: () => ({ status: 503 }) });
  const harness = { provider: 'openai-compatible', baseUrl: server.url } as const;
  const events = await runAgent({ say: 'hello', harness, models: { main: 'big', fallback: 'small' } });
  assert.deepEqual(
    ofType(events, 'modelCall.started').map(({ role, attempt }) => `${role} ${attempt}`),
    ['main 1', 'fallback 2', 'fallback 3', 'fallback 4'],
  );
});

test('nobody listens: the run ends as model_unavailable and says where', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const harness = { provider: 'openai-compatible', baseUrl: `http://127.0.0.1:${port}/v1` } as const;
  const events = await runAgent({ say: 'hello', harness, models: { main: 'm' } });
  assert.equal(codeOf(events), 'model_unavailable');
  assert.match(ofType(events, 'error')[0]?.message ?? '', new RegExp(`Nothing listens at 127.0.0.1:${port}`));
});

test('a run with a money limit and a model without a price is refused before the first request', async () => {
  await using server = await openModelServer('chat');
  const budget = new Budget({ ...defaultBudget, maxCostUsd: 1 }, { prices: createPrices() });
  const harness = { provider: 'openai-compatible', baseUrl: server.url } as const;
  const events = await runAgent({ say: 'hello', harness, models: { main: 'unheard-of' }, budget });
  assert.equal(codeOf(events), 'budget_price_unknown');
  assert.equal(server.requests.length, 0);
});

test('a harness without a key says so, in a run and in a check', async () => {
  for (const provider of ['openai', 'anthropic'] as const) {
    assert.equal(
      codeOf(await runAgent({ say: 'hello', harness: { provider }, models: { main: 'm' } })),
      'model_key_missing',
    );
    const { ok, problems } = await harnessAdapters.builtin.check({ kind: 'builtin', name: 'mine', provider });
    assert.equal(ok, false);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['model_key_missing'],
    );
  }
});

test('a key is not sent over plain http to another machine', async () => {
  const harness = { provider: 'openai', baseUrl: 'http://models.example/v1', apiKey: 'sk-1234' } as const;
  assert.equal(codeOf(await runAgent({ say: 'hello', harness, models: { main: 'm' } })), 'harness_address_invalid');
});

test('a check tells a key that is refused from an endpoint that is not there', async () => {
  await using server = await openModelServer('chat');
  const config = { kind: 'builtin', name: 'mine', provider: 'openai-compatible', apiKey: 'sk-1234' } as const;
  const check = harnessAdapters.builtin.check;
  assert.deepEqual(await check({ ...config, baseUrl: server.url }), { ok: true, problems: [] });
  await using refusing = await openModelServer('chat', { trouble: () => ({ status: 401 }) });
  const refused = await check({ ...config, baseUrl: refusing.url });
  assert.deepEqual(
    refused.problems.map(({ code }) => code),
    ['model_auth'],
  );
  await using plain = await openModelServer('chat', { trouble: () => ({ status: 404 }) });
  const listless = await check({ ...config, baseUrl: plain.url });
  assert.equal(listless.ok, true, 'a server without a list of models may still be one');
  const gone = await check({ ...config, baseUrl: 'http://127.0.0.1:9/v1' });
  assert.deepEqual(
    gone.problems.map(({ code }) => code),
    ['model_unavailable'],
  );
});

test('every kind of harness has its adapter', () => {
  for (const kind of harnessKinds) assert.equal(harnessAdapters[kind].kind, kind);
});

test('warnings of the library become events, and nothing is written to the console', async (t) => {
  const warn = t.mock.method(console, 'warn');
  const info = t.mock.method(console, 'info');
  await using server = await openModelServer('messages');
  const harness = { provider: 'anthropic', baseUrl: server.url, apiKey: 'sk-1234' } as const;
  await runAgent({ say: 'hello', harness, models: { main: 'nobody-knows-this' }, maxOutputTokens: 1_000_000 });
  assert.equal(warn.mock.callCount() + info.mock.callCount(), 0);
  assert.equal('AI_SDK_LOG_WARNINGS' in globalThis, false);
});
