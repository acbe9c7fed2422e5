import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatOf, quickRepliesOf, renderedOf, summaryOf } from '../../src/console/model/chat.ts';
import { curlLine, invokeLine, quoteWord } from '../../src/console/model/command-lines.ts';
import { type Drafts, draftsAfter } from '../../src/console/model/drafts.ts';
import {
  formatBytes,
  formatCount,
  formatDay,
  formatMs,
  formatTime,
  initialsOf,
  medianOf,
  nameOf,
  shorten,
  shortId,
} from '../../src/console/model/format.ts';
import { jsonPartsOf } from '../../src/console/model/json-parts.ts';
import { markedOf, scoreOf } from '../../src/console/model/matching.ts';
import { parsePlace, pathOf, placeOfId, placeOfWord } from '../../src/console/model/places.ts';
import { repeatOf, requestOf } from '../../src/console/model/repeat.ts';
import {
  changesOf,
  type ModelCall,
  type Run,
  reasonOfFallback,
  type Sent,
  sentOf,
  sharesOf,
  wordsOfCall,
} from '../../src/console/model/run-steps.ts';
import { fieldsOf, fitsForm, textOfValue, valueOfText } from '../../src/console/model/schema-form.ts';
import { ServerEventReader } from '../../src/console/model/server-events.ts';
import { stackLinesOf } from '../../src/console/model/stack.ts';
import { fallOfInvocation, fallOfSpans, ticksOf } from '../../src/console/model/waterfall.ts';
import type { Output } from '../../src/contract/index.ts';

type Invocation = Output<'invocations.show'>;
type Span = Output<'traces.show'>['spans'][number];
type Message = Output<'messages.list'>['items'][number];

describe('addresses', () => {
  test('each place has a path, and the path leads back to it', () => {
    const places = [
      { page: 'functions' },
      { page: 'functions', app: 'shop', name: 'tools/refund' },
      { page: 'inbox' },
      { page: 'inbox', conversationId: 'cnv_1' },
      { page: 'invocations' },
      { page: 'invocations', id: 'inv_1' },
      { page: 'trace', id: 'evt_1' },
      { page: 'view', app: 'shop', name: 'views/a b' },
    ] as const;
    for (const place of places) assert.deepEqual(parsePlace(pathOf(place, 'dev'), 'dev'), place);
  });

  test('an address that names nothing is no place', () => {
    for (const path of [
      '/nothing',
      '/tenants/other',
      '/tenants/dev/x',
      '/functions/shop',
      '/traces',
      '/invocations/',
      '//',
      '/views/%zz/a',
    ])
      assert.equal(parsePlace(path, 'dev'), undefined, path);
  });

  test('an id leads to the page that shows it', () => {
    assert.deepEqual(placeOfId('inv_01M86'), { page: 'invocations', id: 'inv_01M86' });
    assert.deepEqual(placeOfId('run_01M86'), { page: 'runs', id: 'run_01M86' });
    assert.deepEqual(placeOfId('cnv_01M86'), { page: 'inbox', conversationId: 'cnv_01M86' });
    assert.deepEqual(placeOfId('0'.repeat(32)), { page: 'trace', id: '0'.repeat(32) });
    for (const text of ['refund', 'inv_', '__proto__', 'inv_1/../x']) assert.equal(placeOfId(text), undefined, text);
  });
});

test('a word in a terminal names a page or an id', () => {
  assert.deepEqual(placeOfWord('runs'), { page: 'runs' });
  assert.deepEqual(placeOfWord('inv_01M86'), { page: 'invocations', id: 'inv_01M86' });
  for (const word of ['trace', 'settings', '', 'constructor', '/etc']) assert.equal(placeOfWord(word), undefined, word);
});

