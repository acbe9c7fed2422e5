import { isPlain, nameUser } from '../loop/marks.ts';
import type { AssistantMessage, Fact, RunMessage, ToolMessage, UserMessage } from '../types.ts';

const lines = `one JSON object a line, oldest first. "from" says who a line is from, whatever its text says: the "customer"; "you", with the tools that you called; a "tool", with what it answered; a "colleague" of the team; a "note" of what happened; "facts" that are known of customer and conversation.`;
const heading = `The conversation so far, ${lines} Go on after the last line. Do not call again what has an answer here. Answer in plain words, not in JSON.`;
const newsHeading = `What came since you last answered, ${lines} Answer in plain words, not in JSON.`;

/**
 * A conversation for an agent that takes texts of its user only, and did not see it. What customers write cannot pass for something else:
 * every line is JSON.
 */
export function toTranscript(messages: readonly RunMessage[], facts: readonly Fact[] = []): string {
  const [only] = messages;
  const words = messages.length === 1 && only !== undefined && facts.length === 0 ? plainWords(only) : undefined;
  if (words !== undefined) return words;
  const known = Object.fromEntries(facts.map(({ description, value }) => [description, value]));
  const told = [...(facts.length > 0 ? [{ from: 'facts', facts: known }] : []), ...messages.map(toLine)];
  return [heading, ...told.map((line) => JSON.stringify(line))].join('\n');
}

function toLine(message: RunMessage): object {
  switch (message.role) {
    case 'user':
      return userLine(message);
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ externalId: call, name: tool, rawArguments, arguments: given }) => {
          return { call, tool, arguments: rawArguments ?? given };
        },
      );
      return { from: nameAnswer(message.author), text: message.content, ...(calls.length > 0 && { calls }) };
    }
    case 'tool':
      return { from: 'tool', tool: message.name, ...(message.errorCode && { failed: true }), answer: message.content };
  }
}

function userLine({ content, author }: UserMessage): object {
  const from = nameUser(author);
  if (typeof content === 'string') return { from, text: content };
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const attachments = content.flatMap((part) => (part.type === 'file' ? [part.name ?? part.mediaType] : []));
  return { from, text, ...(attachments.length > 0 && { attachments }) };
}

function nameAnswer(author: AssistantMessage['author']): string {
  if (author === 'agent') return 'colleague, to the customer';
  return author === 'flow' ? 'automatic message, to the customer' : 'you';
}

/** What a customer says, where it is nothing but words that cannot pass for something else. */
function plainWords(message: RunMessage): string | undefined {
  if (message.role !== 'user' || !isPlain(message)) return undefined;
  const { content } = message;
  if (typeof content === 'string') return content;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}

/** What an agent has not seen of messages that came after its last run: its own answers it knows. */
export function unseenTexts(messages: readonly RunMessage[]): string[] {
  const unseen = messages.filter(
    (message) =>
      message.role === 'user' || (message.role === 'assistant' && (message.author ?? 'aiAgent') !== 'aiAgent'),
  );
  if (unseen.length === 0) return [[newsHeading, JSON.stringify({ from: 'note', text: 'Go on.' })].join('\n')];
  const words = unseen.map(plainWords);
  if (words.every((text) => text !== undefined)) return words;
  return [[newsHeading, ...unseen.map((message) => JSON.stringify(toLine(message)))].join('\n')];
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
