import { nearest, UsageError } from '../../std/index.ts';
import { commands, type Entry } from '../commands.ts';
import { elsewhere, sameVerb } from './elsewhere.ts';

/** A command line, parsed as far as possible without knowing the command's own flags. */
export interface Found {
  readonly entry: Entry;
  /** Everything but the words of the command, in order. */
  readonly rest: readonly string[];
}

/** Flags of every command, and whether they take a value. */
const common: Readonly<Record<string, boolean>> = {
  '--json': false,
  '--no-input': false,
  '--debug': false,
  '--help': false,
  '-h': false,
  '--profile': true,
  '--app': true,
  '-C': true,
};

function flagHint(flag: string): string {
  const meant = flag.startsWith('--') ? nearest(flag, [...Object.keys(common), '--version']) : undefined;
  return meant === undefined ? 'A command’s flags go after the command. See: fn help' : `Did you mean ${meant}?`;
}

/**
 * Finds the command of a command line. Common flags may precede its words: `fn --json template list`.
 * @throws UsageError `command_unknown`, `command_incomplete` or `flag_unknown`, with what was probably meant
 */
export function findCommand(argv: readonly string[]): Found {
  const words: string[] = [];
  const places: number[] = [];
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] ?? '';
    if (token === '--') break;
    if (token.startsWith('-') && token !== '-') {
      const flag = token.split('=', 1)[0] ?? token;
      if (words.length === 0 && common[flag] === undefined) {
        throw new UsageError('flag_unknown', `fn has no flag ${flag}`, {
          hint: elsewhere.get(flag) ?? flagHint(flag),
        });
      }
      if (common[flag] === true && !token.includes('=')) i++;
      continue;
    }
    words.push(token);
    places.push(i);
    const name = words.join(' ');
    const entry = commands.find((candidate) => candidate.name === name);
    if (entry) return { entry, rest: argv.filter((_, place) => !places.includes(place)) };
    if (!commands.some((candidate) => candidate.name.startsWith(`${name} `))) break;
  }
  throw unknown(words);
}

/** The commands below a first word: `template` → send, list, show, upload. */
export function below(word: string): readonly Entry[] {
  return commands.filter((candidate) => candidate.name.startsWith(`${word} `));
}

function unknown(words: readonly string[]): UsageError {
  const [first = '', second] = words;
  const group = below(first);
  if (group.length > 0) {
    const verbs = group.map((candidate) => candidate.name.slice(first.length + 1));
    if (second === undefined) {
      return new UsageError('command_incomplete', `fn ${first} needs one of: ${verbs.join(', ')}`, {
        hint: `See: fn help ${first}`,
      });
    }
    const same = sameVerb(second, verbs);
    const meant = same === undefined ? nearest(second, verbs) : same;
    return new UsageError('command_unknown', `fn ${first} has no command ${quoted(second)}`, {
      hint: meant ? `Did you mean: fn ${first} ${meant}` : `It has: ${verbs.join(', ')}`,
    });
  }
  if (first === '') return new UsageError('command_missing', 'No command given', { hint: 'See: fn help' });
  const meant = nearest(first, [...new Set(commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? name]))]);
  return new UsageError('command_unknown', `fn has no command ${quoted(first)}`, {
    hint: elsewhere.get(first) ?? (meant ? `Did you mean: fn ${meant}` : 'See: fn help'),
  });
}

const quoted = (text: string): string => `"${text.slice(0, 60)}"`;

/** The words of a command in a request for help; `send-template` is a separate program. */
export function wordsOf(asked: readonly string[]): readonly string[] {
  return asked.length === 1 && asked[0] === 'send-template' ? ['template', 'send'] : asked;
}

/** For `fn template --help` and `fn help template`: the first word of several commands. */
export function groupAskedFor(argv: readonly string[]): { word: string; entries: readonly Entry[] } | undefined {
  const isHelp = (token: string) => token === '--help' || token === '-h';
  const words = argv.filter((token) => common[token] !== false || isHelp(token));
  const [first = '', second = ''] = words;
  // With --json the command "help" answers.
  const byWord = first === 'help' && argv.length === 2 ? second : '';
  const byFlag = words.length !== 2 ? '' : isHelp(second) ? first : isHelp(first) ? second : '';
  const asked = byWord || byFlag;
  const entries = asked === '' ? [] : below(asked);
  return entries.length > 0 ? { word: asked, entries } : undefined;
}