describe('formats', () => {
  const now = new Date(2026, 10, 24, 10, 42, 18).getTime();

  test('a time is shown by its distance from today', () => {
    assert.equal(formatTime(new Date(2026, 10, 24, 9, 5, 7).getTime(), now), '09:05:07');
    assert.equal(formatTime(new Date(2026, 10, 23, 14, 6).getTime(), now), 'Mon 14:06');
    assert.equal(formatTime(new Date(2026, 8, 19).getTime(), now), '19 Sep');
    assert.equal(formatTime(new Date(2025, 8, 19).getTime(), now), '19 Sep 2025');
    assert.equal(formatTime(new Date(2026, 10, 26, 1).getTime(), now), '26 Nov', 'a turned clock may lie ahead');
    assert.equal(formatDay(new Date(2026, 10, 23, 14).getTime(), now), 'Yesterday');
    assert.equal(formatDay(new Date(2026, 10, 20, 14).getTime(), now), 'Fri 20 Nov');
  });

  test('durations, counts, sizes and ids are short', () => {
    assert.deepEqual([0, 0.42, 9, 831, 2_400, 30_000, 816_000, 86_400_000, 200_000_000].map(formatMs), [
      '0 ms',
      '0.4 ms',
      '9 ms',
      '831 ms',
      '2.40 s',
      '30.0 s',
      '13:36',
      '24 h',
      '2 d',
    ]);
    assert.equal(formatCount(1_013_693), '1,013,693');
    assert.deepEqual([62, 4_200, 43_000_000].map(formatBytes), ['62 B', '4.1 KiB', '41 MiB']);
    assert.equal(shortId('inv_01M86EM918RRMGRH33MTFH5DXS'), 'inv_…FH5DXS');
    assert.equal(shortId('inv_1'), 'inv_1');
    assert.equal(medianOf([]), undefined);
    assert.equal(medianOf([9, 1, 5]), 5);
  });

  test('a customer has a name that can be seen, whatever they call themselves', () => {
    assert.equal(nameOf({ id: 'cus_1', name: '\u200b \u202e', phone: '+49301' }), '+49301');
    assert.equal(nameOf({ id: 'cus_1', name: '<b>Ann</b>' }), '<b>Ann</b>');
    assert.equal(nameOf({ id: 'cus_1' }), 'cus_1');
    assert.deepEqual(['Ann Larsen', 'Nora', '', '李 雷', '😀'].map(initialsOf), ['AL', 'NO', '–', '李雷', '–']);
    assert.equal(shorten('a\n\n b', 10), 'a b');
    assert.equal(shorten('abcdef', 4), 'abc…');
  });
});

test('a stream is cut into events wherever its bytes are cut', () => {
  const text = ': open\n\nevent: message.sent\nid: 7\ndata: {"a":1}\n\n: \n\nevent: live.log\ndata: {}\n\n';
  const events = [
    { type: 'message.sent', id: '7', data: '{"a":1}' },
    { type: 'live.log', id: undefined, data: '{}' },
  ];
  for (let size = 1; size <= text.length; size++) {
    const reader = new ServerEventReader();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...reader.read(text.slice(at, at + size)));
    assert.deepEqual(found, events, `in pieces of ${size}`);
  }
});

describe('the form of a schema', () => {
  const fields =
    fieldsOf({
      type: 'object',
      required: ['orderId', 'reason'],
      properties: {
        orderId: { type: 'string' },
        euros: { type: 'number', description: 'Without: all' },
        reason: { type: 'string', minLength: 3, maxLength: 500 },
        size: { enum: ['s', 'm'] },
        loud: { type: 'boolean' },
        tags: { type: 'array' },
      },
    }) ?? [];

  test('each property is a field that says what it takes', () => {
    assert.deepEqual(
      fields.map(({ name, kind, what }) => `${name} ${kind}: ${what}`),
      [
        'orderId text: string',
        'euros number: number, optional',
        'reason text: string, 3–500',
        'size choice: one of, optional',
        'loud boolean: boolean, optional',
        'tags json: array, optional',
      ],
    );
    for (const schema of [undefined, true, { type: 'array' }, []]) assert.equal(fieldsOf(schema), undefined);
  });

  test('texts become values, and values texts', () => {
    const input = { orderId: 'A-1', euros: 19.5, reason: 'because', loud: true, tags: [1] };
    const texts = fields.map((field) => textOfValue(field, input[field.name as 'tags']));
    assert.deepEqual(texts, ['A-1', '19.5', 'because', '', 'true', '[1]']);
    const back = Object.fromEntries(
      fields
        .map((field, i) => [field.name, valueOfText(field, texts[i] ?? '')])
        .filter(([, value]) => value !== undefined),
    );
    assert.deepEqual(back, input);
    const [orderId, euros, , , , tags] = fields;
    assert.ok(orderId && euros && tags);
    assert.equal(valueOfText(orderId, ''), '', 'a required text may be empty');
    assert.throws(() => valueOfText(euros, 'many'), /must be a number/);
    assert.throws(() => valueOfText(tags, '[1'), /is no JSON/);
  });

  test('an input with members that are no fields is edited as JSON', () => {
    assert.ok(fitsForm(fields, { orderId: 'A-1' }));
    assert.ok(!fitsForm(fields, { other: 1 }));
    assert.ok(!fitsForm(fields, { orderId: 7 }), 'a text field cannot show a number');
    assert.ok(!fitsForm(fields, [1]));
  });
});

