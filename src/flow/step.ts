import { limits } from '../contract/index.ts';
import type { Flow, FlowNode } from '../contract/shapes/index.ts';
import { millisecondsOf } from '../std/index.ts';
import { holds } from './condition.ts';
import { isWait, triggerOf } from './exits.ts';
import { fillText, fillValue } from './template.ts';
import type {
  Advance,
  FlowContext,
  FlowEffect,
  FlowError,
  FlowEvent,
  FlowNext,
  FlowState,
  Json,
  JsonObject,
  Passed,
} from './types.ts';

/** Steps that are kept for the summary of a handover and for naming a loop. */
const maxTrail = limits.flows.steps + 1;

/** The state of a run that begins. */
export function beginFlow(flow: Flow, message: JsonObject | null = null): FlowState {
  return {
    node: triggerOf(flow).name,
    seq: 0,
    sinceWait: 0,
    trail: [],
    outputs: {},
    variables: {},
    message,
    queue: [],
  };
}

/** What a run did before a node, as its record tells. */
export interface PassedStep extends Passed {
  readonly output?: Json | undefined;
  readonly variables?: JsonObject | undefined;
  readonly message?: JsonObject | undefined;
}

/** The state of a run that begins at a node, with what another one had done until then. */
export function resumeFlow(
  flow: Flow,
  node: string,
  steps: readonly PassedStep[],
  message: JsonObject | null,
): FlowState {
  let state: FlowState = { ...beginFlow(flow, message), node };
  for (const step of steps) {
    state = {
      ...state,
      trail: [...state.trail, { node: step.node, outcome: step.outcome }].slice(-maxTrail),
      outputs: step.output === undefined ? state.outputs : { ...state.outputs, [step.node]: step.output },
      variables: { ...state.variables, ...step.variables },
      message: step.message ?? state.message,
    };
  }
  return state;
}

/** Whether a flow's trigger fits: its filter holds. */
export function fits(flow: Flow, state: FlowState, context: FlowContext): boolean {
  const { filter } = triggerOf(flow).node;
  return filter === undefined || holds(filter, state, context);
}

/**
 * What follows from an event: the next state, the step that was completed, and what is to be done. It changes nothing and knows no clock, so
 * the same event on the same state always gives the same answer.
 */
export function advanceFlow(flow: Flow, state: FlowState, event: FlowEvent, context: FlowContext): Advance {
  const node = Object.hasOwn(flow.nodes, state.node) ? flow.nodes[state.node] : undefined;
  if (node === undefined) {
    return stopped(state, { code: 'flow_node_unknown', message: `There is no node ${state.node}` });
  }
  if (state.sinceWait >= limits.flows.steps && !isWait(node)) return stopped(state, loopError(state));
  const step = new Step(state, node, context);
  if (event.type === 'failed') return step.fail(event.error);
  switch (node.type) {
    case 'trigger':
      return step.leave('next', node.next);
    case 'condition': {
      const index = node.branches.findIndex((branch) => holds(branch.if, state, context));
      const branch = node.branches[index];
      return branch ? step.leave(branch.title ?? String(index + 1), branch.next) : step.leave('else', node.else);
    }
    case 'message':
      return step.leave('next', node.next, { effects: [messageEffect(node, state, context)] });
    case 'custom-flow-node':
      return event.type === 'answered' ? answeredByFunction(step, node, event) : step.stay(functionCall(node, step));
    case 'ai':
      if (event.type === 'answered') return step.leave('next', node.next, event);
      return step.stay({ type: 'call', call: { type: 'ai', prompt: fillText(node.prompt, state, context) } });
    case 'ai-agent':
      return agentStep(step, node, event);
    case 'handover':
    case 'assign':
      return step.leave('next', node.next, { effects: [assignEffect(node, state, context)] });
    case 'wait':
      return waitStep(step, node, event);
    case 'end':
      return step.end(node.close ? [{ type: 'closeConversation' }] : []);
  }
}

/** Keeps a message for later, while the run is at work. @returns undefined if too many wait already */
export function queueMessage(state: FlowState, message: JsonObject): FlowState | undefined {
  if (state.queue.length >= limits.flows.queued) return undefined;
  return { ...state, queue: [...state.queue, message] };
}

interface Left {
  readonly output?: Json | undefined;
  readonly variables?: JsonObject | undefined;
  readonly effects?: readonly FlowEffect[];
  readonly error?: FlowError | undefined;
  readonly state?: Partial<FlowState>;
}

/** The turn of one node. */
class Step {
  readonly state: FlowState;
  readonly node: FlowNode;
  readonly context: FlowContext;

