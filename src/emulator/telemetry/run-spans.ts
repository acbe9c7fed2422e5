import type { Output } from '../../contract/index.ts';
import { spanIdOf } from '../../std/index.ts';

type Run = Output<'aiAgentRuns.show'>;
type Value = string | number | readonly string[] | null | undefined;

/** A span as OTLP/JSON has it. Ids are hex, times are nanoseconds as decimal text. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/**
 * The conventions that these spans follow. All of them are still in development.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-agent-spans.md
 */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  error: 'error.type',
  /** Not of the conventions. */
  runId: 'fn.run.id',
  costUsd: 'fn.cost_usd',
} as const;

type Attributes = { readonly [name in keyof typeof names]?: Value };

const internal = 1;
const client = 3;

/** Providers by the names of the conventions. */
const providerNames: Readonly<Record<string, string>> = { 'openai-compatible': 'openai' };

/**
 * The spans of a run that has ended: the run, its model calls below it, and its tool calls below the model call that asked for them. They hold
 * no texts, arguments or results.
 */
export function spansOfRun(run: Run): OtlpSpan[] {
  const { traceId } = run;
  const agent = run.agent ?? run.harness.name;
  const endOfRun = run.endedAt ?? run.createdAt;
  const common = { conversation: run.conversationId, agentName: agent, agentId: run.aiAgentId, runId: run.id };
  const span = (
    id: string,
    name: string,
    kind: number,
    { startedAt, endedAt, parentId, error }: Lifetime,
    attributes: Attributes,
  ): OtlpSpan => ({
    traceId,
    spanId: spanIdOf(id),
    ...(parentId !== undefined && { parentSpanId: spanIdOf(parentId) }),
    name,
    kind,
    startTimeUnixNano: nanosecondsOf(startedAt),
    // Whatever did not end, ended with its run.
    endTimeUnixNano: nanosecondsOf(endedAt ?? endOfRun),
    attributes: toAttributes({ ...attributes, ...common, error }),
    status: error === undefined ? { code: 1 } : { code: 2, message: error },
  });
  const known = new Set(run.modelCalls.map(({ id }) => id));
  return [
    span(
      run.id,
      `invoke_agent ${agent}`,
      internal,
      { startedAt: run.startedAt ?? run.createdAt, endedAt: run.endedAt, error: run.error?.code },
      {
        operation: 'invoke_agent',
        requestModel: run.models.main,
        inputTokens: run.usage.inputTokens,
        outputTokens: run.usage.outputTokens,
        costUsd: run.usage.costUsd,
      },
    ),
    ...run.modelCalls.map((call) =>
      span(
        call.id,
        `chat ${call.model}`,
        client,
        { startedAt: call.startedAt, endedAt: call.endedAt, parentId: run.id, error: call.error?.code },
        {
          operation: 'chat',
          provider: providerNames[call.provider] ?? call.provider,
          requestModel: call.model,
          responseModel: call.model,
          responseId: call.id,
          finishReasons: call.finishReason === null ? null : [call.finishReason],
          inputTokens: call.usage?.inputTokens,
          outputTokens: call.usage?.outputTokens,
          cachedTokens: call.usage?.cachedInputTokens,
          costUsd: call.costUsd,
        },
      ),
    ),
    ...run.toolCalls.map((call) =>
      span(
        call.id,
        `execute_tool ${call.name}`,
        internal,
        {
          startedAt: call.startedAt,
          endedAt: call.endedAt,
          parentId: call.modelCallId !== null && known.has(call.modelCallId) ? call.modelCallId : run.id,
          error: call.status === 'ok' ? undefined : (call.error?.code ?? call.status),
        },
        {
          operation: 'execute_tool',
          toolName: call.name,
          toolCallId: call.id,
          toolType: call.source.type === 'mcp' ? 'extension' : 'function',
        },
      ),
    ),
  ];
}

interface Lifetime {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly parentId?: string;
  readonly error: string | undefined;
}

const nanosecondsOf = (timestamp: string): string => `${Date.parse(timestamp)}000000`;

function toAttributes(given: Attributes): OtlpSpan['attributes'] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    return [{ key: names[name as keyof typeof names], value: toValue(value) }];
  });
}

function toValue(value: NonNullable<Value>): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}
