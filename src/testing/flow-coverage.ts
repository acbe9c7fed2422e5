import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Door, flowCoverageVariable, type TakenWay } from '../contract/index.ts';
import { everyPage } from '../std/index.ts';

/** Writes which ways the flow runs of this app took, if `fn test --coverage` has asked for it. */
export async function writeFlowCoverage(app: string, call: Door): Promise<void> {
  const folder = process.env[flowCoverageVariable];
  if (!folder) return;
  const runs = await everyPage((page) => call('flowRuns.list', page));
  const taken: TakenWay[] = [];
  for (const { id, flow, node } of runs.filter((run) => run.app === app)) {
    const { steps } = await call('flowRuns.show', { id });
    taken.push({ flow, node, outcome: null });
    for (const step of steps) taken.push({ flow, node: step.node, outcome: step.outcome });
  }
  // Many tests write at once: each workspace has a file of its own.
  if (taken.length > 0) writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(taken));
}
