import type { AnyCommand, Candidate, Completed, Option } from '../command.ts';
import { rows } from '../commands.ts';
import type { Context } from '../context.ts';
import { nextWords } from './command-words.ts';
import { commonOptions, flagNames, longFlag } from './usage.ts';

/**
 * Computes the candidates at the cursor.
 * @param words what was typed after `fn`; the last one is the one under the cursor, perhaps empty
 * @returns `files` to let the shell complete any file
 */
export async function complete(words: readonly string[], context: Context): Promise<readonly Candidate[] | 'files'> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [, flag, value] = /^(--[a-z][\w-]*)=(.*)$/s.exec(current) ?? [];
  if (flag === undefined || value === undefined) return beginningWith(current, await all(before, current, context));
  // `--type=ai` equals `--type ai`. No shell completes a file in the middle of a word, so we do it here.
  const found = beginningWith(value, await valueOfFlag([...before, flag], value, context));
  const values = found === 'files' ? await pathsAt(value, context) : found;
  return values.map(({ text, about }) => ({ text: `${flag}=${text}`, about }));
}

function beginningWith(word: string, found: Completed): readonly Candidate[] | 'files' {
  if (found === 'files') return found;
  return found
    .map((one) => (typeof one === 'string' ? { text: one, about: '' } : one))
    .filter(({ text }) => text.startsWith(word));
}

async function all(before: readonly string[], current: string, context: Context): Promise<Completed> {
  const line = await readLine(before);
  if (line.waiting !== undefined) return await values(line, line.waiting, current, context);
  if (line.command === undefined)
    return line.isOver ? [] : [...commonFlags(line, current), ...(await nextWords(line.spoken))];
  if (line.isOver && line.command.passThrough) return 'files';
  if (current.startsWith('-') && !line.isOver) return flagsOf(line);
  const specs = Object.entries(line.command.arguments ?? {});
  const last = specs.at(-1);
  const [key, spec] = specs[line.given.length] ?? (last?.[1].many ? last : []);
  if (key === undefined || spec === undefined) return [];
  const found = await values(line, { key, choices: spec.choices, isPath: /^files?$/.test(key) }, current, context);
  return spec.many && found !== 'files' ? found.filter((one) => !line.given.includes(textOf(one))) : found;
}

async function valueOfFlag(before: readonly string[], value: string, context: Context): Promise<Completed> {
  const line = await readLine(before);
  return line.waiting === undefined ? [] : await values(line, line.waiting, value, context);
}

/** The parsed line before the cursor. */
interface Line {
  /** The words of a command, or of the beginning of one. */
  readonly spoken: readonly string[];
  readonly command: AnyCommand | undefined;
  readonly options: Readonly<Record<string, Option>>;
  /** Arguments of the command. */
  readonly given: readonly string[];
  /** Keys of the flags that were given. */
  readonly flags: ReadonlySet<string>;
  /** The flag whose value is at the cursor. */
  readonly waiting: Waiting | undefined;
  /** Whether there was a `--`, after which there are no flags. */
  readonly isOver: boolean;
}

interface Waiting {
  readonly key: string;
  readonly choices: readonly string[] | undefined;
  /** A file or a folder. */
  readonly isPath: boolean;
}

async function readLine(words: readonly string[]): Promise<Line> {
  const spoken: string[] = [];
  const given: string[] = [];
  const flags = new Set<string>();
  let command: AnyCommand | undefined;
  let options: Readonly<Record<string, Option>> = commonOptions;
  let waiting: Waiting | undefined;
  let isOver = false;
  for (const word of words) {
    if (waiting !== undefined) waiting = undefined;
    else if (isOver) given.push(word);
    else if (word === '--') isOver = true;
    else if (word.startsWith('-') && word !== '-') {
      const [key, option] =
        Object.entries(options).find(([, one]) => flagNames(one).includes(word.split('=', 1)[0] ?? '')) ?? [];
      if (key === undefined || option === undefined) continue;
      flags.add(key);
      if (option.flag.includes('<') && !word.includes('=')) waiting = waitingFor(key, option);
    } else if (command === undefined) {
      spoken.push(word);
      command = await commandNamed(spoken);
      if (command !== undefined) options = { ...command.options, ...commonOptions, ...command.options };
    } else given.push(word);
  }
  return { spoken, command, options, given, flags, waiting, isOver };
}

async function commandNamed([word, verb, ...others]: readonly string[]): Promise<AnyCommand | undefined> {
  const row = rows.find((one) => one.word === word);
  if (row === undefined || others.length > 0) return undefined;
  if (!('verbs' in row)) return verb === undefined ? await row.load() : undefined;
  return verb !== undefined && row.verbs.includes(verb) ? (await row.load())[verb]?.command : undefined;
}

const waitingFor = (key: string, option: Option): Waiting => ({
  key,
  choices: option.choices,
  isPath: /<(?:file|folder|dir)>/.test(option.flag),
});

function commonFlags(line: Line, current: string): readonly Candidate[] {
  if (!current.startsWith('-')) return [];
  return [...flagsOf(line), ...(line.spoken.length === 0 ? [{ text: '--version', about: 'Print the version' }] : [])];
}

/** The flags that can still be given. */
function flagsOf({ options, flags }: Line): Candidate[] {
  const left = Object.entries(options).filter(([key, option]) => !option.hidden && (option.many || !flags.has(key)));
  return [
    ...left.map(([, option]) => ({ text: longFlag(option), about: option.summary })),
    { text: '--help', about: 'Help for the command' },
  ];
}

async function values(
  line: Line,
  { key, choices, isPath }: Waiting,
  word: string,
  context: Context,
): Promise<Completed> {
  // A file in place of a value is written @FILE, also after a name: body=@FILE.
  const [, name, path] = /^((?:[\w.-]+=)?@)(.*)$/s.exec(word) ?? [];
  if (name !== undefined && path !== undefined)
    return (await pathsAt(path, context)).map(({ text, about }) => ({ text: name + text, about }));
  if (choices !== undefined) return choices;
  const known = line.command?.complete?.[key];
  const lineSoFar = { word, given: line.given };
  if (typeof known === 'function') return await known(context, lineSoFar);
  const kind = known ?? (key === 'profile' ? 'profiles' : undefined);
  if (kind !== undefined) return await (await import('./completion-values.ts')).knownValues[kind](context, lineSoFar);
  return isPath ? 'files' : [];
}

async function pathsAt(path: string, context: Context): Promise<readonly Candidate[]> {
  return (await import('./completion-values.ts')).pathsAt(path, context);
}

const textOf = (one: string | Candidate): string => (typeof one === 'string' ? one : one.text);
