import moment from 'moment';
export default () => [
  moment.utc('2026-02-28').add(2, 'days').format('LLLL'),
  moment.duration(3661, 'seconds').humanize(),
  moment.utc('12-25-1995', 'MM-DD-YYYY').toISOString(),
  moment.utc('2026-01-01').isoWeek(),
];