const invocation = (given: Partial<Invocation>): Invocation => ({
  id: 'inv_1' as Invocation['id'],
  app: 'shop',
  function: 'tools/refund',
  type: 'ai-tool',
  version: 'local',
  trigger: 'cli',
  caller: { type: 'token', id: null },
  traceId: null,
  causeId: null,
  status: 'ok',
  startedAt: '2026-11-24T10:00:00.000Z',
  wallMs: 100,
  cpuMs: 1,
  peakMemoryBytes: 1,
  error: null,
  input: null,
  result: null,
  logs: [],
  calls: [],
  ...given,
});

describe('the waterfall', () => {
  test('calls and console lines stand on one axis, in the order of time', () => {
    const { rows, totalMs } = fallOfInvocation(
      invocation({
        logs: [{ at: '2026-11-24T10:00:00.050Z', level: 'warn', text: '<b>late</b>' }],
        calls: [
          { kind: 'fetch', name: 'POST pay.example', startedMs: 60, ms: 90, status: '503' },
          { kind: 'sdk', name: 'store.get', startedMs: 10, ms: 5, status: 'ok' },
        ],
      }),
    );
    assert.deepEqual(
      rows.map(({ kind, name, atMs, ms, isFailed, said }) => [kind, name, atMs, ms, isFailed, said]),
      [
        ['function', 'tools/refund', 0, 100, false, undefined],
        ['sdk', 'store.get', 10, 5, false, undefined],
        ['warn', '<b>late</b>', 50, null, false, undefined],
        ['fetch', 'POST pay.example', 60, 90, true, '503'],
      ],
    );
    assert.equal(totalMs, 150, 'the axis holds a call that outlives its function');
  });

  const span = (id: string, parentId: string | null, at: number): Span => ({
    id,
    parentId,
    kind: 'invocation',
    name: id,
    startedAt: new Date(at).toISOString(),
    ms: 1,
    status: 'ok',
    ref: id,
  });

  test('spans stand below what caused them, also in a circle, also five thousand deep', () => {
    const { rows } = fallOfSpans([
      span('a', null, 0),
      span('c', 'b', 2),
      span('b', 'a', 1),
      span('x', 'y', 3),
      span('y', 'x', 4),
    ]);
    assert.deepEqual(
      rows.map(({ key, depth }) => `${key} ${depth}`),
      ['a 0', 'b 1', 'c 2', 'x 0', 'y 1'],
    );
    const deep = Array.from({ length: 5_000 }, (_, i) => span(`s${i}`, i === 0 ? null : `s${i - 1}`, i));
    assert.equal(fallOfSpans(deep).rows.at(-1)?.depth, 4_999);
    assert.deepEqual(fallOfSpans([]), { rows: [], totalMs: 1 });
  });

  test('what is under way or was decided by somebody did not fail; its status is said', () => {
    const { rows } = fallOfSpans(
      (
        [
          ['confirmation', 'allowed'],
          ['confirmation', 'open'],
          ['tool-call', 'awaitingConfirmation'],
          ['tool-call', 'denied'],
          ['agent-run', 'waiting'],
          ['model-call', 'running'],
          ['flow-run', 'cancelled'],
          ['agent-run', 'failed'],
          ['model-call', 'model_unavailable'],
          ['delivery-attempt', 'unanswered'],
          ['fetch', '204'],
          ['sdk', 'ok'],
        ] as const
      ).map(([kind, status], i) => ({ ...span(`${kind} ${status}`, null, i), kind, status })),
    );
    assert.deepEqual(
      rows.filter(({ isFailed }) => isFailed).map(({ key, said }) => [key, said]),
      [
        ['agent-run failed', 'failed'],
        ['model-call model_unavailable', 'model_unavailable'],
        ['delivery-attempt unanswered', 'unanswered'],
      ],
    );
    assert.deepEqual(
      rows.filter(({ isFailed }) => !isFailed).map(({ said }) => said),
      ['allowed', 'open', 'awaitingConfirmation', 'denied', 'waiting', 'running', 'cancelled', undefined, undefined],
    );
  });

  test('an axis has two to six marks at round numbers', () => {
    assert.deepEqual(ticksOf(2_403), [0, 500, 1_000, 1_500, 2_000]);
    for (const total of [1, 7, 99, 123_456])
      assert.ok(ticksOf(total).length <= 6 && ticksOf(total).length >= 2, String(total));
  });
});