  constructor(state: FlowState, node: FlowNode, context: FlowContext) {
    this.state = state;
    this.node = node;
    this.context = context;
  }

  leave(outcome: string, to: string, left: Left = {}): Advance {
    const { output, variables, effects = [], error } = left;
    const after = { ...this.#passed(outcome), ...left.state, node: to };
    if (output !== undefined) after.outputs = { ...this.state.outputs, [this.state.node]: output };
    if (variables !== undefined) after.variables = { ...this.state.variables, ...variables };
    const message = left.state?.message;
    const step = {
      ...this.#record(outcome, { output, error }),
      ...(variables !== undefined && { variables }),
      ...(message && { message }),
    };
    return { state: after, step, effects, next: { type: 'go' } };
  }

  stay(next: FlowNext): Advance {
    return { state: this.state, effects: [], next };
  }

  fail(error: FlowError): Advance {
    const to = 'onError' in this.node ? this.node.onError : undefined;
    if (to !== undefined) return this.leave('error', to, { error, output: { error: { ...error } } });
    const step = this.#record('failed', { error });
    return { state: this.#passed('failed'), step, effects: [], next: { type: 'end', status: 'failed', error } };
  }

  end(effects: readonly FlowEffect[]): Advance {
    const step = this.#record('end', {});
    return { state: this.#passed('end'), step, effects, next: { type: 'end', status: 'completed' } };
  }

  #passed(outcome: string): FlowState & { -readonly [K in 'outputs' | 'variables']: FlowState[K] } {
    const trail: Passed[] = [...this.state.trail, { node: this.state.node, outcome }];
    return {
      ...this.state,
      seq: this.state.seq + 1,
      sinceWait: this.state.sinceWait + 1,
      trail: trail.slice(-maxTrail),
    };
  }

  #record(outcome: string, { output, error }: Pick<Left, 'output' | 'error'>): Advance['step'] & object {
    const { seq, node } = this.state;
    return {
      seq,
      node,
      type: this.node.type,
      outcome,
      ...(output !== undefined && { output }),
      ...(error && { error }),
    };
  }
}

type Typed<T extends FlowNode['type']> = Extract<FlowNode, { type: T }>;
type Answered = Extract<FlowEvent, { type: 'answered' }>;

function functionCall(node: Typed<'custom-flow-node'>, { state, context }: Step): FlowNext {
  return {
    type: 'call',
    call: {
      type: 'function',
      function: node.function,
      input: fillValue((node.input ?? {}) as Json, state, context),
      variables: state.variables,
      ...(node.timeout !== undefined && { timeoutMs: millisecondsOf(node.timeout) }),
    },
  };
}

function answeredByFunction(step: Step, node: Typed<'custom-flow-node'>, { outcome, output, variables }: Answered) {
  const to = Object.hasOwn(node.outcomes, outcome) ? node.outcomes[outcome] : undefined;
  if (to === undefined) {
    const known = Object.keys(node.outcomes).join(', ');
    return step.fail({
      code: 'flow_outcome_unknown',
      message: `${node.function} answered the outcome ${outcome}, for which the node has no way out (it has ${known})`,
    });
  }
  return step.leave(outcome, to, { output: output ?? null, variables });
}

function agentCall(node: Typed<'ai-agent'>, { state, context }: Step): FlowNext {
  const { instructions } = node;
  return {
    type: 'call',
    call: {
      type: 'ai-agent',
      ...(instructions !== undefined && { instructions: fillText(instructions, state, context) }),
    },
  };
}

function agentStep(step: Step, node: Typed<'ai-agent'>, event: FlowEvent): Advance {
  if (event.type === 'answered') return answeredByAgent(step, node, event);
  // The customer says nothing more: the conversation with the agent is over.
  if (event.type === 'timeout') return leaveWait(step, 'completed', node.next);
  if (event.type !== 'message') return step.stay(agentCall(node, step));
  const state = { ...step.state, message: event.message, sinceWait: 0 };
  return { state, effects: [], next: agentCall(node, new Step(state, node, step.context)) };
}

/** How long an agent waits for the customer to say something more. */
const agentWaitMs = 24 * 3_600_000;

function answeredByAgent(step: Step, node: Typed<'ai-agent'>, event: Answered): Advance {
  const { outcome, output, variables, seenUntil } = event;
  const queue = step.state.queue.filter((message) => seenUntil === undefined || String(message['id']) > seenUntil);
  const left = { output: output ?? null, variables, state: { queue, ...(isWait(node) && { sinceWait: 0 }) } };
  if (node.mode === 'conversation' && outcome === 'completed') return goesOn(step, queue, left);
  if (outcome === 'handedOver') return step.leave(outcome, node.onHandover ?? node.next, left);
  if (outcome !== 'budget') return step.leave('completed', node.next, left);
  const to = node.onBudget ?? node.onError;
  if (to !== undefined) return step.leave(outcome, to, left);
  return step.fail({ code: 'budget_exhausted', message: 'The budget of the AI agent is used up' });
}

/** The agent has answered, and the conversation with it goes on. */
function goesOn(step: Step, queue: readonly JsonObject[], left: Left): Advance {
  const message = queue.at(-1);
  const stays = step.leave('answered', step.state.node, {
    ...left,
    state: message === undefined ? { sinceWait: 0, queue } : { sinceWait: 0, queue: [], message },
  });
  return message === undefined ? { ...stays, next: { type: 'wait', for: 'message', ms: agentWaitMs } } : stays;
}

function messageEffect(node: Typed<'message'>, state: FlowState, context: FlowContext): FlowEffect {
  const fill = (text: string) => fillText(text, state, context);
  if (node.template) {
    const { name, language, variables } = node.template;
    return {
      type: 'sendTemplate',
      name,
      ...(language !== undefined && { language }),
      ...(variables !== undefined && { variables: fillValue(variables as Json, state, context) }),
    };
  }
  const { media, quickReplies } = node;
  return {
    type: 'sendMessage',
    ...(node.text !== undefined && { text: fill(node.text) }),
    ...(media && {
      media: {
        ...(media.mediaId !== undefined && { mediaId: media.mediaId }),
        ...(media.url !== undefined && { url: fill(media.url) }),
        ...(media.fileName !== undefined && { fileName: media.fileName }),
      },
    }),
    ...(quickReplies && { quickReplies: quickReplies.map(({ id, title }) => ({ id, title: fill(title) })) }),
  };
}

function assignEffect(node: Typed<'handover' | 'assign'>, state: FlowState, context: FlowContext): FlowEffect {
  const note = [
    ...(node.note === undefined ? [] : [fillText(node.note, state, context)]),
    ...(node.summary ? [summaryOf(state)] : []),
  ].join('\n\n');
  const { workgroup, agent } = node.to;
  return {
    type: 'assign',
    to: workgroup === undefined ? { agent: agent ?? '' } : { workgroup },
    ...(note !== '' && { note }),
    pausesAi: node.type === 'handover',
  };
}

/** The way so far and the last words of the customer, for whoever takes over. */
function summaryOf({ trail, message }: FlowState): string {
  const way = trail.map(({ node, outcome }) => (outcome === 'next' ? node : `${node} (${outcome})`)).join(' → ');
  const text = message?.['text'];
  return [`Way of the flow: ${way}`, ...(typeof text === 'string' ? [`The customer wrote: ${text}`] : [])].join('\n');
}

const waitDays = `${limits.flows.waitDays}d`;

function waitStep(step: Step, node: Typed<'wait'>, event: FlowEvent): Advance {
  const { state } = step;
  if (node.for === 'time') {
    if (event.type === 'timeout') return leaveWait(step, 'over', node.next);
    return step.stay({ type: 'wait', for: 'time', ms: millisecondsOf(node.duration ?? 0) });
  }
  if (event.type === 'message') return leaveWait(step, 'message', node.next, { message: event.message });
  const [first, ...queue] = state.queue;
  if (first !== undefined) return leaveWait(step, 'message', node.next, { message: first, queue });
  if (event.type === 'timeout') return leaveWait(step, 'timeout', node.onTimeout ?? node.next);
  return step.stay({ type: 'wait', for: 'message', ms: millisecondsOf(node.timeout ?? waitDays) });
}

function leaveWait(step: Step, outcome: string, to: string, state: Partial<FlowState> = {}): Advance {
  return step.leave(outcome, to, { state: { ...state, sinceWait: 0 } });
}

function stopped(state: FlowState, error: FlowError): Advance {
  return { state, effects: [], next: { type: 'end', status: 'failed', error } };
}

function loopError({ trail, node }: FlowState): FlowError {
  const names = trail.map((passed) => passed.node);
  const before = names.lastIndexOf(node);
  const steps = `${limits.flows.steps} steps without waiting for anything`;
  if (before === -1) return { code: 'flow_loop', message: `The flow has taken ${steps}` };
  const lap = [...names.slice(before), node].join(' → ');
  return { code: 'flow_loop', message: `The flow has taken ${steps}; it goes round: ${lap}` };
}
