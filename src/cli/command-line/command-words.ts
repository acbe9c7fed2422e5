import type { Candidate } from '../command.ts';
import { commandsOf, rows } from '../commands.ts';

/** The words that may follow the first words of a command: `template` → send, list, show, upload. */
export async function nextWords(spoken: readonly string[]): Promise<Candidate[]> {
  const [first, ...others] = spoken;
  if (first === undefined)
    return rows.map((row) => ({ text: row.word, about: 'verbs' in row ? row.verbs.join(', ') : row.summary }));
  const row = rows.find(({ word }) => word === first);
  if (row === undefined || !('verbs' in row) || others.length > 0) return [];
  return (await commandsOf(row)).map(({ name, summary }) => ({ text: name.slice(first.length + 1), about: summary }));
}
