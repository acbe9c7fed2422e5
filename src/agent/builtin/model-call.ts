import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  type AssistantModelMessage,
  jsonSchema,
  type Experimental_LanguageModelStreamPart as LanguageModelStreamPart,
  type LanguageModelUsage,
  type ModelMessage,
  type ProviderMetadata,
  experimental_streamLanguageModelCall as streamLanguageModelCall,
  type ToolSet,
  tool,
} from 'ai';
import { newId } from '../../std/index.ts';
import { charactersPerToken, countUsage, type TokenUsage } from '../budget/budget.ts';
import type { CallOptions, ModelOutcome } from '../loop/askable-model.ts';
import type { AssistantMessage, FinishReason, RunEvent, ToolCall, ToolSpec } from '../types.ts';

export interface ModelCall extends CallOptions {
  readonly model: LanguageModelV4;
  readonly instructions: string;
  readonly prompt: ModelMessage[];
  readonly tools: readonly ToolSpec[];
}

/**
 * One try of one model call: text as it comes, and the whole answer at the end. The stream is cut when it grows beyond what was put
 * aside for it, whatever the provider thinks of `maxOutputTokens`.
 */
export async function* callModel(call: ModelCall): AsyncGenerator<RunEvent, ModelOutcome> {
  const { modelCallId, reserved } = call;
  const cut = new AbortController();
  const calls: ToolCall[] = [];
  const native = new NativeAnswer(call.model.provider);
  let [text, characters, hasOutput, overran, isRead] = ['', 0, false, false, false];
  let finish: { reason: FinishReason; usage: LanguageModelUsage } | undefined;
  let { model }: { model: string } = reserved;
  let error: unknown;
  const count = (more: number) => {
    hasOutput = true;
    characters += more;
    overran ||= characters / charactersPerToken > reserved.outputTokens;
  };
  try {
    const { stream } = await streamLanguageModelCall({
      model: call.model,
      instructions: call.instructions,
      messages: call.prompt,
      tools: toToolSet(call.tools),
      maxOutputTokens: reserved.outputTokens,
      abortSignal: AbortSignal.any([call.signal, cut.signal]),
      // What a model thinks stays with us: nothing is kept at the provider.
      providerOptions: { openai: { store: false } },
      _internal: { collectContent: false },
    });
    for await (const part of stream) {
      native.add(part);
      if (part.type === 'text-delta') {
        const room = reserved.outputTokens * charactersPerToken - characters;
        const delta = part.text.slice(0, Math.max(0, room));
        count(part.text.length);
        text += delta;
        if (delta !== '') yield { type: 'text.delta', messageId: modelCallId, text: delta };
      } else if (part.type === 'reasoning-delta') {
        count(part.text.length);
        if (part.text !== '') yield { type: 'reasoning.delta', text: part.text };
      } else if (part.type === 'tool-input-delta') {
        count(part.delta.length);
      } else if (part.type === 'tool-call') {
        hasOutput = true;
        calls.push(toCall(part, modelCallId));
      } else if (part.type === 'model-call-start') {
        for (const warning of part.warnings) {
          yield { type: 'warning', code: 'model_warning', message: describeWarning(warning) };
        }
      } else if (part.type === 'model-call-response-metadata') {
        model = part.modelId ?? model;
      } else if (part.type === 'model-call-end') {
        finish = { reason: toReason(part.finishReason), usage: part.usage };
      } else if (part.type === 'error') {
        error ??= part.error;
      }
      if (overran) break;
    }
    isRead = !overran;
  } catch (thrown) {
    error ??= thrown;
  } finally {
    // Whoever leaves early, the reader of these events included, closes the connection.
    if (!isRead) cut.abort();
  }
  const broken = error !== undefined || finish === undefined || finish.reason === 'error';
  const answer: AssistantMessage | undefined =
    text === '' && calls.length === 0
      ? undefined
      : {
          role: 'assistant',
          id: modelCallId,
          content: text,
          // A call in an answer that broke off may not be whole.
          ...(calls.length > 0 && !broken && { toolCalls: calls }),
          ...(!broken && native.toJson()),
        };
  return {
    answer,
    finishReason: overran ? 'length' : call.signal.aborted ? 'aborted' : broken ? 'error' : (finish?.reason ?? 'error'),
    usage: readUsage(finish?.usage) ?? (hasOutput ? countUsage(reserved, characters) : undefined),
    model,
    error: error ?? (broken && !overran ? new Error('the answer broke off') : undefined),
    hasOutput,
    overran,
  };
}

type Part = LanguageModelStreamPart<ToolSet>;
type Content = Exclude<AssistantModelMessage['content'], string>[number];

/** The answer of a model that reasons as its provider wants it back: it goes on from its own thoughts. */
class NativeAnswer {
  readonly #provider: string;
  readonly #parts: Content[] = [];
  readonly #open = new Map<string, Extract<Content, { type: 'text' | 'reasoning' }>>();
  #hasReasoned = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  add(part: Part): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const open = { type, text: '' } as const;
        this.#hasReasoned ||= type === 'reasoning';
        this.#open.set(part.id, open);
        this.#parts.push(open);
        this.#describe(part.id, part.providerMetadata);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const open = this.#open.get(part.id);
        if (open !== undefined) open.text += part.text;
        this.#describe(part.id, part.providerMetadata);
        break;
      }
      case 'text-end':
      case 'reasoning-end':
        this.#describe(part.id, part.providerMetadata);
        break;
      case 'tool-call': {
        const { toolCallId, toolName, input, providerMetadata } = part;
        const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
        this.#parts.push({ type: 'tool-call', toolCallId, toolName, input, ...options });
      }
    }
  }

  toJson(): Pick<AssistantMessage, 'native'> {
    return this.#hasReasoned ? { native: { provider: this.#provider, content: this.#parts } } : {};
  }

  /** Signatures and encrypted thoughts come with any of the parts; the last one counts. */
  #describe(id: string, metadata: ProviderMetadata | undefined): void {
    const open = this.#open.get(id);
    if (open !== undefined && metadata !== undefined) open.providerOptions = metadata;
  }
}

function describeWarning(warning: Readonly<Record<string, unknown>>): string {
  const { type, feature, message, details } = warning;
  const words = [message, details, feature].find((word) => typeof word === 'string');
  return `${type}: ${words ?? JSON.stringify(warning)}`;
}

/** Without a function to execute, the library hands calls back to us: they run in the gate. */
function toToolSet(tools: readonly ToolSpec[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: jsonSchema(input) })]),
  );
}

function toCall(
  part: { toolCallId: string; toolName: string; input: unknown; invalid?: boolean | undefined },
  modelCallId: string,
): ToolCall {
  const base = { id: newId('tlc'), externalId: part.toolCallId, modelCallId, name: part.toolName };
  // The library leaves the text of arguments that are no JSON as it is.
  if (part.invalid && typeof part.input === 'string') {
    return { ...base, arguments: undefined, rawArguments: part.input };
  }
  return { ...base, arguments: part.input };
}

function toReason(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'error':
      return reason;
    case 'tool-calls':
      return 'toolCalls';
    case 'content-filter':
      return 'filter';
    case 'interrupted':
      return 'error';
    default:
      return 'stop';
  }
}

function readUsage(usage: LanguageModelUsage | undefined): TokenUsage | undefined {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens ?? 0,
  };
}
