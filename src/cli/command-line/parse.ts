import {
  Command as Commander,
  Argument as CommanderArgument,
  CommanderError,
  Option as CommanderOption,
} from 'commander';
import { type Environment, nearest, UsageError } from '../../std/index.ts';
import type { AnyCommand, Argument, Option, ValueType } from '../command.ts';
import type { CommonFlags } from '../context.ts';
import { runnerFlag, sameFlag } from './elsewhere.ts';
import { commonOptions, flagNames, longFlag, nameOf, usageOf } from './usage.ts';

export interface Parsed {
  readonly args: Record<string, unknown>;
  readonly flags: CommonFlags;
  /** `-C DIR`, as given. */
  readonly folder: string | undefined;
}

/**
 * Parses the command line. Commander reads the tokens; types, choices and messages are ours.
 * @throws UsageError naming the flag or argument, with what was probably meant
 */
export function parse(name: string, command: AnyCommand, tokens: readonly string[], env: Environment): Parsed {
  const options: Record<string, Option> = { ...commonOptions, ...command.options };
  const dash = tokens.indexOf('--');
  const before = dash === -1 ? tokens : tokens.slice(0, dash);
  const rest = dash === -1 ? [] : tokens.slice(dash + 1);
  const { values, given } = read(name, command, options, before);

  const args: Record<string, unknown> = { rest };
  // Words after `--` are arguments, unless the command passes them through.
  const positional = command.passThrough ? given : [...given, ...rest];
  takeArguments(name, command, positional, args);
  for (const [key, option] of Object.entries(options)) {
    args[key] = optionValue(key, option, values, env);
  }
  const flags: CommonFlags = {
    json: args['json'] === true,
    input: args['input'] !== false && !env['FN_NO_INPUT'],
    debug: args['debug'] === true || Boolean(env['FN_DEBUG']),
    // FN_PROFILE ranks below everything else that names a workspace, so it is read where the workspace is chosen.
    profile: typeof values['profile'] === 'string' ? values['profile'] : undefined,
  };
  return {
    args,
    flags,
    folder: command.options?.['app'] ? undefined : (args['app'] as string | undefined),
  };
}

interface Read {
  readonly values: Record<string, unknown>;
  readonly given: readonly string[];
}

