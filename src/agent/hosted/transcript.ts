import { markAnswer, markUser } from '../loop/marks.ts';
import type { AssistantMessage, RunMessage, ToolMessage, UserMessage } from '../types.ts';

const heading = `The conversation so far, one JSON object a line, oldest first: what the customer wrote, what you said and which tools you called, and what those tools answered. Go on after the last line. Do not call again what has an answer here.`;

/**
 * A conversation for an agent that takes texts of its user only, and did not see it. What customers write cannot pass for something else:
 * every line is JSON.
 */
export function toTranscript(messages: readonly RunMessage[]): string {
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user') return textOfUser(only);
  return [heading, ...messages.map((message) => JSON.stringify(toLine(message)))].join('\n');
}

function toLine(message: RunMessage): object {
  switch (message.role) {
    case 'user':
      return { from: 'customer', text: textOfUser(message) };
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ externalId: call, name: tool, rawArguments, arguments: given }) => {
          return { call, tool, arguments: rawArguments ?? given };
        },
      );
      return { from: 'you', text: textOfAnswer(message), ...(calls.length > 0 && { calls }) };
    }
    case 'tool':
      return { from: 'tool', tool: message.name, ...(message.errorCode && { failed: true }), answer: message.content };
  }
}

function textOfUser({ content, author }: UserMessage): string {
  if (typeof content === 'string') return markUser(author) + content;
  const parts = content.map((part) =>
    part.type === 'text' ? part.text : `[Attachment: ${part.name ?? part.mediaType}]`,
  );
  return markUser(author) + parts.join('\n');
}

const textOfAnswer = ({ content, author }: AssistantMessage): string => markAnswer(author) + content;

/** What an agent has not seen of messages that came after its last run: its own answers it knows. */
export function unseenTexts(messages: readonly RunMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return [textOfUser(message)];
    if (message.role !== 'assistant' || (message.author ?? 'aiAgent') === 'aiAgent') return [];
    const mark = message.author === 'flow' ? '[Sent to the customer automatically] ' : '';
    return [mark + textOfAnswer(message)];
  });
}

/** The results of the last answer's calls, if every one of them has one. */
export function lastResults(
  messages: readonly RunMessage[],
): { externalId: string; result: ToolMessage }[] | undefined {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const answer = messages[at];
  if (answer?.role !== 'assistant' || answer.toolCalls === undefined || answer.toolCalls.length === 0) return undefined;
  const results = messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message] : []));
  const found = answer.toolCalls.flatMap(({ id, externalId }) => {
    const result = results.find(({ toolCallId }) => toolCallId === id);
    return result === undefined ? [] : [{ externalId, result }];
  });
  return found.length === answer.toolCalls.length ? found : undefined;
}
