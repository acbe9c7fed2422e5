import type { ModelMessage, ToolSet } from 'ai';
import { isRecord, lazy, messageOf } from '../../std/index.ts';
import { toTranscript } from '../hosted/transcript.ts';
import { RunFailure } from '../run-error.ts';
import type { RunMessage } from '../types.ts';
import { readParts, type SdkStream, toolsOf } from './ai-sdk.ts';
import type { Framework, FrameworkAgent, FrameworkLeg } from './framework-agent.ts';
import { type AgentPart, toEvents } from './leg-events.ts';

/** What of a `HarnessAgent` of `@ai-sdk/harness` is used. */
interface HarnessAgent {
  readonly settings: Settings;
  readonly constructor: new (settings: Settings) => HarnessAgent;
  createSession(options: object): Promise<Session>;
  stream(options: object): Promise<SdkStream>;
}

interface Session {
  destroy(): Promise<void>;
}

interface ExecutedTool {
  readonly toolCall: { readonly toolCallId: string };
  readonly toolOutput: { readonly output: unknown } | { readonly error: unknown };
}

interface Settings {
  readonly sandbox?: unknown;
  readonly tools?: ToolSet | undefined;
  readonly activeTools?: readonly string[] | undefined;
  readonly instructions?: string | { readonly content: string } | undefined;
}

/**
 * A `HarnessAgent` of Vercel's AI SDK, which runs the program of a vendor (Claude Code, Codex, Pi) in a sandbox of its own. It keeps the
 * conversation in a session, so each leg has a session of its own, which is told the conversation as a text. An agent is made once more
 * with its own settings and our tools, which have no function to execute: its loop ends with their calls.
 * @see https://ai-sdk.dev/docs/ai-sdk-harnesses/harness-agent
 */
export const harnessAgent: Framework = {
  title: 'a HarnessAgent of the AI SDK',
  recognises: ({ createSession, stream, settings }) =>
    typeof createSession === 'function' && typeof stream === 'function' && isRecord(settings),
  adapt(agent: HarnessAgent): FrameworkAgent {
    if (agent.settings.sandbox === undefined) {
      throw new RunFailure('harness_agent_unsupported', 'What the module exports is a HarnessAgent without a sandbox', {
        hint: 'Its adapter needs one: name a provider of sandboxes, such as that of @ai-sdk/sandbox-vercel, in the setting sandbox.',
      });
    }
    return { answer: (leg) => toEvents(readSession(agent, leg), leg) };
  },
};

async function* readSession(given: HarnessAgent, leg: FrameworkLeg): AsyncGenerator<AgentPart, void> {
  const { input, messages, signal } = leg;
  const agent = withTools(given, await toolsOf(input.tools), input.instructions);
  const session = await agent.createSession({ abortSignal: signal });
  const destroy = lazy(() => session.destroy());
  // Its stream need not end when it is told to.
  const leave = () => void destroy().catch(() => {});
  if (signal.aborted) return leave();
  signal.addEventListener('abort', leave, { once: true });
  // Of the agent's own tools: when one of ours is called beside them, nothing else tells of them.
  const results = new Map<string, unknown>();
  const asked = {
    session,
    messages: [toMessage(messages)],
    onToolExecutionEnd: ({ toolCall, toolOutput }: ExecutedTool) => {
      results.set(
        toolCall.toolCallId,
        'error' in toolOutput ? `Error: ${messageOf(toolOutput.error)}` : toolOutput.output,
      );
    },
  };
  try {
    for await (const part of readParts((options) => agent.stream({ ...options, ...asked }), signal)) {
      if (part.type === 'toolResult') results.delete(part.id);
      yield part;
    }
    for (const [id, result] of results) yield { type: 'toolResult', id, result };
  } finally {
    signal.removeEventListener('abort', leave);
    await destroy();
  }
}

function withTools({ settings, constructor: Made }: HarnessAgent, tools: ToolSet, instructions: string): HarnessAgent {
  const { tools: own, activeTools: active, instructions: before } = settings;
  const texts = [typeof before === 'object' ? before.content : before, instructions];
  return new Made({
    ...settings,
    tools: { ...own, ...tools },
    ...(active !== undefined && { activeTools: [...active, ...Object.keys(tools)] }),
    instructions: texts.filter(Boolean).join('\n\n'),
  });
}

/** A session takes what its user says: a text, and the pictures in it. */
function toMessage(messages: readonly RunMessage[]): ModelMessage {
  const files = messages.flatMap((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return [];
    return message.content.flatMap((part) => {
      if (part.type === 'text' || !part.mediaType.startsWith('image/')) return [];
      return [{ type: 'file' as const, mediaType: part.mediaType, data: part.data }];
    });
  });
  return { role: 'user', content: [{ type: 'text', text: toTranscript(messages) }, ...files] };
}
