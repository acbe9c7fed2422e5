import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import { isRecord } from '../../std/index.ts';
import { markAnswer, markUser } from '../loop/marks.ts';
import type { AssistantMessage, RunMessage, ToolCall, ToolMessage, UserMessage } from '../types.ts';

type Results = ReadonlyMap<string, ToolMessage>;

/**
 * The messages of a run as the model's library takes them. Every tool call gets a result behind it, as providers demand: one that has
 * none was not carried out.
 * @param provider whose own form of its answers is used
 */
export function toPrompt(messages: readonly RunMessage[], provider: string): ModelMessage[] {
  const results: Results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message]] : [])),
  );
  return messages.flatMap((message) => {
    if (message.role === 'user') return [toUser(message)];
    return message.role === 'assistant' ? toAssistant(message, results, provider) : [];
  });
}

function toUser({ content, author }: UserMessage): UserModelMessage {
  if (typeof content === 'string') return { role: 'user', content: markUser(author, content) };
  return {
    role: 'user',
    content: content.map((part) => {
      if (part.type === 'text') return { type: 'text', text: markUser(author, part.text) };
      const { mediaType, data, name } = part;
      return { type: 'file', mediaType, data, ...(name !== undefined && { filename: name }) };
    }),
  };
}

function toAssistant(message: AssistantMessage, results: Results, provider: string): ModelMessage[] {
  const { content, toolCalls = [], author, native } = message;
  const mark = markAnswer(author);
  const answer: AssistantModelMessage = {
    role: 'assistant',
    content:
      native?.provider === provider
        ? (native.content as AssistantModelMessage['content'])
        : [
            ...(content === '' ? [] : [{ type: 'text' as const, text: mark + content }]),
            ...toolCalls.map((call) => ({
              type: 'tool-call' as const,
              toolCallId: call.externalId,
              toolName: call.name,
              input: call.arguments ?? {},
            })),
          ],
  };
  if (answer.content.length === 0) return [];
  if (toolCalls.length === 0) return [answer];
  const tool: ToolModelMessage = {
    role: 'tool',
    content: toolCalls.map((call) => toResult(call, results.get(call.id))),
  };
  return [answer, tool];
}

function toResult(
  call: ToolCall,
  message: ToolMessage | undefined,
): Extract<ToolModelMessage['content'][number], { type: 'tool-result' }> {
  const base = { type: 'tool-result' as const, toolCallId: call.externalId, toolName: call.name };
  if (message === undefined)
    return { ...base, output: { type: 'error-text', value: 'This call was not carried out.' } };
  const type = message.errorCode === undefined ? 'text' : 'error-text';
  return { ...base, output: { type, value: message.content } };
}

/** What a picture costs at most with the providers there are: some 1,600 tokens. */
const charactersOfPicture = 6_400;

/** Characters of everything that is sent, for the estimate of its tokens. */
export function countCharacters(
  instructions: string,
  prompt: readonly ModelMessage[],
  tools: readonly unknown[],
): number {
  const text = JSON.stringify(prompt, (_, value: unknown) => {
    if (!isRecord(value) || value['type'] !== 'file' || typeof value['data'] !== 'string') return value;
    const characters = String(value['mediaType']).startsWith('image/') ? charactersOfPicture : value['data'].length / 4;
    return { ...value, data: ' '.repeat(Math.ceil(characters)) };
  });
  return instructions.length + text.length + JSON.stringify(tools).length;
}
