import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import type { Flow } from '../../src/contract/shapes/index.ts';
import {
  advanceFlow,
  beginFlow,
  checkFlow,
  type FlowEvent,
  type FlowState,
  queueMessage,
} from '../../src/flow/index.ts';
import fc from '../properties.ts';
import { aMessage, anEnd, aTrigger, context } from './a-flow.ts';

const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
const anyName = fc.constantFrom(...names, 'end');
const text = fc.constantFrom('Hi', '{{message.text}}', '{{variables.x}}');

/** Any node; that everything fits together is left to chance and to the check. */
const node = fc.oneof(
  fc.record({ type: fc.constant('message'), text, next: anyName }),
  fc.record({
    type: fc.constant('condition'),
    branches: fc.array(
      fc.record({
        if: fc.record({
          field: fc.constant('message.text'),
          op: fc.constant('contains'),
          value: fc.constantFrom('a', 'b'),
        }),
        next: anyName,
      }),
      { minLength: 1, maxLength: 2 },
    ),
    else: anyName,
  }),
  fc.record({
    type: fc.constant('custom-flow-node'),
    function: fc.constant('f'),
    outcomes: fc.record({ yes: anyName, no: anyName }),
    onError: anyName,
  }),
  fc.record({ type: fc.constant('wait'), for: fc.constant('message.received'), next: anyName, onTimeout: anyName }),
  fc.record({ type: fc.constant('wait'), for: fc.constant('time'), duration: fc.constant('1h'), next: anyName }),
  fc.record({ type: fc.constant('handover'), to: fc.constant({ workgroup: 'Support' }), next: anyName }),
);

/** Flows of which only the nodes that are reached are kept, so that many pass the check. */
const flow = fc.array(node, { minLength: names.length, maxLength: names.length }).map((nodes) => {
  const all: Record<string, unknown> = Object.fromEntries(names.map((name, i) => [name, nodes[i]]));
  const kept: Record<string, unknown> = {};
  const open = ['n0'];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name in kept) continue;
    kept[name] = name === 'end' ? anEnd : all[name];
    open.push(...(JSON.stringify(kept[name]).match(/n\d|\bend\b/g) ?? []).filter((to) => to !== name));
  }
  return { nodes: { t: aTrigger('n0'), ...kept, end: anEnd } };
});

const customer = fc.array(fc.constantFrom('a', 'b', 'c', 'timeout'), { maxLength: 12 });
const answers = fc.infiniteStream(fc.constantFrom('yes', 'no', 'maybe', 'fail'));

test('every flow that passes the check ends or waits at each moment, and each step sends at most once', () => {
  let checked = 0;
  fc.assert(
    fc.property(flow, customer, answers, (given, says, stream) => {
      const result = checkFlow(given);
      if (!result.fits) return;
      checked++;
      runThrough(result.flow, says, stream);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(checked > 200, `only ${checked} flows passed the check`);
});

function runThrough(flow: Flow, says: readonly string[], stream: Iterator<string>): void {
  let state: FlowState = beginFlow(flow, aMessage('a'));
  let event: FlowEvent = { type: 'go' };
  const keys = new Set<number>();
  const left = [...says];
  for (let turns = 0; ; turns++) {
    assert.ok(turns < 5_000, 'it comes to an end');
    const before = JSON.stringify(state);
    const after = advanceFlow(flow, JSON.parse(before) as FlowState, event, context);
    assert.equal(JSON.stringify(state), before, 'the state before is left as it was');
    assert.ok(after.state.sinceWait <= limits.flows.steps);
    if (after.step) {
      assert.ok(!keys.has(after.step.seq), 'no step is taken twice');
      keys.add(after.step.seq);
      assert.equal(after.state.seq, after.step.seq + 1);
    } else {
      assert.deepEqual(after.effects, [], 'whatever is done belongs to a step');
    }
    assert.ok(after.effects.length <= 1);
    state = after.state;
    if (after.next.type === 'end') return;
    if (after.next.type === 'go') event = { type: 'go' };
    else if (after.next.type === 'call') event = answer(stream.next().value);
    else {
      const said = left.shift();
      if (said === undefined) return;
      if (said === 'timeout') event = { type: 'timeout' };
      else if (after.next.for === 'message') event = { type: 'message', message: aMessage(said) };
      else {
        // While it waits for a time, messages wait for it.
        state = queueMessage(state, aMessage(said)) ?? state;
        event = { type: 'timeout' };
      }
    }
  }
}

function answer(outcome: string): FlowEvent {
  if (outcome === 'fail') return { type: 'failed', error: { code: 'function_failed', message: 'it threw' } };
  return { type: 'answered', outcome, output: { outcome } };
}
