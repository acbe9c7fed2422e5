import { isRecord, messageOf } from '../../std/index.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { quoteForeign, type RunErrorCode, RunFailure } from '../run-error.ts';
import { TransportFailure } from '../transport.ts';

/** A failure as a provider reports it by HTTP. */
export class ModelFailure extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = 'ModelFailure';
    this.statusCode = statusCode;
  }
}

/** What became of a model call that failed. */
export interface FailedCall {
  readonly failure: RunFailure;
  /** Whether the same model may answer a moment later. */
  readonly mayRetry: boolean;
  /** Whether another model may answer instead. */
  readonly mayFallBack: boolean;
  /** What the provider asks for. */
  readonly retryAfterMs: number | undefined;
}

const transientStatuses: readonly number[] = [408, 409, 425, 429];
const maxMessageLength = 500;

/**
 * Reads what a model call threw: a failure of the network, an HTTP status, or an answer that cannot be read.
 * @param model for the message
 * @param secrets are replaced in the provider's words
 */
export function readModelFailure(error: unknown, model: string, secrets: readonly (string | undefined)[]): FailedCall {
  if (error instanceof RunFailure)
    return { failure: error, mayRetry: false, mayFallBack: false, retryAfterMs: undefined };
  const cause = findCause(error);
  const say = (code: RunErrorCode, text: string) =>
    new RunFailure(code, quoteForeign(`${model}: ${text}`, maxMessageLength, secrets), { cause: error });
  const transient = (failure: RunFailure) => ({
    failure,
    mayRetry: true,
    mayFallBack: true,
    retryAfterMs: readRetryAfter(cause),
  });
  if (cause instanceof TransportFailure) {
    const code = cause.kind === 'too-large' ? 'model_bad_answer' : 'model_unavailable';
    return transient(say(code, cause.message));
  }
  const status = isRecord(cause) && typeof cause['statusCode'] === 'number' ? cause['statusCode'] : undefined;
  // A status of success with a failure: the body is not what it should be.
  if (status === undefined || status < 300) {
    return transient(say('model_bad_answer', `the answer cannot be read: ${messageOf(cause)}`));
  }
  const text = `HTTP ${status}, ${messageOf(cause)}`;
  if (status === 429) return transient(say('model_rate_limited', text));
  if (status >= 500 || transientStatuses.includes(status)) return transient(say('model_unavailable', text));
  if (status === 401 || status === 403) {
    return { failure: say('model_auth', text), mayRetry: false, mayFallBack: true, retryAfterMs: undefined };
  }
  const failure = say('model_bad_request', text);
  return { failure, mayRetry: false, mayFallBack: status === 404, retryAfterMs: undefined };
}

/** Libraries wrap what failed: in `cause`, or in the list of a retry. */
function findCause(error: unknown): unknown {
  for (let each = error, depth = 0; depth < 8; depth++) {
    if (each instanceof TransportFailure || each instanceof ModelFailure) return each;
    if (isRecord(each) && typeof each['statusCode'] === 'number' && !isRecord(each['cause'])) return each;
    const next: unknown = isRecord(each) ? (each['cause'] ?? each['lastError']) : undefined;
    if (next === undefined) return each;
    each = next;
  }
  return error;
}

function readRetryAfter(error: unknown): number | undefined {
  const headers = isRecord(error) && isRecord(error['responseHeaders']) ? error['responseHeaders'] : {};
  return parseRetryAfter(headers['retry-after']);
}
