import { applyPatch, type Operation } from 'rfc6902';
import { isRecord, newId, shortened } from '../../std/index.ts';
import type { Budget } from '../budget/budget.ts';
import { RunFailure } from '../run-error.ts';
import type {
  FinishReason,
  Handover,
  Interrupt,
  LegEnding,
  RequestedCall,
  RunEvent,
  RunLimits,
  RunModels,
  ToolCall,
  ToolSpec,
} from '../types.ts';
import { AguiEvent } from './agui-event.ts';
import { ModelCalls } from './model-calls.ts';
import type { LegRequest } from './request.ts';

export interface LegContext {
  readonly request: Pick<LegRequest, 'runId' | 'threadId'>;
  readonly leg: number;
  readonly tools: readonly ToolSpec[];
  readonly models: RunModels;
  readonly state: unknown;
  readonly budget: Budget;
  readonly limits: Pick<RunLimits, 'stateBytes'>;
  readonly harnessName: string;
  /** Whether a call of which the agent tells was made inside its loop; each is found once. */
  readonly findInline?: (call: Pick<ToolCall, 'name' | 'arguments'>) => boolean;
}

/** Messages that are no JSON, or have no type, until a reply counts as garbage. */
const maxGarbage = 3;

/**
 * Reads the events of one leg. What the agent says and asks for is passed on; calls of our tools are told of at the end of the leg, because
 * only then it is known which of them have no result.
 * @throws RunFailure `harness_…`, `budget_…`
 * @see https://docs.ag-ui.com/concepts/events
 */
export async function* readLeg(events: AsyncIterable<unknown>, context: LegContext): AsyncGenerator<RunEvent, void> {
  const reader = new LegReader(context);
  let [garbage, isFirst] = [0, true];
  for await (const value of events) {
    const event = AguiEvent.read(value);
    if (event === undefined) {
      if (++garbage < maxGarbage) continue;
      throw new RunFailure(
        'harness_protocol',
        `The agent sends what is no event: ${shortened(JSON.stringify(value) ?? 'no JSON', 80)}`,
      );
    }
    if (isFirst && event.type !== 'RUN_STARTED' && event.type !== 'RUN_ERROR') {
      throw new RunFailure('harness_protocol', `The agent begins with ${event.type} instead of RUN_STARTED`);
    }
    isFirst = false;
    let failure: unknown;
    try {
      reader.read(event);
    } catch (error) {
      failure = error;
    }
    yield* reader.takeEvents();
    if (failure !== undefined) throw failure;
    if (reader.hasEnded) return;
  }
  reader.breakOff();
  yield* reader.takeEvents();
  throw new RunFailure('harness_connection_lost', 'The agent’s reply ends without RUN_FINISHED or RUN_ERROR');
}

interface OpenText {
  readonly messageId: string;
  readonly externalId: string;
  /** Text of the user or of a subagent is not said to the customer. */
  readonly isSaid: boolean;
  text: string;
}

interface OpenCall {
  readonly id: string;
  readonly externalId: string;
  readonly name: string;
  readonly parentId: string | undefined;
  text: string;
  isWhole: boolean;
}

type Handler = (this: LegReader, event: AguiEvent) => void;

class LegReader {
  hasEnded = false;
  #events: RunEvent[] = [];
  readonly #context: LegContext;
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #results = new Set<string>();
  /** Message of the agent → ours. */
  readonly #messages = new Map<string, string>();
  readonly #modelCalls: ModelCalls;
  #hasStarted = false;
  #handover: Handover | undefined;
  #state: unknown;
  #isStateNew = false;
  readonly #warned = new Set<string>();
  /** A chunk without an id belongs to what is open. */
  #chunk: { readonly kind: 'text' | 'call'; readonly id: string } | undefined;

  constructor(context: LegContext) {
    this.#context = context;
    this.#modelCalls = new ModelCalls(context, (event) => this.#emit(event));
    this.#state = context.state;
  }

  /** What came of it since the last time. */
  takeEvents(): RunEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  read(event: AguiEvent): void {
    if (!event.type.endsWith('_CHUNK')) this.#closeChunk();
    const handler = handlers[event.type];
    if (handler !== undefined) handler.call(this, event);
    else if (!harmlessTypes.test(event.type)) {
      this.#warnOnce('harness_unknown_event', `The agent sends ${shortened(event.type, 80)}, which is not known`);
    }
  }

