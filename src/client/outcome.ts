import { isOperationName, operationOf } from '../contract/index.ts';
import { InterruptedError, UnknownOutcomeError, UnreachableError } from '../std/index.ts';
import type { Intent } from './call-api.ts';
import type { TransportFailure } from './transport.ts';

/** Answers in which the workspace promises that it has done nothing. */
const nothingDone: Readonly<Record<number, readonly string[]>> = {
  503: ['workspace_busy', 'workspace_stopping', 'function_busy'],
  507: ['disk_full'],
};

/**
 * Whether an answer to a write leaves open whether it was carried out.
 * @param operation undefined for a raw request
 */
export function leavesOpen(status: number, code: unknown, operation?: string): boolean {
  return isWeather(status) && !isOwnFailure(code, operation) && !promisesNothing(status, code);
}

/** Whether a status means temporary trouble of the server or of the network. */
export function isWeather(status: number): boolean {
  return status === 408 || status === 425 || status >= 500;
}

/** Whether the answer promises that nothing was done; 425 "too early" means that the request was not even started. */
export function promisesNothing(status: number, code: unknown): boolean {
  if (status === 425) return true;
  return typeof code === 'string' && nothingDone[status]?.includes(code) === true;
}

/**
 * Whether a 5xx reports a failure of the developer's own function: that is an outcome, not temporary trouble. A function of the platform's,
 * such as the one that sends templates, may have failed before or after its work.
 */
export function isOwnFailure(code: unknown, operation: string | undefined): boolean {
  if (operation !== undefined && isPlatformFunction(operation)) return false;
  return typeof code === 'string' && /^(?:function_|result_|setup_|store_full)/.test(code) && code !== 'function_busy';
}

function isPlatformFunction(operation: string): boolean {
  return isOperationName(operation) && operationOf(operation).builtIn !== undefined;
}

/** The error for a request that was not sent. */
export function failureUnsent(failure: TransportFailure): InterruptedError | UnreachableError {
  return failure.kind === 'aborted' ? interrupted() : unreachable(failure);
}

/** The error for a request that was stopped before it was sent. */
export function interrupted(): InterruptedError {
  return new InterruptedError('interrupted', 'Stopped; nothing was changed');
}

/** The error for a request that reached no server and so had no effect. */
export function unreachable(failure: TransportFailure): UnreachableError {
  return new UnreachableError(failure.kind, `The workspace cannot be reached: ${failure.message}`, {
    hint: failure.hint ?? 'Nothing was changed; try again.',
    cause: failure,
  });
}

/** The error for a request whose outcome is unknown. */
export function unknownOutcome(
  intent: Pick<Intent, 'operation' | 'repeatable' | 'idempotencyKey'>,
  what: string,
  cause: unknown,
): UnknownOutcomeError {
  return new UnknownOutcomeError(
    'outcome_unknown',
    `${intent.operation} may or may not have been carried out: ${what}`,
    { hint: repeatHint(intent), cause },
  );
}

/** A hint on how to continue when the outcome of a request is unknown. */
export function repeatHint({ repeatable, idempotencyKey }: Pick<Intent, 'repeatable' | 'idempotencyKey'>): string {
  if (repeatable) return 'Run it again: repeating it is safe.';
  return idempotencyKey === undefined
    ? 'fn does not repeat it by itself. Check in the workspace before you repeat it.'
    : `fn does not repeat it by itself. A repeat with the same key is safe: ${idempotencyKey}`;
}
