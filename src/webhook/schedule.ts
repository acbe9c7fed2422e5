import type { Attempt } from './attempt.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** How long after the one before each attempt begins; the example of Standard Webhooks 1.0. */
const delaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

export const maxAttempts = delaysMs.length;
const jitter = 0.2;
const maxRetryAfterMs = 24 * hour;

/**
 * How long until the next attempt, in whole milliseconds, with a jitter of 20 %; undefined after the last one.
 * @param attemptNumber of the attempt that failed, counted from 1
 * @param random from 0 to 1
 */
export function retryDelayMs(facts: {
  readonly attemptNumber: number;
  readonly random: number;
  readonly maxAttempts: number;
}): number | undefined {
  const planned = delaysMs[facts.attemptNumber];
  if (planned === undefined || facts.attemptNumber >= facts.maxAttempts) return undefined;
  return Math.round(planned * (1 - jitter + 2 * jitter * facts.random));
}

/** What becomes of a delivery after an attempt. `reason` is a sentence without a full stop. */
export type Decision = { readonly reason: string; readonly disables?: 'gone' | 'asked' } & (
  | { readonly state: 'delivered' | 'failed' | 'aborted' }
  | {
      readonly state: 'waiting';
      /** Until the next attempt, by the workspace's clock; whole milliseconds. */
      readonly delayMs: number;
    }
);

export interface DecisionFacts {
  /** Counted from 1. */
  readonly attemptNumber: number;
  /** From 0 to 1, for the jitter. */
  readonly random: number;
  /** The machine's clock, for a `Retry-After` that is a date. */
  readonly nowMs: number;
  /** Default: all of the schedule. */
  readonly maxAttempts?: number | undefined;
}

/**
 * Decides whether a delivery is done, is tried again and when, or has ended; and whether its endpoint is to be disabled. Only 2xx is a success; 410
 * disables the endpoint; the answer header `webhook-delivery` may say `abort-message` or `disable`; `Retry-After` may make the wait longer, up to 24 hours.
 */
export function decideDelivery(attempt: Pick<Attempt, 'status' | 'answer' | 'error'>, facts: DecisionFacts): Decision {
  const { status, answer, error } = attempt;
  const asked = readSteering(answer?.headers['webhook-delivery']);
  const happened = status === undefined ? (error?.message ?? 'there was no answer') : describeStatus(status);
  if (status !== undefined && status >= 200 && status < 300)
    return asked === 'disable'
      ? { state: 'delivered', disables: 'asked', reason: `${happened}; ${disablesEndpoint}` }
      : { state: 'delivered', reason: happened };
  if (asked === 'disable') return { state: 'aborted', disables: 'asked', reason: `${happened}; ${disablesEndpoint}` };
  if (status === 410) return { state: 'failed', disables: 'gone', reason: `${happened}; the endpoint is disabled` };
  if (asked === 'abort-message')
    return { state: 'aborted', reason: `${happened}; the receiver asked to end this delivery` };
  const last = Math.min(facts.maxAttempts ?? maxAttempts, maxAttempts);
  const jittered = retryDelayMs({ ...facts, maxAttempts: last });
  if (jittered === undefined) return { state: 'failed', reason: `${happened}; that was the last of ${last} attempts` };
  const wanted = readRetryAfter(answer?.headers['retry-after'], facts.nowMs);
  return {
    state: 'waiting',
    delayMs: Math.max(jittered, wanted ?? 0),
    reason: `${happened}; attempt ${facts.attemptNumber + 1} of ${last} follows${
      wanted !== undefined && wanted > jittered ? ', later because of Retry-After' : ''
    }`,
  };
}

const disablesEndpoint = 'the receiver asked to disable the endpoint';

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return status === 410 ? 'answered 410 (gone)' : `answered ${status}`;
}

/** @returns undefined for anything unknown, which is ignored */
function readSteering(value: string | undefined): 'abort-message' | 'disable' | undefined {
  const words = value?.toLowerCase().split(/[\s,;]+/) ?? [];
  return (['disable', 'abort-message'] as const).find((word) => words.includes(word));
}

/** @returns milliseconds, at most 24 hours; undefined if there is nothing readable */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const text = value.trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.ceil(Math.min(Math.max(ms, 0), maxRetryAfterMs));
}