  /** What was said before the reply broke off stays. */
  breakOff(): void {
    this.#modelCalls.tellHeld();
    for (const open of this.#texts.values()) {
      if (!open.isSaid || open.text === '') continue;
      this.#emit({
        type: 'message',
        messageId: open.messageId,
        externalId: open.externalId,
        text: open.text,
        partial: true,
      });
    }
  }

  startRun(event: AguiEvent): void {
    if (this.#hasStarted) throw event.wrong('comes twice');
    this.#hasStarted = true;
    const { runId, threadId } = this.#context.request;
    for (const [name, expected] of [
      ['runId', runId],
      ['threadId', threadId],
    ] as const) {
      const given = event.text(name);
      if (given !== expected) throw event.wrong(`has the ${name} ${shortened(given, 80)} instead of ${expected}`);
    }
  }

  startStep(event: AguiEvent): void {
    const name = event.text('stepName');
    if (!name.startsWith('model:')) return this.#emit({ type: 'step', name, status: 'started' });
    this.#modelCalls.start(name.slice('model:'.length));
  }

  finishStep(event: AguiEvent): void {
    const name = event.text('stepName');
    if (!name.startsWith('model:')) return this.#emit({ type: 'step', name, status: 'finished' });
    this.#modelCalls.end(this.#usualReason());
  }

  startText(event: AguiEvent): void {
    const id = event.text('messageId');
    if (this.#texts.has(id)) throw event.wrong(`opens the message ${shortened(id, 80)}, which is open`);
    const role = event.optionalText('role') ?? 'assistant';
    const isSaid = role === 'assistant' && event.optionalText('subagentRunId') === undefined;
    const messageId = newId('ans');
    this.#messages.set(id, messageId);
    this.#texts.set(id, { messageId, externalId: id, isSaid, text: '' });
  }

  addText(event: AguiEvent): void {
    const open = this.#texts.get(event.text('messageId'));
    if (open === undefined) throw event.wrong('has no TEXT_MESSAGE_START before it');
    const text = event.text('delta');
    open.text += text;
    if (text === '') return;
    if (open.isSaid) this.#emit({ type: 'text.delta', messageId: open.messageId, text });
    else this.#emit({ type: 'reasoning.delta', text });
  }

  endText(event: AguiEvent): void {
    const id = event.text('messageId');
    const open = this.#texts.get(id);
    if (open === undefined) throw event.wrong('has no TEXT_MESSAGE_START before it');
    this.#texts.delete(id);
    if (!open.isSaid || open.text.trim() === '') return;
    const { messageId, externalId, text } = open;
    this.#modelCalls.tellAfter({ type: 'message', messageId, externalId, text, partial: false });
  }

  chunkText(event: AguiEvent): void {
    const open = this.#chunk?.kind === 'text' ? this.#chunk.id : undefined;
    const id = event.optionalText('messageId') ?? open;
    if (id === undefined) throw event.wrong('has no messageId, and no message is open');
    if (id !== open) {
      this.#closeChunk();
      const role = event.optionalText('role') ?? 'assistant';
      this.startText(new AguiEvent({ messageId: id, role, subagentRunId: event.raw('subagentRunId') }, event.type));
      this.#chunk = { kind: 'text', id };
    }
    const delta = event.optionalText('delta') ?? '';
    this.addText(new AguiEvent({ messageId: id, delta }, event.type));
  }

  startCall(event: AguiEvent): void {
    const id = event.text('toolCallId');
    if (this.#calls.has(id)) throw event.wrong(`has the toolCallId ${shortened(id, 80)} of another call`);
    const name = event.text('toolCallName');
    const parentId = event.optionalText('parentMessageId');
    this.#calls.set(id, { id: newId('tlc'), externalId: id, name, parentId, text: '', isWhole: false });
  }

  addArguments(event: AguiEvent): void {
    const call = this.#openCall(event);
    call.text += event.text('delta');
  }

  endCall(event: AguiEvent): void {
    const call = this.#openCall(event);
    call.isWhole = true;
    if (!this.#isOurs(call))
      this.#modelCalls.tellAfter({ type: 'toolCall.requested', ...this.#toRequested(call, true) });
  }

  chunkCall(event: AguiEvent): void {
    const open = this.#chunk?.kind === 'call' ? this.#chunk.id : undefined;
    const toolCallId = event.optionalText('toolCallId') ?? open;
    if (toolCallId === undefined) throw event.wrong('has no toolCallId, and no call is open');
    if (toolCallId !== open) {
      this.#closeChunk();
      const { type } = event;
      const parentMessageId = event.raw('parentMessageId');
      this.startCall(new AguiEvent({ toolCallId, toolCallName: event.text('toolCallName'), parentMessageId }, type));
      this.#chunk = { kind: 'call', id: toolCallId };
    }
    this.addArguments(new AguiEvent({ toolCallId, delta: event.optionalText('delta') ?? '' }, event.type));
  }

  takeResult(event: AguiEvent): void {
    const id = event.text('toolCallId');
    const call = this.#calls.get(id);
    if (call?.isWhole !== true) throw event.wrong('answers a call that the agent has not made');
    if (this.#results.has(id)) throw event.wrong(`answers the call ${shortened(id, 80)} twice`);
    this.#results.add(id);
    const content = textOfContent(event.raw('content'));
    if (content === undefined) throw event.wrong('has no content');
    if (this.#wasInline(call)) return;
    if (this.#isOurs(call))
      this.#modelCalls.tellAfter({ type: 'toolCall.requested', ...this.#toRequested(call, true) });
    this.#modelCalls.tellAfter({
      type: 'toolCall.ended',
      call: this.#toCall(call, true),
      result: { status: 'ok', content },
    });
  }

  takeSnapshot(event: AguiEvent): void {
    this.#keepState(event.raw('snapshot'));
  }

  takeDelta(event: AguiEvent): void {
    const delta = event.raw('delta');
    if (
      !Array.isArray(delta) ||
      !delta.every((one) => isRecord(one) && typeof one['op'] === 'string' && typeof one['path'] === 'string')
    ) {
      throw event.wrong('has a delta that is no JSON Patch');
    }
    const root = { state: structuredClone(this.#state ?? {}) };
    const patch = delta.map((one) => ({
      ...one,
      path: `/state${one.path}`,
      ...(typeof one.from === 'string' && { from: `/state${one.from}` }),
    })) as Operation[];
    let failed: unknown;
    try {
      failed = applyPatch(root, patch).find((problem) => problem !== null);
    } catch (error) {
      failed = error;
    }
    if (failed) {
      this.#warnOnce('harness_state_patch', 'A patch of the agent does not fit its state; it was left out');
      return;
    }
    this.#keepState(root.state);
  }

  takeReasoning(event: AguiEvent): void {
    const text = event.optionalText('delta') ?? '';
    if (text !== '') this.#emit({ type: 'reasoning.delta', text });
  }

  takeCustom(event: AguiEvent): void {
    const name = event.text('name');
    const value = event.raw('value');
    const fields = isRecord(value) ? value : {};
    const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : null);
    if (name === 'handover') {
      this.#handover ??= { team: text('team'), reason: text('reason'), summary: text('summary'), toolCallId: null };
    } else if (name === 'note') {
      const note = text('text');
      if (note === null) throw event.wrong('"note" has a value without a text');
      this.#emit({ type: 'note', text: note });
    } else if (name === 'modelCall') {
      this.#modelCalls.take(event, fields, this.#usualReason());
    }
  }

  finishRun(event: AguiEvent): void {
    for (const { externalId } of this.#texts.values()) {
      throw event.wrong(`comes while the message ${shortened(externalId, 80)} is open: TEXT_MESSAGE_END is missing`);
    }
    for (const { externalId, isWhole } of this.#calls.values()) {
      if (!isWhole)
        throw event.wrong(`comes while the call ${shortened(externalId, 80)} is open: TOOL_CALL_END is missing`);
    }
    this.#modelCalls.end(this.#usualReason());
    this.#modelCalls.takeUsage(event);
    const outcome = isRecord(event.raw('outcome')) ? (event.raw('outcome') as Record<string, unknown>) : {};
    const type = outcome['type'] ?? 'success';
    if (type === 'cancelled') this.#endLeg([], { type });
    else if (type === 'interrupt') {
      const interrupts = this.#readInterrupts(event, outcome['interrupts']);
      // Until the agent has its answer, none of its calls is made; it asks again for what it still wants.
      const left = this.#unanswered().filter((call) => !this.#wasInline(call));
      const calls = left.map((call) => this.#toRequested(call, true));
      this.#endLeg(calls, { type: 'waiting', interrupts });
    } else if (type === 'success') {
      const calls = this.#pendingCalls(event, outcome['pendingToolCallIds']).map((call) =>
        this.#toRequested(call, false),
      );
      if (this.#handover !== undefined) this.#endLeg([], { type: 'handedOver', handover: this.#handover });
      else this.#endLeg(calls, calls.length === 0 ? { type: 'completed' } : null);
    } else throw event.wrong(`has the outcome ${shortened(String(type), 80)}, which is not known`);
  }

  #endLeg(calls: readonly RequestedCall[], ending: LegEnding | null): void {
    this.hasEnded = true;
    const state = this.#isStateNew ? { state: this.#state } : {};
    if (this.#isStateNew) this.#emit({ type: 'state', state: this.#state });
    this.#emit({ type: 'leg.ended', leg: this.#context.leg, calls, ending, ...state });
  }

  failRun(event: AguiEvent): void {
    this.#modelCalls.end('error');
    this.#modelCalls.takeUsage(event);
    const code = event.optionalText('code');
    this.breakOff();
    const failure = event.raw('failure');
    // Nothing that comes as JSON is one: an agent in this process.
    if (failure instanceof RunFailure) throw failure;
    throw new RunFailure(
      'harness_failed',
      `The agent fails${code === undefined ? '' : ` (${shortened(code, 80)})`}: ${shortened(event.text('message'), 500)}`,
    );
  }

  #emit(event: RunEvent): void {
    this.#events.push(event);
  }

  /** Why a model stops, if the agent does not say. */
  #usualReason(): FinishReason {
    return [...this.#calls.values()].some((call) => this.#isOurs(call)) ? 'toolCalls' : 'stop';
  }

  #openCall(event: AguiEvent): OpenCall {
    const call = this.#calls.get(event.text('toolCallId'));
    if (call === undefined) throw event.wrong('has no TOOL_CALL_START before it');
    if (call.isWhole) throw event.wrong('comes after the TOOL_CALL_END of its call');
    return call;
  }

  #isOurs({ name }: OpenCall): boolean {
    return this.#context.tools.some((tool) => tool.name === name);
  }

  /** Such a call has its line in the record, with what the gate gave. */
  #wasInline(call: OpenCall): boolean {
    return this.#isOurs(call) && this.#context.findInline?.(this.#toCall(call, false)) === true;
  }

  #unanswered(): OpenCall[] {
    return [...this.#calls.values()].filter(({ externalId }) => !this.#results.has(externalId));
  }

  /** Calls that the agent leaves to us: those that it names; else those of our tools that have no result. */
  #pendingCalls(event: AguiEvent, named: unknown): OpenCall[] {
    if (!Array.isArray(named) || named.length === 0) {
      return this.#unanswered().filter((call) => this.#isOurs(call) && !this.#wasInline(call));
    }
    return named.map((id) => {
      const call = this.#unanswered().find(({ externalId }) => externalId === id);
      if (call === undefined)
        throw event.wrong(`leaves the call ${shortened(String(id), 80)} to us, which it has not made`);
      return call;
    });
  }

  #toRequested(call: OpenCall, own: boolean): RequestedCall {
    const parent = call.parentId ?? `calls of ${this.#context.request.runId}`;
    const known = this.#messages.get(parent);
    const messageId = known ?? newId('ans');
    this.#messages.set(parent, messageId);
    return {
      messageId,
      ...(call.parentId !== undefined && { externalId: call.parentId }),
      call: this.#toCall(call, own),
    };
  }

  #toCall({ id, externalId, name, text }: OpenCall, own: boolean): ToolCall {
    const base = { id, externalId, modelCallId: this.#modelCalls.lastId, name, ...(own && { own }) };
    if (text.trim() === '') return { ...base, arguments: {} };
    try {
      return { ...base, arguments: JSON.parse(text) };
    } catch {
      return { ...base, arguments: undefined, rawArguments: text };
    }
  }

  #closeChunk(): void {
    const open = this.#chunk;
    this.#chunk = undefined;
    if (open?.kind === 'text') this.endText(new AguiEvent({ messageId: open.id }, 'TEXT_MESSAGE_CHUNK'));
    if (open?.kind === 'call') this.endCall(new AguiEvent({ toolCallId: open.id }, 'TOOL_CALL_CHUNK'));
  }

  #keepState(state: unknown): void {
    const { stateBytes } = this.#context.limits;
    const bytes = Buffer.byteLength(JSON.stringify(state) ?? 'null');
    if (bytes > stateBytes) {
      const message = `The agent’s state of ${bytes} bytes is larger than ${stateBytes / 1024} KiB; it was not kept`;
      this.#warnOnce('harness_state_too_large', message);
      return;
    }
    this.#state = state;
    this.#isStateNew = true;
  }

  #warnOnce(code: string, message: string): void {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    this.#emit({ type: 'warning', code, message });
  }

  #readInterrupts(event: AguiEvent, given: unknown): Interrupt[] {
    if (!Array.isArray(given) || given.length === 0) throw event.wrong('has the outcome interrupt without interrupts');
    if (given.length > maxInterrupts) throw event.wrong(`has more than ${maxInterrupts} interrupts`);
    return given.map((one: unknown) => {
      if (!isRecord(one) || typeof one['id'] !== 'string') throw event.wrong('has an interrupt without an id');
      if (one['id'].length > maxInterruptId)
        throw event.wrong(`has an interrupt whose id is longer than ${maxInterruptId}`);
      if (Buffer.byteLength(JSON.stringify(one)) > maxInterruptBytes)
        throw event.wrong(`has an interrupt larger than ${maxInterruptBytes / 1024} KiB`);
      const text = (name: string) => (typeof one[name] === 'string' ? one[name] : undefined);
      const toolCallId = this.#calls.get(text('toolCallId') ?? '')?.id;
      return {
        id: one['id'],
        kind: 'agent',
        reason: text('reason') ?? 'unknown',
        message: text('message'),
        toolCallId,
        responseSchema: one['responseSchema'],
        expiresAt: text('expiresAt'),
      };
    });
  }
}

