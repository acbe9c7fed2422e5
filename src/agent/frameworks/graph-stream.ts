import { isRecord, messageOf } from '../../std/index.ts';
import type { FinishReason } from '../types.ts';
import type { FrameworkLeg } from './framework-agent.ts';
import type { AgentPart } from './leg-events.ts';

/** What a graph of LangGraph streams in the modes `messages` and `updates`. */
export type GraphStream = AsyncIterable<readonly [mode: string, data: unknown]>;

/** A message as LangChain has it; of a part of one, the same. */
interface Message {
  readonly type: string;
  readonly id?: string | undefined;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[];
  readonly invalid_tool_calls?: readonly { readonly id?: string; readonly name?: string; readonly args?: string }[];
  readonly tool_call_id?: string | undefined;
  readonly usage_metadata?: unknown;
  readonly response_metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Tells what a graph does, until it ends or our tools are called.
 * @param open begins its stream, with these callbacks of LangChain
 */
export async function* readGraph(
  open: (callbacks: object) => Promise<GraphStream>,
  { input }: FrameworkLeg,
): AsyncGenerator<AgentPart, void> {
  const reader = new GraphReader(input.tools.map(({ name }) => name));
  const own = new OwnResults();
  const steps = (await open(own.callbacks))[Symbol.asyncIterator]();
  let step = steps.next();
  try {
    while (!reader.hasEnded) {
      const happened = await Promise.race([step, own.added]);
      if (happened !== 'added') {
        if (happened.done) return;
        yield* reader.read(...happened.value);
        step = steps.next();
      }
      yield* reader.end(own.take());
    }
  } finally {
    step.catch(() => {});
    void Promise.resolve(steps.return?.()).catch(() => {});
  }
}

class GraphReader {
  readonly #ours: readonly string[];
  /** Of the model call that is under way. */
  #open: string | undefined;
  #hasText = false;
  /** Calls of the agent's own tools without a result. */
  readonly #running = new Set<string>();
  /** Of calls that were not told of yet. */
  readonly #early = new Map<string, string>();
  #waits = false;

  constructor(ours: readonly string[]) {
    this.#ours = ours;
  }

  /** Whether it waits for our tools alone. */
  get hasEnded(): boolean {
    return this.#waits && this.#running.size === 0;
  }

  *read(mode: string, data: unknown): Generator<AgentPart, void> {
    if (mode !== 'messages') {
      for (const message of answersIn(data)) yield* this.#answer(message);
      return;
    }
    const [message, about] = data as [Message, Readonly<Record<string, unknown>>];
    if (message.type === 'tool') yield* this.end([{ id: message.tool_call_id ?? '', result: textOf(message.content) }]);
    if (message.type !== 'ai') return;
    yield* this.#begin(String(about['ls_model_name'] ?? 'unknown'));
    const text = textOf(message.content);
    this.#hasText ||= text !== '';
    yield { type: 'text', text };
  }

  /** Results of the agent's own tools: each is told once, behind its call. */
  *end(results: readonly OwnResult[]): Generator<AgentPart, void> {
    for (const { id, result } of results) {
      if (this.#running.delete(id)) yield { type: 'toolResult', id, result };
      else this.#early.set(id, result);
    }
  }

  *#begin(model: string): Generator<AgentPart, void> {
    if (this.#open !== undefined) return;
    [this.#open, this.#hasText] = [model, false];
    yield { type: 'modelCall', model };
  }

  *#answer(message: Message): Generator<AgentPart, void> {
    yield* this.#begin('unknown');
    const text = textOf(message.content);
    if (!this.#hasText && text !== '') yield { type: 'text', text };
    const calls = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
    for (const [i, { id = `${message.id}-${i}`, name = '', args }] of calls.entries()) {
      yield { type: 'toolCall', id, name, args };
      if (this.#ours.includes(name)) this.#waits = true;
      else this.#running.add(id);
    }
    const finishReason = calls.length > 0 ? 'toolCalls' : reasonOf(message);
    yield { type: 'modelCallEnd', finishReason, usage: usageOf(message.usage_metadata) };
    this.#open = undefined;
    yield* this.end([...this.#early].map(([id, result]) => ({ id, result })));
  }
}

interface OwnResult {
  readonly id: string;
  readonly result: string;
}

/**
 * What tools come to, as LangChain's callbacks tell. A node that calls several at once streams no result before all have ended, and ours do
 * not end.
 */
class OwnResults {
  readonly callbacks: object;
  #results: OwnResult[] = [];
  #added = Promise.withResolvers<'added'>();

  constructor() {
    /** Run of a tool → its call. */
    const calls = new Map<string, string>();
    const add = (id: unknown, result: string) => {
      if (typeof id !== 'string') return;
      this.#results.push({ id, result });
      this.#added.resolve('added');
    };
    this.callbacks = {
      handleToolStart(...[, , runId, , , , , call]: [unknown, unknown, string, ...unknown[]]) {
        if (typeof call === 'string') calls.set(runId, call);
      },
      handleToolEnd(output: unknown, runId: string) {
        if (isRecord(output)) add(output['tool_call_id'] ?? calls.get(runId), textOf(output['content']));
        else add(calls.get(runId), String(output));
      },
      handleToolError: (error: unknown, runId: string) => add(calls.get(runId), `Error: ${messageOf(error)}`),
    };
  }

  /** Resolves when there is one to take. */
  get added(): Promise<'added'> {
    return this.#added.promise;
  }

  take(): readonly OwnResult[] {
    this.#added = Promise.withResolvers();
    return this.#results.splice(0);
  }
}

/** Answers of models in an update: by node, what it adds to the state. */
function answersIn(update: unknown): Message[] {
  if (!isRecord(update)) return [];
  return Object.values(update).flatMap((change) => {
    const messages = isRecord(change) ? change['messages'] : undefined;
    return [messages ?? []].flat().filter((one): one is Message => isRecord(one) && one['type'] === 'ai');
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function reasonOf({ response_metadata: about = {} }: Message): FinishReason {
  const reason = about['finish_reason'] ?? about['stop_reason'];
  return reason === 'length' || reason === 'max_tokens' ? 'length' : 'stop';
}

function usageOf(usage: unknown) {
  if (!isRecord(usage)) return undefined;
  const count = (of: unknown, name: string) => (isRecord(of) && typeof of[name] === 'number' ? of[name] : 0);
  return {
    inputTokens: count(usage, 'input_tokens'),
    outputTokens: count(usage, 'output_tokens'),
    cachedInputTokens: count(usage['input_token_details'], 'cache_read'),
    reasoningTokens: count(usage['output_token_details'], 'reasoning'),
  };
}
