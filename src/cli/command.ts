import type { ExitCode } from '../std/index.ts';
import type { KnownValues } from './command-line/completion-values.ts';
import type { Context } from './context.ts';

/**
 * A command: its flags, its sentences, and `run`. It holds no rule of the product: parse → call → print.
 * Make one with `defineCommand`, which infers the type of `args` from `arguments` and `options`.
 *
 * ```ts
 * export const add = defineCommand({
 *   arguments: { days: { summary: 'Days in the pack', type: 'number' } },
 *   options: { name: { flag: '--name <text>', summary: 'Name of the pack' } },
 *   examples: [{ line: 'fn pack add 10 --name spring', does: 'adds ten days' }],
 *   json: 'The pack: {id, name, days, daysLeft, createdAt}',
 *   async run({ io, door }, args) {
 *     const pack = await (await door())('packs.add', { days: args.days, name: args.name });
 *     io.result(pack, () => `${pack.days} days added`);
 *   },
 * });
 * ```
 * Its name, group and one-line summary are in the list in `commands.ts`.
 */
export interface Command<A extends Arguments = Arguments, O extends Options = Options> {
  /** Paragraphs of `--help` below the summary, separated by an empty line. */
  readonly description?: string;
  /** Positional arguments, in order. The key is the name in `args`. */
  readonly arguments?: A;
  /** The key is the name in `args`. The common flags (`--json`, `--no-input`, `--debug`, `--profile`, `-C`) need no entry. */
  readonly options?: O;
  /** Example lines; a test runs the ones marked `runs`. */
  readonly examples?: readonly Example[];
  /** What `--json` prints, in one or two lines. Fields are only ever added. */
  readonly json?: string;
  /** Environment variables that only this command reads. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Topics of `fn docs` worth reading next. */
  readonly see?: readonly string[];
  /** Everything after the arguments is passed through unchanged (`fn test -- --watch`). */
  readonly passThrough?: boolean;
  /** Values to complete for an argument or option: no network, under 100 ms. */
  readonly complete?: Readonly<
    Record<string, KnownValues | ((context: Context, line: LineSoFar) => Promise<Completed>)>
  >;
  /**
   * @returns nothing for 0, or another exit code if everything has been printed (3, 5, 10)
   * @throws FnError for everything that a person should read; any other error is a bug in `fn`
   */
  run(context: Context, args: ParsedArgs<A, O>): Promise<Ended>;
}

/** A command line that is being completed. */
export interface LineSoFar {
  /** The word under the cursor, as far as it is typed. */
  readonly word: string;
  /** Arguments of the command before it. */
  readonly given: readonly string[];
}

export interface Candidate {
  readonly text: string;
  readonly about: string;
}

/** The candidates; `files` lets the shell complete any file. */
export type Completed = readonly (string | Candidate)[] | 'files';

/** The result of `run`: nothing (0), or another exit code. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands end without a return
export type Ended = ExitCode | undefined | void;

export interface Argument {
  readonly summary: string;
  /** Default: `text`. A wrong value is a usage error that names the argument. */
  readonly type?: ValueType;
  readonly optional?: true;
  /** Any number of values (at least one unless `optional`); only for the last argument. */
  readonly many?: true;
  readonly choices?: readonly string[];
}

export interface Option {
  /** `--open`, `-d, --data <json>`, `--no-minify`. A `<value>` makes it take one. */
  readonly flag: string;
  readonly summary: string;
  /** Type of the value; default: `text`. Flags without a value are booleans. */
  readonly type?: ValueType;
  /** May be repeated; the value is a list. */
  readonly many?: true;
  /** The value is optional; without it the value is `true`. Write `[value]` in the flag. */
  readonly bare?: true;
  readonly choices?: readonly string[];
  /** Read if the flag is not given. */
  readonly variable?: `FN_${string}`;
  /** Not shown in help. */
  readonly hidden?: true;
}

export type ValueType = 'text' | 'number' | 'count';
export type Arguments = Readonly<Record<string, Argument>>;
export type Options = Readonly<Record<string, Option>>;

export interface Example {
  readonly line: string;
  readonly does: string;
  /** Works in an app created by `fn init`, without network; a test runs it. */
  readonly runs?: true;
}

type ValueOf<S extends { type?: ValueType; choices?: readonly string[] }> = S extends { type: 'number' | 'count' }
  ? number
  : S extends { choices: readonly (infer C)[] }
    ? C
    : string;

type ArgumentValue<S extends Argument> = S extends { many: true }
  ? ValueOf<S>[]
  : S extends { optional: true }
    ? ValueOf<S> | undefined
    : ValueOf<S>;

type OptionValue<S extends Option> = S extends { bare: true }
  ? ValueOf<S> | true | undefined
  : S extends { flag: `${string}<${string}` }
    ? S extends { many: true }
      ? ValueOf<S>[]
      : ValueOf<S> | undefined
    : boolean;

/** `rest` contains what followed `--`. If absent, a flag without a value is false, and a `--no-x` flag is true. */
export type ParsedArgs<A extends Arguments, O extends Options> = {
  -readonly [K in keyof A]: ArgumentValue<A[K]>;
} & { -readonly [K in keyof O]: OptionValue<O[K]> } & { rest: readonly string[] };

/** A command with any arguments. */
export type AnyCommand = Omit<Command, 'run'> & {
  run(context: Context, args: never): Promise<Ended>;
};

type None = Readonly<Record<never, never>>;

/** Gives `run` the type of its arguments. */
export function defineCommand<const A extends Arguments = None, const O extends Options = None>(
  command: Command<A, O>,
): Command<A, O> {
  return command;
}
