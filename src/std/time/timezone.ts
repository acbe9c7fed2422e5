/** Set by the build to the names of the time zone database, each between blanks; not defined when running from source. */
declare const TIMEZONE_NAMES: string;

const usualNames = typeof TIMEZONE_NAMES === 'undefined' ? '' : TIMEZONE_NAMES;

/** Whether `Intl` knows a time zone. Its first use takes 20 ms, so it is not asked about usual names. */
export function isTimezone(name: string, usual: string = usualNames): boolean {
  if (/^[\w/+-]+$/.test(name) && usual.includes(` ${name} `)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
