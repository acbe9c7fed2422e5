import { limits } from '../../contract/index.ts';
import { lazy } from '../../std/index.ts';
import type { JobWorker } from '../jobs/runner.ts';
import type { AgentRunsOptions } from './agent-runs.ts';

/** Works on runs. Agents, models and everything around them are loaded at the first run. */
export function runWorker(options: AgentRunsOptions): JobWorker & { close(): Promise<void> } {
  const load = lazy(async () => new (await import('./agent-runs.ts')).AgentRuns(options));
  return {
    maxAtOnce: limits.agents.perWorkspace,
    run: async (job, signal) => (await load()).run(job, signal),
    close: async () => (await load.made)?.close(),
  };
}