const handlers: Readonly<Record<string, Handler | undefined>> = {
  // biome-ignore-start lint/style/useNamingConvention: the protocol's names
  RUN_STARTED: LegReader.prototype.startRun,
  RUN_FINISHED: LegReader.prototype.finishRun,
  RUN_ERROR: LegReader.prototype.failRun,
  STEP_STARTED: LegReader.prototype.startStep,
  STEP_FINISHED: LegReader.prototype.finishStep,
  TEXT_MESSAGE_START: LegReader.prototype.startText,
  TEXT_MESSAGE_CONTENT: LegReader.prototype.addText,
  TEXT_MESSAGE_END: LegReader.prototype.endText,
  TEXT_MESSAGE_CHUNK: LegReader.prototype.chunkText,
  TOOL_CALL_START: LegReader.prototype.startCall,
  TOOL_CALL_ARGS: LegReader.prototype.addArguments,
  TOOL_CALL_END: LegReader.prototype.endCall,
  TOOL_CALL_CHUNK: LegReader.prototype.chunkCall,
  TOOL_CALL_RESULT: LegReader.prototype.takeResult,
  STATE_SNAPSHOT: LegReader.prototype.takeSnapshot,
  STATE_DELTA: LegReader.prototype.takeDelta,
  REASONING_MESSAGE_CONTENT: LegReader.prototype.takeReasoning,
  REASONING_MESSAGE_CHUNK: LegReader.prototype.takeReasoning,
  CUSTOM: LegReader.prototype.takeCustom,
  // biome-ignore-end lint/style/useNamingConvention: the protocol's names
};

/** Questions of one leg, and what each may have: they stand in lists, in events and on terminals. */
const maxInterrupts = 16;
const maxInterruptId = 200;
const maxInterruptBytes = 16 * 1024;

/** Known, and nothing to do: what an agent shows in its own interface. */
const harmlessTypes = /^(?:REASONING_\w+|THINKING_\w+|MESSAGES_SNAPSHOT|ACTIVITY_\w+|SUBAGENT_\w+|RAW)$/;

function textOfContent(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '[file]')).join('');
}
