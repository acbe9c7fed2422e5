import {
  advanceFlow,
  beginFlow,
  type FlowCall,
  type FlowEffect,
  type FlowEvent,
  type FlowState,
  fits,
  orderOfFlow,
  type PassedStep,
  queueMessage,
  resumeFlow,
  routeMessage,
  startingFlows,
} from '../../flow/index.ts';
import { monotonicMs, type TurnableClock, WorkspaceError } from '../../std/index.ts';
import type {
  FlowChange,
  FlowRecorded,
  FlowRunUnderWay,
  FlowSituation,
  Job,
  LoadedFlowRun,
  Workspace,
} from '../../workspace/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import { callFunction, type FunctionParts } from './call-function.ts';
import { asJson, contextOf } from './context.ts';
import type { NodeStubs } from './node-stubs.ts';
import { type PlanParts, planAgentRun, planAiRun } from './plan-node-run.ts';
import { readAnswer } from './read-answer.ts';

export interface FlowWorkerParts extends FunctionParts, PlanParts {
  readonly workspace: Pick<Workspace, 'flows' | 'harnesses'>;
  readonly clock: TurnableClock;
}

/** Works on flows: what an event means for them, and the turns of their runs. */
export class FlowWorker {
  readonly #parts: FlowWorkerParts;
  readonly #stubs: NodeStubs;

  constructor(parts: FlowWorkerParts, stubs: NodeStubs) {
    this.#parts = parts;
    this.#stubs = stubs;
  }

  async run(job: Job, signal: AbortSignal): Promise<'ended' | 'left'> {
    const { flows } = this.#parts.workspace;
    const runId = String(job.payload['runId']);
    switch (job.payload['do']) {
      case 'event':
        await this.#route(job);
        return 'ended';
      case 'turn':
        return this.#turn(job, runId, signal);
      case 'answered':
        await this.#answered(job);
        return 'ended';
      case 'timeout':
        await flows.wake(job, runId, { type: 'timeout' }, Number(job.payload['at']));
        return 'ended';
      default:
        throw new Error(`a flow knows no job that does ${String(job.payload['do'])}`);
    }
  }

  /** Decides where a message or another event of a conversation goes. */
  async #route(job: Job): Promise<void> {
    const { flows } = this.#parts.workspace;
    const situation = await flows.situation(job);
    if (situation === undefined) return;
    const { message, runs } = situation;
    if (message !== null) {
      const underWay = runs.map((run) => {
        return { id: run.id, flow: run.definition, state: stateOf(run), waitsForMessage: run.waitingFor === 'message' };
      });
      const routed = routeMessage(underWay);
      if (routed.to === 'run') return flows.wake(job, routed.id, { type: 'message', message });
      const queued = underWay.find(({ id }) => routed.to === 'queue' && id === routed.id);
      if (queued) return flows.keep(job, queued.id, message, queueMessage(queued.state, asJson(message)));
    }
    await flows.begin(job, this.#starting(situation));
  }