test('an invocation is repeated with its body and query, without the headers of that time', () => {
  const input = { method: 'POST', path: '/api/x.js?a=1&a=2&b=', headers: { cookie: 'x' }, body: { n: 1 } };
  assert.deepEqual(repeatOf(invocation({ type: 'server-side-method', function: 'api/x', input })), {
    app: 'shop',
    name: 'api/x',
    input: { n: 1 },
    request: { method: 'POST', query: { a: ['1', '2'], b: '' } },
  });
  assert.deepEqual(
    repeatOf(invocation({ input: { method: 'x' } })).input,
    { method: 'x' },
    'a tool may take such a member',
  );
  const setup = invocation({ type: 'custom-app-setup', input: { phase: 'install', settings: { key: 'a' } } });
  assert.deepEqual(repeatOf(setup).input, { key: 'a' });
});

test('an invocation by a request can be sent again by curl, any other cannot', () => {
  const input = { method: 'POST', path: '/api/x.js', body: { n: 1 } };
  const called = invocation({ type: 'server-side-method', function: 'api/x', input });
  const url = 'http://127.0.0.1:1/api/x.js';
  assert.deepEqual(requestOf(called, 'http://127.0.0.1:1'), { method: 'POST', url, auth: 'token', body: { n: 1 } });
  for (const other of [{ ...called, input: { method: 'POST' } }, invocation({ input }), invocation({})])
    assert.equal(requestOf(other, 'http://127.0.0.1:1'), undefined);
});

test('JSON is cut into parts that are the same text, whatever it is', () => {
  for (const text of ['{"a": [1, -2.5e3, true, "x\\"y"], "b": null}', '{"a": "cut', '<script>', ''])
    assert.equal(
      jsonPartsOf(text)
        .map((part) => part.text)
        .join(''),
      text,
    );
  assert.deepEqual(
    jsonPartsOf('{"a": "b", "c": 1}')
      .filter(({ kind }) => kind !== '')
      .map(({ kind, text }) => kind + text),
    ['k"a"', 's"b"', 'k"c"', 'n1'],
  );
});

test('a line for the terminal is quoted so that a shell takes it for words', () => {
  assert.equal(quoteWord('tools/refund'), 'tools/refund');
  assert.equal(quoteWord("it's $(rm) `x`"), "'it'\\''s $(rm) `x`'");
  assert.equal(invokeLine('shop', 'tools/refund', { a: "it's" }, true), `fn invoke tools/refund -d '{"a":"it'\\''s"}'`);
  assert.equal(invokeLine('shop', 'refund', undefined, false), 'fn api functions.invoke -f app=shop -f name=refund');
  assert.equal(invokeLine('practice', 'hello', undefined, true, true), 'fn invoke hello --remote');
  const request = { method: 'POST', url: 'http://127.0.0.1:1/x.js', auth: 'token', body: {} } as const;
  assert.equal(
    curlLine(request, '/my state/token'),
    `curl -X POST http://127.0.0.1:1/x.js -H "Authorization: Bearer $(cat '/my state/token')" -H 'Content-Type: application/json' -d '{}'`,
  );
});

