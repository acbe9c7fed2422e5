import { isOperationName, type Method, type OperationName, operationOf } from '../contract/index.ts';

/** Whether a second attempt is safe while the outcome of the first is unknown. */
export function isRepeatable(name: OperationName, method: Method): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE' || isHarmless(name);
}

/** Whether an operation changes the workspace. Only without a change is it certain, even without an answer, that nothing happened. */
export function changesSomething(name: OperationName): boolean {
  return operationOf(name).effect === 'write' && !isHarmless(name);
}

function isHarmless(name: OperationName): boolean {
  return operationOf(name).repeat === 'harmless';
}

/** Whether an answer to a repeat shows that the lost first attempt had already done the work. */
export function wasDoneBefore(name: string, status: number, code: string | undefined): boolean {
  if (!isOperationName(name) || operationOf(name).repeat !== 'missing-is-done') return false;
  return status === 404 && code !== 'route_unknown';
}

export const maxAttempts = 4;
/** Maximum attempts that time out: each has already taken a minute and a half. */
export const maxTimeouts = 2;
const maxWaitSeconds = 60;
/** Nine digits of seconds: added to the current time, this is still a valid date. */
const maxRetryAfterSeconds = 999_999_999;

/**
 * Computes how long to wait before the next attempt.
 * @param attempt  the one that failed, from 1
 * @param retryAfter value of the Retry-After header: seconds or a date
 * @param nowMs    by the same clock as the date
 * @param random   in [0, 1)
 * @returns milliseconds; `tooLong` when the server asks for more than a minute
 */
export function waitBefore(
  attempt: number,
  retryAfter: string | undefined,
  nowMs: number,
  random: number = Math.random(),
): { ms: number } | { tooLong: number } {
  const asked = retryAfterSeconds(retryAfter, nowMs);
  if (asked !== undefined) return asked > maxWaitSeconds ? { tooLong: asked } : { ms: asked * 1_000 };
  const ceiling = Math.min(8_000, 500 * 2 ** attempt);
  return { ms: Math.round(500 + random * (ceiling - 500)) };
}

/** The server's time when it answered: its dates follow its own clock, which may differ from ours by hours. */
export function timeThere(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? nowMs : date;
}

/** Seconds from now; undefined for a missing or invalid value, which must not mean "at once". */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date)
    ? undefined
    : Math.min(Math.max(0, Math.ceil((date - nowMs) / 1_000)), maxRetryAfterSeconds);
}
