import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkModelScript, handoverTool, type ToolSpec } from '../../src/agent/index.ts';
import { codeOf, Gate, ofType, orderStatus, type RunOptions, runAgent, statusOf, textsOf } from './a-run.ts';

const run = (script: unknown, say: string, more: Partial<RunOptions> = {}) =>
  runAgent({ say, models: { main: 'script:s' }, gate: new Gate({ s: script }), ...more });

const problemsOf = (script: unknown, tools?: string[]) =>
  checkModelScript(script, tools).map(({ path, message }) => `${path} ${message}`);

const example = {
  rules: [
    {
      when: { lastUser: { matches: 'order\\s+(?<id>\\w+)' }, toolResults: 0 },
      call: [{ tool: 'order_status', args: { orderId: '$id' } }],
    },
    { when: { toolResults: { min: 1 } }, say: 'Your order: {{lastToolResult.status}}' },
    {
      when: { lastUser: { contains: 'human' } },
      call: [{ tool: 'handover_to_human', args: { reason: 'asked' } }],
    },
  ],
  default: { say: 'I can help with orders. Which order?' },
  usage: 'estimate',
};

test('the first rule that fits answers, with groups and results filled in', async () => {
  const gate = new Gate({ s: example }, () => ({ status: 'ok', content: '{"status":"shipped"}' }));
  assert.deepEqual(textsOf(await run(example, 'Where is order A17?', { gate })), ['Your order: shipped']);
  assert.deepEqual(
    gate.calls.map(({ args }) => args),
    [{ orderId: 'A17' }],
  );
  assert.equal(statusOf(await run(example, 'A human, please')), 'handedOver');
  assert.deepEqual(textsOf(await run(example, 'What can you do?')), ['I can help with orders. Which order?']);
});

test('an argument may be a number that the user said, and is left out if they said none', async () => {
  const gate = new Gate({
    s: {
      rules: [
        {
          when: { lastUser: { matches: 'refund(?: (?<euros>[\\d,.]+) €)?' }, toolResults: 0 },
          call: [{ tool: 'order_status', args: { orderId: '$5', euros: '$euros:number' } }],
        },
      ],
    },
  });
  for (const say of ['refund 80 €', 'refund 19,50 €', 'refund 1,2,3 €', 'refund']) {
    await runAgent({ say, models: { main: 'script:s' }, gate });
  }
  assert.deepEqual(
    gate.calls.map(({ args }) => args),
    [
      { orderId: '$5', euros: 80 },
      { orderId: '$5', euros: 19.5 },
      { orderId: '$5', euros: '1,2,3' },
      { orderId: '$5' },
    ],
  );
});

test('results count since the last message of the user', async () => {
  const gate = new Gate({ s: example }, () => ({ status: 'ok', content: '{"status":"shipped"}' }));
  const call = { id: 'tlc_1', externalId: 'c1', modelCallId: null, name: 'order_status', arguments: {} };
  await runAgent({
    say: '',
    models: { main: 'script:s' },
    gate,
    messages: [
      { role: 'user', content: 'Where is order A17?' },
      { role: 'assistant', id: 'm1', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'tlc_1', name: 'order_status', content: '{"status":"shipped"}' },
      { role: 'assistant', id: 'm2', content: 'Your order: shipped' },
      { role: 'user', content: 'And order B18?' },
    ],
  });
  assert.deepEqual(
    gate.calls.map(({ args }) => args),
    [{ orderId: 'B18' }],
  );
});

test('rules look at the latest tool and at its failure', async () => {
  const script = {
    rules: [
      { when: { lastTool: 'order_status', lastToolFailed: true }, say: 'No such order: {{lastToolResult}}' },
      {
        when: { toolResults: 0, lastUser: { equals: ' STATUS ' } },
        call: [{ tool: 'order_status', args: { orderId: 'X' } }],
      },
    ],
  };
  const gate = new Gate({ s: script }, () => ({
    status: 'error',
    content: 'not found',
    error: { code: 'tool_failed', message: 'not found' },
  }));
  assert.deepEqual(textsOf(await run(script, 'status', { gate })), ['No such order: not found']);
  assert.deepEqual(textsOf(await run(script, 'something else', { gate })), ['I have no answer to that.']);
});

