import { millisecondsOf, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { parseTime } from './parse-time.ts';

/**
 * Reads a time since when: RFC 3339, or how long ago.
 * @param flag named in the error
 * @returns RFC 3339 in UTC
 * @throws UsageError time_invalid
 */
export function sinceOf(context: Context, given: string, flag = '--since'): string {
  const ago = /^-?\d+(?:\.\d+)?(?:ms|[smhd])$/.test(given) ? millisecondsOf(given.replace(/^-/, '')) : undefined;
  // Beyond the first moment that a date can tell: everything.
  if (ago !== undefined) return new Date(Math.max(0, context.clock.now() - ago)).toISOString();
  const at = parseTime(given);
  if (at !== undefined) return at;
  throw new UsageError('time_invalid', `${flag}: "${given.slice(0, 60)}" is not a time`, {
    hint: /^\d+$/.test(given)
      ? `Give it a unit, as in ${flag} ${given.slice(0, 20)}m`
      : `As in ${flag} 10m, ${flag} 2h or ${flag} 2026-11-20T08:00:00Z`,
  });
}
