import { lazy, messageOf } from '../../std/index.ts';
import type { JobWorker } from '../jobs/runner.ts';
import type { NodeStubs } from './node-stubs.ts';
import type { FlowWorkerParts } from './worker.ts';

const maxAtOnce = 16;

/**
 * Works on flows. The interpreter, and what AI nodes need, are loaded at the first step.
 * @param loadWorker for tests
 */
export function flowWorker(
  parts: FlowWorkerParts,
  stubs: NodeStubs,
  loadWorker = async (): Promise<Pick<JobWorker, 'run'>> => new (await import('./worker.ts')).FlowWorker(parts, stubs),
): JobWorker {
  const load = lazy(loadWorker);
  return {
    maxAtOnce,
    async run(job, signal) {
      try {
        return await (await load()).run(job, signal);
      } catch (error) {
        // Nothing wakes the run any more, so that it must not look as if it went on.
        const runId = job.payload['flowRunId'] ?? job.payload['runId'];
        if (typeof runId === 'string' && !signal.aborted)
          await parts.workspace.flows.fail(job, runId, messageOf(error));
        throw error;
      }
    },
  };
}
