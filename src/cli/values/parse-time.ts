const form = /^(\d{4}-\d\d-(\d\d))(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses a time: RFC 3339, in this machine's time zone if it has none, or a date.
 * JavaScript's own parser accepts "5" as a day in May 2001 and 30 February as 2 March.
 * @returns RFC 3339 in UTC; undefined if it is not a time
 */
export function parseTime(text: string): string | undefined {
  const [isTime, date = '', day] = form.exec(text) ?? [];
  if (isTime === undefined || new Date(date).getUTCDate() !== Number(day)) return undefined;
  const time = new Date(text.replace(' ', 'T'));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