  /** The flows that start, by their filters and their order. */
  #starting({ message, input, surroundings, flows }: FlowSituation): string[] {
    const nowMs = this.#parts.clock.now();
    const fitting = flows.filter(({ definition, vars }) => {
      const state = beginFlow(definition, message === null ? null : asJson(message));
      return fits(definition, state, contextOf({ definition, surroundings, input, vars }, nowMs));
    });
    const ordered = fitting.map(({ id, app, name, definition }) => ({ id, ...orderOfFlow(app, name, definition) }));
    return startingFlows(ordered).map(({ id }) => id);
  }

  /** Takes steps until the run waits or ends. */
  async #turn(job: Job, runId: string, signal: AbortSignal): Promise<'ended' | 'left'> {
    const { flows } = this.#parts.workspace;
    let run = await flows.load(job, runId);
    if (run === undefined) return 'ended';
    let state = stateOf(run);
    let event = run.event as FlowEvent;
    let ref: string | undefined;
    let beganAt = monotonicMs();
    for (;;) {
      if (signal.aborted) return 'left';
      const made = advanceFlow(run.definition, state, event, contextOf(run, this.#parts.clock.now()));
      if (made.next.type === 'call') {
        const stub = this.#stubs.answerOf(run.flow, state.node);
        if (stub) {
          event = { type: 'answered', ...stub };
          continue;
        }
        const { call } = made.next;
        if (call.type !== 'function') {
          const started = await this.#startRun(job, run, made.state, call);
          if (started === 'ended') return 'ended';
          event = started;
          continue;
        }
        const answered = await callFunction(this.#parts, run, call, `${runId}:${state.seq}`, signal);
        if (answered === undefined) return 'left';
        event = answered.event;
        ref = answered.invocationId;
        continue;
      }
      const step = made.step && { ...made.step, ref, ms: monotonicMs() - beganAt };
      const recorded: FlowRecorded = await flows.record(job, {
        runId,
        seq: state.seq,
        state: made.state,
        step,
        changes: made.effects.map(changeOf),
        next: made.next,
      });
      if (recorded.is === 'stale') return 'ended';
      if (recorded.is === 'refused') {
        // A run whose node has failed already and cannot be written either ends here.
        if (event.type === 'failed')
          throw new Error(`The failure of ${runId} cannot be written: ${recorded.error.message}`);
        event = { type: 'failed', error: recorded.error };
        continue;
      }
      if (made.next.type !== 'go') return 'ended';
      state = made.state;
      event = { type: 'go' };
      beganAt = monotonicMs();
      const mayHaveChanged = made.effects.length > 0 || ref !== undefined;
      ref = undefined;
      if (mayHaveChanged) {
        // What the step did, and what a function did meanwhile, is seen by the next one.
        run = await flows.load(job, runId);
        if (run === undefined) return 'ended';
      }
    }
  }

  /** Starts the run of an AI agent, whose end is what the flow goes on with. @returns why it could not be started */
  async #startRun(
    job: Job,
    run: LoadedFlowRun,
    state: FlowState,
    call: Exclude<FlowCall, { type: 'function' }>,
  ): Promise<FlowEvent | 'ended'> {
    const { workspace, clock } = this.#parts;
    const node = run.definition.nodes[state.node];
    try {
      const planned =
        call.type === 'ai' && node?.type === 'ai'
          ? await planAiRun(this.#parts, run, { name: state.node, node }, call)
          : call.type === 'ai-agent' && node?.type === 'ai-agent'
            ? await planAgentRun(this.#parts, run, node, call, clock.now())
            : undefined;
      if (planned === undefined) throw new Error(`${state.node} is no node that asks an AI`);
      const recorded = await workspace.flows.record(job, {
        runId: run.id,
        seq: state.seq,
        state,
        step: undefined,
        changes: [],
        next: { type: 'startRun', run: planned },
      });
      return recorded.is === 'refused' ? { type: 'failed', error: recorded.error } : 'ended';
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.status >= 500) throw error;
      return { type: 'failed', error: { code: error.code, message: error.message } };
    }
  }

  /** The end of an AI agent's run: the flow goes on with what it has answered. */
  async #answered(job: Job): Promise<void> {
    const { flowRunId, runId, at, seen } = job.payload as {
      flowRunId: string;
      runId: string;
      at: number;
      seen?: string;
    };
    const call = this.#parts.door(systemCaller);
    const run = await call('aiAgentRuns.show', { id: runId });
    const { flowId, flowVersion, nodeId } = run.source;
    const definition = await this.#parts.workspace.flows.definition(flowId ?? '', flowVersion ?? 0);
    const event = await readAnswer(run, definition?.nodes[nodeId ?? ''], seen);
    await this.#parts.workspace.flows.wake(job, flowRunId, event, at);
  }
}

/** Where a run is; one that has not begun, at its first node. */
function stateOf({ definition, state, beginning }: FlowRunUnderWay): FlowState {
  if (state !== undefined) return state as FlowState;
  const message = beginning.message === null ? null : asJson(beginning.message);
  if (beginning.from === undefined) return beginFlow(definition, message);
  return resumeFlow(definition, beginning.from.node, beginning.from.steps as readonly PassedStep[], message);
}

function changeOf(effect: FlowEffect): FlowChange {
  if (effect.type === 'sendMessage') {
    const { type, ...message } = effect;
    return { type, message };
  }
  if (effect.type === 'sendTemplate') {
    const { type, name, ...rest } = effect;
    return { type, template: { template: name, ...rest } };
  }
  return effect;
}