function read(name: string, command: AnyCommand, options: Record<string, Option>, tokens: readonly string[]): Read {
  const commander = new Commander(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpOption(false)
    .showSuggestionAfterError(false)
    .allowExcessArguments(true)
    .addArgument(new CommanderArgument('[arguments...]'));
  for (const [key, option] of Object.entries(options)) commander.addOption(optionOf(key, option));
  try {
    commander.parse(bareLast(tokens, options), { from: 'user' });
  } catch (error) {
    const below = error instanceof CommanderError ? belowZero(error, tokens) : undefined;
    if (below !== undefined) {
      const { values, given } = read(
        name,
        command,
        options,
        tokens.filter((token) => token !== below),
      );
      return { values, given: [...given, below] };
    }
    if (error instanceof CommanderError) throw explain(name, command, error, options, tokens);
    throw error;
  }
  const values = commander.opts<Record<string, unknown>>();
  return { values, given: commander.args };
}

/** `--inspect greet` names a function, not a port: a value that cannot be the flag's number is left to the arguments. */
function bareLast(tokens: readonly string[], options: Record<string, Option>): string[] {
  const counts = Object.values(options).flatMap((option) =>
    option.bare && option.type === 'count' ? flagNames(option) : [],
  );
  const taking = Object.values(options).flatMap((option) => (option.flag.includes('<') ? flagNames(option) : []));
  const isBare = (token: string, at: number) =>
    counts.includes(token) && !taking.includes(tokens[at - 1] ?? '') && !/^[\d-]/.test(tokens[at + 1] ?? '');
  return [...tokens.filter((token, at) => !isBare(token, at)), ...tokens.filter(isBare)];
}

/** `-1h` is not a flag but an invalid value, for which the command has a better message. */
function belowZero({ code, message }: CommanderError, tokens: readonly string[]): string | undefined {
  if (code !== 'commander.unknownOption') return undefined;
  return tokens.find((token) => /^-\d/.test(token) && message.includes(`'${token}'`));
}

function optionOf(key: string, option: Option): CommanderOption {
  const made = new CommanderOption(option.flag);
  // Commander names a value after its flag; we after the key in the command's description.
  made.attributeName = () => key;
  if (option.many) made.argParser((value: string, all: string[] | undefined) => [...(all ?? []), value]);
  return made;
}

/** Translates Commander's errors into our messages. */
function explain(
  name: string,
  command: AnyCommand,
  error: CommanderError,
  options: Record<string, Option>,
  tokens: readonly string[],
): UsageError {
  const help = `See: fn ${name} --help`;
  const flag = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  if (error.code === 'commander.unknownOption') {
    const typed = flag.split('=', 1)[0] ?? flag;
    const known = [...Object.values({ ...command.options, ...options }).flatMap(flagNames), '--help'];
    if (flag.includes('=') && known.includes(typed)) {
      return new UsageError('flag_value_surplus', `${typed} takes no value`, {
        hint: `Write just ${typed}. ${help}`,
      });
    }
    const alike = /^-\w$/.test(typed) ? beginningWith(typed, known) : nearest(typed, known);
    const meant = sameFlag(typed, known) ?? alike;
    const handedOn = `Put Node's flags after --: fn ${name} -- ${runnerFlag(typed)}`;
    return new UsageError('flag_unknown', `fn ${name} has no flag ${typed}`, {
      hint: meant ? `Did you mean ${meant}? ${help}` : command.passThrough ? handedOn : help,
    });
  }
  if (error.code === 'commander.optionMissingArgument') {
    return new UsageError('flag_value_missing', `${flag} needs a value`, { hint: help });
  }
  return new UsageError('usage', `fn ${name} does not understand: ${tokens.join(' ').slice(0, 200)}`, { hint: help });
}

/** A single letter is near every other one, so `-p` suggests the flags that begin with it. */
function beginningWith(letter: string, names: readonly string[]): string | undefined {
  return names.find((name) => name.startsWith(`-${letter}`) && !name.startsWith('--no-'));
}

function takeArguments(
  name: string,
  command: AnyCommand,
  given: readonly string[],
  args: Record<string, unknown>,
): void {
  const specs = Object.entries(command.arguments ?? {});
  let at = 0;
  for (const [key, spec] of specs) {
    if (spec.many) {
      const values = given.slice(at).map((value) => typed(nameOf(key), value, spec));
      at = given.length;
      if (values.length === 0 && !spec.optional) throw missing(name, command, key, spec);
      args[key] = values;
      continue;
    }
    const value = given[at++];
    if (value === undefined && !spec.optional) throw missing(name, command, key, spec);
    args[key] = value === undefined ? undefined : typed(nameOf(key), value, spec);
  }
  const surplus = given[at];
  if (surplus !== undefined) {
    throw new UsageError(
      'argument_surplus',
      `fn ${name} takes no ${specs.length === 0 ? 'arguments' : 'more arguments'}: "${surplus.slice(0, 60)}"`,
      {
        hint: `Usage: ${usageOf(name, command)}`,
      },
    );
  }
}

function missing(name: string, command: AnyCommand, key: string, spec: Argument): UsageError {
  return new UsageError('argument_missing', `fn ${name} needs ${nameOf(key)}: ${lowerFirst(spec.summary)}`, {
    hint: `Usage: ${usageOf(name, command)}`,
  });
}

function optionValue(key: string, option: Option, values: Record<string, unknown>, env: Environment): unknown {
  const long = longFlag(option);
  const takesValue = /[<[]/.test(option.flag);
  const value = values[key];
  if (!takesValue) return long.startsWith('--no-') ? value !== false : value === true;
  if (Array.isArray(value)) return value.map((one) => typed(long, String(one), option));
  if (value === true) return true;
  if (typeof value === 'string') return typed(long, value, option);
  const fromEnv = option.variable ? env[option.variable] : undefined;
  if (fromEnv) {
    const one = typed(option.variable ?? long, fromEnv, option);
    return option.many ? [one] : one;
  }
  return option.many ? [] : undefined;
}

function typed(name: string, value: string, spec: { type?: ValueType; choices?: readonly string[] }): string | number {
  if (spec.choices && !spec.choices.includes(value)) {
    const meant = nearest(value, spec.choices);
    throw new UsageError('value_unknown', `${name} cannot be "${value.slice(0, 60)}"`, {
      hint: `${meant ? `Did you mean ${meant}? ` : ''}It is one of: ${spec.choices.join(', ')}`,
    });
  }
  if (spec.type !== 'number' && spec.type !== 'count') return value;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const wrong = spec.type === 'count' ? !Number.isSafeInteger(number) || number < 0 : !Number.isFinite(number);
  if (wrong) {
    throw new UsageError(
      'value_not_a_number',
      `${name} is "${value.slice(0, 60)}", not ${spec.type === 'count' ? 'a whole number of 0 or more' : 'a number'}`,
      {
        hint: `Give ${name} a number.`,
      },
    );
  }
  return number;
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
