import { html } from '../../pages/html.ts';
import { page } from '../../pages/page.ts';
import type { Exchange } from '../exchange.ts';
import { sendPage } from './send-page.ts';

/** The page for somebody who followed a link from another site: no data, just a link to continue. */
export function foreignPage(exchange: Exchange): void {
  const target = exchange.request.url ?? '/';
  sendPage(
    exchange,
    page({
      title: 'Local workspace',
      body: html`<main><div class="card"><p>Another site sent you here. Nothing of the workspace is shown to pages elsewhere; go on if you meant to open it.</p>
<p><a href="${target}">Open ${target.slice(0, 200)}</a></p></div></main>`,
    }),
    403,
  );
}
