import dayjs from 'dayjs';
import relative from 'dayjs/plugin/relativeTime.js';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(timezone);
dayjs.extend(relative);
export default () => [
  dayjs.utc('2026-01-31').add(1, 'month').format('YYYY-MM-DD'),
  dayjs.tz('2026-07-01 12:00', 'Asia/Tokyo').toISOString(),
  dayjs.utc('2026-01-01').to(dayjs.utc('2026-03-01')),
  dayjs('x').isValid(),
];
