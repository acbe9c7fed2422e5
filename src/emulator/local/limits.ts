import type { Limits } from '../../sandbox/index.ts';

type Most = Omit<Limits, never>;
type Lower = { readonly [K in keyof Limits]?: number | undefined } | undefined;

/** The limits in force: what the function asks for, within what the app allows, within what the workspace gives. */
export function effectiveLimits(most: Most, ...lowered: Lower[]): Limits {
  const limits: Limits = { ...most };
  for (const lower of lowered) {
    for (const key of Object.keys(limits) as (keyof Limits)[]) {
      const wanted = lower?.[key];
      if (wanted !== undefined && wanted < limits[key]) limits[key] = wanted;
    }
  }
  return limits;
}
