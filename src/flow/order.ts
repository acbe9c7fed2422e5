import type { Flow } from '../contract/shapes/index.ts';
import { triggerOf } from './exits.ts';

/** What decides which of several flows starts. */
export interface OrderedFlow {
  readonly app: string;
  readonly name: string;
  readonly trigger: {
    readonly on: string;
    /** Whether it has a filter. */
    readonly filtered: boolean;
    readonly priority: number;
    /** Whether it starts although another one has. */
    readonly also: boolean;
  };
}

export function orderOfFlow(app: string, name: string, flow: Flow): OrderedFlow {
  const { on, filter, priority = 0, also = false } = triggerOf(flow).node;
  return { app, name, trigger: { on, filtered: filter !== undefined, priority, also } };
}

/** In which order flows on one trigger are asked: the highest priority first, then by name. */
export function compareFlows(a: OrderedFlow, b: OrderedFlow): number {
  const byPriority = b.trigger.priority - a.trigger.priority;
  if (byPriority !== 0) return byPriority;
  const [nameOfA, nameOfB] = [`${a.name} ${a.app}`, `${b.name} ${b.app}`];
  return nameOfA < nameOfB ? -1 : nameOfA > nameOfB ? 1 : 0;
}

/**
 * Which flows start: the first that fits, and those behind it that say `also`.
 * @param flows in their order, those whose filter holds
 */
export function startingFlows<T extends OrderedFlow>(flows: readonly T[]): T[] {
  return flows.filter(({ trigger }, i) => i === 0 || trigger.also);
}

/** Triggers of which one thing that happens starts one flow. */
const shared = ['message.received', 'conversation.created', 'conversation.assigned', 'template.replied'];

/** The flow that keeps another one from ever starting: it has the same trigger, comes first and has no filter. */
export function flowInFront<T extends OrderedFlow>(one: T, all: readonly T[]): T | undefined {
  if (one.trigger.also || !shared.includes(one.trigger.on)) return undefined;
  return all.find(
    (other) =>
      other !== one && other.trigger.on === one.trigger.on && !other.trigger.filtered && compareFlows(other, one) < 0,
  );
}
