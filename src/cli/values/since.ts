import { millisecondsOf, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { parseTime } from './parse-time.ts';

/** Reads `--since`: RFC 3339, or how long ago. @returns RFC 3339 in UTC. @throws UsageError time_invalid */
export function sinceOf(context: Context, given: string): string {
  const ago = /^-?\d+(?:\.\d+)?(?:ms|[smhd])$/.test(given) ? millisecondsOf(given.replace(/^-/, '')) : undefined;
  // Beyond the first moment that a date can tell: everything.
  if (ago !== undefined) return new Date(Math.max(0, context.clock.now() - ago)).toISOString();
  const at = parseTime(given);
  if (at !== undefined) return at;
  throw new UsageError('time_invalid', `--since: "${given.slice(0, 60)}" is not a time`, {
    hint: /^\d+$/.test(given)
      ? `Give it a unit, as in --since ${given.slice(0, 20)}m`
      : 'As in --since 10m, --since 2h or --since 2026-11-20T08:00:00Z',
  });
}
