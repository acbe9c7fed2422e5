import { limits } from '../../contract/index.ts';
import { lazy, messageOf } from '../../std/index.ts';
import type { JobWorker } from '../jobs/runner.ts';
import type { AgentRunsOptions } from './agent-runs.ts';

interface LoadedWorker extends Pick<JobWorker, 'run'> {
  close(): void;
}

/**
 * Works on runs. Agents, models and everything around them are loaded at the first run.
 * @param loadWorker for tests
 */
export function runWorker(
  options: AgentRunsOptions,
  loadWorker = async (): Promise<LoadedWorker> => new (await import('./agent-runs.ts')).AgentRuns(options),
): JobWorker & { close(): Promise<void> } {
  const load = lazy(loadWorker);
  return {
    maxAtOnce: limits.agents.perWorkspace,
    async run(job, signal) {
      let worker: LoadedWorker;
      try {
        worker = await load();
      } catch (error) {
        await failRun(options, job, messageOf(error));
        throw error;
      }
      return worker.run(job, signal);
    },
    close: async () => (await load.made?.catch(() => undefined))?.close(),
  };
}

/** Whoever waits for a run that nobody can work on is told. */
async function failRun(
  { workspace }: AgentRunsOptions,
  job: Parameters<JobWorker['run']>[0],
  message: string,
): Promise<void> {
  const runId = String(job.payload['runId']);
  const run = await workspace.runs.begin(job, runId);
  if (run === undefined) return;
  await workspace.runs.end(job, runId, {
    status: 'failed',
    events: [],
    usage: run.usage,
    texts: [],
    error: { code: 'internal', message, hint: 'What fn needs for AI agents cannot be loaded: install it again.' },
    warnings: [],
    handover: null,
    waitingFor: [],
    state: run.state,
  });
}
