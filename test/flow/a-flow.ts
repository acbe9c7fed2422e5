import assert from 'node:assert/strict';
import type { Flow } from '../../src/contract/shapes/index.ts';
import {
  type Advance,
  advanceFlow,
  beginFlow,
  checkFlow,
  type FlowContext,
  type FlowEvent,
  type FlowState,
  type FlowSurroundings,
} from '../../src/flow/index.ts';

/** A message as a flow sees it. */
export const aMessage = (text: string) => ({ id: 'msg_1', text, direction: 'in' });

export const context: FlowContext = {
  conversation: { id: 'cnv_1', status: 'open', channel: 'web', fields: { tier: 'gold' } },
  customer: { id: 'cus_1', name: 'Ann', fields: {} },
  workspace: { slug: 'dev', name: 'Dev' },
  input: null,
  vars: { open: 'yes' },
  now: { date: '2030-01-31', weekday: 'thursday', hour: 9 },
};

type Nodes = Record<string, unknown>;

export const aTrigger = (next: string, more: Nodes = {}) => ({
  type: 'trigger',
  on: 'message.received',
  next,
  ...more,
});
export const anEnd = { type: 'end' };

/** A flow of these nodes behind a trigger `t`, which leads to `first`. */
export const withNodes = (nodes: Nodes, first = Object.keys(nodes)[0] ?? 'e', trigger: Nodes = {}) => ({
  nodes: { t: aTrigger(first, trigger), ...nodes },
});

export function aFlow(given: unknown): Flow {
  const checked = checkFlow(given);
  assert.deepEqual(checked.fits ? [] : checked.problems, []);
  return (checked as { flow: Flow }).flow;
}

/** The problems of a flow, as `code path message`. */
export function problemsOf(given: unknown, surroundings?: FlowSurroundings): string[] {
  const checked = checkFlow(given, surroundings);
  return checked.fits ? [] : checked.problems.map(({ code, path, message }) => `${code} ${path} ${message}`);
}

export interface Walked {
  readonly path: string[];
  readonly effects: Advance['effects'][number][];
  readonly last: Advance;
  readonly state: FlowState;
}

/** Goes on until the run waits, calls or ends. */
export function walk(
  flow: Flow,
  from: FlowState = beginFlow(flow, aMessage('Hi')),
  first: FlowEvent = { type: 'go' },
  around = context,
): Walked {
  const path: string[] = [];
  const effects: Advance['effects'][number][] = [];
  let state = from;
  let event = first;
  for (;;) {
    const last = advanceFlow(flow, state, event, around);
    if (last.step) path.push(`${last.step.node}:${last.step.outcome}`);
    effects.push(...last.effects);
    state = last.state;
    event = { type: 'go' };
    if (last.next.type !== 'go') return { path, effects, last, state };
  }
}
