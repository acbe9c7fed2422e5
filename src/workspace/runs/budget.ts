import type { RunBudget } from '../types.ts';

type GivenLimits = { readonly [Name in keyof RunBudget]?: RunBudget[Name] | undefined };

/** A budget, overridden field by field. */
export function withLimits(budget: RunBudget, given: GivenLimits): RunBudget {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...budget, ...Object.fromEntries(stated) };
}
