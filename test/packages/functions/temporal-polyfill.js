import { Temporal } from 'temporal-polyfill';
export default () => [
  Temporal.PlainDate.from('2024-02-29').add({ years: 1 }).toString(),
  Temporal.ZonedDateTime.from('2024-03-31T01:30[Europe/Berlin]').add({ hours: 1 }).toString(),
  Temporal.PlainDate.from('2024-01-01').until('2025-03-01', { largestUnit: 'month' }).toString(),
  Temporal.Instant.fromEpochMilliseconds(0)
    .toZonedDateTimeISO('Asia/Tokyo')
    .toLocaleString('de', { dateStyle: 'full' }),
  Temporal.Duration.from('PT90M').round({ largestUnit: 'hour' }).toString(),
  Temporal.PlainDateTime.compare('2024-01-01T00:00', '2024-01-01T00:01'),
];
