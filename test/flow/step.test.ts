import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import {
  advanceFlow,
  beginFlow,
  compareFlows,
  fits,
  orderOfFlow,
  queueMessage,
  routeMessage,
  startingFlows,
} from '../../src/flow/index.ts';
import { aFlow, aMessage, anEnd, context, walk, withNodes } from './a-flow.ts';

const support = aFlow(
  withNodes({
    c: {
      type: 'condition',
      branches: [{ title: 'order', if: { field: 'message.text', op: 'contains', value: 'order' }, next: 'f' }],
      else: 'm',
    },
    f: {
      type: 'custom-flow-node',
      function: 'status',
      input: { text: '{{message.text}}', tier: '{{conversation.fields.tier}}', count: 2, none: '{{variables.x}}' },
      outcomes: { found: 'r' },
      onError: 'h',
      timeout: '5s',
    },
    r: { type: 'message', text: '{{steps.f.output.status}}, {{variables.name}}{{customer.email}}', next: 'e' },
    m: { type: 'message', text: 'Hello {{customer.name}}', quickReplies: [{ id: 'o', title: 'Order' }], next: 'w' },
    w: { type: 'wait', for: 'message.received', timeout: '1h', next: 'c', onTimeout: 'e' },
    h: { type: 'handover', to: { workgroup: 'Support' }, note: 'It failed', summary: true, next: 'e' },
    e: { type: 'end', close: true },
  }),
);
const begin = (text: string) => beginFlow(support, aMessage(text));

test('a condition decides, a message is said, the run waits for the next message and goes on with it', () => {
  const first = walk(support, begin('Hi'));
  assert.deepEqual(first.path, ['t:next', 'c:else', 'm:next']);
  assert.deepEqual(first.effects, [
    { type: 'sendMessage', text: 'Hello Ann', quickReplies: [{ id: 'o', title: 'Order' }] },
  ]);
  assert.deepEqual(first.last.next, { type: 'wait', for: 'message', ms: 3_600_000 });
  const second = walk(support, first.state, { type: 'message', message: aMessage('my order') });
  assert.deepEqual(second.path, ['w:message', 'c:order']);
  assert.deepEqual(second.last.next, {
    type: 'call',
    call: {
      type: 'function',
      function: 'status',
      input: { text: 'my order', tier: 'gold', count: 2, none: null },
      variables: {},
      timeoutMs: 5_000,
    },
  });
});

test('the answer of a function takes the way of its outcome; output and variables are seen from then on', () => {
  const called = walk(support, begin('order'));
  const answer = {
    type: 'answered',
    outcome: 'found',
    output: { status: 'shipped' },
    variables: { name: 'A-1' },
  } as const;
  const after = walk(support, called.state, answer);
  assert.deepEqual(after.path, ['f:found', 'r:next', 'e:end']);
  assert.deepEqual(after.effects, [{ type: 'sendMessage', text: 'shipped, A-1' }, { type: 'closeConversation' }]);
  assert.deepEqual(after.last.next, { type: 'end', status: 'completed' });
});

test('a failure takes onError, and what the node says of it is seen; the summary names the way', () => {
  const called = walk(support, begin('order'));
  const error = { code: 'function_failed', message: 'it threw' };
  const after = walk(support, called.state, { type: 'failed', error });
  assert.deepEqual(after.path, ['f:error', 'h:next', 'e:end']);
  assert.deepEqual(after.effects[0], {
    type: 'assign',
    to: { workgroup: 'Support' },
    note: 'It failed\n\nWay of the flow: t → c (order) → f (error)\nThe customer wrote: order',
    pausesAi: true,
  });
  assert.deepEqual(after.state.outputs['f'], { error });
});

