import { UsageError } from '../../std/index.ts';

/** Checks the range of a count from a flag. @throws UsageError flag_invalid */
export function countWithin(flag: string, count: number, most = Number.POSITIVE_INFINITY): void {
  if (count >= 1 && count <= most) return;
  const bounds = most === Number.POSITIVE_INFINITY ? 'at least 1' : `between 1 and ${most}`;
  throw new UsageError('flag_invalid', `${flag} is ${count}; it must be ${bounds}`);
}
