import { lazy } from '../../std/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import { systemCaller } from '../invoke/arguments.ts';

export interface Telemetry {
  runStopped(runId: string): void;
  close(): Promise<void>;
}

/** Nothing is loaded without a collector, and before the first run. */
export function openTelemetry(
  endpoint: string | undefined,
  workspace: Pick<Workspace, 'call'>,
  emit: (event: EmulatorEvent) => void,
): Telemetry | undefined {
  if (endpoint === undefined) return undefined;
  const load = lazy(async () => {
    const { RunExporter } = await import('./run-exporter.ts');
    return new RunExporter({
      endpoint,
      show: (id) => workspace.call('aiAgentRuns.show', { id }, systemCaller),
      onProblem: (message) => emit({ type: 'problem', code: 'otlp_unavailable', message }),
    });
  });
  return {
    runStopped: (runId) => void load().then((exporter) => exporter.runStopped(runId)),
    close: async () => (await load.made)?.close(),
  };
}
