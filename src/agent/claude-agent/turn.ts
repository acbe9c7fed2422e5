import { messageOf, newId } from '../../std/index.ts';
import { charactersPerToken, countUsage, type TokenUsage } from '../budget/budget.ts';
import type { CallOptions, ModelOutcome } from '../loop/askable-model.ts';
import { ModelFailure } from '../loop/model-failure.ts';
import { quoteForeign, RunFailure } from '../run-error.ts';
import { TransportFailure } from '../transport.ts';
import type {
  AssistantMessage,
  FinishReason,
  HarnessConfig,
  RunEvent,
  RunLimits,
  ToolCall,
  ToolSpec,
} from '../types.ts';
import { addressOf } from './environment.ts';
import { broken, type SdkMessage, type StreamUsage } from './sdk.ts';
import type { Session } from './session.ts';
import { toolPrefix } from './tool-server.ts';

export interface TurnOptions extends CallOptions {
  readonly harness: HarnessConfig;
  readonly limits: RunLimits;
  readonly tools: readonly ToolSpec[];
}

/** `isWaiting`: the program goes on by itself as soon as it has the results of its calls. */
export interface ReadTurn {
  readonly outcome: ModelOutcome;
  readonly isWaiting: boolean;
}

/** One model call of a session: text as it comes, and the whole answer at the end. Never throws. */
export async function* readTurn(session: Session, options: TurnOptions): AsyncGenerator<RunEvent, ReadTurn> {
  const answer = new Answer(options);
  let error: unknown;
  try {
    while (!answer.isOver) {
      const { limits, signal } = options;
      const message = await session.read(answer.hasBegun ? limits.silenceMs : limits.firstByteMs, signal);
      if (message === undefined) throw new Error('its program ended without a result');
      const event = answer.take(message, session.isEven);
      if (event !== undefined) yield event;
    }
  } catch (thrown) {
    error = isKnown(thrown) ? thrown : toBroken(thrown, session, options.harness);
  }
  return answer.end(error);
}

const isKnown = (error: unknown): boolean =>
  error instanceof TransportFailure || error instanceof ModelFailure || error instanceof RunFailure;

function toBroken(error: unknown, { complaint }: Session, harness: HarnessConfig): RunFailure {
  const words = quoteForeign(messageOf(error), 300, [harness.apiKey]);
  return broken(harness, `fails: ${words}${complaint === '' ? '' : ` (${complaint})`}`);
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  json: string;
}

type StreamMessage = Extract<SdkMessage, { type: 'stream_event' }>;

