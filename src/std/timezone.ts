/** The build puts the names of the time zone database here, each between blanks; running from source there is no such name. */
declare const TIMEZONE_NAMES: string;

const usualNames = typeof TIMEZONE_NAMES === 'undefined' ? '' : TIMEZONE_NAMES;

/** Whether `Intl` knows it. To be asked the first time takes `Intl` 20 ms, so it is not asked about usual names. */
export function isTimezone(name: string, usual: string = usualNames): boolean {
  if (/^[\w/+-]+$/.test(name) && usual.includes(` ${name} `)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
