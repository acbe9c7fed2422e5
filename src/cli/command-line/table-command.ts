import { Argument as CommanderArgument, Command as CommanderCommand, Option as CommanderOption } from 'commander';
import { type Environment, nearest, UsageError } from '../../std/index.ts';
import type { Argument, Option } from '../command.ts';
import type { Entry, GroupRow } from '../commands.ts';
import type { CommonFlags } from '../context.ts';
import { nodeTestFlag, sameFlag } from './other-tools.ts';
import { readValue } from './read-value.ts';
import { commonOptions, flagNames, longFlag, nameOf, takesValue, usageOf } from './usage.ts';

/** What a command line asks for. */
export type Asked =
  | { readonly kind: 'overview' }
  | { readonly kind: 'version'; readonly json: boolean }
  | { readonly kind: 'group help'; readonly row: GroupRow }
  | { readonly kind: 'command help'; readonly entry: Entry }
  | {
      readonly kind: 'run';
      readonly entry: Entry;
      readonly args: Readonly<Record<string, unknown>>;
      readonly flags: CommonFlags;
      /** `-C DIR`, as given. */
      readonly folder: string | undefined;
    };

/** A command line while commander parses it. */
export interface LineToParse {
  readonly env: Environment;
  /** What follows `--`. */
  readonly rest: readonly string[];
  asked: Asked | undefined;
  /** The first word, if it is no command. */
  unknownWord: string | undefined;
}

/**
 * A command of commander that prints nothing and ends no process. The methods by which commander reports an error (`unknownOption`,
 * `missingArgument`, …) are overridden by ours, which throw a UsageError. They have no types, so a test of each message notices
 * when commander renames one.
 */
export abstract class QuietCommand extends CommanderCommand {
  protected readonly line: LineToParse;

  constructor(word: string, line: LineToParse) {
    super(word);
    this.line = line;
    this.exitOverride().helpCommand(false);
  }

  /** What `--help` asks for here. */
  protected abstract helpAsked(): Asked;

  /** Called for `--help`; commander then leaves by an error of its own. */
  override outputHelp(): void {
    this.line.asked = this.helpAsked();
  }

  optionMissingArgument({ flags }: CommanderOption): never {
    throw new UsageError('flag_value_missing', `${flags} needs a value`, { hint: this.hint() });
  }

  protected hint(): string {
    return `See: fn ${this.name()} --help`;
  }

  protected addOptions(options: Readonly<Record<string, Option>>): void {
    for (const [key, option] of Object.entries(options)) this.addOption(optionOf(key, option));
  }

  /** The values of all flags by their keys. What stands after the command wins over what stands before it. */
  protected givenValues(): Record<string, unknown> {
    const before = this.parent instanceof QuietCommand ? this.parent.givenValues() : {};
    return { ...before, ...this.opts() };
  }
}

/** One command, made of its table when the line names it. */
export class TableCommand extends QuietCommand {
  private readonly load: () => Promise<Entry>;
  private entry!: Entry;

  constructor(word: string, line: LineToParse, load: () => Promise<Entry>) {
    super(word, line);
    this.load = load;
  }

  /** Reads the table: called before this command parses its part of the line. */
  async fill(): Promise<void> {
    this.entry = await this.load();
    const { command } = this.entry;
    this.addOptions({ ...commonOptions, ...command.options });
    for (const [key, argument] of Object.entries(command.arguments ?? {})) this.addArgument(argumentOf(key, argument));
    // `refuseSurplus` says it better.
    this.allowExcessArguments().action(() => this.take());
  }

  protected helpAsked(): Asked {
    return { kind: 'command help', entry: this.entry };
  }

  protected override hint(): string {
    return `See: fn ${this.entry.name} --help`;
  }

  /** Words after `--` are arguments, unless the command passes them through. */
  override parseOptions(tokens: string[]): { operands: string[]; unknown: string[] } {
    const { operands, unknown } = super.parseOptions(this.bareLast(tokens));
    // Commander ends the arguments at the first unknown flag. `-1h` is none, but a value for which the command has a better message.
    const isFlag = (token: string) => /^-[^\d]/.test(token);
    const rest = this.entry.command.passThrough ? [] : this.line.rest;
    return {
      operands: [...operands, ...unknown.filter((token) => !isFlag(token)), ...rest],
      unknown: unknown.filter(isFlag),
    };
  }

  /** `--inspect greet` names a function, not a port: a value that cannot be the flag's number is left to the arguments. */
  private bareLast(tokens: readonly string[]): string[] {
    const options: Option[] = Object.values({ ...commonOptions, ...this.entry.command.options });
    const counts = options.filter(({ bare, type }) => bare && type === 'count').flatMap(flagNames);
    const taking = options.filter(({ flag }) => flag.includes('<')).flatMap(flagNames);
    const isBare = (token: string, at: number) =>
      counts.includes(token) && !taking.includes(tokens[at - 1] ?? '') && !/^[\d-]/.test(tokens[at + 1] ?? '');
    return [...tokens.filter((token, at) => !isBare(token, at)), ...tokens.filter(isBare)];
  }

