import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Door } from '../../contract/index.ts';
import {
  type FailedRun,
  FnError,
  FunctionError,
  framesStart,
  isRecord,
  LimitError,
  MachineError,
  ProjectError,
  placedFrames,
  placeOfFrame,
  type SourceLocation,
  WorkspaceError,
} from '../../std/index.ts';
import type { Io } from '../io.ts';
import { logText } from '../terminal/log-text.ts';

/** Codes for a function that was stopped at a limit. */
const limitCodes = new Set(['function_timeout', 'function_memory', 'result_too_large', 'function_depth']);
/** Codes for a function that failed by itself. */
const failureCodes = new Set(['function_failed', 'function_crashed', 'result_invalid', 'setup_failed']);

/**
 * Turns a function's failure into what its author needs: its log lines, then the error with its position in their own
 * sources. With `--json` the error contains all of it, so that standard error is one document. Any other error is returned
 * unchanged.
 * @param root the app's folder, to show the source line
 */
export async function functionFailure(error: unknown, io: Io, door: Door, root: string): Promise<unknown> {
  if (!(error instanceof WorkspaceError)) return error;
  if (error.code === 'function_broken') return brokenSource(error);
  const limit = limitCodes.has(error.code);
  if (!limit && !failureCodes.has(error.code)) return error;
  const stale = error.details?.['stale'] === true;
  const run = { ...(await runOf(error, door)), ...(stale && { stale }) };
  if (!io.json) tell(run, io);
  // If an error comes from a package, the author's line that led there is more useful.
  const top = run.frames.find((frame) => !foreign.test(frame)) ?? run.frames[0];
  const location = top === undefined ? undefined : placeOf(top, root);
  const options = { hint: limit ? limitHint : error.hint, location, run, cause: error };
  const message = error.message;
  const failure: FnError = limit
    ? new LimitError(error.code, message, options)
    : new FunctionError(error.code, message, options);
  return failure;
}

/** Matches frames of packages and of our replacements of Node's modules. */
const foreign = /node_modules\/|(?:\(|at )(?:node|web-package|runtime):/;

/** What a person must know who has just edited a function: it was not what ran. */
export function staleText({ errStyle }: Pick<Io, 'errStyle'>): string {
  return `${errStyle.yellow('stale')} What is in this folder does not build: the last good version ran. To see why: fn build`;
}

function tell({ logs, stale }: FailedRun, io: Io): void {
  if (stale) io.err(staleText(io));
  for (const { level, text } of logs) io.err(logText(io, level, text));
}

/** Logs and stack come with the refusal if the caller may see them, otherwise from the record. */
async function runOf({ details }: WorkspaceError, door: Door): Promise<FailedRun> {
  const id = details?.['invocationId'];
  const invocationId = typeof id === 'string' ? id : undefined;
  const stack = (details?.['error'] as { stack?: unknown } | undefined)?.stack;
  const logs = details?.['logs'];
  if (Array.isArray(logs))
    return { invocationId, logs: logs.filter(isLogLine), ...readStack(isText(stack) ? stack : '') };
  const record =
    invocationId === undefined
      ? undefined
      : await door('invocations.show', { id: invocationId }).catch(() => undefined);
  return { invocationId, logs: record?.logs ?? [], ...readStack(record?.error?.stack ?? '') };
}

/** Codes of failures to load a function that are not its own fault. */
const machineCodes = new Set(['sandbox_unavailable', 'bundler_unavailable', 'bundler_stopped', 'inspect_unavailable']);

/** Source that does not build or load is the project's fault (exit code 2); a sandbox that cannot start is the machine's (1). */
function brokenSource(error: WorkspaceError): FnError {
  const problem = error.details?.['problem'];
  const { code, message, hint, location } = isRecord(problem) ? problem : {};
  const Kind = isText(code) && machineCodes.has(code) ? MachineError : ProjectError;
  // In this process the original error is available, with its causes.
  const run = error.cause instanceof FnError ? error.cause.run : undefined;
  return new Kind(isText(code) ? code : error.code, isText(message) ? message : error.message, {
    hint: isText(hint) ? hint : error.hint,
    location: locationOf(location) ?? error.location,
    run,
    cause: error,
  });
}

function locationOf(value: unknown): SourceLocation | undefined {
  const { file, line, column, text } = isRecord(value) ? value : {};
  if (!isText(file)) return undefined;
  return {
    file,
    ...(isPosition(line) && { line }),
    ...(isPosition(column) && { column }),
    ...(isText(text) && { text }),
  };
}

const isLogLine = (value: unknown): value is FailedRun['logs'][number] =>
  isRecord(value) && isText(value['level']) && isText(value['text']);
const isText = (value: unknown): value is string => typeof value === 'string';
const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const limitHint = 'Limits are set in config.limits of the function and in fn.config.json; "fn docs limits" lists them.';

/** The frames of the error itself, and one line for each cause or nested error. */
function readStack(stack: string): Pick<FailedRun, 'frames' | 'fields' | 'causes'> {
  const [own = '', ...further] = stack.split(/\n(?=(?:caused by|error \d:) )/);
  const fields = fieldsOf(own);
  const causes = further.map((text) => {
    const [place] = framesOf(text).map(placeOfFrame);
    const fields = fieldsOf(text);
    const ends = [framesStart(text), fields === undefined ? -1 : text.indexOf(fieldsBegin)].filter((at) => at >= 0);
    const said = text.slice(0, Math.min(text.length, ...ends));
    const head = place === undefined ? said : `${said} (${place})`;
    return fields ? `${head}\n${fields}` : head;
  });
  return { frames: framesOf(own), ...(fields && { fields }), ...(causes.length > 0 && { causes }) };
}

const fieldsBegin = ' {\n  ';
const fieldsEnd = '\n}';

/** The fields of an error, which follow its stack. */
function fieldsOf(stack: string): string | undefined {
  const begin = stack.indexOf(fieldsBegin);
  if (begin < 0 || !stack.endsWith(fieldsEnd)) return undefined;
  return stack.slice(begin + ' {\n'.length, -fieldsEnd.length);
}

/** The frames of a stack. The error's fields may follow the last one. */
const framesOf = (stack: string): string[] => placedFrames(stack.replaceAll(' {\n', '\n'));

function placeOf(frame: string, root: string): SourceLocation | undefined {
  const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/.exec(placeOfFrame(frame) ?? '') ?? [];
  if (file === '') return undefined;
  const text = sourceLine(join(root, file), Number(line));
  return { file, line: Number(line), column: Number(column), ...(text !== undefined && { text }) };
}

const mostSourceBytes = 16 * 1024 * 1024;

/** The source line, of code files only: the paths in a stack are controlled by the function, or by a remote workspace. */
function sourceLine(file: string, line: number): string | undefined {
  try {
    const source = realpathSync(file);
    const found = statSync(source);
    if (!/\.[cm]?[jt]sx?$/.test(source) || !found.isFile() || found.size > mostSourceBytes) return undefined;
    return readFileSync(source, 'utf8').split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
}
