import type { Act, Message, Side } from './conversation.ts';

/** What a line means: something to do, or `quit`, `help`, or what is wrong with it. */
export type ReadLine =
  | { readonly type: 'act'; readonly act: Act }
  | { readonly type: 'quit' | 'help' | 'nothing' }
  | { readonly type: 'wrong'; readonly why: string };

export const deskHelp = [
  ['/allow, /deny [reason]', 'answer the call of a tool that waits'],
  ['/take', 'take the conversation over without a word'],
  ['/back', 'hand it back to the AI'],
  ['/pause', 'pause the AI'],
  ['/close', 'close the conversation'],
  ['/quit', 'end; so does Ctrl-D'],
] as const;

export const customerHelp = [
  ['1, 2, …', 'tap a quick reply'],
  ['/quit', 'end; so does Ctrl-D'],
] as const;

/** Reads a line of a chat. Text that begins with a slash is a command; two slashes send it with one. */
export function readLine(side: Side['type'], line: string, quickReplies: Message['quickReplies']): ReadLine {
  const text = line.trim();
  if (text === '') return { type: 'nothing' };
  if (text.startsWith('/') && !text.startsWith('//')) return commandOf(side, text);
  if (side === 'customer') {
    const tapped = quickReplies.find(({ title }, index) => text === title || text === String(index + 1));
    if (tapped) return { type: 'act', act: { type: 'tap', quickReplyId: tapped.id } };
  }
  return { type: 'act', act: { type: 'say', text: text.startsWith('//') ? text.slice(1) : text } };
}

function commandOf(side: Side['type'], text: string): ReadLine {
  const [, word = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  if (word === 'quit' || word === 'exit') return { type: 'quit' };
  if (word === 'help') return { type: 'help' };
  const done = side === 'desk' ? deskActOf(word, rest) : undefined;
  if (done) return { type: 'act', act: done };
  const known = (side === 'desk' ? deskHelp : customerHelp)
    .map(([name]) => name)
    .filter((name) => name.startsWith('/'));
  return {
    type: 'wrong',
    why: `There is no /${word} here. There are: ${known.join(', ')}; // sends text that begins with /`,
  };
}

function deskActOf(word: string, rest: string): Act | undefined {
  switch (word) {
    case 'allow':
      return { type: 'answer', answer: 'allow' };
    case 'deny':
      return { type: 'answer', answer: 'deny', ...(rest !== '' && { reason: rest }) };
    case 'back':
    case 'take':
    case 'pause':
    case 'close':
      return { type: word };
    default:
      return undefined;
  }
}