test('a failure without onError ends the run, and so does an outcome without a way', () => {
  const flow = aFlow(withNodes({ f: { type: 'custom-flow-node', function: 'f', outcomes: { ok: 'e' } }, e: anEnd }));
  const called = walk(flow);
  const failed = walk(flow, called.state, { type: 'failed', error: { code: 'x', message: 'y' } });
  assert.deepEqual(failed.path, ['f:failed']);
  assert.deepEqual(failed.last.next, { type: 'end', status: 'failed', error: { code: 'x', message: 'y' } });
  const unknown = walk(flow, called.state, { type: 'answered', outcome: 'maybe' });
  assert.deepEqual(unknown.last.next, {
    type: 'end',
    status: 'failed',
    error: {
      code: 'flow_outcome_unknown',
      message: 'f answered the outcome maybe, for which the node has no way out (it has ok)',
    },
  });
});

test('messages that came meanwhile are taken by the next wait, in order, at most 20', () => {
  const flow = aFlow(
    withNodes({
      w: { type: 'wait', for: 'message.received', next: 'v' },
      v: { type: 'wait', for: 'message.received', next: 'm' },
      m: { type: 'message', text: '{{message.text}}', next: 'x' },
      x: { type: 'wait', for: 'time', duration: '2h', next: 'e' },
      e: anEnd,
    }),
  );
  let state = beginFlow(flow, aMessage('0'));
  for (let i = 1; i <= limits.flows.queued; i++) {
    const queued = queueMessage(state, aMessage(String(i)));
    assert.ok(queued);
    state = queued;
  }
  assert.equal(queueMessage(state, aMessage('21')), undefined);
  const walked = walk(flow, state);
  assert.deepEqual(walked.path, ['t:next', 'w:message', 'v:message', 'm:next']);
  assert.deepEqual(walked.effects, [{ type: 'sendMessage', text: '2' }]);
  assert.equal(walked.state.queue.length, 18);
  assert.deepEqual(walked.last.next, { type: 'wait', for: 'time', ms: 7_200_000 });
  assert.deepEqual(walk(flow, walked.state, { type: 'timeout' }).path, ['x:over', 'e:end']);
});

test('a wait whose time is over takes onTimeout', () => {
  const waiting = walk(support, begin('Hi'));
  assert.deepEqual(walk(support, waiting.state, { type: 'timeout' }).path, ['w:timeout', 'e:end']);
});

test('more than 100 steps without a wait end the run with the loop named', () => {
  // Not a flow that passes the check: it stands for whatever the check does not see.
  const flow = { nodes: { ...support.nodes, m: { type: 'message', text: 'Hi', next: 'c' } } } as typeof support;
  const { path, last } = walk(flow, begin('Hi'));
  assert.equal(path.length, limits.flows.steps);
  assert.deepEqual(last.next, {
    type: 'end',
    status: 'failed',
    error: {
      code: 'flow_loop',
      message: 'The flow has taken 100 steps without waiting for anything; it goes round: m → c → m',
    },
  });
});

test('an AI agent ends in the way of its outcome; budget falls back to onError', () => {
  const node = { type: 'ai-agent', agent: 'nora', next: 'e', onError: 'x' };
  const agent = (more: object) => aFlow(withNodes({ a: { ...node, ...more }, x: anEnd, e: anEnd }));
  const to = (more: object, outcome: string) => {
    const flow = agent(more);
    const called = walk(flow);
    assert.deepEqual(called.last.next, { type: 'call', call: { type: 'ai-agent' } });
    return walk(flow, called.state, { type: 'answered', outcome, output: { text: 'Bye' } }).path;
  };
  assert.deepEqual(to({}, 'completed'), ['a:completed', 'e:end']);
  assert.deepEqual(to({}, 'handedOver'), ['a:handedOver', 'e:end']);
  assert.deepEqual(to({ onHandover: 'x' }, 'handedOver'), ['a:handedOver', 'x:end']);
  assert.deepEqual(to({}, 'budget'), ['a:budget', 'x:end']);
  assert.deepEqual(to({ onBudget: 'e' }, 'budget'), ['a:budget', 'e:end']);
});

