import { isRecord } from '../../std/index.ts';
import { markAnswer, markUser } from '../loop/marks.ts';
import type { AssistantMessage, FinishReason, RunMessage, ToolMessage, UserMessage } from '../types.ts';
import type { Framework, FrameworkAgent, FrameworkLeg } from './framework-agent.ts';
import { type AgentPart, toEvents } from './leg-events.ts';

/** What of an agent of `createAgent`, or of a graph, is used. */
interface Runnable {
  stream(input: object, options: object): Promise<AsyncIterable<readonly [mode: string, data: unknown]>>;
}

interface CreatedAgent extends Runnable {
  readonly options: {
    readonly tools?: unknown;
    readonly middleware?: readonly object[] | undefined;
    readonly [name: string]: unknown;
  };
  readonly constructor: new (options: object) => Runnable;
}

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
 * An agent of LangChain's `createAgent`, or a compiled graph of LangGraph whose state has `messages`. An agent is made once more with its own
 * settings and our tools, which its loop never executes; a graph has the tools that it was built with.
 * @see https://docs.langchain.com/oss/javascript/langchain/agents
 */
export const langchain: Framework = {
  title: 'an agent of LangChain',
  recognises: (agent) =>
    typeof agent['stream'] === 'function' &&
    typeof agent['invoke'] === 'function' &&
    (isCreated(agent) || agent['lg_is_pregel'] === true),
  adapt(agent: Runnable): FrameworkAgent {
    const canTakeTools = isCreated(agent);
    return {
      withoutTools: canTakeTools
        ? undefined
        : 'A graph of LangGraph has the tools that it was built with: those of the AI agent are not given to it.',
      answer: (leg) => toEvents(readStream(canTakeTools ? withTools(agent, leg) : agent, leg), leg),
    };
  },
};

const isCreated = (agent: object): agent is CreatedAgent =>
  'graph' in agent && 'options' in agent && isRecord(agent.options) && Array.isArray(agent.options['tools'] ?? []);

function withTools(agent: CreatedAgent, { input, signal }: FrameworkLeg): Runnable {
  const { options } = agent;
  const names = input.tools.map(({ name }) => name);
  const own = (options.tools ?? []) as readonly unknown[];
  const ours = input.tools.map(({ name, description, input: parameters }) => {
    return { type: 'function', function: { name, description, parameters } };
  });
  const middleware = {
    name: 'tools-of-the-ai-agent',
    // The leg ends with these calls; until then they wait.
    wrapToolCall(request: { readonly toolCall: { readonly name: string } }, handler: (request: object) => unknown) {
      if (!names.includes(request.toolCall.name)) return handler(request);
      const { promise, reject } = Promise.withResolvers();
      signal.addEventListener('abort', () => reject(new Error('The leg has ended')), { once: true });
      return promise;
    },
  };
  return new agent.constructor({
    ...options,
    tools: [...own, ...ours],
    middleware: [...(options.middleware ?? []), middleware],
  });
}

async function* readStream(agent: Runnable, leg: FrameworkLeg): AsyncGenerator<AgentPart, void> {
  const { input, signal } = leg;
  const ours = input.tools.map(({ name }) => name);
  const stream = await agent.stream({ messages: messagesOf(leg) }, { streamMode: ['messages', 'updates'], signal });
  /** Of the model call that is under way. */
  let open: string | undefined;
  /** Calls of the agent's own tools without a result. */
  const running = new Set<string>();
  let [hasText, waits] = [false, false];
  for await (const [mode, data] of stream) {
    if (mode === 'messages') {
      const [message, about] = data as [Message, Readonly<Record<string, unknown>>];
      if (message.type === 'tool' && running.delete(message.tool_call_id ?? '')) {
        yield { type: 'toolResult', id: message.tool_call_id ?? '', result: textOf(message.content) };
      } else if (message.type === 'ai') {
        const model = String(about['ls_model_name'] ?? 'unknown');
        if (open === undefined) {
          yield { type: 'modelCall', model };
          [open, hasText] = [model, false];
        }
        const text = textOf(message.content);
        hasText ||= text !== '';
        yield { type: 'text', text };
      }
    } else {
      for (const message of answersIn(data)) {
        if (open === undefined) yield { type: 'modelCall', model: 'unknown' };
        const text = textOf(message.content);
        if (!hasText && text !== '') yield { type: 'text', text };
        const calls = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
        for (const [i, { id = `${message.id}-${i}`, name = '', args }] of calls.entries()) {
          yield { type: 'toolCall', id, name, args };
          if (ours.includes(name)) waits = true;
          else running.add(id);
        }
        const finishReason = calls.length > 0 ? 'toolCalls' : reasonOf(message);
        yield { type: 'modelCallEnd', finishReason, usage: usageOf(message.usage_metadata) };
        [open, hasText] = [undefined, false];
      }
    }
    if (waits && running.size === 0) return;
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

/** A conversation as LangChain takes it. Every call gets a result behind it: one that has none was not carried out. */
function messagesOf({ input, messages }: FrameworkLeg): object[] {
  const results = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.toolCallId, one] as const] : [])));
  const system = input.instructions === '' ? [] : [{ role: 'system', content: input.instructions }];
  return [...system, ...messages.flatMap((message) => toMessages(message, results))];
}

function toMessages(message: RunMessage, results: ReadonlyMap<string, ToolMessage>): object[] {
  if (message.role === 'user') return [toUser(message)];
  return message.role === 'assistant' ? toAnswer(message, results) : [];
}

function toUser({ content, author }: UserMessage): object {
  if (typeof content === 'string') return { role: 'user', content: markUser(author, content) };
  const parts = content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: markUser(author, part.text) };
    const { mediaType, data, name } = part;
    if (mediaType.startsWith('image/'))
      return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
    const metadata = { filename: name ?? 'file' };
    return { type: 'file', source_type: 'base64', mime_type: mediaType, data, metadata };
  });
  return { role: 'user', content: parts };
}

function toAnswer(
  { content, toolCalls = [], author }: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
): object[] {
  if (content === '' && toolCalls.length === 0) return [];
  const calls = toolCalls.map(({ externalId, name, arguments: args }) => {
    return { id: externalId, name, args: args ?? {}, type: 'tool_call' };
  });
  const answers = toolCalls.map(({ id, externalId, name }) => {
    const text = results.get(id)?.content ?? 'This call was not carried out.';
    return { role: 'tool', tool_call_id: externalId, name, content: text };
  });
  const text = content === '' ? '' : markAnswer(author) + content;
  return [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }, ...answers];
}
