import {
  type FailedRun,
  FunctionError,
  LimitError,
  placedFrames,
  placeOfFrame,
  type SourceLocation,
} from '../std/index.ts';
import type { ErrorCause, Failure, Program } from './types.ts';

/** Explains to a program's author why it could not be loaded. */
export function loadError(
  program: Program,
  error: Failure,
  location: SourceLocation | undefined,
): FunctionError | LimitError {
  const where = location ? '' : ` (${program.name})`;
  const kind = error.code === 'function_timeout' || error.code === 'function_memory' ? LimitError : FunctionError;
  const isOwn = kind === FunctionError && error.code !== 'function_crashed';
  const sentence = isOwn ? `The module failed while it was loaded: ${error.name}: ${error.message}` : error.message;
  return new kind(error.code === 'function_failed' ? 'function_load_failed' : error.code, sentence + where, {
    cause: error,
    run: runOf(error),
    ...(location && { location }),
  });
}

function runOf(error: Failure): FailedRun {
  const causes = causesOf(error);
  return {
    invocationId: undefined,
    logs: [],
    frames: placedFrames(error.stack ?? ''),
    ...(error.fields !== undefined && { fields: `  ${error.fields}` }),
    ...(causes.length > 0 && { causes }),
  };
}

function causesOf({ cause, errors = [] }: ErrorCause): string[] {
  const told = (label: string, error: ErrorCause) => {
    const [place] = placedFrames(error.stack ?? '').map(placeOfFrame);
    const what = error.name === '' ? error.message : `${error.name}: ${error.message}`;
    const said = `${label} ${what}${place === undefined ? '' : ` (${place})`}`;
    return [error.fields === undefined ? said : `${said}\n  ${error.fields}`, ...causesOf(error)];
  };
  return [
    ...errors.flatMap((one, index) => told(`error ${index + 1}:`, one)),
    ...(cause ? told('caused by', cause) : []),
  ];
}