test('conditions compare text without case where they search in it, and exactly where they ask for equality', () => {
  const holds = (condition: object, text = 'My ORDER A-17') => {
    const flow = aFlow(withNodes({ e: anEnd }, 'e', { filter: condition }));
    return fits(flow, beginFlow(flow, aMessage(text)), context);
  };
  const about = (op: string, value?: unknown, field = 'message.text') => ({
    field,
    op,
    ...(value !== undefined && { value }),
  });
  assert.equal(holds(about('contains', 'order')), true);
  assert.equal(holds(about('startsWith', 'my')), true);
  assert.equal(holds(about('eq', 'my order a-17')), false);
  assert.equal(holds(about('matches', 'A-\\d+$')), true);
  assert.equal(holds(about('in', ['gold', 'silver'], 'conversation.fields.tier')), true);
  assert.equal(holds(about('ne', 'gold', 'conversation.fields.tier')), false);
  assert.equal(holds(about('exists', undefined, 'customer.email')), false);
  assert.equal(holds(about('gte', 9, 'now.hour')), true);
  assert.equal(holds(about('lt', 18, 'now.hour')), true);
  assert.equal(holds(about('gt', '9', 'now.hour')), false, 'a number and a text are not compared');
  assert.equal(holds({ not: about('eq', 'thursday', 'now.weekday') }), false);
  assert.equal(holds({ any: [about('eq', 'x'), about('exists')] }), true);
  assert.equal(holds({ all: [about('eq', 'x'), about('exists')] }), false);
});

test('a pattern that would backtrack for ever answers at once', () => {
  const flow = aFlow(
    withNodes({ e: anEnd }, 'e', { filter: { field: 'message.text', op: 'matches', value: '^(a+)+$' } }),
  );
  assert.equal(fits(flow, beginFlow(flow, aMessage(`${'a'.repeat(4_000)}b`)), context), false);
});

test('a path to a member of Object.prototype gives an empty text', () => {
  const flow = aFlow(
    withNodes({ m: { type: 'message', text: '[{{variables.constructor}}{{vars.__proto__}}]', next: 'e' }, e: anEnd }),
  );
  assert.deepEqual(walk(flow).effects, [{ type: 'sendMessage', text: '[]' }]);
});

test('flows are asked by priority, then by name; further ones start only with also', () => {
  const named = (name: string, trigger = {}) => orderOfFlow('a', name, aFlow(withNodes({ e: anEnd }, 'e', trigger)));
  const flows = [named('b'), named('a', { also: true }), named('z', { priority: 5 }), named('c', { also: true })];
  const ordered = flows.sort(compareFlows);
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['z', 'a', 'b', 'c'],
  );
  assert.deepEqual(
    startingFlows(ordered).map(({ name }) => name),
    ['z', 'a', 'c'],
  );
});

test('the same event on the same state gives the same answer', () => {
  const state = begin('order');
  assert.deepEqual(
    advanceFlow(support, state, { type: 'go' }, context),
    advanceFlow(support, state, { type: 'go' }, context),
  );
});

test('a message goes to the run that waits for one, else to the queue of one that will take it, else to the triggers', () => {
  const flow = aFlow(
    withNodes({
      w: { type: 'wait', for: 'message.received', next: 'x' },
      x: { type: 'wait', for: 'time', duration: '2d', next: 'e' },
      e: anEnd,
    }),
  );
  const at = (id: string, node: string, waitsForMessage = false) => {
    return { id, flow, state: { ...beginFlow(flow), node }, waitsForMessage };
  };
  assert.deepEqual(routeMessage([]), { to: 'triggers' });
  assert.deepEqual(routeMessage([at('a', 't'), at('b', 'w', true)]), { to: 'run', id: 'b' });
  assert.deepEqual(routeMessage([at('a', 'x'), at('b', 't')]), { to: 'queue', id: 'b' });
  assert.deepEqual(
    routeMessage([at('a', 'x')]),
    { to: 'triggers' },
    'a reminder that takes no message keeps nothing back',
  );
});
