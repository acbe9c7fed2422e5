import { isRecord } from '../../std/index.ts';
import { markAnswer, markUser } from '../loop/marks.ts';
import type { AssistantMessage, RunMessage, ToolMessage, UserMessage } from '../types.ts';
import type { Framework, FrameworkAgent, FrameworkLeg } from './framework-agent.ts';
import { type GraphStream, readGraph } from './graph-stream.ts';
import { toEvents } from './leg-events.ts';
import { waitForEnd } from './made-agent.ts';

/** What of an agent of `createAgent`, or of a graph, is used. */
interface Runnable {
  stream(input: object, options: object): Promise<GraphStream>;
}

interface CreatedAgent extends Runnable {
  readonly options: {
    readonly tools?: unknown;
    readonly middleware?: readonly object[] | undefined;
    readonly [name: string]: unknown;
  };
  readonly constructor: new (options: object) => Runnable;
}

/**
 * An agent of LangChain's `createAgent`, or a compiled graph of LangGraph whose state has `messages`. An agent is made once more with its own
 * settings and our tools, which its loop never executes; a graph has the tools that it was built with, so a
 * function builds it anew.
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
        : 'A graph of LangGraph has the tools that it was built with. Export a function that builds it, ({ tools }) => …, and it gets those of the AI agent, too.',
      answer: (leg) => toEvents(readGraph(open(canTakeTools ? withTools(agent, leg) : agent, leg), leg), leg),
    };
  },
};

const isCreated = (agent: object): agent is CreatedAgent =>
  'graph' in agent && 'options' in agent && isRecord(agent.options) && Array.isArray(agent.options['tools'] ?? []);

function withTools(agent: CreatedAgent, { input, signal }: FrameworkLeg): Runnable {
  const { options } = agent;
  const names = input.tools.map(({ name }) => name);
  const own = ((options.tools ?? []) as readonly { readonly name?: string }[]).filter(({ name = '' }) => {
    return !names.includes(name);
  });
  const ours = input.tools.map(({ name, description, input: parameters }) => {
    return { type: 'function', function: { name, description, parameters } };
  });
  const middleware = {
    name: 'tools-of-the-ai-agent',
    // The leg ends with these calls; until then they wait.
    wrapToolCall(request: { readonly toolCall: { readonly name: string } }, handler: (request: object) => unknown) {
      if (!names.includes(request.toolCall.name)) return handler(request);
      return waitForEnd(signal);
    },
  };
  return new agent.constructor({
    ...options,
    tools: [...own, ...ours],
    middleware: [...(options.middleware ?? []), middleware],
  });
}

/** Begins the stream of a run. */
const open = (agent: Runnable, leg: FrameworkLeg) => (callbacks: object) =>
  agent.stream(
    { messages: messagesOf(leg) },
    { streamMode: ['messages', 'updates'], signal: leg.signal, callbacks: [callbacks] },
  );

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