test('what is looked for is found in any order of words, best at the beginning of one', () => {
  assert.equal(scoreOf('Invoke tools/refund', 'refund invoke'), 1);
  assert.ok((scoreOf('refund', 'ref') ?? 9) < (scoreOf('prefund', 'ref') ?? 9));
  assert.equal(scoreOf('refund', 'x'), undefined);
  assert.deepEqual(markedOf('Refund', 'fu'), [
    { text: 'Re', isFound: false },
    { text: 'fu', isFound: true },
    { text: 'nd', isFound: false },
  ]);
  assert.deepEqual(markedOf('İx', 'x'), [{ text: 'İx', isFound: false }], 'a letter that grows in lower case');
});

test('a stack has its frames in the author’s files', () => {
  assert.deepEqual(
    stackLinesOf('PaymentError: no\n    at payOut (functions/tools/refund.ts:96:9)\n    at functions/a.js:1:2'),
    [
      { name: 'payOut', file: 'functions/tools/refund.ts', line: 96, column: 9 },
      { name: '', file: 'functions/a.js', line: 1, column: 2 },
    ],
  );
  assert.deepEqual(stackLinesOf(`at ${'('.repeat(100_000)}`), []);
});

describe('a conversation', () => {
  const message = (id: string, createdAt: string, given: Partial<Message> = {}): Message => ({
    id: id as Message['id'],
    conversationId: 'cnv_1' as Message['conversationId'],
    direction: 'in',
    author: { type: 'customer', id: null },
    text: id,
    media: null,
    template: null,
    quickReplies: [],
    status: 'received',
    quickReplyId: null,
    error: null,
    createdAt,
    ...given,
  });

  test('messages, notes and events stand in the order of time, from the first message that is read', () => {
    const read = {
      messages: [message('msg_1', '2026-01-02T00:00:00Z'), message('msg_2', '2026-01-04T00:00:00Z')],
      notes: [{ id: 'nte_1', createdAt: '2026-01-03T00:00:00Z' }] as never[],
      events: [
        { id: 'evt_0', type: 'conversation.assigned', timestamp: '2026-01-01T00:00:00Z' },
        { id: 'evt_1', type: 'conversation.closed', timestamp: '2026-01-05T00:00:00Z' },
        { id: 'evt_2', type: 'message.sent', timestamp: '2026-01-05T00:00:00Z' },
      ] as never[],
      toolCalls: [],
    };
    assert.deepEqual(
      chatOf(read, false).map(({ id }) => id),
      ['msg_1', 'nte_1', 'msg_2', 'evt_1'],
    );
    assert.equal(chatOf(read, true)[0]?.id, 'evt_0');
  });

  test('the customer can tap the answers of the last message only', () => {
    const quickReplies = [{ id: 'yes', title: 'Yes' }];
    const asked = message('msg_1', '2026-01-01T00:00:00Z', { direction: 'out', status: 'sent', quickReplies });
    assert.deepEqual(quickRepliesOf([asked]), quickReplies);
    assert.deepEqual(quickRepliesOf([asked, message('msg_2', '2026-01-02T00:00:00Z')]), []);
    assert.deepEqual(quickRepliesOf([{ ...asked, status: 'failed' }]), []);
  });

  test('a rendering of any shape is shown as far as it has parts', () => {
    const rendered = {
      header: { format: 'text', text: 'Hi' },
      body: 'B',
      buttons: [{ type: 'url', text: 'Go' }, 7],
      carousel: [{ body: 'c' }, null],
    };
    const { header, body, buttons, cards } = renderedOf(rendered);
    assert.deepEqual(
      [header['text'], body, buttons, cards.map((card) => card.body)],
      ['Hi', 'B', [{ type: 'url', text: 'Go' }], ['c', '']],
    );
    for (const value of [null, 7, 'x', [], { buttons: 7, carousel: {} }]) assert.equal(renderedOf(value).body, '');
    const template = { name: 'hello', language: 'en', rendered };
    assert.equal(summaryOf(message('msg_1', '', { text: null, template })), 'B');
    assert.equal(summaryOf(undefined), '');
  });
});