class Answer {
  hasBegun = false;
  isOver = false;
  readonly #options: TurnOptions;
  readonly #room: number;
  #text = '';
  #characters = 0;
  #stopReason: string | null = null;
  #model: string;
  #usage: StreamUsage = {};
  readonly #calls = new Map<number, OpenCall>();

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#room = options.reserved.outputTokens * charactersPerToken;
    this.#model = options.reserved.model;
  }

  /**
   * @param isEven whether the program has asked for all results of the calls before
   * @throws ModelFailure, TransportFailure, RunFailure `budget_…`
   */
  take(message: SdkMessage, isEven: boolean): RunEvent | undefined {
    if (message.type === 'result') {
      this.isOver = true;
      if (message.is_error) throw failureOf(message, this.#options);
      if (!this.hasBegun) throw new Error('its program asked no model');
      // The SDK takes what came of an answer that was cut for all of it.
      if (this.#stopReason === null) throw new TransportFailure('network', 'The answer broke off');
      return undefined;
    }
    // Subagents are not among its tools.
    if (message.type !== 'stream_event' || message.parent_tool_use_id !== null) return undefined;
    return this.#takeEvent(message.event, isEven);
  }

  #takeEvent(event: StreamMessage['event'], isEven: boolean): RunEvent | undefined {
    switch (event.type) {
      case 'message_start':
        if (this.hasBegun) throw new TransportFailure('network', 'The answer broke off');
        if (!isEven) throw new TransportFailure('network', 'The results of the last calls were not asked for');
        this.hasBegun = true;
        this.#model = event.message.model || this.#model;
        this.#usage = { ...event.message.usage };
        return undefined;
      case 'content_block_start': {
        const block = event.content_block;
        if (block.type === 'tool_use') this.#calls.set(event.index, { id: block.id, name: block.name, json: '' });
        return undefined;
      }
      case 'content_block_delta':
        return this.#takeDelta(event);
      case 'message_delta': {
        this.#stopReason = event.delta.stop_reason;
        const stated = Object.entries(event.usage ?? {}).filter(([, count]) => count !== null && count !== 0);
        this.#usage = { ...this.#usage, ...Object.fromEntries(stated) };
        // What it would do about an answer that was cut is not asked for. Without a reason the stream broke off, which its result tells.
        this.isOver ||= !['end_turn', 'stop_sequence', null].includes(this.#stopReason);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #takeDelta({ index, delta }: Extract<StreamMessage['event'], { type: 'content_block_delta' }>): RunEvent | undefined {
    const before = this.#characters;
    if (delta.type === 'input_json_delta') {
      const call = this.#calls.get(index);
      if (call !== undefined) call.json += delta.partial_json;
      this.#count(delta.partial_json);
      return undefined;
    }
    if (delta.type === 'thinking_delta') {
      this.#count(delta.thinking);
      return delta.thinking === '' ? undefined : { type: 'reasoning.delta', text: delta.thinking };
    }
    if (delta.type !== 'text_delta') return undefined;
    const text = delta.text.slice(0, Math.max(0, this.#room - before));
    this.#count(delta.text);
    this.#text += text;
    return text === '' ? undefined : { type: 'text.delta', messageId: this.#options.modelCallId, text };
  }

  #count(text: string): void {
    this.#characters += text.length;
    this.isOver ||= this.#characters > this.#room;
  }

  end(error: unknown): ReadTurn {
    const { modelCallId, reserved, signal, tools } = this.#options;
    const overran = this.#characters > this.#room;
    const isBroken = error !== undefined && !overran;
    const isWhole = !isBroken && !overran;
    const calls = isWhole ? [...this.#calls.values()].map((call) => toCall(call, modelCallId)) : [];
    const answer: AssistantMessage | undefined =
      this.#text === '' && calls.length === 0
        ? undefined
        : { role: 'assistant', id: modelCallId, content: this.#text, ...(calls.length > 0 && { toolCalls: calls }) };
    const hasOutput = this.#characters > 0 || this.#calls.size > 0;
    const outcome: ModelOutcome = {
      answer,
      finishReason: overran
        ? 'length'
        : signal.aborted
          ? 'aborted'
          : isBroken
            ? 'error'
            : toReason(this.#stopReason, calls.length > 0),
      usage: isWhole ? readUsage(this.#usage) : hasOutput ? countUsage(reserved, this.#characters) : undefined,
      model: this.#model,
      error: isBroken ? error : undefined,
      hasOutput,
      overran,
    };
    const isWaiting =
      this.#stopReason === 'tool_use' &&
      isWhole &&
      calls.length > 0 &&
      calls.every(({ name, rawArguments }) => rawArguments === undefined && tools.some((tool) => tool.name === name));
    return { outcome, isWaiting };
  }
}

function toCall({ id: externalId, name: shown, json }: OpenCall, modelCallId: string): ToolCall {
  const name = shown.startsWith(toolPrefix) ? shown.slice(toolPrefix.length) : shown;
  const base = { id: newId('tlc'), externalId, modelCallId, name };
  try {
    return { ...base, arguments: json === '' ? {} : JSON.parse(json) };
  } catch {
    return { ...base, arguments: undefined, rawArguments: json };
  }
}

function toReason(stopReason: string | null, hasCalls: boolean): FinishReason {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'filter';
    default:
      return hasCalls ? 'toolCalls' : 'stop';
  }
}

function readUsage(usage: StreamUsage): TokenUsage | undefined {
  const cached = usage.cache_read_input_tokens ?? 0;
  const inputTokens = (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) + cached;
  const outputTokens = usage.output_tokens ?? 0;
  if (inputTokens + outputTokens === 0) return undefined;
  const reasoningTokens = usage.output_tokens_details?.thinking_tokens ?? 0;
  return { inputTokens, outputTokens, cachedInputTokens: cached, reasoningTokens };
}

/** What went wrong, as the loop reads it. */
function failureOf(
  { subtype, result, errors, api_error_status: status }: Extract<SdkMessage, { type: 'result' }>,
  { harness, reserved }: TurnOptions,
): Error {
  if (subtype === 'error_max_turns')
    return new RunFailure('budget_model_calls', 'The budget of model calls is used up, by the SDK’s own count');
  if (subtype === 'error_max_budget_usd')
    return new RunFailure('budget_cost', `The budget of money is used up, by the SDK’s own price of ${reserved.model}`);
  const said = result ?? errors?.join('; ') ?? subtype;
  const words = said.replace(/^.*?API Error: (?:\d{3} )?/s, '');
  if (typeof status === 'number') return new ModelFailure(status, words);
  const { host } = new URL(addressOf(harness.baseUrl));
  if (/refused/i.test(said)) return new TransportFailure('network', `Nothing listens at ${host}`);
  return new TransportFailure('network', `${host}: ${words}`);
}
