import { isRecord, messageOf } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import { messagesOf, reasons, toolsOf } from './ai-sdk.ts';
import type { Framework, FrameworkAgent, FrameworkLeg } from './framework-agent.ts';
import { type AgentPart, toEvents } from './leg-events.ts';

/** What of an agent of Mastra is used; see `Agent` of `@mastra/core/agent`. */
interface MastraAgent {
  getModel(): unknown;
  stream(messages: readonly object[], options: object): Promise<{ readonly fullStream: AsyncIterable<Chunk> }>;
}

interface Chunk {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own, and only what is used is looked at
  readonly payload: any;
}

/**
 * An agent of Mastra. Our tools are its client tools of one call: its loop ends with their calls. Neither memory nor a thread is given to
 * it, because the conversation is kept here.
 * @see https://mastra.ai/reference/streaming/agents/stream
 */
export const mastra: Framework = {
  title: 'an agent of Mastra',
  recognises: ({ stream, generate, getModel, getInstructions }) =>
    [stream, generate, getModel, getInstructions].every((one) => typeof one === 'function'),
  adapt: (agent: MastraAgent): FrameworkAgent => ({ answer: (leg) => toEvents(readStream(agent, leg), leg) }),
};

async function* readStream(agent: MastraAgent, leg: FrameworkLeg): AsyncGenerator<AgentPart, void> {
  const model = await nameOfModel(agent);
  const { fullStream } = await agent.stream(await messagesOf({ ...leg, input: { ...leg.input, instructions: '' } }), {
    clientTools: await toolsOf(leg.input.tools),
    ...(leg.input.instructions !== '' && { system: leg.input.instructions }),
    abortSignal: leg.signal,
  });
  for await (const { type, payload } of fullStream) {
    switch (type) {
      case 'step-start':
        yield { type: 'modelCall', model };
        break;
      case 'text-delta':
        yield { type: 'text', text: String(payload.text) };
        break;
      case 'reasoning-delta':
        yield { type: 'reasoning', text: String(payload.text) };
        break;
      case 'tool-call':
        yield { type: 'toolCall', id: payload.toolCallId, name: payload.toolName, args: payload.args };
        break;
      case 'tool-result':
        yield { type: 'toolResult', id: payload.toolCallId, result: payload.result };
        break;
      case 'tool-error':
        yield { type: 'toolResult', id: payload.toolCallId, result: `Error: ${messageOf(payload.error)}` };
        break;
      case 'tool-call-approval':
      case 'tool-call-suspended':
        throw new RunFailure(
          'harness_failed',
          `The agent’s own tool ${payload.toolName} waits for an approval, which nobody can give`,
          { hint: 'Make it a tool of the AI agent, which can ask a person, or do without the approval.' },
        );
      case 'step-finish':
        yield {
          type: 'modelCallEnd',
          finishReason: reasons[payload.stepResult?.reason] ?? 'stop',
          usage: usageOf(payload.output?.usage),
        };
        break;
      case 'tripwire':
        throw new RunFailure('harness_failed', `A processor of the agent stops it: ${String(payload?.reason)}`);
      case 'error':
        throw payload.error;
    }
  }
}

/** Of agents whose model depends on the request there is none to name. */
async function nameOfModel(agent: MastraAgent): Promise<string> {
  try {
    const model: unknown = await agent.getModel();
    return isRecord(model) && typeof model['modelId'] === 'string' ? model['modelId'] : 'unknown';
  } catch {
    return 'unknown';
  }
}

function usageOf(usage: unknown) {
  if (!isRecord(usage)) return undefined;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0);
  if (count('inputTokens') + count('outputTokens') === 0) return undefined;
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
    reasoningTokens: count('reasoningTokens'),
  };
}
