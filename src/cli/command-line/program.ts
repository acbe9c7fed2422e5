import { CommanderError } from 'commander';
import { type Environment, nearest, UsageError } from '../../std/index.ts';
import type { Option } from '../command.ts';
import { type CommandRow, commandsOf, type GroupRow, rows } from '../commands.ts';
import { otherWords, sameVerb } from './other-tools.ts';
import { type Asked, type LineToParse, QuietCommand, TableCommand } from './table-command.ts';
import { commonOptions, flagNames } from './usage.ts';

/**
 * Parses a command line with commander: the program and its commands are made of the tables in `commands.ts`. Loads the file of the
 * command that the line names, and no other.
 * @param argv the words after `fn`
 * @throws UsageError naming the command, flag or argument, with what was probably meant
 */
export async function parseLine(argv: readonly string[], env: Environment): Promise<Asked> {
  const dash = argv.indexOf('--');
  const line: LineToParse = {
    env,
    rest: dash === -1 ? [] : argv.slice(dash + 1),
    asked: undefined,
    unknownWord: undefined,
  };
  try {
    await new Program(line, argv).parseAsync(dash === -1 ? argv : argv.slice(0, dash), { from: 'user' });
  } catch (thrown) {
    // Commander leaves by an error after help.
    if (!(thrown instanceof CommanderError) || line.asked === undefined) throw thrown;
  }
  if (line.unknownWord !== undefined) throw await unknownCommand(line.unknownWord);
  if (line.asked === undefined) throw new Error(`nothing was done for: fn ${argv.join(' ')}`);
  return line.asked;
}

const help: Option = { flag: '-h, --help', summary: 'Help' };
const version: Option = { flag: '-V, --version', summary: 'Print the version' };
/** Many tools have this letter for it. */
const versionAlso: Option = { flag: '-v', summary: 'Print the version' };

/** What has commands below it: `fn` itself, and `fn template`. The common flags may stand before their words. */
abstract class Parent extends QuietCommand {
  /** The words of the line up to here: `fn template`. */
  protected get spoken(): string {
    return this.parent === null ? 'fn' : `fn ${this.name()}`;
  }

  constructor(word: string, line: LineToParse) {
    super(word, line);
    this.enablePositionalOptions();
    this.hook('preSubcommand', async (_, below) => {
      if (below instanceof TableCommand || below instanceof Group) await below.fill();
    });
  }

  /** `fn --help template` is `fn template --help`. The help of a command that does not exist is an unknown command. */
  override parseOptions(tokens: string[]): { operands: string[]; unknown: string[] } {
    const { operands, unknown } = super.parseOptions(tokens);
    const [word] = operands;
    const isKnown = word === undefined || this.commands.some((below) => below.name() === word);
    return { operands, unknown: this.opts()['help'] === true && isKnown ? [...unknown, '--help'] : unknown };
  }

  unknownOption(token: string): never {
    const flag = token.split('=', 1)[0] ?? token;
    const known = Object.values({ ...commonOptions, help, version }).flatMap(flagNames);
    const meant = flag.startsWith('--') ? nearest(flag, known) : undefined;
    const after = `A command’s flags go after the command. ${this.hint()}`;
    throw new UsageError('flag_unknown', `${this.spoken} has no flag ${flag}`, {
      hint: otherWords.get(flag) ?? (meant === undefined ? after : `Did you mean ${meant}?`),
    });
  }
}

class Program extends Parent {
  private readonly argv: readonly string[];

  constructor(line: LineToParse, argv: readonly string[]) {
    super('fn', line);
    this.argv = argv;
    this.addOptions({ ...commonOptions, help, version, versionAlso });
    for (const row of rows) this.addCommand('verbs' in row ? new Group(row, line) : single(row, line));
  }

  protected helpAsked(): Asked {
    return { kind: 'overview' };
  }

  protected override hint(): string {
    return 'See: fn help';
  }

