import { type ErrorCode, errorCodes, refusal } from '../../contract/index.ts';
import type { ErrorCause, Failure, FailureCode, SdkErrorShape } from '../../sandbox/index.ts';
import {
  FnError,
  framesStart,
  MachineError,
  messageOf,
  shortened,
  thrownHint,
  WorkspaceError,
} from '../../std/index.ts';
import { misspeltMember } from './misspelt-member.ts';

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

/** The code of a failed invocation outside of the sandbox (contract 7). */
export function codeOfFailure({ code, errorCode }: Failure): ErrorCode {
  // The prelude refuses a result that is not JSON with an error of this code.
  if (code === 'function_failed' && errorCode === 'result_invalid') return 'result_invalid';
  return asRefusal[code];
}

/** Why an invocation failed, in the words of its function. */
export interface FailureReason {
  readonly name: string;
  readonly message: string;
  /** Includes causes and the errors of an AggregateError, as Node prints them. */
  readonly stack?: string;
  /**
   * The same for the journal and the function's author: with the errors' fields, and the stack of each called function that
   * failed. Not disclosed to the function that called this one.
   */
  readonly fullStack?: string;
  /** What to do, if that is known. */
  readonly hint?: string;
}

/** @param callees full stacks of invocations that failed on behalf of this one */
export function reasonOf(failure: Failure, callees: ReadonlyMap<string, string> = new Map()): FailureReason {
  const { name, message } = failure;
  const hint = misspeltMember(failure) ?? thrownHint(`${name}: ${message}`);
  const told = { name, message, ...(hint !== undefined && { hint }) };
  if (failure.stack === undefined && failure.fields === undefined && !failure.cause && !failure.errors) return told;
  return { ...told, stack: stackOf(failure), fullStack: stackOf(failure, callees) };
}

/** Limit of a failure's stack, in characters: it is kept, and passed to each function up the chain, whose errors may all refer to it. */
const mostStack = 128 * 1024;

/** @param callees if given, everything is included */
function stackOf(error: ErrorCause, callees?: ReadonlyMap<string, string>): string {
  return shortened(partsOf(error, callees && new Map(callees)).join('\n'), mostStack);
}

/** @param untold stacks that are still to be included, each once */
function partsOf(error: ErrorCause, untold: Map<string, string> | undefined): string[] {
  const { fields, callee, cause, errors = [] } = error;
  const called = callee === undefined ? undefined : untold?.get(callee);
  if (callee !== undefined) untold?.delete(callee);
  const told = (label: string, one: ErrorCause) => {
    const [own = '', ...further] = partsOf(one, untold);
    return [`${label} ${own}`, ...further];
  };
  return [
    untold && fields !== undefined ? `${ownStack(error)} {\n  ${fields}\n}` : ownStack(error),
    ...errors.flatMap((one, index) => told(`error ${index + 1}:`, one)),
    ...(cause ? told('caused by', cause) : []),
    ...(called === undefined ? [] : [`caused by ${called}`]),
  ];
}

/**
 * The error's stack, beginning with name and message: some stacks were captured before these were set, and with the author's own
 * `Error.prepareStackTrace` a stack may be any text.
 */
function ownStack({ name, message, stack = '' }: ErrorCause): string {
  if (name === '') return message;
  const frames = framesStart(stack);
  const head = frames < 0 ? stack : stack.slice(0, frames);
  if (head !== '' && head.includes(message) && head.includes(name)) return stack;
  const isHead = /^[\w$ .[\]]*(?::|$)/.test(head);
  if (frames < 0) return isHead ? `${name}: ${message}` : `${name}: ${message}\n${stack}`;
  return `${name}: ${message}${stack.slice(frames)}`;
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

/**
 * Whether a failure leaves the idempotency key of its request to a repeat. A function that was not begun has done nothing; if its process
 * ended in the middle, it has no answer, as when the workspace stops, and the writes that it has made are not made twice.
 */
export const isLeftToRepeat = (code: string, status: number): boolean => status === 503 || code === 'function_crashed';

/** The refusal for an outside caller: code and id of the failed invocation, without the function's own message. */
export function outsideRefusal(code: ErrorCode, invocationId: string): WorkspaceError {
  return refusal(code, undefined, {
    details: { invocationId },
    ...(errorCodes[code].status === 503 && { retryAfterSeconds: 1 }),
  });
}

/** The refusal for a caller inside the same app, or for the author of the function. */
export function insideRefusal(
  code: ErrorCode,
  invocationId: string,
  { name, message, stack, fullStack, hint }: FailureReason,
  further: Record<string, unknown> = {},
): WorkspaceError {
  // An SdkError says what it refuses without its name, which each function up the chain would put before it once more.
  const named = code === 'function_failed' && name !== 'SdkError';
  return refusal(code, named ? `${name}: ${message}` : message, {
    hint,
    ...(fullStack !== undefined && { cause: new CalleeFailure(message, fullStack) }),
    details: { invocationId, error: { code, name, message, ...(stack !== undefined && { stack }) }, ...further },
  });
}

/** The failure of a called function. Never leaves the workspace. */
class CalleeFailure extends Error {
  constructor(message: string, fullStack: string) {
    super(message);
    this.stack = fullStack;
  }
}

/** The invocation and stack of a called function's failure. */
export function calleeOf({ cause, details }: WorkspaceError): { id: string; stack: string } | undefined {
  const { invocationId: id, error } = (details ?? {}) as { invocationId?: unknown; error?: { stack?: unknown } };
  const stack = cause instanceof CalleeFailure ? cause.stack : error?.stack;
  return typeof id === 'string' && typeof stack === 'string' ? { id, stack } : undefined;
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

/** The refusal for a function that does not build or load. The person at this machine sees the position. */
export function brokenFunction(error: FnError, what: string): WorkspaceError {
  const { code, message, hint, location } = error;
  return refusal('function_broken', `${what} cannot be used: ${message}`, {
    cause: error,
    hint,
    location,
    details: { problem: { code, message, ...(hint !== undefined && { hint }), ...(location && { location }) } },
  });
}

/**
 * Runs a transaction before which nothing was done. If the disk is too full for it, nothing has changed, and the caller can rely on that.
 * @throws WorkspaceError disk_full; and any other error of the transaction
 */
export async function untouched<T>(transaction: Promise<T>): Promise<T> {
  try {
    return await transaction;
  } catch (error) {
    if (!(error instanceof MachineError) || error.code !== 'disk_full') throw error;
    throw refusal('disk_full', error.message, { hint: error.hint, cause: error });
  }
}

/** The error for a bug in `fn`, without details for the caller. */
export function internalError(error: unknown): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const cause = error instanceof Error ? error : new Error(messageOf(error));
  return refusal('internal_error', isOfMachine(error) ? thisMachine : undefined, { cause });
}

const thisMachine = 'This machine could not do it; the console says why';

/** The console's message about an internal error: its own sentence if it has one; for a bug, everything that is known. */
export function internalWords(error: unknown): string {
  if (isOfMachine(error)) return messageOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isOfMachine = (error: unknown) => error instanceof FnError;
