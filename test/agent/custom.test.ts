import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import {
  addEvent,
  Budget,
  createPrices,
  defaultBudget,
  harnessAdapters,
  noProgress,
  type RunEvent,
} from '../../src/agent/index.ts';
import { codeOf, Gate, ofType, type RunOptions, runAgent, statusOf, textsOf, tools } from './a-run.ts';
import { outlineOf, secret } from './harnesses.ts';
import { type AgentServerOptions, type Event, openAgentServer } from './stand-ins/agent-server.ts';
import type { ServedRequest, Trouble } from './stand-ins/server.ts';
import { isSignedWith } from './stand-ins/signature.ts';

interface Asked {
  readonly events: RunEvent[];
  readonly requests: readonly ServedRequest[];
  readonly gate: Gate;
}

/** Runs against a stand-in that answers as told. */
async function ask(say: string, options: AgentServerOptions = {}, more: Partial<RunOptions> = {}): Promise<Asked> {
  await using server = await openAgentServer({ secret, ...options });
  const gate = more.gate ?? new Gate();
  const { harness, ...rest } = more;
  const events = await runAgent({
    say,
    harness: { kind: 'custom', name: 'mine', baseUrl: server.url, secrets: [secret], ...harness },
    models: { main: 'big', fallback: 'small', fast: 'tiny' },
    gate,
    ...rest,
  });
  return { events, requests: server.requests, gate };
}

/** A reply of these events, between RUN_STARTED and a successful end. */
const between = (...events: Event[]): Pick<AgentServerOptions, 'reply'> => ({
  reply: ({ body: { runId, threadId } }) => [
    { type: 'RUN_STARTED', runId, threadId },
    ...events,
    { type: 'RUN_FINISHED', runId, threadId },
  ],
});

const json = (reply: unknown): Pick<AgentServerOptions, 'reply'> => ({ reply: () => ({ json: reply }) });

const text = (messageId: string, ...deltas: string[]): Event[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
];

const call = (toolCallId: string, toolCallName: string, args: unknown): Event[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
  { type: 'TOOL_CALL_END', toolCallId },
];

