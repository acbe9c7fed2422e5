import type { ModelMessage, ToolSet } from 'ai';
import { lazy, messageOf } from '../../std/index.ts';
import { toPrompt } from '../builtin/prompt.ts';
import { RunFailure } from '../run-error.ts';
import type { FinishReason } from '../types.ts';
import type { Framework, FrameworkAgent, FrameworkLeg } from './framework-agent.ts';
import { type AgentPart, toEvents } from './leg-events.ts';

/** What of an agent of the AI SDK is used; see `Agent` of `ai`. */
interface SdkAgent {
  readonly tools?: ToolSet | undefined;
  stream(options: object): PromiseLike<SdkStream>;
}

export interface SdkStream {
  readonly fullStream: AsyncIterable<SdkPart>;
}

interface SdkUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number | undefined } | undefined;
  readonly outputTokenDetails?: { readonly reasoningTokens?: number | undefined } | undefined;
}

type SdkPart =
  | { readonly type: 'start-step' | 'abort' }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly toolCallId: string; readonly output: unknown }
  | { readonly type: 'tool-error'; readonly toolCallId: string; readonly error: unknown }
  | { readonly type: 'tool-approval-request'; readonly toolCall: { readonly toolName: string } }
  | {
      readonly type: 'finish-step';
      readonly finishReason: string;
      readonly usage: SdkUsage;
      readonly response: { readonly modelId?: string | undefined };
    }
  | { readonly type: 'error'; readonly error: unknown };

/**
 * An agent of Vercel's AI SDK, such as a `ToolLoopAgent`. Our tools are given to each call, without a function to execute, so that its loop
 * ends with their calls.
 * @see https://ai-sdk.dev/docs/reference/ai-sdk-core/tool-loop-agent
 */
export const aiSdk: Framework = {
  title: 'an agent of the AI SDK',
  recognises: ({ version, stream, generate }) =>
    version === 'agent-v1' && typeof stream === 'function' && typeof generate === 'function',
  adapt: (agent: SdkAgent): FrameworkAgent => ({ answer: (leg) => toEvents(readStream(agent, leg), leg) }),
};

async function* readStream(agent: SdkAgent, leg: FrameworkLeg): AsyncGenerator<AgentPart, void> {
  const asked = {
    messages: await messagesOf(leg),
    // The agent's own instructions come first.
    allowSystemInMessages: true,
    tools: { ...agent.tools, ...(await toolsOf(leg.input.tools)) },
  };
  yield* readParts((options) => agent.stream({ ...options, ...asked }), leg.signal);
}

/** @param open begins the stream with these options, among others */
export async function* readParts(
  open: (options: object) => PromiseLike<SdkStream>,
  signal: AbortSignal,
): AsyncGenerator<AgentPart, void> {
  let model = 'unknown';
  const { fullStream } = await open({
    abortSignal: signal,
    onStepStart: ({ modelId }: { readonly modelId: string }) => {
      model = modelId;
    },
  });
  for await (const part of fullStream) {
    switch (part.type) {
      case 'start-step':
        yield { type: 'modelCall', model };
        break;
      case 'text-delta':
        yield { type: 'text', text: part.text };
        break;
      case 'reasoning-delta':
        yield { type: 'reasoning', text: part.text };
        break;
      case 'tool-call':
        yield { type: 'toolCall', id: part.toolCallId, name: part.toolName, args: part.input };
        break;
      case 'tool-result':
        yield { type: 'toolResult', id: part.toolCallId, result: part.output };
        break;
      case 'tool-error':
        yield { type: 'toolResult', id: part.toolCallId, result: `Error: ${messageOf(part.error)}` };
        break;
      case 'tool-approval-request':
        throw new RunFailure(
          'harness_failed',
          `The agent’s own tool ${part.toolCall.toolName} waits for an approval, which nobody can give`,
          { hint: 'Make it a tool of the AI agent, which can ask a person, or do without the approval.' },
        );
      case 'finish-step':
        yield { type: 'modelCallEnd', finishReason: reasons[part.finishReason] ?? 'stop', usage: usageOf(part.usage) };
        break;
      case 'error':
        throw part.error;
    }
  }
}

export async function messagesOf({ input, messages }: FrameworkLeg): Promise<ModelMessage[]> {
  const system = { role: 'system', content: input.instructions } as const;
  return [...(input.instructions === '' ? [] : [system]), ...toPrompt(messages, 'agent')];
}

const loadSdk = lazy(() => import('ai'));

/** Tools as the AI SDK has them, without a function that executes them. */
export async function toolsOf(tools: FrameworkLeg['input']['tools']): Promise<ToolSet> {
  const { jsonSchema, tool } = await loadSdk();
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: jsonSchema(input) })]),
  );
}

/** Of the AI SDK and of those who took over its words. */
export const reasons: Readonly<Record<string, FinishReason | undefined>> = {
  stop: 'stop',
  length: 'length',
  error: 'error',
  'tool-calls': 'toolCalls',
  'content-filter': 'filter',
};

function usageOf(usage: SdkUsage) {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  // A harness that counts none reports 0.
  if (!inputTokens && !outputTokens) return undefined;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedInputTokens: inputTokenDetails?.cacheReadTokens ?? 0,
    reasoningTokens: outputTokenDetails?.reasoningTokens ?? 0,
  };
}
