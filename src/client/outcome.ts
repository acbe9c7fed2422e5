import { InterruptedError, UnknownOutcomeError, UnreachableError } from '../std/index.ts';
import type { Intent } from './call-api.ts';
import type { TransportFailure } from './transport.ts';

/** Answers in which the workspace promises that it has done nothing. */
const nothingDone: Readonly<Record<number, readonly string[]>> = {
  503: ['workspace_busy', 'workspace_stopping', 'function_busy'],
  507: ['disk_full'],
};

/** Whether such an answer to a write says nothing of whether it was carried out. */
export function leavesOpen(status: number, code: unknown): boolean {
  return isWeather(status) && !isOwnFailure(code) && !promisesNothing(status, code);
}

/** A trouble of the server or of the way there, which may pass. */
export function isWeather(status: number): boolean {
  return status === 408 || status === 425 || status >= 500;
}

/** Whether the answer says that nothing was done: "too early" is what is not even begun. */
export function promisesNothing(status: number, code: unknown): boolean {
  if (status === 425) return true;
  return typeof code === 'string' && nothingDone[status]?.includes(code) === true;
}

/** A 5xx in which the workspace reports on the developer's function: an outcome, not bad weather. */
export function isOwnFailure(code: unknown): boolean {
  return typeof code === 'string' && /^(?:function_|result_|setup_|store_full)/.test(code) && code !== 'function_busy';
}

/** What is to be said of a request that has not left. */
export function failureUnsent(failure: TransportFailure): InterruptedError | UnreachableError {
  return failure.kind === 'aborted' ? interrupted() : unreachable(failure);
}

/** Somebody stopped it in time. */
export function interrupted(): InterruptedError {
  return new InterruptedError('interrupted', 'Stopped; nothing was changed');
}

/** Of a request that had no effect, for nobody took it. */
export function unreachable(failure: TransportFailure): UnreachableError {
  return new UnreachableError(failure.kind, `The workspace cannot be reached: ${failure.message}`, {
    hint: failure.hint ?? 'Nothing was changed; try again.',
    cause: failure,
  });
}

/** What is to be said when nobody knows whether it was carried out. */
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

/** How to go on when nobody knows what became of a request. */
export function repeatHint({ repeatable, idempotencyKey }: Pick<Intent, 'repeatable' | 'idempotencyKey'>): string {
  if (repeatable) return 'Run it again: repeating it is safe.';
  return idempotencyKey === undefined
    ? 'fn does not repeat it by itself. Check in the workspace before you repeat it.'
    : `fn does not repeat it by itself. A repeat with the same key is safe: ${idempotencyKey}`;
}
