import { Cron } from 'croner';

/**
 * Computes the next times at which a cron job is due, in milliseconds since 1970; fewer than `count` when the schedule ends.
 * @param schedule five or six fields, or a nickname
 * @param timezone a zone of the time zone database; daylight saving time is respected
 */
export function nextRuns(schedule: string, timezone: string, fromMs: number, count: number): number[] {
  const cron = new Cron(schedule, { paused: true, timezone });
  return cron.nextRuns(count, new Date(fromMs)).map((date) => date.getTime());
}
