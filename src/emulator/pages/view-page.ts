import type { Output } from '../../contract/index.ts';
import { viewPageScript } from './browser/view-page.js';
import { html, scriptOf } from './html.ts';
import { type Page, page } from './page.ts';

export interface ViewData {
  readonly workspace: { readonly name: string; readonly slug: string };
  readonly app: string;
  readonly name: string;
  /** Of its config. */
  readonly title: string;
  readonly placement: 'conversation' | 'customer' | 'page';
  /** Pixels of the frame before the view asks for others. */
  readonly height?: number;
  /** What the view can be looked at with. */
  readonly conversations: readonly { readonly id: string; readonly customerId: string; readonly label: string }[];
  readonly customers: readonly Output<'customers.list'>['items'][number][];
}

/**
 * The page around a Custom View: its frame, what it is looked at with, and what went wrong. It asks the workspace for
 * everything the view asks for, below its own address:
 * `GET …/frame?nonce=` the frame · `GET …/start?conversation=&customer=` what the view is started with ·
 * `POST …/call` {operation, input} · `POST …/error` {name, message, stack} → {stack} ·
 * `GET …/events` an event stream with `reload`, `problem` and `context`.
 */
export function viewPage(data: ViewData): Page {
  const { workspace, app, name, title, placement, conversations, customers } = data;
  const choices =
    placement === 'customer'
      ? customers.map((customer) => ({
          value: `customer=${customer.id}`,
          label: customer.name ?? customer.phone ?? customer.email ?? customer.id,
        }))
      : conversations.map(({ id, label }) => ({ value: `conversation=${id}`, label }));
  const start = { base: `/views/${app}/${name}`, slug: workspace.slug, height: data.height ?? 320 };
  return page({
    title,
    links: [
      ['/', 'Functions'],
      [`/tenants/${workspace.slug}`, 'Inbox'],
    ],
    style: viewStyle,
    body: html`<main>
<div class="row"><span class="tag">${placement}</span><span class="soft small">${app}/${name}</span>
${
  choices.length > 0
    ? html`<label class="end soft small">Seen with <select id="seen-with">${choices.map(({ value, label }) => html`<option value="${value}">${label}</option>`)}</select></label>`
    : ''
}
<span class="soft small" id="state" role="status" aria-live="polite">loading</span></div>
<div class="card frame"><div id="frame"></div></div>
<section id="problem" class="card problem" role="alert" hidden><strong></strong><pre></pre></section>
<div id="toasts" class="toasts" role="status" aria-live="polite"></div>
<dialog id="confirm" aria-labelledby="question"><p id="question"></p><div class="row"><button class="end plain" value="no">Cancel</button><button value="yes">OK</button></div></dialog>
</main>`,
    script: scriptOf(viewPageScript, start),
  });
}

const viewStyle = `
#seen-with{max-width:min(100%,20rem)}
.frame{padding:0;overflow:hidden}.frame iframe{display:block;width:100%;border:0;background:transparent}
.problem{border-color:var(--bad)}.problem strong{color:var(--bad)}.problem[hidden]{display:none}
.toasts{position:fixed;right:1rem;bottom:1rem;display:flex;flex-direction:column;gap:.5rem;max-width:min(24rem,calc(100vw - 2rem))}
.toasts>div{background:var(--ink);color:var(--bg);border-radius:8px;padding:.5rem .9rem}
.toasts>[data-kind=error]{background:var(--bad);color:var(--bg)}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--panel);color:var(--ink);max-width:24rem;width:calc(100vw - 2rem)}
dialog::backdrop{background:#0007}
`;
