import { Cron } from 'croner';

/**
 * The next times a cron job is due, in milliseconds since 1970; fewer than `count` when the schedule ends.
 * @param schedule five or six fields, or a nickname
 * @param timezone of the time zone database; its summer time is kept to
 */
export function nextRuns(schedule: string, timezone: string, fromMs: number, count: number): number[] {
  const cron = new Cron(schedule, { paused: true, timezone });
  return cron.nextRuns(count, new Date(fromMs)).map((date) => date.getTime());
}
