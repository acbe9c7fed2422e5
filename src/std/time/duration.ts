import { UsageError } from '../errors/errors.ts';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `250`, `'250ms'`, `'30s'`, `'15m'`, `'2h'`, `'1d'` to milliseconds. @throws UsageError `duration_invalid` */
export function millisecondsOf(duration: string | number): number {
  if (typeof duration === 'number' && Number.isFinite(duration)) return duration;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration));
  const unit = match?.[2] as keyof typeof units | undefined;
  if (!match || !unit) {
    throw new UsageError('duration_invalid', `"${duration}" is not a duration`, {
      hint: 'Write a number and a unit: "250ms", "30s", "15m", "2h", "1d".',
    });
  }
  return Number(match[1]) * units[unit];
}
