import { isRecord, newId } from '../../std/index.ts';
import { charactersPerToken, countUsage, type TokenUsage } from '../budget/budget.ts';
import type { CallOptions, ModelOutcome } from '../loop/askable-model.ts';
import { markAnswer, markUser } from '../loop/marks.ts';
import type {
  AssistantMessage,
  FinishReason,
  HarnessConfig,
  RunEvent,
  RunLimits,
  RunMessage,
  ToolCall,
  ToolMessage,
  ToolSpec,
  UserMessage,
} from '../types.ts';
import { toClientFailure } from '../vendors/client-failure.ts';
import { closedFetch } from '../vendors/closed-fetch.ts';
import type { AgentsSdk, SdkResponse, Turn } from './sdk.ts';

interface TurnOptions extends CallOptions {
  readonly sdk: AgentsSdk;
  readonly harness: HarnessConfig;
  readonly provider: 'openai' | 'openai-compatible';
  readonly model: string;
  readonly instructions: string;
  readonly items: readonly object[];
  readonly tools: readonly ToolSpec[];
  readonly limits: RunLimits;
}

/** One turn of the SDK's runner, which is one model call. It is left when the answer is whole, before the SDK does anything with it. */
export async function* runTurn(options: TurnOptions): AsyncGenerator<RunEvent, ModelOutcome> {
  const { modelCallId, reserved, signal } = options;
  const leave = new AbortController();
  const room = reserved.outputTokens * charactersPerToken;
  let [text, characters, hasOutput] = ['', 0, false];
  let finishReason: FinishReason | undefined;
  let { model }: { model: string } = reserved;
  let response: SdkResponse | undefined;
  let error: unknown;
  try {
    const turn = await startTurn(options, AbortSignal.any([signal, leave.signal]));
    for await (const { data } of turn) {
      if (data === undefined) continue;
      if (data.type === 'output_text_delta') {
        hasOutput = true;
        const delta = data.delta.slice(0, Math.max(0, room - characters));
        characters += data.delta.length;
        text += delta;
        if (delta !== '') yield { type: 'text.delta', messageId: modelCallId, text: delta };
      } else if (data.type === 'model') {
        characters += countArguments(data.event);
        hasOutput ||= characters > 0;
        finishReason = readFinish(data.event) ?? finishReason;
        model = readModel(data.event) ?? model;
      } else if (data.type === 'response_done') {
        response = data.response;
        break;
      }
      if (characters > room) break;
    }
  } catch (thrown) {
    error = thrown;
  } finally {
    leave.abort();
  }
  const overran = characters > room && response === undefined;
  const broken = response === undefined || error !== undefined;
  const calls = response === undefined ? [] : response.output.flatMap((item) => toCalls(item, modelCallId));
  // A refusal is no delta of a text.
  if (text === '' && response !== undefined) text = textOf(response);
  const answer: AssistantMessage | undefined =
    text === '' && calls.length === 0
      ? undefined
      : { role: 'assistant', id: modelCallId, content: text, ...(calls.length > 0 && { toolCalls: calls }) };
  const whole = calls.length > 0 ? 'toolCalls' : (finishReason ?? 'stop');
  return {
    answer,
    finishReason: overran ? 'length' : signal.aborted ? 'aborted' : broken ? 'error' : whole,
    usage: readUsage(response) ?? (hasOutput ? countUsage(reserved, characters) : undefined),
    model,
    error: broken && !overran ? toClientFailure(error ?? new Error('the answer broke off')) : undefined,
    hasOutput: hasOutput || response !== undefined,
    overran,
  };
}

async function startTurn(options: TurnOptions, signal: AbortSignal): Promise<Turn> {
  const { sdk, harness, provider, model, instructions, items, tools, limits, reserved } = options;
  const client = new sdk.OpenAI({
    // Whatever is left out here is taken from the environment, which belongs to somebody else.
    apiKey: harness.apiKey ?? 'none',
    baseURL: harness.baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    webhookSecret: null,
    // A try is a model call of its own in the record.
    maxRetries: 0,
    logLevel: 'off',
    fetch: closedFetch(limits, harness.apiKey === undefined ? {} : { authorization: `Bearer ${harness.apiKey}` }),
  });
  const modelProvider = new sdk.OpenAIProvider({ openAIClient: client, useResponses: provider === 'openai' });
  const runner = new sdk.Runner({ modelProvider, tracingDisabled: true, traceIncludeSensitiveData: false });
  const agent = new sdk.Agent({
    name: harness.name,
    instructions,
    model,
    modelSettings: { maxTokens: reserved.outputTokens, store: false },
    tools: tools.map(({ name, description, input }) =>
      sdk.tool({
        name,
        description,
        parameters: { properties: {}, required: [], additionalProperties: true, ...input },
        strict: false,
        needsApproval: async () => true,
        execute: async () => '',
      }),
    ),
  });
  const turn = await runner.run(agent, items, { stream: true, maxTurns: 1, signal });
  // What becomes of it after the answer is not waited for.
  turn.completed.catch(() => {});
  return turn;
}