  /** The version is asked for by a flag or the word, without a command. */
  override parseOptions(tokens: string[]): { operands: string[]; unknown: string[] } {
    const { operands, unknown } = super.parseOptions(tokens);
    const { version, versionAlso } = this.opts();
    if (operands.length === 1 && operands[0] === 'version') {
      this.setOptionValue('version', true);
      return { operands: [], unknown };
    }
    if (operands.length > 0 && version) this.unknownOption('--version');
    if (operands.length > 0 && versionAlso) this.unknownOption('-v');
    return { operands, unknown };
  }

  /** Commander calls this where the line names no command. */
  override help(): never {
    const { version, versionAlso, json } = this.opts();
    if (version || versionAlso) {
      this.line.asked = { kind: 'version', json: json === true };
      throw new CommanderError(0, 'commander.version', '');
    }
    if (this.argv.length > 0) throw new UsageError('command_missing', 'No command given', { hint: this.hint() });
    return super.help();
  }

  /** Commander ends here, so `parseLine` can look for the word elsewhere first. */
  unknownCommand(): void {
    this.line.unknownWord = this.args[0];
  }
}

/** The refusal of a first word that is no command. Loads the table of operations. */
async function unknownCommand(word: string): Promise<UsageError> {
  const meant = nearest(
    word,
    rows.flatMap((row) => [row.word, ...('verbs' in row ? row.verbs.map((verb) => `${row.word} ${verb}`) : [])]),
  );
  const hint =
    otherWords.get(word) ?? (await operationHint(word)) ?? (meant ? `Did you mean: fn ${meant}` : 'See: fn help');
  return new UsageError('command_unknown', `fn has no command ${quoted(word)}`, { hint });
}

/** For an area of operations without commands: how `fn api` reaches it. */
async function operationHint(area: string): Promise<string | undefined> {
  if (rows.some((row) => `${row.word}s` === area)) return undefined;
  const { operationNames, operationOf } = await import('../../contract/index.ts');
  const names = operationNames.filter((name) => name.startsWith(`${area}.`) && operationOf(name).route !== null);
  const name = names.find((one) => one === `${area}.list`) ?? names[0];
  return name && `There is no command for it; use: fn api ${name}. All operations: fn api --list`;
}

function single(row: CommandRow, line: LineToParse): TableCommand {
  const { word: name, heading, summary } = row;
  return new TableCommand(name, line, async () => ({ name, heading, summary, command: await row.load() }));
}

class Group extends Parent {
  private readonly row: GroupRow;

  constructor(row: GroupRow, line: LineToParse) {
    super(row.word, line);
    this.row = row;
  }

  /** Reads the file of the group: called before it parses its part of the line. */
  async fill(): Promise<void> {
    const { word } = this.row;
    this.addOptions({ ...commonOptions, help });
    for (const entry of await commandsOf(this.row))
      this.addCommand(new TableCommand(entry.name.slice(word.length + 1), this.line, async () => entry));
  }

  protected helpAsked(): Asked {
    return { kind: 'group help', row: this.row };
  }

  protected override hint(): string {
    return `See: fn help ${this.row.word}`;
  }

  /** Commander calls this where the line names no verb. */
  override help(): never {
    const { word, verbs } = this.row;
    throw new UsageError('command_incomplete', `fn ${word} needs one of: ${verbs.join(', ')}`, { hint: this.hint() });
  }

  unknownCommand(): never {
    const { word, verbs } = this.row;
    const [verb = ''] = this.args;
    const same = sameVerb(verb, verbs);
    const meant = same === undefined ? nearest(verb, verbs) : same;
    throw new UsageError('command_unknown', `fn ${word} has no command ${quoted(verb)}`, {
      hint: meant ? `Did you mean: fn ${word} ${meant}` : `It has: ${verbs.join(', ')}`,
    });
  }
}

const quoted = (text: string): string => `"${text.slice(0, 60)}"`;