test('a dollar is written twice, and a group that did not take part is empty', async () => {
  const script = {
    rules: [
      {
        when: { lastUser: { matches: 'pay (?<sum>\\d+)(?<currency> EUR)?' }, toolResults: 0 },
        call: [{ tool: 'order_status', args: { orderId: '$sum', price: '$$5', currency: '$currency' } }],
      },
      { when: { toolResults: 1 }, say: '{{lastUser}}/{{lastToolResult.lines[0].name}}/{{lastToolResult.none.at.all}}' },
    ],
  };
  const gate = new Gate({ s: script }, () => ({ status: 'ok', content: '{"lines":[{"name":"tea"}]}' }));
  assert.deepEqual(textsOf(await run(script, 'pay 12', { gate })), ['pay 12/tea/']);
  assert.deepEqual(gate.calls[0]?.args, { orderId: '12', price: '$5', currency: '' });
});

test('a script fails as a provider does, and a fallback answers', async () => {
  const failing = { rules: [], default: { fail: { status: 429, message: 'slow down' } } };
  const gate = new Gate({ s: failing, t: { rules: [], default: { say: 'Here I am.' } } });
  assert.equal(codeOf(await run(failing, 'hello')), 'model_rate_limited');
  const events = await run(failing, 'hello', { gate, models: { main: 'script:s', fallback: 'script:t' } });
  assert.deepEqual(textsOf(events), ['Here I am.']);
  assert.match(ofType(events, 'modelCall.ended')[0]?.error?.message ?? '', /slow down/);
});

test('a delay ends with the run', async () => {
  const slow = { rules: [], default: { say: 'late', delayMs: 600_000 } };
  const stop = new AbortController();
  const events = await run(slow, 'hello', {
    signal: stop.signal,
    onEvent: () => void setTimeout(() => stop.abort(), 5),
  });
  assert.equal(statusOf(events), 'cancelled');
});

test('a delay after each word ends with the run, and what was said until then is kept', async () => {
  const slow = { rules: [], default: { say: 'one two three', wordDelayMs: 10_000 } };
  const stop = new AbortController();
  const events = await run(slow, 'hello', {
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'text.delta') stop.abort();
    },
  });
  assert.equal(statusOf(events), 'cancelled');
  assert.deepEqual(
    ofType(events, 'text.delta').map(({ text }) => text),
    ['one '],
  );
});

test('usage is counted by characters, four a token by default', async () => {
  const usageOf = async (script: unknown) => ofType(await run(script, 'hello'), 'modelCall.ended')[0]?.usage;
  const say = 'x'.repeat(400);
  assert.equal((await usageOf({ rules: [], default: { say } }))?.outputTokens, 100);
  assert.equal((await usageOf({ rules: [], default: { say }, usage: { charactersPerToken: 2 } }))?.outputTokens, 200);
});

test('an answer keeps to the tokens it is given, and a call that does not fit is left out', async () => {
  const script = {
    rules: [],
    default: { say: 'x'.repeat(1_000), call: [{ tool: 'order_status', args: { orderId: 'A' } }] },
  };
  const events = await run(script, 'hello', { maxOutputTokens: 100 });
  const [ended] = ofType(events, 'modelCall.ended');
  assert.equal(ended?.finishReason, 'length');
  assert.equal(ended?.usage?.outputTokens, 100);
  assert.equal(textsOf(events)[0]?.length, 400);
  assert.deepEqual(ofType(events, 'toolCall.requested'), []);
});

test('without a script a run says which file to write', async () => {
  const events = await runAgent({ say: 'hello', models: { main: 'script:nora' } });
  assert.equal(codeOf(events), 'model_script_missing');
  assert.match(ofType(events, 'error')[0]?.message ?? '', /agents\/nora\.model\.json/);
});

