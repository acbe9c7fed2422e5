import { lazy } from '../../std/index.ts';
import type { JobWorker } from '../jobs/runner.ts';
import type { NodeStubs } from './node-stubs.ts';
import type { FlowWorkerParts } from './worker.ts';

const maxAtOnce = 16;

/** Works on flows. The interpreter, and what AI nodes need, are loaded at the first step. */
export function flowWorker(parts: FlowWorkerParts, stubs: NodeStubs): JobWorker {
  const load = lazy(async () => new (await import('./worker.ts')).FlowWorker(parts, stubs));
  return { maxAtOnce, run: async (job, signal) => (await load()).run(job, signal) };
}
