import type { Candidate } from '../command.ts';
import { commands } from '../commands.ts';

/** The words that may follow the first words of a command: `template` → send, list, show, upload. */
export function nextWords(spoken: readonly string[]): Candidate[] {
  const found = new Map<string, string>();
  for (const { name, summary } of commands) {
    const words = name.split(' ');
    const word = words[spoken.length];
    if (word === undefined || !spoken.every((said, i) => words[i] === said)) continue;
    const isGroup = words.length > spoken.length + 1;
    const verbs = commands
      .filter((other) => other.name.startsWith(`${word} `))
      .map((other) => other.name.split(' ')[1]);
    found.set(word, isGroup ? verbs.join(', ') : summary);
  }
  return [...found].map(([text, about]) => ({ text, about }));
}
