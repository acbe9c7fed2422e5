import * as chrono from 'chrono-node';

const now = { instant: new Date('2026-01-01T12:00:00Z'), timezone: 0 };
export default () => [
  chrono.parse('call me next friday at 3pm or tomorrow', now).map(({ text, start }) => [text, start.date()]),
  chrono.de.parseDate('morgen um 15 Uhr', now),
  chrono.parseDate('no date', now),
];
