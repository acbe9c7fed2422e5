import type { Flow, FlowNode } from '../contract/shapes/index.ts';
import { reachableFrom, waysOf } from './graph.ts';
import type { FlowState } from './types.ts';

/** A run that is under way in the conversation of a message. */
export interface RunUnderWay {
  readonly id: string;
  readonly flow: Flow;
  readonly state: FlowState;
  readonly waitsForMessage: boolean;
}

export type Routed =
  | { readonly to: 'run'; readonly id: string }
  | { readonly to: 'queue'; readonly id: string }
  | { readonly to: 'triggers' };

/**
 * Where a message goes: to the run that waits for one, else to the queue of one that will take it later, else to the triggers.
 * @param runs in the order in which they began
 */
export function routeMessage(runs: readonly RunUnderWay[]): Routed {
  const waiting = runs.find(({ waitsForMessage }) => waitsForMessage);
  if (waiting) return { to: 'run', id: waiting.id };
  const taking = runs.find(({ flow, state }) => takesMessages(flow, state.node));
  return taking ? { to: 'queue', id: taking.id } : { to: 'triggers' };
}

/** Whether a run at this node comes to one that takes a message: else a reminder that waits for days would keep every other flow from starting. */
function takesMessages(flow: Flow, at: string): boolean {
  const takes = (node: FlowNode | undefined) =>
    node?.type === 'ai-agent' || (node?.type === 'wait' && node.for === 'message.received');
  if (takes(flow.nodes[at])) return true;
  return [...reachableFrom(waysOf(flow), at)].some((name) => takes(flow.nodes[name]));
}
