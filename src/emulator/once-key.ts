import { createHash } from 'node:crypto';
import type { Caller } from '../contract/index.ts';

/** From whose key a request's own writes get theirs; of one length, whatever the caller chose. */
export function onceKeyOf(caller: Caller, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  return `once_${createHash('sha256').update(`${caller.type} ${caller.id} ${key}`).digest('base64url')}`;
}
