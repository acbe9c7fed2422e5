const form = /^(\d{4}-\d\d-(\d\d))(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A time as people write it: RFC 3339, without a zone in that of this machine, or a day.
 * JavaScript's own parser would take "5" for a day in May 2001 and the 30th of February for the 2nd of March.
 * @returns RFC 3339 in UTC; undefined for what is no time
 */
export function parseTime(text: string): string | undefined {
  const [isTime, date = '', day] = form.exec(text) ?? [];
  if (isTime === undefined || new Date(date).getUTCDate() !== Number(day)) return undefined;
  const time = new Date(text.replace(' ', 'T'));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
