/** HTML that is safe to insert into a page unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** HTML from a template. Values other than `Html` are escaped; null, undefined and false are omitted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? '';
  for (const [i, part] of parts.entries()) text += render(part) + (strings[i + 1] ?? '');
  return new Html(text);
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(render).join('');
  return escapeHtml(String(part));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * Script text that calls a function with this argument in the page.
 * @param parts functions passed as further arguments, as text as well
 */
export function scriptOf<T, Parts extends unknown[]>(
  run: (start: T, ...parts: Parts) => void,
  start: T,
  ...parts: Parts
): string {
  return `const __name=(value)=>value;(${String(run)})(${[scriptJson(start), ...parts.map(String)].join(',')});`;
}

/** JSON for a `<script>`: no text in it can end the element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
