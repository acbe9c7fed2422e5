import moment from 'moment-timezone';
export default () => [
  moment.tz('2024-03-31 01:30', 'Europe/Berlin').add(1, 'hour').format(),
  moment.tz('2024-11-03 01:30', 'America/New_York').utc().format(),
  moment.tz(0, 'Asia/Kolkata').format('LLLL z'),
  moment.tz.zone('Europe/Paris').utcOffset(0),
  moment.tz('2024-06-01 12:00', 'Asia/Tokyo').clone().tz('Europe/London').isDST(),
];