test('a script with a problem ends the run and names the place', async () => {
  const events = await run({ rules: [{ when: {}, say: 1 }] }, 'hello');
  assert.equal(codeOf(events), 'model_script_invalid');
  assert.match(ofType(events, 'error')[0]?.message ?? '', /script:s: rules\[0\]\.say must be a text, not a number/);
});

test('script:default calls the one tool whose required arguments are in the message', async () => {
  const gate = new Gate({}, ({ args }) => ({
    status: 'ok',
    content: JSON.stringify({ ...(args as object), status: 'shipped' }),
  }));
  const events = await runAgent({ say: 'Where is order A-1017?', tools: [orderStatus, handoverTool], gate });
  assert.deepEqual(
    gate.calls.map(({ name, args }) => ({ name, args })),
    [{ name: 'order_status', args: { orderId: 'A-1017' } }],
  );
  assert.deepEqual(textsOf(events), ['orderId: A-1017, status: shipped']);
});

test('script:default answers politely when two tools fit, or none', async () => {
  const twin: ToolSpec = { ...orderStatus, name: 'order_price' };
  const polite = /^Thank you for your message/;
  for (const [say, tools] of [
    ['Where is order A-1017?', [orderStatus, twin]],
    ['Where is my order?', [orderStatus, handoverTool]],
  ] as const) {
    const gate = new Gate();
    assert.match(textsOf(await runAgent({ say, tools, gate }))[0] ?? '', polite);
    assert.deepEqual(gate.calls, []);
  }
});

test('script:default hands over when it is asked for a person', async () => {
  const events = await runAgent({ say: 'Can I talk to a human?' });
  assert.equal(statusOf(events), 'handedOver');
});

test('script:default reads numbers, listed values and texts in quotes', async () => {
  const tool: ToolSpec = {
    name: 'book',
    description: '',
    input: {
      type: 'object',
      properties: {
        people: { type: 'integer' },
        room: { enum: ['small', 'large'] },
        name: { type: 'string' },
        note: { type: 'string' },
      },
      required: ['people', 'room', 'name'],
    },
  };
  const gate = new Gate({}, () => ({ status: 'ok', content: 'booked' }));
  const events = await runAgent({ say: 'A Large room for 4, on "Ann Lee"', tools: [tool], gate });
  assert.deepEqual(gate.calls[0]?.args, { people: 4, room: 'large', name: 'Ann Lee' });
  assert.deepEqual(textsOf(events), ['booked']);
});

test('a script of the user’s own may be named default', async () => {
  const gate = new Gate({ default: { rules: [], default: { say: 'My own.' } } });
  assert.deepEqual(textsOf(await runAgent({ say: 'hello', gate })), ['My own.']);
});

test('a good script has no problems', () => {
  assert.deepEqual(problemsOf(example), []);
  assert.deepEqual(problemsOf({ $schema: './x.json', rules: [] }), []);
});

