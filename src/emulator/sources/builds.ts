import type { Output } from '../../contract/index.ts';
import type { FnError } from '../../std/index.ts';
import type { FunctionInfo } from './function-source.ts';

type Build = Output<'builds.list'>['items'][number];

/** What became of the source of a function. */
export function buildOf(app: string, { name, type, file, problem, isStale }: FunctionInfo): Build {
  return {
    app,
    function: name,
    type: type ?? null,
    file: file ?? null,
    state: problem === undefined ? 'ready' : isStale === true ? 'stale' : 'failed',
    problem: problem === undefined ? null : problemOf(problem),
  };
}

function problemOf({ code, message, hint, location }: FnError): Build['problem'] {
  return {
    code,
    message,
    hint: hint ?? null,
    file: location?.file ?? null,
    line: location?.line ?? null,
    column: location?.column ?? null,
    text: location?.text ?? null,
  };
}
