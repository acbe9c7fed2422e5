import { isPlain, nameUser } from '../loop/marks.ts';
import type { AssistantMessage, ContentPart, RunMessage, UserMessage } from '../types.ts';

/** A part of a message as the Messages API takes it. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'document';
      readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
    };

/** Stands before the lines of a conversation. */
export const transcriptHead =
  'The conversation until now, oldest first, one JSON object a line. "you" is what you said and which tools you called; a "tool" line is what a call came to.';
const transcriptFoot = 'Go on from here as "you": answer, or call a tool. Write no JSON.';

/**
 * A conversation as the one message of a user, because the SDK takes no earlier answers. JSON keeps whoever wrote a line from writing
 * another one. What the customer says first is the message itself, unless
 * it could pass for something else.
 */
export function toFirstMessage(messages: readonly RunMessage[]): Block[] {
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user' && isPlain(only)) return toBlocks(only);
  const files: Block[] = [];
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])));
  const lines = messages.flatMap((message) => {
    if (message.role === 'user') return [userLine(message, files)];
    if (message.role === 'assistant') return answerLines(message, answered);
    const { toolCallId: call, name: tool, content: result } = message;
    return [{ from: 'tool', call, tool, result }];
  });
  const text = [transcriptHead, ...lines.map((line) => JSON.stringify(line)), transcriptFoot].join('\n');
  return [{ type: 'text', text }, ...files];
}

function toBlocks({ content }: UserMessage): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => (part.type === 'text' ? part : toFile(part)));
}

function userLine({ content, author }: UserMessage, files: Block[]): object {
  const from = nameUser(author);
  if (typeof content === 'string') return { from, text: content };
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text;
    files.push({ type: 'text', text: `File ${files.length / 2 + 1}:` }, toFile(part));
    return `[file ${files.length / 2}]`;
  });
  return { from, text: texts.join('\n') };
}

function answerLines(message: AssistantMessage, answered: ReadonlySet<string>): object[] {
  const { content, toolCalls = [], author = 'aiAgent' } = message;
  const calls = toolCalls.map(({ id, name: tool, arguments: given, rawArguments }) => {
    return { call: id, tool, arguments: rawArguments ?? given ?? {} };
  });
  const from = author === 'agent' ? 'colleague, to the customer' : 'you';
  const line = { from, ...(content !== '' && { text: content }), ...(calls.length > 0 && { calls }) };
  const left = toolCalls.filter(({ id }) => !answered.has(id));
  return [
    line,
    ...left.map(({ id, name }) => ({ from: 'tool', call: id, tool: name, result: 'This call was not carried out.' })),
  ];
}

function toFile({ mediaType, data, name }: Extract<ContentPart, { type: 'file' }>): Block {
  const source = { type: 'base64', media_type: mediaType, data } as const;
  if (mediaType.startsWith('image/')) return { type: 'image', source };
  if (mediaType === 'application/pdf') return { type: 'document', source };
  return { type: 'text', text: `[${name ?? 'a file'}, ${mediaType}, which you cannot read]` };
}
