import type { Limits } from '../../sandbox/index.ts';

type Lower = { readonly [K in keyof Limits]?: number | undefined } | undefined;

/** The limits in force: what the function asks for, within what the app allows, within what the workspace gives. */
export function effectiveLimits(most: Limits, ...lowered: Lower[]): Limits {
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = { ...most };
  for (const lower of lowered) {
    for (const key of Object.keys(limits) as (keyof Limits)[]) {
      const wanted = lower?.[key];
      if (wanted !== undefined && wanted < limits[key]) limits[key] = wanted;
    }
  }
  return limits;
}