describe('a draft of an AI', () => {
  const conversationId = 'cnv_1';
  const written = { type: 'live.draft', data: { conversationId, runId: 'run_1', text: 'Hello' } };
  const after = (...changes: { type: string; data: Record<string, unknown> }[]) =>
    changes.reduce<Drafts>((drafts, change) => draftsAfter(drafts, change), new Map()).get(conversationId);

  test('is the text so far', () => {
    const more = { ...written, data: { ...written.data, text: 'Hello Ann' } };
    assert.deepEqual(after(written, more), { runId: 'run_1', text: 'Hello Ann' });
  });

  test('names the message that it became, and is not dropped before that is shown', () => {
    const sent = {
      type: 'message.sent',
      data: { conversationId, actor: { type: 'aiAgent' }, data: { message: { id: 'msg_1' } } },
    };
    const completed = { type: 'aiAgentRun.completed', data: { conversationId } };
    assert.equal(after(written, sent, completed)?.sentAs, 'msg_1');
    const byPerson = { ...sent, data: { ...sent.data, actor: { type: 'agent' } } };
    assert.equal(after(written, byPerson)?.sentAs, undefined, 'what a colleague sends is not the draft');
  });

  test('is gone when its run ends without sending it', () => {
    for (const type of ['aiAgentRun.cancelled', 'aiAgentRun.failed', 'conversation.aiPaused'])
      assert.equal(after(written, { type, data: { conversationId } }), undefined, type);
    assert.ok(after(written, { type: 'aiAgentRun.cancelled', data: { conversationId: 'cnv_2' } }), 'of another one');
  });
});

describe('a run of an agent', () => {
  const sent = (text: string, role = 'user'): Sent => ({ role, by: '', text });

  test('shows of two calls what is new and what is gone', () => {
    const before = [sent('rules', 'system'), sent('one'), sent('two')];
    const now = [sent('rules', 'system'), sent('one'), sent('changed'), sent('more')];
    assert.deepEqual(
      changesOf(now, before).map(({ state, text }) => `${state} ${text}`),
      ['same rules', 'same one', 'removed two', 'added changed', 'added more'],
    );
    assert.deepEqual(
      changesOf(now, now).filter(({ state }) => state !== 'same'),
      [],
    );
  });

  test('shows a message as text, whatever the harness put into it', () => {
    const toolCalls = [{ id: 'x', name: 'refund', arguments: { euros: 1 } }];
    assert.equal(sentOf({ role: 'assistant', content: '', toolCalls }).text, 'calls refund {"euros":1}');
    assert.deepEqual(sentOf({ role: 'tool', name: 'refund', content: 'ok' }), {
      role: 'tool',
      by: 'refund',
      text: 'ok',
    });
    assert.equal(sentOf({ role: 'user', content: [{ type: 'image' }] }).text, '[{"type":"image"}]');
    assert.deepEqual(sentOf('text'), { role: 'message', by: '', text: '"text"' });
  });

  test('says what was used of each limit, and which one ended it', () => {
    const usage = { costUsd: 0.25, inputTokens: 60, outputTokens: 20, modelCalls: 1, toolCalls: 3, seconds: 1 };
    const budget = { maxCostUsd: null, maxTokens: 100, maxModelCalls: 2, maxToolCalls: 2, maxSeconds: 0 };
    const words = { usd: (n: number) => `$${n}`, count: String, ms: String };
    const shares = sharesOf({ usage, budget, budgetExceeded: 'toolCalls' } as unknown as Run, words);
    assert.deepEqual(
      shares.map(({ used, limit, share, isOver }) => [used, limit, share, isOver]),
      [
        ['$0.25', undefined, undefined, false],
        ['80', '100', 0.8, false],
        ['1', '2', 0.5, false],
        ['3', '2', 1, true],
        ['1000', '0', undefined, false],
      ],
    );
  });

  test('says why another model was asked', () => {
    const model = (id: string, seq: number, more: object) => ({ id, seq, error: null, finishReason: 'stop', ...more });
    const error = { code: 'model_unavailable', message: '503' };
    const calls = [
      model('a', 1, { role: 'main', error }),
      model('b', 2, { role: 'fallback' }),
    ] as unknown as ModelCall[];
    const run = { modelCalls: calls, toolCalls: [{ modelCallId: 'b', name: 'refund' }] } as unknown as Run;
    const [main, fallback] = calls as [ModelCall, ModelCall];
    assert.equal(reasonOfFallback(fallback, run)?.id, 'a');
    assert.equal(reasonOfFallback(main, run), undefined);
    assert.equal(wordsOfCall(main, run), 'model_unavailable: 503');
    assert.equal(wordsOfCall(fallback, run), 'Wants refund');
  });
});
