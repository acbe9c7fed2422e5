import type { Limits } from '../../../sandbox/index.ts';

type Lower = { readonly [K in keyof Limits]?: number | undefined } | undefined;

/** The effective limits: the function's, bounded by the app's, bounded by the workspace's. */
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