describe('the request', () => {
  test('is AG-UI 1.0, and signed over its exact bytes', async () => {
    const { requests } = await ask(
      'Where is order A17?',
      {},
      {
        trace: { traceId: 'a'.repeat(32), depth: 2 },
        about: { conversation: { id: 'cnv_1', channel: 'web' }, customer: { id: 'cus_1' } },
      },
    );
    assert.equal(requests.length, 2);
    for (const [i, { body, headers, text: bytes }] of requests.entries()) {
      RunAgentInputSchema.parse(body);
      assert.equal(isSignedWith(secret, headers, bytes), true);
      assert.equal(headers['webhook-id'], `run_1-${i + 1}`);
      assert.equal(body.runId, `run_1-${i + 1}`);
      assert.equal(body.threadId, 'cnv_1');
      assert.equal(body.protocolVersion, '1.0');
      assert.equal(headers.accept, 'text/event-stream, application/json;q=0.9');
      assert.equal(headers['content-type'], 'application/json');
      assert.match(String(headers['traceparent']), /^00-a{32}-[0-9a-f]{16}-01$/);
      assert.equal(headers['tracestate'], 'fn=2');
    }
    const [first, second] = requests;
    assert.deepEqual(first?.body.messages, [
      { id: 'sys', role: 'system', content: 'You help with orders.' },
      { id: 'msg_1', role: 'user', content: 'Where is order A17?', metadata: { author: 'customer' } },
    ]);
    const [, , answer, result] = second?.body.messages ?? [];
    assert.equal(answer.content, 'Let me look.');
    assert.equal(answer.toolCalls[0].function.arguments, '{"orderId":"A17"}');
    assert.equal(result.toolCallId, answer.toolCalls[0].id);
    assert.equal(result.content, 'A17 shipped');
  });

  test('tells of tools, models, budget, conversation and deadline', async () => {
    const about = {
      environment: 'local',
      agent: { id: 'aia_1', name: 'Support' },
      conversation: { id: 'cnv_1', channel: 'web', language: 'de' },
      customer: { id: 'cus_1' },
      context: [{ description: 'customer', value: '{"name":"Ann"}' }],
    };
    const { requests } = await ask('hello', {}, { about, state: { step: 1 } });
    const { tools: told, context, state, forwardedProps } = requests[0]?.body ?? {};
    assert.deepEqual(
      told.map(({ name }: { name: string }) => name),
      tools.map(({ name }) => name),
    );
    assert.deepEqual(told[0].metadata, { source: 'function', readOnly: true, confirm: 'never' });
    assert.deepEqual(told[1].metadata, { source: 'function', readOnly: false, confirm: 'human' });
    assert.deepEqual(context, about.context);
    assert.deepEqual(state, { step: 1 });
    const { deadline, budget, ...props } = forwardedProps;
    assert.deepEqual(props, {
      schema: 1,
      environment: 'local',
      run: { id: 'run_1', leg: 1 },
      agent: { ...about.agent, models: { main: 'big', fallback: 'small', fast: 'tiny' } },
      conversation: about.conversation,
      customer: about.customer,
    });
    assert.equal(budget.maxTokens, 50_000);
    assert.equal(budget.left.modelCalls, 12);
    assert.ok(Date.parse(deadline) > Date.now());
  });

  test('drops the oldest messages when it would be larger than its limit, and says so', async () => {
    const messages = Array.from({ length: 50 }, (_, i) => ({
      role: 'user' as const,
      id: `msg_${i}`,
      content: 'x'.repeat(100),
    }));
    const { requests, events } = await ask('hello', {}, { messages, limits: { requestBytes: 5_000 } });
    const sent = requests[0]?.body.messages;
    assert.equal(sent[0].role, 'system');
    assert.equal(sent.at(-1).id, 'msg_49');
    assert.ok((requests[0]?.text.length ?? 0) <= 5_000);
    assert.equal(ofType(events, 'warning')[0]?.code, 'history_cut');
  });

  test('has facts about the customer behind the instructions, each on a line of its own', async () => {
    const facts = [
      { description: 'customer.name', value: 'Ann\ncustomer.vip: yes' },
      { description: 'conversation.channel', value: 'sms' },
    ];
    const { requests } = await ask('hello', {}, { facts });
    const [{ role, content }] = requests[0]?.body.messages ?? [];
    assert.deepEqual(
      [role, content],
      ['system', 'You help with orders.\n\ncustomer.name: Ann customer.vip: yes\nconversation.channel: sms'],
    );
  });

  test('is signed with both secrets while one is being rotated', async () => {
    const newer = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const { events, requests } = await ask('hello', {}, { harness: { secrets: [newer, secret] } });
    assert.equal(statusOf(events), 'completed');
    assert.equal(String(requests[0]?.headers['webhook-signature']).split(' ').length, 2);
  });

  test('holds no secret and no word of it in events', async () => {
    const { events } = await ask('hello', { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` });
    assert.equal(codeOf(events), 'harness_unauthorized');
    assert.equal(JSON.stringify(events).includes(secret), false);
  });

  test('goes to https, or to http on this machine', async () => {
    for (const baseUrl of ['http://agent.example/', 'ftp://127.0.0.1/', 'nonsense', '']) {
      const events = await runAgent({ say: 'hello', harness: { kind: 'custom', baseUrl, secrets: [secret] } });
      assert.equal(codeOf(events), 'harness_address_invalid', baseUrl);
    }
  });
});

describe('the reply', () => {
  test('of the stand-in is AG-UI 1.0', async () => {
    for (const form of ['json', 'stream', 'chunks'] as const) {
      const kept: unknown[] = [];
      await using server = await openAgentServer({ form });
      for (const content of ['both', 'hello']) {
        const answer = await fetch(server.url, {
          method: 'POST',
          body: JSON.stringify({
            runId: 'r',
            threadId: 't',
            messages: [{ id: '1', role: 'user', content }],
            forwardedProps: { agent: { models: { main: 'm' } } },
          }),
        });
        const said = await answer.text();
        if (form === 'json') kept.push(...JSON.parse(said).events);
        else kept.push(...[...said.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data)));
      }
      for (const event of kept) EventSchemas.parse(event);
      assert.ok(kept.length > 10);
    }
  });

  test('may be one sentence', async () => {
    const { events } = await ask('hello', json({ reply: 'Hello' }));
    assert.deepEqual(outlineOf(events), ['say Hello', 'completed']);
  });

  test('in short form hands over, leaves state, and reports usage', async () => {
    const reply = {
      reply: 'A colleague will help.',
      handover: { team: 'support', reason: 'hard', summary: 'Ann waits' },
      state: { seen: 1 },
      usage: [{ provider: 'p', model: 'm', inputTokens: 10, outputTokens: 5, totalTokens: 15 }],
    };
    const { events } = await ask('hello', json(reply));
    assert.equal(statusOf(events), 'handedOver');
    const [handover] = ofType(events, 'handover');
    assert.deepEqual(handover, { type: 'handover', ...reply.handover, toolCallId: null });
    assert.deepEqual(
      ofType(events, 'state').map(({ state }) => state),
      [{ seen: 1 }],
    );
    assert.deepEqual(
      ofType(events, 'usage').map(({ model, usage }) => [model, usage.inputTokens, usage.outputTokens]),
      [['m', 10, 5]],
    );
  });

  test('in short form may be an error', async () => {
    const { events } = await ask('hello', json({ error: { code: 'no_model', message: 'no model left' } }));
    assert.equal(codeOf(events), 'harness_failed');
    assert.match(ofType(events, 'error')[0]?.message ?? '', /no_model.*no model left/);
  });

  test('in short form is checked', async () => {
    for (const reply of [
      { answer: 'Hello' },
      { reply: 1 },
      { toolCalls: {} },
      { toolCalls: [{}] },
      { error: 'no' },
      { usage: 'a lot' },
      [],
      'Hello',
      null,
    ]) {
      const { events } = await ask('hello', json(reply));
      assert.equal(codeOf(events), 'harness_protocol', JSON.stringify(reply));
    }
  });

  test('keeps state by snapshot and patch for the next leg', async () => {
    const { events, requests } = await ask('hello', {
      reply: ({ body: { runId, threadId } }, number) =>
        number === 2
          ? [
              { type: 'RUN_STARTED', runId, threadId },
              { type: 'RUN_FINISHED', runId, threadId },
            ]
          : [
              { type: 'RUN_STARTED', runId, threadId },
              { type: 'STATE_SNAPSHOT', snapshot: { a: { b: 1 }, list: [1] } },
              {
                type: 'STATE_DELTA',
                delta: [
                  { op: 'replace', path: '/a/b', value: 2 },
                  { op: 'add', path: '/list/-', value: 2 },
                  { op: 'move', from: '/a/b', path: '/c' },
                ],
              },
              ...call('c1', 'order_status', { orderId: 'A17' }),
              { type: 'RUN_FINISHED', runId, threadId },
            ],
    });
    assert.equal(statusOf(events), 'completed');
    const state = { a: {}, list: [1, 2], c: 2 };
    assert.deepEqual(
      ofType(events, 'state').map((event) => event.state),
      [state],
    );
    assert.deepEqual(requests[1]?.body.state, state);
  });

  test('with a patch that does not fit keeps the state and warns', async () => {
    const patch = { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/none/at/all', value: 1 }] };
    const { events } = await ask(
      'hello',
      between({ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }, patch, ...text('m1', 'Hello.')),
    );
    assert.deepEqual(
      ofType(events, 'warning').map(({ code }) => code),
      ['harness_state_patch'],
    );
    assert.deepEqual(
      ofType(events, 'state').map((event) => event.state),
      [{ a: 1 }],
    );
  });

  test('does not reach a prototype by a patch', async () => {
    const delta = ['/__proto__/polluted', '/constructor/prototype/polluted'].map((path) => ({
      op: 'add',
      path,
      value: 1,
    }));
    await ask('hello', between({ type: 'STATE_DELTA', delta }));
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  test('with a state that is too large loses it and warns', async () => {
    const { events } = await ask('hello', between({ type: 'STATE_SNAPSHOT', snapshot: 'x'.repeat(70_000) }));
    assert.equal(ofType(events, 'warning')[0]?.code, 'harness_state_too_large');
    assert.deepEqual(ofType(events, 'state'), []);
  });

  test('tells of its model calls with numbers, which are counted once', async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 };
    const budget = new Budget(defaultBudget, { prices: createPrices({ m: { input: 1, output: 1 } }) });
    const { events } = await ask(
      'hello',
      {
        reply: ({ body: { runId, threadId } }) => [
          { type: 'RUN_STARTED', runId, threadId },
          { type: 'CUSTOM', name: 'modelCall', value: { model: 'm', role: 'fast', usage, finishReason: 'length' } },
          { type: 'STEP_STARTED', stepName: 'model:m' },
          { type: 'CUSTOM', name: 'modelCall', value: { model: 'm', usage } },
          { type: 'STEP_FINISHED', stepName: 'model:m' },
          {
            type: 'RUN_FINISHED',
            runId,
            threadId,
            usage: [
              { model: 'm', inputTokens: 250, outputTokens: 40 },
              { model: 'other', inputTokens: 7, outputTokens: 3 },
            ],
          },
        ],
      },
      { budget },
    );
    assert.deepEqual(
      ofType(events, 'modelCall.ended').map((event) => [event.role, event.finishReason, event.usage, event.costUsd]),
      [
        ['fast', 'length', usage, 120 / 1e6],
        ['main', 'stop', usage, 120 / 1e6],
      ],
    );
    assert.deepEqual(
      ofType(events, 'usage').map((event) => [event.model, event.usage.inputTokens]),
      [
        ['m', 50],
        ['other', 7],
      ],
    );
    const { modelCalls, inputTokens, outputTokens, costBasis } = budget.used;
    assert.deepEqual(
      { modelCalls, inputTokens, outputTokens, costBasis },
      {
        modelCalls: 2,
        inputTokens: 257,
        outputTokens: 43,
        costBasis: 'unknown',
      },
    );
  });

  test('that uses up the budget is stopped in the middle, and its connection is closed', async () => {
    await using server = await openAgentServer({
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        ...text('m1', 'First.'),
        { type: 'CUSTOM', name: 'modelCall', value: { model: 'm', usage: { inputTokens: 60_000, outputTokens: 1 } } },
        ...text('m2', 'Second.'),
        { type: 'RUN_FINISHED', runId, threadId },
      ],
    });
    const events = await runAgent({ say: 'hello', harness: { kind: 'custom', baseUrl: server.url } });
    assert.equal(codeOf(events), 'budget_tokens');
    assert.deepEqual(textsOf(events), ['First.']);
  });

  test('records the agent’s own tools and does not run them', async () => {
    const { events, gate } = await ask(
      'hello',
      between(
        ...call('c1', 'own_search', { q: 'x' }),
        { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: 'found' },
        ...text('m1', 'Here.'),
      ),
    );
    assert.deepEqual(outlineOf(events), ['call own_search {"q":"x"}', 'ok found', 'say Here.', 'completed']);
    assert.equal(ofType(events, 'toolCall.requested')[0]?.call.own, true);
    assert.deepEqual(gate.calls, []);
  });

  test('does not run a tool of ours that the agent has answered itself', async () => {
    const { events, gate } = await ask(
      'hello',
      between(...call('c1', 'order_status', { orderId: 'A17' }), {
        type: 'TOOL_CALL_RESULT',
        messageId: 'r1',
        toolCallId: 'c1',
        content: 'lost',
      }),
    );
    assert.deepEqual(outlineOf(events), ['call order_status {"orderId":"A17"}', 'ok lost', 'completed']);
    assert.deepEqual(gate.calls, []);
  });

  test('that leaves an unknown tool to us hears that there is none', async () => {
    const { events, requests } = await ask('hello', {
      reply: ({ body: { runId, threadId } }, number) =>
        number > 1
          ? [
              { type: 'RUN_STARTED', runId, threadId },
              ...text('m', 'I see.'),
              { type: 'RUN_FINISHED', runId, threadId },
            ]
          : [
              { type: 'RUN_STARTED', runId, threadId },
              ...call('c1', 'no_such_tool', {}),
              { type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'success', pendingToolCallIds: ['c1'] } },
            ],
    });
    assert.equal(statusOf(events), 'completed');
    assert.equal(requests[1]?.body.messages.at(-1).error, 'tool_unknown');
  });

  test('with broken arguments goes to the gate as it is', async () => {
    const { events, gate } = await ask('broken');
    assert.equal(codeOf(events), 'tool_loop');
    assert.deepEqual(
      gate.calls.map(({ args }) => args),
      [undefined, undefined, undefined],
    );
  });

  test('keeps notes, steps and thoughts from the customer', async () => {
    const { events } = await ask(
      'hello',
      between(
        { type: 'STEP_STARTED', stepName: 'searching' },
        { type: 'REASONING_START', messageId: 'r' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
        { type: 'STEP_FINISHED', stepName: 'searching' },
        { type: 'CUSTOM', name: 'note', value: { text: 'Ann is angry' } },
        { type: 'CUSTOM', name: 'of somebody else', value: 1 },
        { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u', delta: 'an echo' },
        { type: 'TEXT_MESSAGE_END', messageId: 'u' },
        ...text('m1', 'Hello.'),
      ),
    );
    assert.deepEqual(textsOf(events), ['Hello.']);
    assert.deepEqual(
      ofType(events, 'note').map((note) => note.text),
      ['Ann is angry'],
    );
    assert.deepEqual(
      ofType(events, 'step').map(({ name, status }) => `${name} ${status}`),
      ['searching started', 'searching finished'],
    );
    assert.deepEqual(
      ofType(events, 'reasoning.delta').map((event) => event.text),
      ['hm', 'an echo'],
    );
    assert.deepEqual(ofType(events, 'warning'), []);
  });

  test('of an unknown type is ignored, with one warning', async () => {
    const { events } = await ask('hello', between({ type: 'NEW_IN_2027' }, { type: 'NEWER' }, ...text('m1', 'Hello.')));
    assert.equal(statusOf(events), 'completed');
    assert.deepEqual(
      ofType(events, 'warning').map(({ code }) => code),
      ['harness_unknown_event'],
    );
  });

  test('without a word completes the run, with a warning', async () => {
    const { events } = await ask('silence');
    assert.equal(statusOf(events), 'completed');
    assert.deepEqual(
      ofType(events, 'warning').map(({ code }) => code),
      ['harness_empty_answer'],
    );
  });

  test('may be cancelled by the agent', async () => {
    const { events } = await ask('hello', {
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        { type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'cancelled' } },
      ],
    });
    assert.equal(statusOf(events), 'cancelled');
  });

  test('that fails says why, keeps its usage and what it said', async () => {
    const { events } = await ask('hello', {
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        { type: 'TEXT_MESSAGE_START', messageId: 'm' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Half a' },
        {
          type: 'RUN_ERROR',
          message: 'out of memory',
          code: 'oom',
          usage: [{ model: 'm', inputTokens: 5, outputTokens: 1 }],
        },
      ],
    });
    assert.deepEqual(outlineOf(events), ['say Half a (cut)', 'fail harness_failed', 'failed']);
    assert.equal(ofType(events, 'usage').length, 1);
  });

  test('may begin with an error', async () => {
    const { events } = await ask('hello', { reply: () => [{ type: 'RUN_ERROR', message: 'no' }] });
    assert.equal(codeOf(events), 'harness_failed');
  });
});

describe('an interrupt', () => {
  const interrupts = [
    {
      id: 'int_1',
      reason: 'approval',
      message: 'Refund 20 EUR?',
      responseSchema: { type: 'object' },
      expiresAt: '2026-12-01T00:00:00Z',
    },
  ];
  const agent: Pick<AgentServerOptions, 'reply'> = {
    reply: ({ body: { runId, threadId, resume } }) => [
      { type: 'RUN_STARTED', runId, threadId },
      ...(resume === undefined
        ? [{ type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'interrupt', interrupts } }]
        : [...text('m1', `You said ${JSON.stringify(resume[0].payload)}`), { type: 'RUN_FINISHED', runId, threadId }]),
    ],
  };

  test('makes the run wait, and its answer begins the next leg', async () => {
    let progress = noProgress;
    const first = await ask('hello', agent, {
      onEvent(event) {
        progress = addEvent(progress, event);
      },
    });
    assert.equal(statusOf(first.events), 'waiting');
    const [{ interrupts: [told] = [] } = {}] = ofType(first.events, 'interrupt');
    assert.deepEqual(
      { id: told?.id, kind: told?.kind, message: told?.message },
      {
        id: 'int_1',
        kind: 'agent',
        message: 'Refund 20 EUR?',
      },
    );
    const again = await ask('hello', agent, { progress });
    assert.deepEqual(outlineOf(again.events), ['wait for agent: Refund 20 EUR?', 'waiting']);
    assert.equal(again.requests.length, 0, 'without an answer the agent is not asked again');
    const resume = [{ interruptId: 'int_1', status: 'resolved' as const, payload: { approved: true } }];
    const second = await ask('hello', agent, { progress: JSON.parse(JSON.stringify(progress)), resume });
    assert.deepEqual(textsOf(second.events), ['You said {"approved":true}']);
    assert.deepEqual(second.requests[0]?.body.resume, resume);
    assert.equal(second.requests[0]?.body.runId, 'run_1-2');
    RunAgentInputSchema.parse(second.requests[0]?.body);
  });

  test('without anything to answer breaks the protocol', async () => {
    const { events } = await ask('hello', {
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        { type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'interrupt', interrupts: [] } },
      ],
    });
    assert.equal(codeOf(events), 'harness_protocol');
  });
});

describe('a server that breaks the protocol', () => {
  const broken: Record<string, AgentServerOptions> = {
    'begins with something else than RUN_STARTED': { reply: () => text('m', 'Hello') },
    'starts the run twice': between({ type: 'RUN_STARTED', runId: 'run_1-1', threadId: 'run_1' }),
    'answers for another run': {
      reply: ({ body: { threadId } }) => [{ type: 'RUN_STARTED', runId: 'run_2-1', threadId }],
    },
    'answers for another conversation': {
      reply: ({ body: { runId } }) => [{ type: 'RUN_STARTED', runId, threadId: 'x' }],
    },
    'says text without TEXT_MESSAGE_START': between({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }),
    'forgets TEXT_MESSAGE_END': between({ type: 'TEXT_MESSAGE_START', messageId: 'm' }),
    'ends a message that is not open': between({ type: 'TEXT_MESSAGE_END', messageId: 'm' }),
    'opens a message twice': between(
      { type: 'TEXT_MESSAGE_START', messageId: 'm' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm' },
    ),
    'says a number': between(
      { type: 'TEXT_MESSAGE_START', messageId: 'm' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 1 },
    ),
    'gives arguments without TOOL_CALL_START': between({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' }),
    'forgets TOOL_CALL_END': between({ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'order_status' }),
    'uses an id for two calls': between(...call('c', 'order_status', {}), ...call('c', 'order_status', {})),
    'answers a call that was not made': between({
      type: 'TOOL_CALL_RESULT',
      messageId: 'm',
      toolCallId: 'c',
      content: '',
    }),
    'leaves a call to us that it has not made': {
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        { type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'success', pendingToolCallIds: ['c9'] } },
      ],
    },
    'ends with an unknown outcome': {
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        { type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'maybe' } },
      ],
    },
    'sends three times what is no event': between({ no: 'type' }, { type: 7 }, { no: 'type' }),
    'sends garbage': { trouble: () => 'garbage' },
    'sends a note without a text': between({ type: 'CUSTOM', name: 'note', value: {} }),
    'sends a patch that is none': between({ type: 'STATE_DELTA', delta: 'x' }),
  };
  for (const [what, options] of Object.entries(broken)) {
    test(`that ${what} ends the run as harness_protocol`, async () => {
      const { events, requests } = await ask('hello', options);
      assert.equal(codeOf(events), 'harness_protocol');
      assert.equal(statusOf(events), 'failed');
      assert.equal(requests.length, 1, 'it is not asked again');
    });
  }

  test('twice with what is no event is forgiven', async () => {
    const { events } = await ask('hello', between({ no: 'type' }, { type: 7 }, ...text('m', 'Hello.')));
    assert.equal(statusOf(events), 'completed');
  });
});

describe('a server in trouble', () => {
  for (const [status, code, tries] of [
    [408, 'harness_unavailable', 3],
    [429, 'harness_unavailable', 3],
    [502, 'harness_unavailable', 3],
    [503, 'harness_unavailable', 3],
    [504, 'harness_unavailable', 3],
    [500, 'harness_unavailable', 1],
    [529, 'harness_unavailable', 1],
    [401, 'harness_unauthorized', 1],
    [403, 'harness_unauthorized', 1],
    [404, 'harness_endpoint', 1],
    [405, 'harness_endpoint', 1],
    [302, 'harness_endpoint', 1],
    [409, 'harness_duplicate', 1],
    [400, 'harness_failed', 1],
    [202, 'harness_protocol', 1],
    [204, 'harness_protocol', 1],
  ] as const) {
    test(`that answers ${status} ends the run as ${code} after ${tries} tries`, async () => {
      const headers = status === 302 ? { location: '/elsewhere' } : {};
      const { events, requests } = await ask('hello', { trouble: () => ({ status, headers }) });
      assert.equal(codeOf(events), code);
      assert.equal(requests.length, tries);
      assert.equal(new Set(requests.map((request) => request.headers['webhook-id'])).size, 1, 'the id stays');
    });
  }

  test('that recovers answers after a retry', async () => {
    const { events } = await ask('hello', { trouble: (number) => (number < 3 ? { status: 503 } : undefined) });
    assert.deepEqual(textsOf(events), ['Good morning, Ann.']);
    assert.equal(ofType(events, 'warning').length, 2);
  });

  test('that says when to come again is asked then, if it is soon', async () => {
    const retry =
      (seconds: string) =>
      (number: number): Trouble | undefined =>
        number === 1 ? { status: 503, headers: { 'retry-after': seconds } } : undefined;
    const soon = await ask('hello', { trouble: retry('9') });
    assert.deepEqual(soon.gate.waits, [9_000]);
    assert.equal(statusOf(soon.events), 'completed');
    assert.equal(codeOf((await ask('hello', { trouble: retry('31') })).events), 'harness_unavailable');
  });

  test('that closes the connection before its answer is asked again', async () => {
    const { events, requests } = await ask('hello', { trouble: (number) => (number === 1 ? 'reset' : undefined) });
    assert.equal(statusOf(events), 'completed');
    assert.equal(requests.length, 2);
  });

  const after: [Trouble, string, Partial<RunOptions>][] = [
    ['hang', 'harness_timeout', { limits: { firstByteMs: 20 } }],
    ['stall', 'harness_timeout', { limits: { silenceMs: 20 } }],
    ['endless', 'harness_timeout', { limits: { legMs: 50 } }],
    ['endless', 'harness_reply_too_large', { limits: { replyBytes: 20_000 } }],
    ['cut', 'harness_connection_lost', {}],
    ['hang', 'budget_time', { limitsOfBudget: { maxSeconds: 0.05 } }],
    ['endless', 'budget_time', { limitsOfBudget: { maxSeconds: 0.05 } }],
  ];
  for (const [trouble, code, more] of after) {
    test(`that answers with "${trouble}" ends the run as ${code} after one try`, async () => {
      const { events, requests } = await ask('hello', { trouble: () => trouble }, more);
      assert.equal(codeOf(events), code);
      assert.ok(requests.length <= 1);
    });
  }

  test('that ends its reply without RUN_FINISHED keeps what it said', async () => {
    const { events } = await ask('hello', {
      reply: ({ body: { runId, threadId } }) => [
        { type: 'RUN_STARTED', runId, threadId },
        { type: 'TEXT_MESSAGE_START', messageId: 'm' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Half a' },
      ],
    });
    assert.deepEqual(outlineOf(events), ['say Half a (cut)', 'fail harness_connection_lost', 'failed']);
  });

  test('that sends one event of 5 MiB ends the run as harness_reply_too_large', async () => {
    const { events } = await ask('hello', between({ type: 'RAW', event: 'x'.repeat(5 * 1024 * 1024) }));
    assert.equal(codeOf(events), 'harness_reply_too_large');
  });

  test('that answers with HTML ends the run as harness_protocol', async () => {
    await using server = await openAgentServer({
      trouble: () => ({ status: 200, headers: { 'content-type': 'text/html' } }),
    });
    const events = await runAgent({ say: 'hello', harness: { kind: 'custom', baseUrl: server.url } });
    assert.equal(codeOf(events), 'harness_protocol');
  });

  test('that calls tools leg after leg is stopped after sixteen', async () => {
    const limitsOfBudget = { maxToolCalls: 100, maxModelCalls: 100 };
    const { events, requests } = await ask('for ever', {}, { limitsOfBudget });
    assert.equal(codeOf(events), 'harness_legs');
    assert.equal(requests.length, 16);
  });

  for (const trouble of ['hang', 'endless'] as const) {
    test(`that answers with "${trouble}" is hung up on when the run is cancelled`, async () => {
      await using server = await openAgentServer({ trouble: () => trouble });
      const stop = new AbortController();
      const events = await runAgent({
        say: 'hello',
        harness: { kind: 'custom', baseUrl: server.url },
        signal: stop.signal,
        async onEvent({ type }) {
          if (type === 'leg.started' && trouble === 'hang') server.nextRequest().then(() => stop.abort());
          if (type !== 'text.delta' || stop.signal.aborted) return;
          stop.abort();
          // While nobody reads the events.
          await server.nextEarlyClose();
        },
      });
      assert.equal(statusOf(events), 'cancelled');
      await server.nextEarlyClose();
      assert.deepEqual(ofType(events, 'error'), []);
    });
  }
});

describe('a signed reply', () => {
  const short: AgentServerOptions = { form: 'short' };
  test('is checked when there is a signature, and demanded when the harness says so', async () => {
    assert.equal(statusOf((await ask('hello', short)).events), 'completed');
    const unsigned = { ...short, signs: false };
    assert.equal(statusOf((await ask('hello', unsigned)).events), 'completed');
    const harness = { requireSignedReplies: true };
    assert.equal(statusOf((await ask('hello', short, { harness })).events), 'completed');
    assert.equal(codeOf((await ask('hello', unsigned, { harness })).events), 'harness_unauthorized');
  });

  test('that is wrong, old or of another request ends the run as harness_unauthorized', async () => {
    for (const change of [
      (headers: Record<string, string>) => ({
        ...headers,
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      }),
      (headers: Record<string, string>) => ({ ...headers, 'webhook-id': 'run_0-1' }),
      (headers: Record<string, string>) => ({ ...headers, 'webhook-timestamp': '1700000000' }),
    ]) {
      const { events } = await ask('hello', { ...short, changeSignature: change });
      assert.equal(codeOf(events), 'harness_unauthorized');
      assert.deepEqual(textsOf(events), []);
    }
  });

  test('of another request, rightly signed, is refused', async () => {
    await using server = await openAgentServer({ form: 'short', secret });
    const options = { say: 'hello', harness: { kind: 'custom', baseUrl: server.url, secrets: [secret] } as const };
    const { signWith } = await import('./stand-ins/signature.ts');
    const { events } = await ask('hello', {
      ...json({ reply: 'Hello' }),
      changeSignature: () => signWith(secret, 'run_0-1', '{"reply":"Hello"}'),
    });
    assert.equal(codeOf(events), 'harness_unauthorized');
    assert.match(ofType(events, 'error')[0]?.message ?? '', /run_0-1 instead of run_1-1/);
    assert.equal(statusOf(await runAgent(options)), 'completed');
  });
});

test('a check looks at URL, secrets and whether anybody is there, and does not ask the agent', async () => {
  await using server = await openAgentServer({ secret });
  const { check } = harnessAdapters.custom;
  const config = { kind: 'custom', name: 'mine', baseUrl: server.url, secrets: [secret] } as const;
  assert.equal(
    (await check({ ...config, baseUrl: 'http://agent.example' })).problems[0]?.code,
    'harness_address_invalid',
  );
  assert.equal((await check({ ...config, secrets: ['abc'] })).problems[0]?.code, 'harness_secret_invalid');
  assert.equal((await check({ ...config, baseUrl: 'http://127.0.0.1:9' })).problems[0]?.code, 'harness_unavailable');
  await using plain = await openAgentServer({ trouble: () => ({ status: 405 }) });
  assert.deepEqual(await check({ ...config, baseUrl: plain.url }), { ok: true, problems: [] });
});
