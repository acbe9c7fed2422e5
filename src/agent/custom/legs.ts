import { messageOf, shortened } from '../../std/index.ts';
import { ProgressKeeper, succeededCall, unansweredCalls } from '../progress.ts';
import { RunFailure } from '../run-error.ts';
import { runTools } from '../run-tools.ts';
import { Stop } from '../stop.ts';
import {
  type LegEnding,
  type RunEvent,
  type RunHost,
  type RunInput,
  type RunLimits,
  type RunMessage,
  type RunProgress,
  type RunStatus,
  runLimits,
  type ToolCall,
} from '../types.ts';
import { Batches } from './batches.ts';
import { InlineCalls } from './inline-calls.ts';
import type { Leg } from './request.ts';

/** What is handed to whoever begins a leg. */
export interface LegSurroundings {
  readonly input: RunInput;
  readonly host: RunHost;
  readonly limits: RunLimits;
  /** Aborts when the run stops, and when the leg takes too long. */
  readonly signal: AbortSignal;
  /** What a server posts that answers later. */
  readonly batches: Batches;
}

/** What an agent answers in a leg. */
export interface LegReply {
  readonly runId: string;
  readonly threadId: string;
  /** Of AG-UI, from RUN_STARTED to RUN_FINISHED or RUN_ERROR. */
  readonly events: AsyncIterable<unknown>;
}

/** Begins a leg. @throws RunFailure */
export type BeginLeg = (leg: Leg, surroundings: LegSurroundings) => AsyncGenerator<RunEvent, LegReply | 'stopped'>;

/**
 * A run of an agent whose loop is not ours. It goes in legs: the agent gets the conversation, and its answer ends with calls of our tools or
 * without. We make the calls and begin the next leg with their results; the agent keeps nothing.
 */
export async function* runInLegs(input: RunInput, host: RunHost, beginLeg: BeginLeg): AsyncGenerator<RunEvent, void> {
  using stop = new Stop(input.signal, input.budget);
  let status: RunStatus = 'failed';
  try {
    status = yield* runLegs(input, host, beginLeg, stop);
  } catch (error) {
    const failure = error instanceof RunFailure ? error : new RunFailure('internal', shortened(messageOf(error), 500));
    if (!stop.cancelled) yield { type: 'error', ...failure.problem };
  }
  yield { type: 'done', status: stop.cancelled ? 'cancelled' : status };
}

async function* runLegs(
  input: RunInput,
  host: RunHost,
  beginLeg: BeginLeg,
  stop: Stop,
): AsyncGenerator<RunEvent, RunStatus> {
  const limits: RunLimits = { ...runLimits, ...input.limits };
  const progress = new ProgressKeeper(input.progress);
  if (progress.now.openLeg === 'effects') {
    throw new RunFailure(
      'run_interrupted',
      'The run was interrupted in the middle of a leg that had said or done something',
    );
  }
  let resume = input.resume ?? (progress.now.answers.length > 0 ? progress.now.answers : undefined);
  const inline = new InlineCalls(input, host, stop);
  const batches = new Batches(input);
  using door = openDoor(input, host, inline, batches);
  for (;;) {
    const { ending } = progress.now;
    if (ending !== null && resume === undefined && !isCallDue(ending, progress.now, input))
      return yield* tellEnding(ending, progress.now.messages);
    const round = yield* progress.follow(runTools(progress.now.messages, input, host, stop));
    stop.check();
    if (round === 'stopped') return 'cancelled';
    if (round !== 'answered') return round;
    if (progress.now.legs >= limits.legs) throw new RunFailure('harness_legs', `The run has had ${limits.legs} legs`);
    input.budget.checkBeforeLeg();
    const { messages, legs, state = input.state } = progress.now;
    const leg: Leg = { number: legs + 1, soFar: messages, state, resume, door: door.open };
    const end = yield* progress.follow(runLeg(leg, { input, host, limits, beginLeg, stop, inline, batches }));
    if (end === 'stopped') return 'cancelled';
    resume = undefined;
  }
}

