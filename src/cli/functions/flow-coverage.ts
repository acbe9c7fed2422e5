import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TakenWay } from '../../contract/index.ts';
import { exitsOf, exitTaken } from '../../flow/index.ts';
import { AppFileReader, type Project } from '../../project/index.ts';
import { table } from '../terminal/table.ts';

/** A node that no test came to, or a way out of a node that none took. */
interface NeverTaken {
  readonly flow: string;
  readonly node: string;
  readonly outcome?: string;
  readonly to?: string;
}

/** How much of the app's flows the tests took. */
export interface FlowCoverage {
  readonly nodes: number;
  readonly ways: number;
  readonly never: readonly NeverTaken[];
}

/**
 * Compares the flows of the app with what the test workspaces have written.
 * @param folder what `FN_FLOW_COVERAGE` named
 * @returns undefined if the app has no flows
 */
export async function readFlowCoverage(project: Project, folder: string): Promise<FlowCoverage | undefined> {
  const files = await new AppFileReader().list(project, 'flow');
  if (files.length === 0) return undefined;
  const definitions = new Map(files.map(({ name, config }) => [name, config?.nodes ?? {}]));
  const taken = new Set<string>();
  for (const name of readdirSync(folder)) {
    for (const { flow, node, outcome } of JSON.parse(readFileSync(join(folder, name), 'utf8')) as TakenWay[]) {
      taken.add(JSON.stringify([flow, node]));
      const definition = definitions.get(flow)?.[node];
      if (definition === undefined || outcome === null) continue;
      taken.add(JSON.stringify([flow, node, exitTaken(definition, outcome)]));
    }
  }
  const never: NeverTaken[] = [];
  let nodes = 0;
  let ways = 0;
  for (const { name: flow, config } of files) {
    for (const [node, definition] of Object.entries(config?.nodes ?? {})) {
      const exits = exitsOf(definition);
      nodes++;
      ways += exits.length;
      if (!taken.has(JSON.stringify([flow, node]))) never.push({ flow, node });
      for (const { outcome, to } of exits) {
        if (!taken.has(JSON.stringify([flow, node, outcome]))) never.push({ flow, node, outcome, to });
      }
    }
  }
  return { nodes, ways, never };
}

export function flowCoverageText({ nodes, ways, never }: FlowCoverage): string {
  const left = never.filter(({ outcome }) => outcome === undefined).length;
  const head = `flows: tests came to ${nodes - left} of ${nodes} nodes and took ${ways - (never.length - left)} of ${ways} ways`;
  if (never.length === 0) return head;
  const rows = never.map(({ flow, node, outcome, to }) => {
    return [flow, outcome === undefined ? node : `${node}:${outcome}`, to === undefined ? '' : `→ ${to}`];
  });
  return [`${head}; never:`, table(rows)].join('\n');
}
