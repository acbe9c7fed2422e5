import { DateTime, Duration, Interval } from 'luxon';

const start = DateTime.fromISO('2026-03-28T23:30:00', { zone: 'Europe/Berlin' });
export default () => [
  start.plus({ hours: 4 }).toISO(),
  start.setZone('America/New_York').toFormat('ffff'),
  start.setLocale('de').toLocaleString(DateTime.DATE_HUGE),
  Interval.fromDateTimes(start, start.plus({ days: 3 })).length('hours'),
  Duration.fromObject({ minutes: 135 }).shiftTo('hours', 'minutes').toHuman(),
  DateTime.fromISO('nope').invalidReason,
];