/** Opens where the agent's server may call tools, for as long as this work on the run takes. */
function openDoor(
  { tools, budget }: RunInput,
  host: RunHost,
  inline: InlineCalls,
  batches: Batches,
): Disposable & { open: Leg['door'] } {
  const expiresAt = new Date(Date.now() + budget.left.seconds * 1_000);
  const opened = host.openDoor?.({
    tools,
    expiresAt,
    callTool: (name, args) => inline.call(name, args),
    takeBatch: (batch) => batches.take(batch),
  });
  return {
    open: opened && { mcp: opened.mcp, callback: opened.callback, expiresAt },
    [Symbol.dispose]: () => opened?.close(batches.end()),
  };
}

/** Whether a call inside the agent's loop has handed over, or waits for a person, though the agent ended its turn. */
function isCallDue({ type }: LegEnding, { messages }: RunProgress, { tools }: RunInput): boolean {
  const ending = tools.filter(({ ends }) => ends !== undefined).map(({ name }) => name);
  if (succeededCall(messages, ending) !== undefined) return true;
  return type === 'completed' && unansweredCalls(messages).length > 0;
}

function* tellEnding(ending: LegEnding, messages: readonly RunMessage[]): Generator<RunEvent, RunStatus> {
  // Some agents only leave a note or set a field: to say nothing is no failure here.
  if (ending.type === 'completed' && !messages.some(({ role, content }) => role === 'assistant' && content !== '')) {
    yield { type: 'warning', code: 'harness_empty_answer', message: 'The agent said nothing' };
  }
  if (ending.type === 'waiting') yield { type: 'interrupt', interrupts: ending.interrupts };
  if (ending.type === 'handedOver') yield { type: 'handover', ...ending.handover };
  return ending.type;
}

interface LegOptions {
  readonly input: RunInput;
  readonly host: RunHost;
  readonly limits: RunLimits;
  readonly beginLeg: BeginLeg;
  readonly stop: Stop;
  readonly inline: InlineCalls;
  readonly batches: Batches;
}

async function* runLeg(
  leg: Leg,
  { input, host, limits, beginLeg, stop, inline, batches }: LegOptions,
): AsyncGenerator<RunEvent, 'ended' | 'stopped'> {
  const { readLeg } = await import('./read-leg.ts');
  const { harness, tools, models, budget } = input;
  yield { type: 'leg.started', leg: leg.number };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), limits.legMs);
  const closing = new AbortController();
  const signal = AbortSignal.any([stop.signal, over.signal, closing.signal]);
  const close = () => {
    clearTimeout(timer);
    closing.abort();
  };
  // The first batch of an answer that comes later may be here before the answer is.
  batches.open(leg.number);
  try {
    const findInline = (call: Pick<ToolCall, 'name' | 'arguments'>) => inline.find(call);
    const { number, state } = leg;
    const context = { leg: number, tools, models, state, budget, limits, harnessName: harness.name, findInline };
    const exchange = async function* (): AsyncGenerator<RunEvent, 'ended' | 'stopped'> {
      const reply = yield* beginLeg(leg, { input, host, limits, signal, batches });
      if (reply === 'stopped') return reply;
      const { events, ...request } = reply;
      yield* readLeg(events, { ...context, request });
      return 'ended';
    };
    if ((yield* inline.among(exchange(), close)) === 'ended') return 'ended';
  } catch (error) {
    // What broke after the run was stopped or the time was over, broke because of that; what made us close has the first word.
    if (signal.reason === closing.signal.reason) throw error;
  } finally {
    close();
    batches.close();
  }
  stop.check();
  if (stop.cancelled) return 'stopped';
  throw new RunFailure('harness_timeout', `The agent’s reply takes longer than ${limits.legMs / 1_000} s`);
}
