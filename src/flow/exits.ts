import type { Flow, FlowNode } from '../contract/shapes/index.ts';
import { describeCondition } from './condition.ts';

/** One way out of a node. */
export interface Exit {
  /** The outcome under which it is recorded. */
  readonly outcome: string;
  readonly to: string;
  /** Where it stands in the node: `outcomes.found`. */
  readonly at: string;
  /** What people read; empty for the only way. */
  readonly label: string;
}

/** Every way out of a node, in the order in which they are written. */
export function exitsOf(node: FlowNode): Exit[] {
  const exits: Exit[] = [];
  const add = (outcome: string, to: string | undefined, at: string, label = outcome) => {
    if (to !== undefined) exits.push({ outcome, to, at, label });
  };
  switch (node.type) {
    case 'end':
      return [];
    case 'condition':
      for (const [i, branch] of node.branches.entries()) {
        const outcome = branch.title ?? String(i + 1);
        add(outcome, branch.next, `branches[${i}].next`, branch.title ?? describeCondition(branch.if));
      }
      add('else', node.else, 'else');
      return exits;
    case 'custom-flow-node':
      for (const [outcome, to] of Object.entries(node.outcomes)) add(outcome, to, `outcomes.${outcome}`);
      break;
    case 'wait':
      add(node.for === 'time' ? 'over' : 'message', node.next, 'next', node.for === 'time' ? '' : 'message');
      if (node.for !== 'time') add('timeout', node.onTimeout, 'onTimeout');
      return exits;
    case 'ai-agent':
      add('completed', node.next, 'next', node.onHandover === undefined ? '' : 'done');
      add('handedOver', node.onHandover, 'onHandover', 'handover');
      add('budget', node.onBudget, 'onBudget');
      break;
    default:
      add('next', node.next, 'next', '');
  }
  if ('onError' in node) add('error', node.onError, 'onError');
  return exits;
}

/** Outcomes for which a node may have no way of their own, and the way that they take then. */
const ways: Readonly<Record<string, string>> = { handedOver: 'completed', budget: 'error', timeout: 'message' };

/** The way out of a node that an outcome took, by the outcome under which `exitsOf` has it. */
export function exitTaken(node: FlowNode, outcome: string): string {
  const hasOwn = exitsOf(node).some((exit) => exit.outcome === outcome);
  return hasOwn ? outcome : (ways[outcome] ?? outcome);
}

/** The trigger of a flow: its name and the node. */
export function triggerOf(flow: Flow): {
  readonly name: string;
  readonly node: Extract<FlowNode, { type: 'trigger' }>;
} {
  for (const [name, node] of Object.entries(flow.nodes)) if (node.type === 'trigger') return { name, node };
  throw new Error('a flow that was checked has a trigger');
}

/** Whether a run stops at this node until something happens outside that takes time by itself. */
export function isWait(node: FlowNode): boolean {
  return node.type === 'wait' || (node.type === 'ai-agent' && node.mode === 'conversation');
}
