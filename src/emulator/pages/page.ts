import { randomBytes } from 'node:crypto';
import { livePageScript } from './browser/live-page.js';
import { Html, html, scriptOf } from './html.ts';
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
  /** Our script for the page; without it, the page runs no script. */
  readonly script?: string;
  /** Address of an event stream: the page is updated on each `changed` event. */
  readonly liveBy?: string;
  /** The page reports a problem, and is reloaded when that is fixed. */
  readonly isProblem?: boolean;
  /** The page has a form that is submitted to this server. */
  readonly hasForm?: boolean;
  /** Extra style rules of this page. */
  readonly style?: string;
}

/** Renders one of our pages: it loads nothing from elsewhere and runs only our script. */
export function page({
  title,
  heading = title,
  links = [],
  body,
  liveBy,
  isProblem = false,
  hasForm = false,
  script = liveBy === undefined ? undefined : scriptOf(livePageScript, { events: liveBy, isProblem }),
  style: more = '',
}: PageParts): Page {
  const nonce = randomBytes(16).toString('base64url');
  const nav = links.map(([href, text]) => html`<a href="${href}">${text}</a>`);
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${new Html(style + more)}</style>
</head>
<body>
<header class="bar"><h1 class="short" dir="auto">${heading}</h1>${
    liveBy === undefined ? '' : html`<span class="soft small" id="state" role="status"></span>`
  }<nav aria-label="Pages">${nav}</nav></header>
${body}
${script === undefined ? '' : html`<script nonce="${nonce}">${new Html(script)}</script>`}
</body>
</html>`;
  const scripts =
    script === undefined ? "script-src 'none'" : `script-src 'nonce-${nonce}'; connect-src 'self'; frame-src 'self'`;
  const csp = `default-src 'none'; ${scripts}; style-src 'nonce-${nonce}'; img-src 'self' data:; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`;
  return { html: text.text, csp };
}
