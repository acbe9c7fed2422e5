const dayMs = 86_400_000;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');
const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/** A time in the zone of this machine: `10:42:18` today, `Mon 14:06` within a week, `19 Nov` before, `19 Nov 2025` in another year. */
export function formatTime(at: string | number, now: number): string {
  const date = new Date(at);
  const days = Math.round((startOfDay(new Date(now)) - startOfDay(date)) / dayMs);
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (days === 0) return `${minutes}:${two(date.getSeconds())}`;
  if (days > 0 && days < 7) return `${weekdays[date.getDay()]} ${minutes}`;
  const day = `${date.getDate()} ${months[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** Like `formatTime`, without the seconds: `10:42`. */
export function formatMinute(at: string | number, now: number): string {
  return formatTime(at, now).replace(/^(\d\d:\d\d):\d\d$/, '$1');
}

/** The day of a time: `Today`, `Yesterday`, `Mon 23 Nov`, `19 Nov 2025`. */
export function formatDay(at: string | number, now: number): string {
  const date = new Date(at);
  const days = Math.round((startOfDay(new Date(now)) - startOfDay(date)) / dayMs);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  const day = `${date.getDate()} ${months[date.getMonth()]}`;
  if (date.getFullYear() !== new Date(now).getFullYear()) return `${day} ${date.getFullYear()}`;
  return `${weekdays[date.getDay()]} ${day}`;
}

/** The whole time, for a title: `2026-11-24 10:36:41.207`. */
export function formatWhole(at: string | number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** A duration: `0.4 ms`, `9 ms`, `2.40 s`, `13:36`, `24 h`. */
export function formatMs(ms: number): string {
  if (ms < 1 && ms > 0) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1_000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** A count with commas: `13,693`. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A size: `62 B`, `4.1 KiB`, `41 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = -1;
  do {
    value /= 1_024;
    unit++;
  } while (value >= 1_024 && unit < units.length - 1);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** An id with its last six characters: `inv_…FH5DXS`. */
export function shortId(id: string): string {
  const mark = id.indexOf('_');
  return mark < 0 || id.length - mark <= 8 ? id : `${id.slice(0, mark + 1)}…${id.slice(-6)}`;
}

/** Two letters for an avatar, `–` for nobody. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '', last = first] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const letters = words.length > 1 ? [...first].slice(0, 1).concat([...last].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join('').toUpperCase() || '–';
}

interface Named {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** Display name of a customer: the first of these with a visible character. */
export function nameOf({ id, name, phone, email }: Named): string {
  return [name, phone, email].find((text) => text && isVisible(text)) ?? id;
}

/** A name of spaces and zero-width characters would be an invisible link. */
const isVisible = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** One line of at most `maxLength` characters. */
export function shorten(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

const bytesOfText = new TextEncoder();

/** Bytes of a text in UTF-8. */
export function sizeOf(text: string): number {
  return bytesOfText.encode(text).byteLength;
}

/** A value as JSON for people. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}

/** The median; undefined of nothing. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Costs of models: `$0.0204`, `$0` of nothing. */
export function formatUsd(usd: number): string {
  return usd === 0 ? '$0' : `$${usd.toFixed(usd >= 10 ? 2 : 4)}`;
}
