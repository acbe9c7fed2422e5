import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { jsonSchema, type LanguageModelUsage, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import { isRecord, newId } from '../../std/index.ts';
import { charactersPerToken, type Reservation, type TokenUsage } from '../budget/budget.ts';
import type { AssistantMessage, FinishReason, RunEvent, ToolCall, ToolSpec } from '../types.ts';

export interface ModelCall {
  readonly modelCallId: string;
  readonly model: LanguageModelV4;
  readonly instructions: string;
  readonly prompt: ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly reserved: Reservation;
  readonly signal: AbortSignal;
}

/** What came of one try. */
export interface ModelOutcome {
  readonly answer: AssistantMessage | undefined;
  readonly finishReason: FinishReason;
  /** As reported; where nothing was reported, as counted. Undefined when nothing was spent. */
  readonly usage: TokenUsage | undefined;
  /** As the provider reports it. */
  readonly model: string;
  /** What was thrown. */
  readonly error: unknown;
  /** After the first output no other model may begin again. */
  readonly hasOutput: boolean;
  /** Whether the answer was cut because it grew beyond what was put aside. */
  readonly overran: boolean;
}

/**
 * One try of one model call: text as it comes, and the whole answer at the end. The stream is cut when it grows beyond what was put
 * aside for it, whatever the provider thinks of `maxOutputTokens`.
 */
export async function* callModel(call: ModelCall): AsyncGenerator<RunEvent, ModelOutcome> {
  const { modelCallId, reserved } = call;
  const cut = new AbortController();
  const warnings: string[] = [];
  const result = streamText({
    model: withoutWarnings(call.model, warnings),
    instructions: call.instructions,
    messages: call.prompt,
    tools: toToolSet(call.tools),
    maxOutputTokens: reserved.outputTokens,
    maxRetries: 0,
    abortSignal: AbortSignal.any([call.signal, cut.signal]),
    // What a model thinks stays with us: nothing is kept at the provider.
    providerOptions: { openai: { store: false } },
    onError: () => undefined,
  });
  const calls: ToolCall[] = [];
  let [text, characters, hasOutput, overran, aborted] = ['', 0, false, false, false];
  let finish: { reason: FinishReason; usage: LanguageModelUsage; model: string } | undefined;
  let error: unknown;
  const count = (more: number) => {
    hasOutput = true;
    characters += more;
    if (characters / charactersPerToken <= reserved.outputTokens || overran) return;
    overran = true;
    cut.abort();
  };
  try {
    for await (const part of result.stream) {
      if (overran) break;
      if (part.type === 'text-delta') {
        const room = reserved.outputTokens * charactersPerToken - characters;
        const delta = part.text.slice(0, Math.max(0, room));
        count(part.text.length);
        text += delta;
        if (delta !== '') yield { type: 'text.delta', messageId: modelCallId, text: delta };
      } else if (part.type === 'reasoning-delta') {
        count(part.text.length);
        yield { type: 'reasoning.delta', text: part.text };
      } else if (part.type === 'tool-input-delta') {
        count(part.delta.length);
      } else if (part.type === 'tool-call') {
        hasOutput = true;
        calls.push(toCall(part, modelCallId));
      } else if (part.type === 'finish-step') {
        finish = { reason: toReason(part.finishReason), usage: part.usage, model: part.response.modelId };
      } else if (part.type === 'abort') {
        aborted = true;
      } else if (part.type === 'error') {
        error ??= part.error;
      }
    }
  } catch (thrown) {
    error ??= thrown;
  } finally {
    // Whoever leaves early, the reader of these events included, closes the connection.
    cut.abort();
  }
  for (const message of warnings) yield { type: 'warning', code: 'model_warning', message };
  const broken = error !== undefined || finish === undefined || finish.reason === 'error';
  const native = broken || overran ? undefined : await readNative(result);
  const answer: AssistantMessage | undefined =
    text === '' && calls.length === 0
      ? undefined
      : {
          role: 'assistant',
          id: modelCallId,
          content: text,
          // A call in an answer that broke off may not be whole.
          ...(calls.length > 0 && !broken && { toolCalls: calls }),
          ...(native !== undefined && { native: { provider: call.model.provider, content: native } }),
        };
  const usage = readUsage(finish?.usage) ?? (hasOutput ? countUsage(reserved, characters) : undefined);
  return {
    answer,
    finishReason: overran
      ? 'length'
      : aborted || call.signal.aborted
        ? 'aborted'
        : broken
          ? 'error'
          : (finish?.reason ?? 'error'),
    usage,
    model: finish?.model ?? reserved.model,
    error: error ?? (broken && !overran ? new Error('the answer broke off') : undefined),
    hasOutput,
    overran,
  };
}

/** The library writes warnings to the console, with a switch that is global. Here they become events. */
function withoutWarnings(model: LanguageModelV4, warnings: string[]): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    doStream: async (options: LanguageModelV4CallOptions) => {
      const result = await model.doStream(options);
      const stream = result.stream.pipeThrough(
        new TransformStream({
          transform(part, controller) {
            if (part.type !== 'stream-start') return controller.enqueue(part);
            for (const warning of part.warnings) warnings.push(describeWarning(warning));
            controller.enqueue({ ...part, warnings: [] });
          },
        }),
      );
      return { ...result, stream };
    },
  };
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

/** The answer as the library wants it back, if the model has reasoned: it goes on from its own thoughts. */
async function readNative(result: { responseMessages: PromiseLike<readonly { role: string; content: unknown }[]> }) {
  const messages = await result.responseMessages;
  const parts = messages.find(({ role }) => role === 'assistant')?.content;
  if (!Array.isArray(parts)) return undefined;
  const reasons = parts.some((part) => isRecord(part) && part['type'] === 'reasoning');
  return reasons ? parts : undefined;
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

function countUsage(reserved: Reservation, outputCharacters: number): TokenUsage {
  const outputTokens = Math.min(Math.ceil(outputCharacters / charactersPerToken), reserved.outputTokens);
  return { inputTokens: reserved.inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 };
}
