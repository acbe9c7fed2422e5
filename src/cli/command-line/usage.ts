import type { AnyCommand, Option } from '../command.ts';

/** The flags of every command. */
export const commonOptions = {
  json: { flag: '--json', summary: 'Print JSON on standard output, and errors as JSON on standard error' },
  input: { flag: '--no-input', summary: 'Never prompt; a missing value is an error', variable: 'FN_NO_INPUT' },
  debug: { flag: '--debug', summary: 'Show stack traces', variable: 'FN_DEBUG' },
  profile: { flag: '--profile <name>', summary: 'Profile of the workspace to use', variable: 'FN_PROFILE' },
  app: { flag: '-C, --app <dir>', summary: 'App folder; default: this one' },
} as const satisfies Record<string, Option>;

/** `fn template send TEMPLATE [flags]` */
export function usageOf(name: string, command: AnyCommand): string {
  const parts = Object.entries(command.arguments ?? {}).map(([key, spec]) => {
    const shown = `${nameOf(key)}${spec.many ? '...' : ''}`;
    return spec.optional ? `[${shown}]` : shown;
  });
  const flags = Object.keys(command.options ?? {}).length > 0 ? ['[flags]'] : [];
  return ['fn', name, ...parts, ...flags, ...(command.passThrough ? ['[-- ARGS]'] : [])].join(' ');
}

/** `templateName` → `TEMPLATE-NAME`, for usage and messages. */
export function nameOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase();
}

export function takesValue(option: Option): boolean {
  return /[<[]/.test(option.flag);
}

export function longFlag(option: Option): string {
  return /--[a-zA-Z][\w-]*/.exec(option.flag)?.[0] ?? option.flag.split(' ', 1)[0] ?? option.flag;
}

/** All names of an option: `-d`, `--data`. */
export function flagNames(option: Option): readonly string[] {
  return option.flag.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];
}
