import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flowInFront, orderOfFlow } from '../../src/flow/index.ts';
import { aFlow, anEnd, problemsOf, withNodes } from './a-flow.ts';

const say = (next: string, text = 'Hi') => ({ type: 'message', text, next });

test('a flow of every node type fits', () => {
  const flow = {
    title: 'Support',
    nodes: {
      t: {
        type: 'trigger',
        on: 'message.received',
        filter: { field: 'conversation.channel', op: 'eq', value: 'web' },
        next: 'c',
      },
      c: {
        type: 'condition',
        branches: [{ if: { all: [{ field: 'message.text', op: 'contains', value: 'order' }] }, next: 'f' }],
        else: 'i',
      },
      f: {
        type: 'custom-flow-node',
        function: 'flow-nodes/status',
        input: { text: '{{message.text}}' },
        outcomes: { found: 'm', missing: 'a' },
        onError: 'h',
        timeout: '10s',
      },
      m: {
        type: 'message',
        text: 'Status: {{steps.f.output.status}}',
        quickReplies: [{ id: 'ok', title: 'Thanks' }],
        next: 'w',
      },
      w: { type: 'wait', for: 'message.received', timeout: '1d', next: 'c', onTimeout: 'e' },
      i: {
        type: 'ai',
        prompt: 'Classify: {{message.text}}',
        output: { type: 'object', properties: { topic: { enum: ['order', 'other'] } }, required: ['topic'] },
        next: 'c2',
        onError: 'h',
      },
      c2: {
        type: 'condition',
        branches: [{ if: { field: 'steps.i.output.topic', op: 'eq', value: 'order' }, next: 'f' }],
        else: 'a',
      },
      a: {
        type: 'ai-agent',
        agent: 'nora',
        budget: { maxCostUsd: 0.5, maxSeconds: 120 },
        tools: ['order_status'],
        mcp: [{ client: 'shop', tools: ['search'] }],
        mode: 'conversation',
        next: 'p',
        onHandover: 'h',
        onBudget: 'h',
        onError: 'h',
      },
      p: { type: 'wait', for: 'time', duration: '2h', next: 's' },
      s: { type: 'assign', to: { agent: 'ann@example.com' }, next: 'e' },
      h: {
        type: 'handover',
        to: { workgroup: 'Support' },
        note: '{{steps.a.output.reason}}',
        summary: true,
        next: 'e',
      },
      e: { type: 'end', close: false },
    },
  };
  assert.deepEqual(
    problemsOf(flow, {
      functions: [{ name: 'flow-nodes/status', outcomes: ['found', 'missing'] }],
      agents: ['nora'],
      tools: ['order_status'],
      mcpClients: ['shop'],
      workgroups: ['Support'],
      people: ['ann@example.com'],
      harnesses: [],
    }),
    [],
  );
});

test('a flow without a trigger, or with two, is refused', () => {
  assert.deepEqual(problemsOf({ nodes: { e: anEnd } }), [
    'flow_trigger_missing nodes has no node of type trigger: nothing starts the flow',
  ]);
  assert.deepEqual(problemsOf(withNodes({ e: anEnd, u: { type: 'trigger', on: 'code', next: 'e' } })), [
    'flow_invalid nodes.u is a second trigger beside t',
  ]);
});

test('a node that is named and not there is refused, with the one that was meant', () => {
  assert.deepEqual(problemsOf(withNodes({ greet: say('ends'), end: anEnd })), [
    'flow_node_unknown nodes.greet.next names the node ends, which does not exist; did you mean end?',
  ]);
  assert.deepEqual(problemsOf(withNodes({ greet: say('t') })), [
    'flow_node_unknown nodes.greet.next leads back to the trigger t: a flow is started from outside',
  ]);
});

test('a field or a node type that does not exist is refused with its path', () => {
  assert.deepEqual(problemsOf(withNodes({ m: { type: 'message', txt: 'Hi', next: 'e' }, e: anEnd })), [
    'flow_invalid nodes.m.txt is not a known field; did you mean "text"?',
    'flow_invalid nodes.m give a text, media or a template',
  ]);
  assert.match(problemsOf(withNodes({ m: { type: 'mesage', next: 'e' } })).join('\n'), /^flow_invalid nodes\.m\.type /);
  assert.match(problemsOf(withNodes({ m: say('e'), e: { type: 'end', next: 'm' } })).join('\n'), /nodes\.e\.next/);
});

test('a dead end is refused: a function without outcomes, and an outcome without a way', () => {
  const node = (outcomes: object) => withNodes({ f: { type: 'custom-flow-node', function: 'f', outcomes }, e: anEnd });
  assert.match(problemsOf(node({})).join('\n'), /^flow_dead_end nodes\.f is a dead end/);
  assert.deepEqual(problemsOf(node({ found: 'e' }), { functions: [{ name: 'f', outcomes: ['found', 'missing'] }] }), [
    'flow_dead_end nodes.f.outcomes has no way for missing, which f may answer',
  ]);
  assert.deepEqual(problemsOf(node({ founds: 'e', found: 'e' }), { functions: [{ name: 'f', outcomes: ['found'] }] }), [
    'flow_reference_missing nodes.f.outcomes.founds is no outcome of f; did you mean found?',
  ]);
});

