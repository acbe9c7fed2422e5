import { toasts } from './browser/toasts.js';
import { viewPageScript } from './browser/view-page.js';
import { html, scriptOf } from './html.ts';
import { type Page, page } from './page.ts';

export interface ViewData {
  readonly workspace: { readonly name: string; readonly slug: string };
  readonly app: string;
  readonly name: string;
  /** Title from its config. */
  readonly title: string;
  readonly placement: 'conversation' | 'customer' | 'page';
  /** Initial height of the frame, in pixels. */
  readonly height?: number;
  /** Contexts for the view: `conversation=cnv_…` or `customer=cus_…`, as in the page's address. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** The selected one; the first if undefined. */
  readonly chosen?: string | undefined;
}

/**
 * The page around a Custom View: its frame, the choice of context, and its errors. It passes the view's requests to the
 * workspace, below its own address:
 * `GET …/frame?nonce=` the frame · `GET …/start?conversation=&customer=` the view's context ·
 * `POST …/call` {operation, input} · `POST …/error` {name, message, stack, build} → {stack} · `POST …/blocked` {directive, address, place, build} →
 * {message, stack} · `GET …/events` an event stream with `reload`, `problem`, `context`, `choices` and `reset`.
 */
export function viewPage(data: ViewData): Page {
  const { workspace, app, name, title, placement, choices, chosen } = data;
  const start = { base: `/views/${app}/${name}`, slug: workspace.slug, title, height: data.height ?? 320 };
  return page({
    title: `${title} · ${workspace.name}`,
    heading: title,
    links: [
      [`/tenants/${workspace.slug}`, 'Inbox'],
      ['/', 'Functions'],
    ],
    style: viewStyle,
    body: html`<main>
<div class="row"><span class="tag">${placement}</span><span class="soft small">${app}/${name}</span>
${
  choices.length > 0
    ? html`<label class="end soft small">Seen with <select id="seen-with" autocomplete="off">${choices.map(({ value, label }) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`)}</select></label>`
    : placement === 'page'
      ? ''
      : html`<span class="end soft small">there is no ${placement} to show it with yet</span>`
}
<span class="soft small" id="state" role="status" aria-live="polite">loading</span></div>
<div class="card frame"><div id="frame"></div></div>
<section id="problem" class="card problem" role="alert" hidden><strong></strong><pre></pre></section>
<section id="blocked" class="card problem" role="status" hidden><strong>The browser refused what a view may not do</strong><pre></pre></section>
<div id="toasts" class="toasts" role="status" aria-live="polite"></div>
<dialog id="confirm" aria-labelledby="question"><p id="question" dir="auto"></p><div class="row"><button class="end plain" value="no" autofocus>Cancel</button><button value="yes">OK</button></div></dialog>
</main>`,
    script: scriptOf(viewPageScript, start, toasts),
  });
}

const viewStyle = `
#seen-with{max-width:min(20rem,100vw - 2rem)}
.frame{padding:0;overflow:hidden}.frame iframe{display:block;width:100%;border:0;background:transparent}.frame iframe[hidden]{display:none}
.problem{border-color:var(--bad)}.problem strong{color:var(--bad)}.problem[hidden],.problem pre:empty{display:none}
.toasts{position:fixed;right:1rem;bottom:1rem;display:flex;flex-direction:column;gap:.5rem;max-width:min(24rem,calc(100vw - 2rem));max-height:60vh}
.toasts>div{background:var(--ink);color:var(--bg);border-radius:8px;padding:.5rem .9rem;min-height:2.5rem;max-height:40vh;overflow:auto}
.toasts>[data-times]::after{content:" ×" attr(data-times)}
#question,.toasts>div{white-space:pre-line}
#question{max-height:60vh;overflow:auto}
.toasts>[data-kind=success]{background:var(--ok);color:var(--bg)}.toasts>[data-kind=error]{background:var(--bad);color:var(--bg)}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--panel);color:var(--ink);max-width:24rem;width:calc(100vw - 2rem)}
dialog::backdrop{background:#0007}
`;