test('the checker names each problem with its place', () => {
  assert.deepEqual(problemsOf({}), ['rules is missing']);
  assert.deepEqual(problemsOf({ rules: [{ when: {}, says: 'x' }] }).length, 1);
  assert.match(problemsOf({ rules: [{ when: {}, says: 'x' }] })[0] ?? '', /^rules\[0\]\.says .*say/);
  assert.deepEqual(problemsOf({ rules: [{ when: { lastUser: {} }, say: 'x' }] }), [
    'rules[0].when.lastUser needs one of equals, contains and matches',
  ]);
  assert.match(
    problemsOf({ rules: [{ when: { lastUser: { matches: '(' } }, say: 'x' }] })[0] ?? '',
    /^rules\[0\]\.when\.lastUser\.matches is no regular expression: .*Unterminated group/,
  );
  assert.deepEqual(problemsOf({ rules: [{ when: { toolResults: 1 } }], default: {} }), [
    'rules[0] needs one of say, call and fail',
    'default needs one of say, call and fail',
  ]);
  assert.deepEqual(problemsOf({ rules: [{ when: { toolResults: { min: 3, max: 1 } }, say: 'x' }] }), [
    'rules[0].when.toolResults has a min above its max: it never fits',
  ]);
  assert.deepEqual(problemsOf({ rules: [], default: { say: 'x', fail: { status: 500 } } }), [
    'default.fail stands alone: a model that fails neither says nor calls anything',
  ]);
  assert.deepEqual(
    problemsOf({
      rules: [
        { when: {}, say: 'x' },
        { when: { toolResults: 1 }, say: 'y' },
      ],
    }),
    ['rules[1] is never reached: rules[0] always fits'],
  );
  assert.deepEqual(problemsOf({ rules: [{ when: {}, call: [{ tool: 'order_status', args: { orderId: '$id' } }] }] }), [
    'rules[0].call[0].args.orderId names $id, but `matches` has no group (?<id>…); write "$$id" for the text itself',
  ]);
  assert.deepEqual(
    problemsOf({ rules: [{ when: {}, call: [{ tool: 'order_status', args: { euros: '$euros:number' } }] }] }),
    [
      'rules[0].call[0].args.euros names $euros, but `matches` has no group (?<euros>…); write "$$euros" for the text itself',
    ],
  );
  assert.deepEqual(problemsOf(example, ['order_status']), [
    'rules[2].call[0].tool names handover_to_human, which is not a tool of this agent',
  ]);
});

test('a rule may read what the user wrote earlier: the newest message that fits', async () => {
  const gate = new Gate({
    s: {
      rules: [
        {
          when: { lastUser: { matches: 'refund (?<euros>\\d+)' }, earlierUser: { matches: '(?<order>A-\\d+)' } },
          call: [{ tool: 'order_status', args: { orderId: '$order', euros: '$euros:number' } }],
        },
        { when: {}, say: 'Which order?' },
      ],
    },
  });
  const said = (...texts: string[]) => texts.map((content, i) => ({ role: 'user' as const, id: `msg_${i}`, content }));
  const models = { main: 'script:s' };
  const messages = said('Where is A-1?', 'And A-2?', 'Thanks', 'Please refund 80');
  await runAgent({ say: '', models, gate, messages });
  assert.deepEqual(gate.calls[0]?.args, { orderId: 'A-2', euros: 80 });
  assert.deepEqual(textsOf(await runAgent({ say: '', models, gate, messages: said('Hello', 'refund 80 for A-3') })), [
    'Which order?',
  ]);
});

test('a rule may look into the latest result of a tool', async () => {
  const script = {
    rules: [
      { when: { lastToolResult: { found: false } }, say: 'No such order.' },
      { when: { lastToolResult: { 'order.lines[0].pieces': 2 } }, say: 'Two of them.' },
      { when: { toolResults: 0 }, call: [{ tool: 'order_status', args: { orderId: 'A-1' } }] },
      { when: {}, say: 'Something else.' },
    ],
  };
  const answered = async (content: string) =>
    textsOf(await run(script, 'Where is it?', { gate: new Gate({ s: script }, () => ({ status: 'ok', content })) }));
  assert.deepEqual(await answered('{"found":false}'), ['No such order.']);
  assert.deepEqual(await answered('{"found":true,"order":{"lines":[{"pieces":2}]}}'), ['Two of them.']);
  assert.deepEqual(await answered('{"found":"false"}'), ['Something else.']);
  assert.deepEqual(await answered('nothing'), ['Something else.']);
});

test('a pattern for earlier messages is checked like any other', () => {
  assert.deepEqual(problemsOf({ rules: [{ when: { earlierUser: { matches: '(' } }, say: 'x' }] }), [
    'rules[0].when.earlierUser.matches is no regular expression: /(/iu: Unterminated group',
  ]);
});