test('a node that no way reaches is refused', () => {
  assert.deepEqual(problemsOf(withNodes({ e: anEnd, m: say('e') })), [
    'flow_node_unreachable nodes.m is unreachable: no way leads to it from t',
  ]);
});

test('a cycle in which nothing waits is named; one that waits is fine', () => {
  const again = {
    type: 'condition',
    branches: [{ if: { field: 'message.text', op: 'exists' }, next: 'a' }],
    else: 'e',
  };
  assert.deepEqual(problemsOf(withNodes({ a: say('b'), b: say('c'), c: again, e: anEnd })), [
    'flow_cycle nodes.a is in a cycle in which nothing waits: a → b → c → a',
  ]);
  const waits = { type: 'wait', for: 'message.received', next: 'c' };
  assert.deepEqual(problemsOf(withNodes({ a: say('b'), b: waits, c: again, e: anEnd })), []);
});

test('a path that cannot exist is refused, with the one that was meant', () => {
  const text = (path: string, trigger = {}) =>
    problemsOf(withNodes({ m: say('e', `{{${path}}}`), e: anEnd }, 'm', trigger)).map((line) =>
      line.split(' ').slice(1).join(' '),
    );
  assert.deepEqual(text('message.txt'), [
    'nodes.m.text names message.txt, which cannot exist; did you mean message.text?',
  ]);
  assert.deepEqual(text('customers.name'), [
    'nodes.m.text names customers.name, which cannot exist; did you mean customer.name?',
  ]);
  assert.deepEqual(text('customer.fields.tier.level'), []);
  assert.deepEqual(text('message.author.type'), []);
  assert.deepEqual(text('message.text.length'), [
    'nodes.m.text names message.text.length, which cannot exist: nothing is below message.text',
  ]);
  assert.deepEqual(text('conversation.channel'), []);
  assert.deepEqual(text('now.hours'), ['nodes.m.text names now.hours, which cannot exist; did you mean now.hour?']);
  assert.deepEqual(text('a b'), ['nodes.m.text names "a b", which is no path such as message.text']);
  assert.deepEqual(text('input.id'), [
    'nodes.m.text names input.id, but only a flow that starts on manual or code has an input (t starts on message.received)',
  ]);
  assert.deepEqual(text('message.text', { on: 'conversation.created' }), [
    'nodes.m.text names message.text, but no message has come: the flow starts on conversation.created',
  ]);
  const input = { type: 'object', properties: { orderId: { type: 'string' } } };
  assert.deepEqual(text('input.orderid', { on: 'code', input }), [
    'nodes.m.text names input.orderid, which cannot exist; did you mean input.orderId?',
  ]);
  assert.deepEqual(text('steps.x.output.y'), [
    'nodes.m.text names steps.x.output.y, which cannot exist: there is no node x; did you mean t?',
  ]);
  assert.deepEqual(text('steps.t.output.y'), ['nodes.m.text names steps.t.output.y, but t (trigger) answers nothing']);
  assert.deepEqual(text('steps.e.output.y'), ['nodes.m.text names steps.e.output.y, but no way leads from e to m']);
  assert.deepEqual(text('steps.t.y'), [
    'nodes.m.text names steps.t.y, but what a step has answered is steps.NODE.output',
  ]);
});

test('the paths of an AI answer are those of its schema', () => {
  const ai = {
    type: 'ai',
    prompt: 'Classify',
    output: { type: 'object', properties: { topic: { type: 'string' } } },
    next: 'm',
  };
  assert.deepEqual(problemsOf(withNodes({ i: ai, m: say('e', '{{steps.i.output.topics}}'), e: anEnd })), [
    'flow_path_unknown nodes.m.text names steps.i.output.topics, which cannot exist; did you mean steps.i.output.topic?',
  ]);
});

