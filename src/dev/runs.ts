import type { Output } from '../contract/index.ts';
import type { LocalWorkspace } from '../emulator/index.ts';
import type { DevEvent } from './events.ts';

/** A run of a flow that waits or has ended, as `flowRuns.list` shows it. */
export type FlowRun = Output<'flowRuns.list'>['items'][number];

/** A run of an AI agent that waits or has ended, as `aiAgentRuns.list` shows it. */
export type AgentRun = Output<'aiAgentRuns.list'>['items'][number];

/** Kinds of events that say how a run stands; that it began says nothing that its end does not say. */
const ofFlowRuns = new Set<string>(['flowRun.waiting', 'flowRun.completed', 'flowRun.failed', 'flowRun.cancelled']);
const ofAgentRuns = new Set<string>([
  'aiAgentRun.waiting',
  'aiAgentRun.completed',
  'aiAgentRun.handedOver',
  'aiAgentRun.failed',
  'aiAgentRun.cancelled',
]);

/** Tells of each run of a flow or an AI agent that waits or has ended. Returns a function that ends it. */
export function tellRuns(local: LocalWorkspace, emit: (event: DevEvent) => void): () => void {
  const door = local.door();
  const tellFlowRun = (run: FlowRun) => {
    // While it waits for an AI agent, the run of that agent is what there is to tell.
    if (run.waitingFor?.type !== 'run') emit({ type: 'flow-run', run });
  };
  const tellAgentRun = (run: AgentRun) => emit({ type: 'agent-run', run });
  // A run that is gone by then has nothing to tell any more.
  const gone = () => {};
  return local.workspace.events.subscribe(({ type, data }) => {
    if (ofFlowRuns.has(type)) {
      const run = data['flowRun'] as unknown as FlowRun | Cut;
      if (!isCut(run)) tellFlowRun(run);
      else void door('flowRuns.show', { id: run.id }).then(tellFlowRun, gone);
    } else if (ofAgentRuns.has(type)) {
      const run = data['run'] as unknown as AgentRun | Cut;
      if (!isCut(run)) tellAgentRun(run);
      else void door('aiAgentRuns.show', { id: run.id }).then(tellAgentRun, gone);
    }
  });
}

/** What an event has of an object that is too large for it. */
interface Cut {
  readonly id: string;
  readonly truncated: true;
}

const isCut = (run: object): run is Cut => 'truncated' in run;
