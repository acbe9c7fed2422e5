import { type ErrorCode, errorCodes, refusal } from '../contract/index.ts';
import type { ErrorCause, Failure, FailureCode, SdkErrorShape } from '../sandbox/index.ts';
import { FnError, messageOf, WorkspaceError } from '../std/index.ts';

const asRefusal: Readonly<Record<FailureCode, ErrorCode>> = {
  function_failed: 'function_failed',
  function_timeout: 'function_timeout',
  function_memory: 'function_memory',
  function_crashed: 'function_crashed',
  result_too_large: 'result_too_large',
  result_invalid: 'result_invalid',
  body_too_large: 'body_too_large',
  function_busy: 'function_busy',
  function_cancelled: 'workspace_stopping',
  function_depth: 'function_depth',
  function_export_missing: 'function_broken',
};

/** The code under which a failed invocation is known outside of the sandbox (contract 7). */
export function codeOfFailure({ code, errorCode }: Failure): ErrorCode {
  // The prelude refuses results that are no JSON from inside, as an error of this code.
  if (code === 'function_failed' && errorCode === 'result_invalid') return 'result_invalid';
  return asRefusal[code];
}

/**
 * A failure as it is kept and told: its stack goes on with what caused it and, for an AggregateError, with what it holds, as
 * Node shows them.
 */
export function reasonOf(failure: Failure): { name: string; message: string; stack?: string } {
  const { name, message, stack } = failure;
  const further = furtherStacks(failure).join('\n');
  if (further === '') return { name, message, ...(stack !== undefined && { stack }) };
  return { name, message, stack: `${failureLine(failure)}\n${further}` };
}

function furtherStacks({ cause, errors = [] }: ErrorCause): string[] {
  const shown = (label: string, error: ErrorCause) => [`${label} ${stackOf(error)}`, ...furtherStacks(error)];
  return [
    ...errors.flatMap((error, index) => shown(`error ${index + 1}:`, error)),
    ...(cause ? shown('caused by', cause) : []),
  ];
}

/** Begins with name and message: of some errors the stack was made before the message was. */
function stackOf({ name, message, stack = '' }: ErrorCause): string {
  const frames = stack.search(/\n\s*at /);
  return `${name}: ${message}${frames < 0 ? '' : stack.slice(frames)}`;
}

/** The line that a failure leaves in the log of its function. */
export function failureLine({
  name,
  message,
  stack,
}: {
  name: string;
  message: string;
  stack?: string | undefined;
}): string {
  return stack ?? `${name}: ${message}`;
}

/** What an outside caller gets of a failed invocation: the code and the id, no word of the function's own. */
export function outsideRefusal(code: ErrorCode, invocationId: string): WorkspaceError {
  return refusal(code, undefined, {
    details: { invocationId },
    ...(errorCodes[code].status === 503 && { retryAfterSeconds: 1 }),
  });
}

/** What a caller inside the same app, or the person who wrote the function, gets of it. */
export function insideRefusal(
  code: ErrorCode,
  invocationId: string,
  error: Failure,
  further: Record<string, unknown> = {},
): WorkspaceError {
  const { name, message, stack } = error;
  const said = code === 'function_failed' ? `${name}: ${message}` : message;
  return refusal(code, said, {
    details: { invocationId, error: { code, name, message, ...(stack !== undefined && { stack }) }, ...further },
  });
}

/** A refusal as functions see it. */
export function sdkError(error: WorkspaceError): SdkErrorShape {
  const { code, message, status, requestId, details, errors } = error;
  const further = errors === undefined ? details : { ...details, errors };
  return {
    code,
    message,
    status,
    ...(requestId !== undefined && { requestId }),
    ...(further !== undefined && { details: further }),
  };
}

/** A function that does not build or load, told to whom it is: the person at this machine sees the place. */
export function brokenFunction(error: FnError, what: string): WorkspaceError {
  const { code, message, hint, location } = error;
  return refusal('function_broken', `${what} cannot be used: ${message}`, {
    cause: error,
    hint,
    location,
    details: { problem: { code, message, ...(hint !== undefined && { hint }), ...(location && { location }) } },
  });
}

/** What went wrong in ourselves, without a word of it for the caller. */
export function internalError(error: unknown): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const cause = error instanceof Error ? error : new Error(messageOf(error));
  return refusal('internal_error', isOfMachine(error) ? thisMachine : undefined, { cause });
}

const thisMachine = 'This machine could not do it; the console says why';

/** What the console says of it: the sentence that there is for it, of a bug all that is known. */
export function internalWords(error: unknown): string {
  if (isOfMachine(error)) return messageOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isOfMachine = (error: unknown) => error instanceof FnError;
