import { InterruptedError, isCi, UsageError } from '../../std/index.ts';
import type { CommonFlags } from '../context.ts';
import type { Host } from '../host.ts';
import { sanitise } from './sanitise.ts';
import { wrap } from './width.ts';

/** A question, with the flag and the variable that answer it in advance. */
export interface Question {
  readonly message: string;
  /** `--name <text>` or `NAME`, named in the usage error if asking is not possible. */
  readonly flag: string;
  readonly variable?: `FN_${string}`;
}

/** Prompts on the terminal. Ctrl-C throws an InterruptedError (130). */
export interface Ask {
  /** True if standard input and standard error are terminals that can draw (`TERM` is not `dumb`), `CI` is unset, and neither `--no-input` nor `--json` was given. */
  readonly possible: boolean;
  text(question: Question & { default?: string; check?: (value: string) => true | string }): Promise<string>;
  /** Not echoed. */
  secret(question: Question): Promise<string>;
  choose<T extends string>(question: Question & { choices: readonly Choice<T>[]; default?: T }): Promise<T>;
  /** If asking is not possible: a usage error that names `flag` (usually `--yes`). */
  confirm(question: Question & { default?: boolean }): Promise<boolean>;
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
  readonly description?: string;
}

export function openAsk(host: Host, flags: CommonFlags): Ask {
  const drawn = host.in.isTerminal && host.err.isTerminal && host.env['TERM'] !== 'dumb';
  const possible = drawn && !isCi(host.env) && flags.input && !flags.json;

  /** Loads the prompts only when a question is really asked: that takes longer than most commands. */
  async function asking<T>(
    question: Unasked,
    ask: (prompts: Prompts, settings: PromptSettings) => Promise<T>,
  ): Promise<T> {
    if (!possible) throw unasked(question, host, flags);
    const prompts = await import('@inquirer/prompts');
    const { exitCode } = process;
    try {
      // If standard input ends at a question (Ctrl-D), nothing is left to wait for, and the process ends by itself.
      process.exitCode = 130;
      // Questions are drawn on standard error: standard output is the result.
      return await ask(prompts, { output: process.stderr, signal: host.signal, clearPromptOnDone: false });
    } catch (error) {
      if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')) {
        throw new InterruptedError('question_refused', 'Stopped; nothing was changed', { cause: error });
      }
      throw error;
    } finally {
      process.exitCode = exitCode;
    }
  }

  /** Wraps text, because the prompts break lines within words. Their prefix takes two columns. */
  const wrapped = (text: string): string => wrap(text, Math.max(20, host.err.columns - 2));

  return {
    possible,
    text: (question) =>
      asking(question, (prompts, settings) =>
        prompts.input(
          {
            message: sanitise(question.message),
            ...(question.default === undefined ? {} : { default: question.default }),
            validate: (value) => {
              const fits = question.check?.(value) ?? (value.trim() !== '' || 'It cannot be empty');
              return fits === true || wrapped(fits);
            },
          },
          settings,
        ),
      ),
    secret: (question) =>
      asking(question, (prompts, settings) =>
        prompts.password(
          { message: sanitise(question.message), validate: (value) => value.trim() !== '' || 'It cannot be empty' },
          settings,
        ),
      ),
    choose: (question) =>
      asking({ ...question, values: question.choices.map(({ value }) => value) }, (prompts, settings) =>
        prompts.select(
          {
            message: sanitise(question.message),
            choices: question.choices.map(({ value, name, description }) => ({
              value,
              name: sanitise(name),
              ...(description !== undefined && { description: wrapped(description) }),
            })),
            ...(question.default === undefined ? {} : { default: question.default }),
          },
          settings,
        ),
      ),
    confirm: (question) =>
      asking(question, (prompts, settings) =>
        prompts.confirm({ message: wrapped(sanitise(question.message)), default: question.default ?? false }, settings),
      ),
  };
}

type Prompts = typeof import('@inquirer/prompts');
interface PromptSettings {
  output: NodeJS.WritableStream;
  signal: AbortSignal;
  clearPromptOnDone: boolean;
}

/** A question with the values that its flag accepts, if known. */
type Unasked = Question & { readonly values?: readonly string[] };

function unasked(question: Unasked, host: Host, flags: CommonFlags): UsageError {
  const reason = flags.json
    ? '--json was given'
    : !flags.input
      ? '--no-input was given'
      : isCi(host.env)
        ? 'CI is set'
        : host.in.isTerminal && host.err.isTerminal
          ? 'this terminal cannot show prompts (TERM=dumb)'
          : 'there is no terminal';
  const ways = [`pass ${question.flag}`, ...(question.variable ? [`set ${question.variable}`] : [])].join(' or ');
  const values = question.values ? ` It is one of: ${question.values.map(sanitise).join(', ')}` : '';
  return new UsageError(
    'value_missing',
    `${question.flag} is missing (${sanitise(question.message).replace(/:$/, '')}), and fn cannot ask because ${reason}`,
    { hint: `${ways.charAt(0).toUpperCase()}${ways.slice(1)}.${values}` },
  );
}
