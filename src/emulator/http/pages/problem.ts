import { errorCodes } from '../../../contract/index.ts';
import type { WorkspaceError } from '../../../std/index.ts';
import { html } from '../../pages/html.ts';
import { page } from '../../pages/page.ts';
import type { Exchange } from '../exchange.ts';
import { isForm } from './form.ts';
import { sendPage } from './send-page.ts';

/** Whether a browser navigates and should get a page. Scripts and other programs get the problem as JSON. */
export function wantsPage(exchange: Exchange): boolean {
  const { method, request } = exchange;
  return (method === 'GET' || isForm(exchange)) && (request.headers.accept ?? '').includes('text/html');
}

/** A page that explains the problem and links back. */
export function problemPage(exchange: Exchange, error: WorkspaceError, slug: string): void {
  const { status, code, message, hint } = error;
  const [said = '', ...rest] = message.split(/\n+/);
  const title = code in errorCodes ? errorCodes[code as keyof typeof errorCodes].title : message;
  sendPage(
    exchange,
    page({
      title,
      links: [
        [`/tenants/${slug}`, 'Inbox'],
        ['/', 'Functions'],
      ],
      body: html`<main><div class="card"><p>${said}</p>${rest.length > 0 ? html`<pre>${rest.join('\n')}</pre>` : ''}${hint ? html`<p class="lines">${hint}</p>` : ''}
<p class="soft small"><code>${code}</code> · ${status} · <code>${exchange.requestId}</code></p></div></main>`,
    }),
    status,
  );
}
