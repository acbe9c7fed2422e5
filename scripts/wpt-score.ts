/** What the conformance run has reached, and whether a new run may stand beside it. Pure. */

export interface AreaScore {
  /** Subtests that pass in the sandbox; at most as many as the reference ran. */
  pass: number;
  /** Subtests of the same files that pass in plain Node. */
  reference: number;
}

export interface Score {
  /** The Node line whose own globals gave the reference. */
  node: string;
  areas: Record<string, AreaScore>;
  /** Subtests that cannot pass in functions, by file, and why. Not taken out of any count. */
  exceptions: Record<string, string>;
}

/** Share of the reference that the whole must reach. */
export const leastShare = 0.97;

export function totalOf(areas: Record<string, AreaScore>): AreaScore {
  const total = { pass: 0, reference: 0 };
  for (const { pass, reference } of Object.values(areas)) {
    total.pass += pass;
    total.reference += reference;
  }
  return total;
}

/**
 * What is wrong with a run of all areas, as sentences; empty when nothing is.
 * @param before the kept score; undefined when there is none yet
 */
export function complaints(before: Score | undefined, now: Record<string, AreaScore>): string[] {
  const list: string[] = [];
  for (const [area, kept] of Object.entries(before?.areas ?? {})) {
    const reached = now[area]?.pass ?? 0;
    if (reached < kept.pass) list.push(`${area} fell from ${kept.pass} to ${reached}`);
  }
  const { pass, reference } = totalOf(now);
  if (reference === 0 || pass < leastShare * reference) {
    list.push(`the total of ${pass} is below ${leastShare * 100} % of the reference's ${reference}`);
  }
  return list;
}

/** Areas that do better than the kept score. */
export function rises(before: Score | undefined, now: Record<string, AreaScore>): string[] {
  return Object.keys(now).filter((area) => (now[area]?.pass ?? 0) > (before?.areas[area]?.pass ?? -1));
}
