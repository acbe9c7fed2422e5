import { randomBytes } from 'node:crypto';
import { Html, html } from './html.ts';
import { style } from './style.ts';

/** A rendered page with the policy that it must be served with. */
export interface Page {
  readonly html: string;
  /** Value of `Content-Security-Policy`. */
  readonly csp: string;
}

export interface PageParts {
  /** Title of the tab. */
  readonly title: string;
  /** Heading of the page; default: the title. */
  readonly heading?: string;
  /** Links in the bar: address and text. */
  readonly links?: readonly (readonly [href: string, text: string])[];
  readonly body: Html;
  /** The page has a form that is submitted to this server. */
  readonly hasForm?: boolean;
}

/** Renders one of our pages without script: what one sees before the console, or instead of it. */
export function page({ title, heading = title, links = [], body, hasForm = false }: PageParts): Page {
  const nonce = randomBytes(16).toString('base64url');
  const nav = links.map(([href, text]) => html`<a href="${href}">${text}</a>`);
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${new Html(style)}</style>
</head>
<body>
<header class="bar"><h1 class="short" dir="auto">${heading}</h1><nav aria-label="Pages">${nav}</nav></header>
${body}
</body>
</html>`;
  const csp = `default-src 'none'; script-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`;
  return { html: text.text, csp };
}
