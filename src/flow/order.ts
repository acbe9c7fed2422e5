import type { Flow } from '../contract/shapes/index.ts';
import { triggerOf } from './exits.ts';

/** A flow with what it is called: `app/name`. */
export interface NamedFlow {
  readonly app: string;
  readonly name: string;
  readonly flow: Flow;
}

/** In which order flows on one trigger are asked: the highest priority first, then by name. */
export function compareFlows(a: NamedFlow, b: NamedFlow): number {
  const byPriority = priorityOf(b.flow) - priorityOf(a.flow);
  if (byPriority !== 0) return byPriority;
  const [nameOfA, nameOfB] = [`${a.name} ${a.app}`, `${b.name} ${b.app}`];
  return nameOfA < nameOfB ? -1 : nameOfA > nameOfB ? 1 : 0;
}

const priorityOf = (flow: Flow) => triggerOf(flow).node.priority ?? 0;

/**
 * Which flows start: the first that fits, and those behind it that say `also`.
 * @param flows in their order, those whose filter holds
 */
export function startingFlows<T extends NamedFlow>(flows: readonly T[]): T[] {
  return flows.filter(({ flow }, i) => i === 0 || triggerOf(flow).node.also === true);
}

/** The flow that keeps another one from ever starting: it has the same trigger, comes first and has no filter. */
export function flowInFront<T extends NamedFlow>(one: T, all: readonly T[]): T | undefined {
  const trigger = triggerOf(one.flow).node;
  if (trigger.also || trigger.on === 'schedule' || trigger.on === 'manual' || trigger.on === 'code') return undefined;
  return all.find((other) => {
    const before = triggerOf(other.flow).node;
    return other !== one && before.on === trigger.on && before.filter === undefined && compareFlows(other, one) < 0;
  });
}
