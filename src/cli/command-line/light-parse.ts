import type { Environment } from '../../std/index.ts';
import type { AnyCommand, Argument, Option } from '../command.ts';
import type { Parsed } from './parse.ts';
import { commonOptions, flagNames, longFlag } from './usage.ts';

/**
 * Parses the command line of one-line commands: loading the real parser would take longer than they run. It accepts only valid
 * input; anything else is left to the real parser, which can say what is wrong.
 * @returns undefined when the real parser is needed
 */
export function parseLight(command: AnyCommand, tokens: readonly string[], env: Environment): Parsed | undefined {
  const options: Record<string, Option> = { ...commonOptions, ...command.options };
  const read = readTokens(options, tokens);
  if (read === undefined || command.passThrough) return undefined;
  const { given, values, rest } = read;
  const args: Record<string, unknown> = { rest };

  const positional = [...given, ...rest];
  for (const [key, spec] of Object.entries(command.arguments ?? {})) {
    const taken = spec.many ? positional.splice(0) : positional.splice(0, 1);
    if (taken.length === 0 && !spec.optional) return undefined;
    const typed = taken.map((value) => typedValue(value, spec));
    if (typed.includes(undefined)) return undefined;
    args[key] = spec.many ? typed : typed[0];
  }
  if (positional.length > 0) return undefined;

  for (const [key, option] of Object.entries(options)) {
    const found = values.get(key);
    if (!takesValue(option)) {
      args[key] = longFlag(option).startsWith('--no-') ? found === undefined : found !== undefined;
      continue;
    }
    const fromEnv = option.variable === undefined ? undefined : env[option.variable];
    const texts = found ?? (fromEnv ? [fromEnv] : []);
    const typed = texts.map((text) => typedValue(text, option));
    if (typed.includes(undefined)) return undefined;
    args[key] = option.many ? typed : typed.at(-1);
  }
  const profile = values.get('profile')?.at(-1);
  const flags = {
    json: args['json'] === true,
    input: args['input'] !== false && !env['FN_NO_INPUT'],
    debug: args['debug'] === true || Boolean(env['FN_DEBUG']),
    profile,
  };
  const folder = values.get('app')?.at(-1);
  return { args, flags, folder: command.options?.['app'] ? undefined : folder };
}

interface Read {
  readonly given: string[];
  /** By the option's key; flags without a value have an empty list. */
  readonly values: Map<string, string[]>;
  readonly rest: string[];
}

function readTokens(options: Record<string, Option>, tokens: readonly string[]): Read | undefined {
  const byFlag = new Map<string, [string, Option]>();
  for (const [key, option] of Object.entries(options))
    for (const flag of flagNames(option)) byFlag.set(flag, [key, option]);
  const given: string[] = [];
  const values = new Map<string, string[]>();
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token === '--') return { given, values, rest: tokens.slice(i + 1) };
    if (!token.startsWith('-') || token === '-') {
      given.push(token);
      continue;
    }
    const equals = token.startsWith('--') ? token.indexOf('=') : -1;
    const [key, option] = byFlag.get(equals === -1 ? token : token.slice(0, equals)) ?? [];
    // Bundled short flags, `-tVALUE`, optional values and unknown flags are for the real parser.
    if (key === undefined || option === undefined || option.bare) return undefined;
    const before = values.get(key) ?? [];
    if (!takesValue(option)) {
      if (equals !== -1) return undefined;
      values.set(key, before);
      continue;
    }
    const value = equals === -1 ? tokens[++i] : token.slice(equals + 1);
    if (value === undefined || value === '--') return undefined;
    values.set(key, [...before, value]);
  }
  return { given, values, rest: [] };
}

function takesValue(option: Option): boolean {
  return /[<[]/.test(option.flag);
}

function typedValue(text: string, spec: Option | Argument): string | number | undefined {
  if (spec.choices !== undefined && !spec.choices.includes(text)) return undefined;
  if (spec.type !== 'number' && spec.type !== 'count') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (spec.type === 'count') return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
  return Number.isFinite(number) ? number : undefined;
}
