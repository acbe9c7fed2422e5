import type { Situation } from './brain.ts';

/** What an agent with a conversation of its own has been told: a text of its user, or a conversation as lines of JSON that it did not see. */
export function readTold(text: string, instructions: string): Situation {
  const [first = '', ...rest] = text.split('\n');
  if (!/^(The conversation so far|What came since)/.test(first)) return { lastUser: text, results: [], instructions };
  const lines = rest.map((line) => JSON.parse(line) as { from: string; text?: string; answer?: string });
  // A note is something to go on with, too.
  const at = lines.findLastIndex(({ from }) => from === 'customer' || from === 'note');
  const results = lines.slice(at + 1).flatMap(({ answer }) => answer ?? []);
  return { lastUser: lines[at]?.text ?? '', results, instructions };
}
