import { type Html, html } from './html.ts';

/** A time in this machine's time zone, with the exact UTC time as a tooltip. */
export function timeOf(at: string | null): Html | '' {
  if (at === null) return '';
  const date = new Date(at);
  const [month, day, hour, minute] = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()].map(
    (part) => String(part).padStart(2, '0'),
  );
  return html`<time datetime="${at}" title="${at}">${date.getFullYear()}-${month}-${day} ${hour}:${minute}</time>`;
}
