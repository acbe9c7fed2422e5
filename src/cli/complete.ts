import type { AnyCommand, Option } from './command.ts';
import { commands } from './commands.ts';
import type { Context } from './context.ts';
import { commonOptions, flagNames } from './usage.ts';

export interface Candidate {
  readonly text: string;
  readonly about: string;
}

/**
 * What may stand where the cursor is.
 * @param words what was typed after `fn`; the last one is the one under the cursor, perhaps empty
 */
export async function complete(words: readonly string[], context: Context): Promise<Candidate[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const candidates = await all(before, current, context);
  return candidates.filter(({ text }) => text.startsWith(current));
}

async function all(before: readonly string[], current: string, context: Context): Promise<Candidate[]> {
  const spoken = withoutCommonFlags(before);
  if (spoken === undefined) return []; // the value of -C or --profile
  const entry = commands.find(({ name }) => {
    const words = name.split(' ');
    return words.every((word, i) => spoken[i] === word);
  });
  if (entry === undefined) return nextWords(spoken, current);
  const command = await entry.load();
  const given = spoken.slice(entry.name.split(' ').length);
  if (given.includes('--')) return [];
  const options: Record<string, Option> = { ...command.options, ...commonOptions, ...command.options };
  const waiting = optionWaiting(given, options);
  if (waiting !== undefined) return await values(command, waiting.key, waiting.option.choices, context);
  if (current.startsWith('-')) return flagsOf(options);
  return await argumentValues(command, given, options, context);
}

/** The words of the line that are not common flags; undefined when the cursor stands at the value of one. */
function withoutCommonFlags(words: readonly string[]): string[] | undefined {
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (rest.length === 0 && (word === '-C' || word === '--app' || word === '--profile')) {
      if (i === words.length - 1) return undefined;
      i++;
    } else if (rest.length > 0 || !word.startsWith('-')) {
      rest.push(word);
    }
  }
  return rest;
}

function nextWords(spoken: readonly string[], current: string): Candidate[] {
  if (spoken.length === 0 && current.startsWith('-'))
    return [...flagsOf(commonOptions), { text: '--version', about: 'Print the version' }];
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

function flagsOf(options: Readonly<Record<string, Option>>): Candidate[] {
  const flags = Object.values(options)
    .filter((option) => !option.hidden)

    .flatMap((option) =>
      flagNames(option)
        .filter((text) => text.startsWith('--'))
        .map((text) => ({ text, about: option.summary })),
    );
  return [...flags, { text: '--help', about: 'Everything about the command' }];
}

function optionWaiting(given: readonly string[], options: Readonly<Record<string, Option>>) {
  const last = given.at(-1);
  if (last === undefined || !last.startsWith('-') || last.includes('=')) return undefined;
  for (const [key, option] of Object.entries(options)) {
    if (flagNames(option).includes(last) && option.flag.includes('<')) return { key, option };
  }
  return undefined;
}

async function argumentValues(
  command: AnyCommand,
  given: readonly string[],
  options: Readonly<Record<string, Option>>,
  context: Context,
) {
  let place = 0;
  for (const [i, word] of given.entries()) {
    if (word.startsWith('-')) continue;
    if (optionWaiting(given.slice(0, i), options) === undefined) place++;
  }
  const specs = Object.entries(command.arguments ?? {});
  const last = specs.at(-1);
  const [key, spec] = specs[place] ?? (last?.[1].many ? last : []);
  return key === undefined ? [] : await values(command, key, spec?.choices, context);
}

async function values(
  command: AnyCommand,
  key: string,
  choices: readonly string[] | undefined,
  context: Context,
): Promise<Candidate[]> {
  const found = choices ?? (await command.complete?.[key]?.(context)) ?? [];
  return found.map((text) => ({ text, about: '' }));
}