test('a function, agent, tool, client, workgroup or person that is not there is refused, with the one that was meant', () => {
  const nodes = {
    f: { type: 'custom-flow-node', function: 'stock', outcomes: { ok: 'a' } },
    a: { type: 'ai-agent', agent: 'norah', harness: 'x', tools: ['refunds'], mcp: [{ client: 'shop' }], next: 'i' },
    i: { type: 'ai', prompt: 'Which?', mcp: [{ client: 'stock' }, { client: 'stok' }], next: 'h' },
    h: { type: 'handover', to: { workgroup: 'Suport' }, next: 's' },
    s: { type: 'assign', to: { agent: 'bob@example.com' }, next: 'e' },
    e: anEnd,
  };
  const around = {
    functions: [{ name: 'flow-nodes/stock' }],
    agents: ['nora'],
    harnesses: ['builtin'],
    tools: ['refund'],
    mcpClients: ['stock'],
    workgroups: ['Support'],
    people: ['ann@example.com'],
  };
  assert.deepEqual(problemsOf(withNodes(nodes), around), [
    'flow_reference_missing nodes.f.function names the Custom Flow Node stock, which does not exist; did you mean flow-nodes/stock?',
    'flow_reference_missing nodes.a.agent names the AI agent norah, which does not exist; did you mean nora?',
    'flow_reference_missing nodes.a.harness names the harness x, which does not exist',
    'flow_reference_missing nodes.a.tools[0] names the AI Tool refunds, which does not exist; did you mean refund?',
    'flow_reference_missing nodes.a.mcp[0].client names the MCP client shop, which does not exist',
    'flow_reference_missing nodes.i.mcp[1].client names the MCP client stok, which does not exist; did you mean stock?',
    'flow_reference_missing nodes.h.to.workgroup names the workgroup Suport, which does not exist; did you mean Support?',
    'flow_reference_missing nodes.s.to.agent names the person bob@example.com, which does not exist; did you mean ann@example.com?',
  ]);
  assert.match(
    problemsOf(withNodes(nodes), { functions: [], otherFunctions: ['stock'] }).join('\n'),
    /names stock, which is no Custom Flow Node/,
  );
});

test('a flow on a schedule has a schedule, and nothing that needs a conversation', () => {
  const trigger = { on: 'schedule', schedule: '0 6 * * *', timezone: 'Europe/Berlin' };
  const f = { type: 'custom-flow-node', function: 'f', outcomes: { ok: 'e' } };
  assert.deepEqual(problemsOf(withNodes({ f, e: anEnd }, 'f', trigger)), []);
  assert.match(
    problemsOf(withNodes({ m: say('e'), e: anEnd }, 'm', trigger)).join('\n'),
    /^flow_conversation_missing nodes\.m /,
  );
  assert.match(
    problemsOf(withNodes({ e: anEnd }, 'e', { on: 'schedule' })).join('\n'),
    /nodes\.t\.schedule is missing/,
  );
  assert.match(
    problemsOf(withNodes({ e: anEnd }, 'e', { ...trigger, schedule: 'often' })).join('\n'),
    /^flow_schedule_invalid nodes\.t\.schedule must have five or six fields/,
  );
  assert.match(
    problemsOf(withNodes({ e: anEnd }, 'e', { ...trigger, timezone: '+02:00' })).join('\n'),
    /^flow_schedule_invalid nodes\.t\.timezone must be a zone/,
  );
  assert.match(
    problemsOf(withNodes({ e: anEnd }, 'e', { schedule: '@daily' })).join('\n'),
    /schedule is for `schedule`/,
  );
  assert.deepEqual(problemsOf(withNodes({ e: anEnd }, 'e', { timezone: 'Europe/Berlin' })), []);
});

test('a comparison without a value, a list or a pattern is refused', () => {
  const filter = (condition: object) =>
    problemsOf(withNodes({ e: anEnd }, 'e', { filter: { field: 'message.text', ...condition } }));
  assert.match(filter({ op: 'eq' }).join('\n'), /nodes\.t\.filter\.value is missing/);
  assert.match(filter({ op: 'in', value: 'a' }).join('\n'), /must be a list/);
  assert.match(filter({ op: 'exists', value: true }).join('\n'), /is not needed by `exists`/);
  assert.match(filter({ op: 'matches', value: '(' }).join('\n'), /^flow_pattern_invalid .* is no pattern/);
  assert.match(filter({ op: 'matches', value: '(?=a)' }).join('\n'), /^flow_pattern_invalid/);
});

test('a wait for time has a duration, and only that', () => {
  const wait = (more: object) =>
    problemsOf(withNodes({ w: { type: 'wait', next: 'e', ...more }, e: anEnd })).join('\n');
  assert.equal(wait({ for: 'time', duration: '7d' }), '');
  assert.match(wait({ for: 'time' }), /nodes\.w\.duration/);
  assert.match(wait({ for: 'message.received', duration: '1h' }), /nodes\.w\.duration/);
  assert.match(wait({ for: 'time', duration: '1h', timeout: '2h' }), /nodes\.w\.timeout/);
  assert.match(wait({ for: 'time', duration: 'soon' }), /nodes\.w\.duration a duration is a number and a unit/);
});

test('of two flows on one trigger, the one behind a flow without a filter never starts, unless it says also', () => {
  const named = (name: string, trigger: Record<string, unknown>) =>
    orderOfFlow('a', name, aFlow(withNodes({ e: anEnd }, 'e', trigger)));
  const first = named('first', {});
  const second = named('second', {});
  assert.equal(flowInFront(second, [first, second]), first);
  assert.equal(flowInFront(first, [first, second]), undefined);
  assert.equal(flowInFront(first, [first, named('z', { priority: 1 })])?.name, 'z');
  assert.equal(flowInFront(named('other', { also: true }), [first]), undefined);
  const filtered = named('a', { filter: { field: 'message.text', op: 'exists' } });
  assert.equal(flowInFront(second, [filtered, second]), undefined);
});
