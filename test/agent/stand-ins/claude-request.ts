import type { Situation } from './brain.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body of the Messages API, and what is in it
type Body = any;

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : String(content ?? '');

/**
 * What a request to the Messages API tells: also one of the Claude Agent SDK, which puts words of its own between the messages and has
 * what was said before as a transcript in the first one.
 */
export function readClaudeRequest({ messages, system }: Body): Situation {
  const said: Body[] = messages.filter(({ role }: Body) => role !== 'system').map(withoutReminders);
  const isResult = (m: Body) =>
    m.role === 'user' && m.content.length > 0 && m.content.every((block: Body) => block.type === 'tool_result');
  const at = said.findLastIndex((m) => m.role === 'user' && m.content.length > 0 && !isResult(m));
  // Results come first in the message of a user; what the user says follows them.
  const texts = said[at]?.content.filter((block: Body) => block.type === 'text');
  const before = readTranscript(textOf(texts));
  const results = said
    .slice(at + 1)
    .flatMap((m) => (isResult(m) ? m.content.map((block: Body) => textOf(block.content)) : []));
  return { lastUser: before.lastUser, results: [...before.results, ...results], instructions: textOf(system) };
}

function withoutReminders({ role, content }: Body): Body {
  const blocks: Body[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { role, content: blocks.filter(({ type, text }) => type !== 'text' || !/^\s*<system-reminder>/.test(text)) };
}

function readTranscript(text: string): { readonly lastUser: string; readonly results: string[] } {
  if (!text.startsWith('The conversation until now')) return { lastUser: text, results: [] };
  const lines: Body[] = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const at = lines.findLastIndex(({ from }) => from === 'customer');
  return {
    lastUser: lines[at]?.text ?? '',
    results: lines.slice(at + 1).flatMap(({ from, result }) => (from === 'tool' ? [result] : [])),
  };
}
