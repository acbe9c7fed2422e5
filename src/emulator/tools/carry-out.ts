import type { JobWorker } from '../jobs/runner.ts';
import type { ToolsGate } from './gate.ts';

const maxAtOnce = 8;

/** Carries out calls without a run that were confirmed. */
export function confirmedCalls(gate: ToolsGate): JobWorker {
  return {
    maxAtOnce,
    async run(job, signal) {
      const answer = await gate.carryOut(String(job.payload['callId']), signal);
      if (signal.aborted && answer?.status === 'cancelled') return 'left';
      return { end: { state: 'done' } };
    },
  };
}
