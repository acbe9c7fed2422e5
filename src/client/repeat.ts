import { type Method, type OperationName, operationOf } from '../contract/index.ts';

/**
 * Operations that are sent by POST and may still be sent twice: a deployment that is never activated changes nothing and expires,
 * and credentials that nobody uses expire, too.
 */
const harmlessPosts: readonly OperationName[] = ['deployments.create', 'templates.uploadCredentials'];

/** Whether sending it a second time is safe when nobody knows what became of the first. */
export function isRepeatable(name: OperationName, method: Method): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE' || harmlessPosts.includes(name);
}

/** Bytes under their hash change nothing by themselves either. */
const harmlessPuts: readonly OperationName[] = ['deployments.putFile', 'media.upload'];

/** Whether anything is different in the workspace afterwards: only of the others it is certain, without an answer, that nothing was changed. */
export function changesSomething(name: OperationName): boolean {
  return operationOf(name).effect === 'write' && !harmlessPosts.includes(name) && !harmlessPuts.includes(name);
}

/** What a repeat may be answered when the lost first attempt had already done the work. */
export function wasDoneBefore(name: string, status: number, code: string | undefined): boolean {
  if (name === 'secrets.delete' || name === 'vars.delete') return status === 404 && code !== 'route_unknown';
  return false;
}

export const mostAttempts = 4;
/** Of requests that were not answered in time: each has taken its minute and a half already. */
export const mostSilences = 2;
const mostWaitSeconds = 60;
/** Nine digits: from now on still a time that can be told. */
const mostTold = 999_999_999;

/**
 * How long to wait before the next attempt.
 * @param attempt  the one that failed, from 1
 * @param retryAfter value of the Retry-After header: seconds or a date
 * @param nowMs    by the clock that the date is told by
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
  if (asked !== undefined) return asked > mostWaitSeconds ? { tooLong: asked } : { ms: asked * 1_000 };
  const ceiling = Math.min(8_000, 500 * 2 ** attempt);
  return { ms: Math.round(500 + random * (ceiling - 500)) };
}

/** What time it was for the server that answered: a date of its own is told by its clock, which may differ from ours by hours. */
export function timeThere(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? nowMs : date;
}

/** Seconds from now; undefined for nothing and for garbage, which must not mean "at once". */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, Math.ceil((date - nowMs) / 1_000)), mostTold);
}
