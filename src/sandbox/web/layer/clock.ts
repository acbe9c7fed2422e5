import { sync } from './ops.ts';
import { dateNow } from './primordials.ts';

/** Creation time of the context: the origin of performance.now() and of events' time stamps. */
export const originMs = dateNow();

let zero: number | undefined;

/** Milliseconds since `originMs` by the host's monotonic clock. */
export function monotonicMs(): number {
  const now = sync('now') as number;
  zero ??= now - (dateNow() - originMs);
  return now - zero;
}