  unknownOption(token: string): never {
    const { name, command } = this.entry;
    const flag = token.split('=', 1)[0] ?? token;
    const known = [...Object.values({ ...commonOptions, ...command.options }).flatMap(flagNames), '--help'];
    if (token.includes('=') && known.includes(flag))
      throw new UsageError('flag_value_surplus', `${flag} takes no value`, {
        hint: `Write just ${flag}. ${this.hint()}`,
      });
    const meant = sameFlag(flag, known) ?? nearestFlag(flag, known);
    const handedOn = `Put Node's flags after --: fn ${name} -- ${nodeTestFlag(flag)}`;
    throw new UsageError('flag_unknown', `fn ${name} has no flag ${flag}`, {
      hint: meant ? `Did you mean ${meant}? ${this.hint()}` : command.passThrough ? handedOn : this.hint(),
    });
  }

  missingArgument(key: string): never {
    const { name, command } = this.entry;
    const summary = command.arguments?.[key]?.summary ?? '';
    throw new UsageError('argument_missing', `fn ${name} needs ${nameOf(key)}: ${lowerFirst(summary)}`, {
      hint: `Usage: ${usageOf(name, command)}`,
    });
  }

  private refuseSurplus(): void {
    const { name, command } = this.entry;
    const specs = Object.values(command.arguments ?? {});
    const surplus = specs.at(-1)?.many ? undefined : this.args[specs.length];
    if (surplus === undefined) return;
    const none = specs.length === 0 ? 'arguments' : 'more arguments';
    throw new UsageError('argument_surplus', `fn ${name} takes no ${none}: "${surplus.slice(0, 60)}"`, {
      hint: `Usage: ${usageOf(name, command)}`,
    });
  }

  private take(): void {
    this.refuseSurplus();
    const { entry, line } = this;
    const { command } = entry;
    const values = this.givenValues();
    const args: Record<string, unknown> = { rest: line.rest };
    for (const [at, key] of Object.keys(command.arguments ?? {}).entries()) args[key] = this.processedArgs[at];
    const options: Readonly<Record<string, Option>> = { ...commonOptions, ...command.options };
    for (const [key, option] of Object.entries(options)) args[key] = optionValue(option, values[key], line.env);
    line.asked = {
      kind: 'run',
      entry,
      args,
      flags: {
        json: args['json'] === true,
        input: args['input'] !== false && !line.env['FN_NO_INPUT'],
        debug: args['debug'] === true || Boolean(line.env['FN_DEBUG']),
        // FN_PROFILE ranks below everything else that names a workspace, so it is read where the workspace is chosen.
        profile: typeof values['profile'] === 'string' ? values['profile'] : undefined,
      },
      folder: command.options?.['app'] ? undefined : (args['app'] as string | undefined),
    };
  }
}

function argumentOf(key: string, spec: Argument): CommanderArgument {
  const shown = spec.many ? `${key}...` : key;
  const read = (value: string) => readValue(nameOf(key), value, spec);
  return new CommanderArgument(spec.optional ? `[${shown}]` : `<${shown}>`).argParser<unknown>((value, all) =>
    spec.many ? [...((all as unknown[] | undefined) ?? []), read(value)] : read(value),
  );
}

function optionOf(key: string, option: Option): CommanderOption {
  const made = new CommanderOption(option.flag);
  // Commander names a value after its flag; we after the key in the command's table.
  made.attributeName = () => key;
  if (!takesValue(option)) return made;
  const read = (value: string) => readValue(longFlag(option), value, option);
  return made.argParser<unknown>((value, all) =>
    option.many ? [...((all as unknown[] | undefined) ?? []), read(value)] : read(value),
  );
}

/** The value given, or else the one of the option's variable. */
function optionValue(option: Option, given: unknown, env: Environment): unknown {
  if (!takesValue(option)) return longFlag(option).startsWith('--no-') ? given !== false : given === true;
  if (given !== undefined) return given;
  const fromEnv = option.variable ? env[option.variable] : undefined;
  if (!fromEnv) return option.many ? [] : undefined;
  const value = readValue(option.variable ?? '', fromEnv, option);
  return option.many ? [value] : value;
}

/** A single letter is near every other one, so `-p` suggests the flags that begin with it. */
function nearestFlag(flag: string, known: readonly string[]): string | undefined {
  if (!/^-\w$/.test(flag)) return nearest(flag, known);
  return known.find((name) => name.startsWith(`-${flag}`) && !name.startsWith('--no-'));
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
