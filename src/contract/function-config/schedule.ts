import { Cron } from 'croner';
import { isTimezone, messageOf } from '../../std/index.ts';
import { type Check, shown } from './check.ts';

const nicknames = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Five or six fields, or a nickname. Croner also accepts a date as a schedule, but it would run only once. */
export const schedule: Check = (value, path) => {
  const hint = "Five fields as '0 6 * * 1-5' (minute hour day month weekday), six with seconds first, or '@hourly'.";
  if (typeof value !== 'string' || value.length > 200)
    return { path, message: `must be a cron expression, not ${shown(value)}`, hint };
  const fields = value.trim().split(/\s+/);
  const nickname = fields.length === 1 && nicknames.includes(value.trim().toLowerCase());
  if (!nickname && fields.length !== 5 && fields.length !== 6) {
    return { path, message: `must have five or six fields, not ${fields.length}: ${shown(value)}`, hint };
  }
  try {
    const cron = new Cron(value.trim(), { paused: true, timezone: 'UTC' });
    if (cron.nextRun() === null) return { path, message: `is never due: ${shown(value)}`, hint };
    return undefined;
  } catch (error) {
    const said = messageOf(error).replace(/^CronPattern: /, '');
    return { path, message: `is not a cron expression: ${said}`, hint };
  }
};

export const timezone: Check = (value, path) => {
  const hint = "Use a name from the time zone database, such as 'Europe/Berlin' or 'UTC'.";
  if (typeof value !== 'string') return { path, message: `must be a time zone, not ${shown(value)}`, hint };
  // An offset like +02:00 would be accepted, too, and be wrong for half of the year.
  if (/^[+-]/.test(value)) return { path, message: `must be a zone, not an offset: ${shown(value)}`, hint };
  return isTimezone(value) ? undefined : { path, message: `is not a time zone: ${shown(value)}`, hint };
};
