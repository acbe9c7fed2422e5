/**
 * Every error meant for a person: a stable code, what happened, what to do, and the exit code of the process.
 * Anything else that reaches `main` is a bug in `fn`.
 * @see docs/guide/exit-codes.md
 */
export abstract class FnError extends Error {
  /** Exit code of the process when this error ends a command. */
  abstract readonly exitCode: ExitCode;
  /** What `fn dev` waits for before it tries again. */
  readonly retryAfter: 'file-change' | 'pause' | 'never' = 'never';
  /** States the fact in snake_case, e.g. `function_export_missing`. Branch on this, never on the message. */
  readonly code: string;
  /** What to do about it; one or two sentences. */
  readonly hint: string | undefined;
  /** Where it is, when it is somewhere in a file. */
  readonly location: SourceLocation | undefined;
  /** Details of a function's run, if one has failed. */
  readonly run: FailedRun | undefined;

  constructor(code: string, message: string, options: FnErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.location = options.location;
    this.run = options.run;
  }
}

/** What a function did before it failed, for readers who cannot see the terminal. */
export interface FailedRun {
  readonly invocationId: string | undefined;
  readonly logs: readonly { readonly level: string; readonly text: string }[];
  /** Lines of the stack in the author's own sources: `at find (functions/a.js:3:7)`. */
  readonly frames: readonly string[];
  /** The error's own fields besides its message, as text: `code: 'no_price'`. */
  readonly fields?: string;
  /** The error's causes and nested errors: `caused by TypeError: no id (functions/a.js:3:7)`. */
  readonly causes?: readonly string[];
  /** Whether the last good version ran, because what is in the folder does not build. */
  readonly stale?: boolean;
}

export interface FnErrorOptions {
  hint?: string | undefined;
  cause?: unknown;
  location?: SourceLocation | undefined;
  run?: FailedRun | undefined;
}

/** A place in a source file. `line` and `column` count from 1; `text` is the source line itself. */
export interface SourceLocation {
  file: string;
  line?: number;
  column?: number;
  text?: string;
}

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 70 | 130 | 143;

/** Wrong usage: a flag, an argument, a missing value. */
export class UsageError extends FnError {
  readonly exitCode = 2;
}

/** The app on disk is invalid: config, source that does not build, a name, a fixture. */
export class ProjectError extends FnError {
  readonly exitCode = 2;
  override readonly retryAfter = 'file-change';
}

/** Not logged in, token refused, not allowed. */
export class AccessError extends FnError {
  readonly exitCode = 4;
}

/** The developer's own function, tool or test failed. */
export class FunctionError extends FnError {
  readonly exitCode = 5;
  // A process can end because of another function in it.
  override readonly retryAfter = this.code === 'function_crashed' ? 'pause' : 'file-change';
}

/** A limit was reached: time, memory, budget. */
export class LimitError extends FnError {
  readonly exitCode = 6;
}

/** Workspace unreachable or busy after retries, and it is certain that nothing was changed. */
export class UnreachableError extends FnError {
  readonly exitCode = 7;
  override readonly retryAfter = 'pause';
}

/** The request was sent and no answer came: it may or may not have been carried out. */
export class UnknownOutcomeError extends FnError {
  readonly exitCode = 8;
}

/** Somebody else changed it first; nothing was changed. */
export class ConflictError extends FnError {
  readonly exitCode = 9;
}

/** Stopped by Ctrl-C, or a question was refused. */
export class InterruptedError extends FnError {
  readonly exitCode = 130;
}

/** The machine refuses: no permission, full disk, a busy port, a missing native module. */
export class MachineError extends FnError {
  readonly exitCode = 1;
  override readonly retryAfter = 'pause';
}

/** One problem with one field of an input. `path` is a JSON-pointer-like dotted path: `variables.body[0]`. */
export interface FieldProblem {
  path: string;
  message: string;
}

/**
 * A refusal of the workspace, with its reason. It is the same whether the workspace is in this process, behind HTTP, or seen as
 * `SdkError` inside a function.
 */
export class WorkspaceError extends FnError {
  /** HTTP status of the refusal, even if no HTTP was involved. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** Further facts, JSON. */
  readonly details: Record<string, unknown> | undefined;
  /** What is wrong with which field. */
  readonly errors: readonly FieldProblem[] | undefined;
  /** Seconds after which a repeat may help (429 and 503). */
  readonly retryAfterSeconds: number | undefined;
  readonly #nothingChanged: boolean;

  constructor(code: string, status: number, message: string, options: WorkspaceErrorOptions = {}) {
    super(code, message, options);
    this.status = status;
    this.requestId = options.requestId;
    this.details = options.details;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.#nothingChanged = options.nothingChanged === true;
  }

  get exitCode(): ExitCode {
    if (this.#nothingChanged) return 7;
    if (this.status === 401 || this.status === 403) return 4;
    if (this.status === 409 || this.status === 412) return 9;
    if (this.status === 429 || this.status === 503) return 7;
    return 1;
  }
}

export interface WorkspaceErrorOptions extends FnErrorOptions {
  requestId?: string | undefined;
  details?: Record<string, unknown> | undefined;
  errors?: readonly FieldProblem[] | undefined;
  retryAfterSeconds?: number | undefined;
  /** Whether the workspace failed because of a problem of its own and certainly changed nothing. */
  nothingChanged?: boolean | undefined;
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of any thrown value: `ENOENT` and the like, or that of one of our errors. Its causes are not considered. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