/** Characters of arguments of calls, of either API. */
function countArguments(event: unknown): number {
  if (!isRecord(event)) return 0;
  const { type, delta } = event;
  if (type === 'response.function_call_arguments.delta') return String(delta).length;
  const [choice] = Array.isArray(event['choices']) ? event['choices'] : [];
  const calls: unknown = isRecord(choice) && isRecord(choice['delta']) ? choice['delta']['tool_calls'] : undefined;
  if (!Array.isArray(calls)) return 0;
  return calls.reduce((sum: number, call) => sum + String(call?.function?.arguments ?? '').length, 0);
}

function readFinish(event: unknown): FinishReason | undefined {
  if (!isRecord(event)) return undefined;
  const [choice] = Array.isArray(event['choices']) ? event['choices'] : [];
  const response = isRecord(event['response']) ? event['response'] : {};
  const details = isRecord(response['incomplete_details']) ? response['incomplete_details'] : {};
  switch (isRecord(choice) ? choice['finish_reason'] : details['reason']) {
    case 'length':
    case 'max_output_tokens':
      return 'length';
    case 'content_filter':
      return 'filter';
    default:
      return undefined;
  }
}

function readModel(event: unknown): string | undefined {
  if (!isRecord(event)) return undefined;
  const { model } = isRecord(event['response']) ? event['response'] : event;
  return typeof model === 'string' && model !== '' ? model : undefined;
}

function toCalls(item: SdkResponse['output'][number], modelCallId: string): ToolCall[] {
  if (item.type !== 'function_call') return [];
  const base = { id: newId('tlc'), externalId: item.callId, modelCallId, name: item.name };
  try {
    return [{ ...base, arguments: item.arguments === '' ? {} : JSON.parse(item.arguments) }];
  } catch {
    return [{ ...base, arguments: undefined, rawArguments: item.arguments }];
  }
}

function textOf({ output }: SdkResponse): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content.map(({ text, refusal }) => text ?? refusal ?? '') : []))
    .join('');
}

/** Undefined where the API reported nothing: the SDK says nought. */
function readUsage(response: SdkResponse | undefined): TokenUsage | undefined {
  if (response === undefined) return undefined;
  const { inputTokens, outputTokens, inputTokensDetails, outputTokensDetails } = response.usage;
  if (inputTokens + outputTokens === 0) return undefined;
  const detail = (details: typeof inputTokensDetails, name: string) =>
    [details ?? []].flat().reduce((sum, one) => sum + ((one as Readonly<Record<string, number>>)[name] ?? 0), 0);
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: detail(inputTokensDetails, 'cached_tokens'),
    reasoningTokens: detail(outputTokensDetails, 'reasoning_tokens'),
  };
}

/** A conversation as the SDK takes it. Every call gets a result behind it: one that has none was not carried out. */
export function toItems(messages: readonly RunMessage[]): object[] {
  const results = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.toolCallId, one] as const] : [])));
  return messages.flatMap((message) => {
    if (message.role === 'user') return [toUser(message)];
    return message.role === 'assistant' ? toAnswer(message, results) : [];
  });
}

function toUser({ content, author }: UserMessage): object {
  if (typeof content === 'string') return { type: 'message', role: 'user', content: markUser(author, content) };
  const parts = content.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: markUser(author, part.text) };
    const address = `data:${part.mediaType};base64,${part.data}`;
    if (part.mediaType.startsWith('image/')) return { type: 'input_image', image: address };
    return { type: 'input_file', file: address, filename: part.name ?? 'file' };
  });
  return { type: 'message', role: 'user', content: parts };
}

function toAnswer(
  { content, toolCalls = [], author }: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
): object[] {
  const text = markAnswer(author) + content;
  const said = {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
  const calls = toolCalls.map(({ externalId: callId, name, rawArguments, arguments: given }) => {
    const text = rawArguments ?? JSON.stringify(given ?? {});
    return { type: 'function_call', callId, name, status: 'completed', arguments: text };
  });
  const answers = toolCalls.map(({ id, externalId: callId, name }) => {
    const output = results.get(id)?.content ?? 'This call was not carried out.';
    return { type: 'function_call_result', callId, name, status: 'completed', output };
  });
  return [...(content === '' ? [] : [said]), ...calls, ...answers];
}
