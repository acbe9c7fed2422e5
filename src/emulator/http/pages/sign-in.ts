import { refusal } from '../../../contract/index.ts';
import { WorkspaceError } from '../../../std/index.ts';
import { html } from '../../pages/html.ts';
import { page } from '../../pages/page.ts';
import type { Exchange } from '../exchange.ts';
import type { HttpParts } from '../parts.ts';
import type { Sessions } from '../sessions.ts';
import { formOf } from './form.ts';
import { sendPage } from './send-page.ts';

const mostFormBytes = 4_096;

/** Asks for an API token, and returns to the requested page. */
export function signInPage(
  { tokenFile }: Pick<HttpParts, 'tokenFile'>,
  exchange: Exchange,
  status: number,
  problem?: string,
  next = exchange.request.url ?? '/',
): void {
  const made = page({
    title: 'Sign in to this workspace',
    hasForm: true,
    body: html`<main><form class="card" method="post" action="/session">
${
  tokenFile === undefined
    ? html`<p>To open this page signed in, run <code>${openCommand(next)}</code> in the app's folder, or press <strong>o</strong> in the terminal of <code>fn dev</code>.</p>
<p>Or sign in with an API token. The one of this machine is in the file <code>.fn/local-token</code>.</p>`
    : html`<p>To open this page signed in, press <strong>o</strong> in the terminal of <code>fn dev --practice</code>.</p>
<p>Or sign in with an API token. The one of this machine is what that terminal shows as Token.</p>`
}
<input type="hidden" name="next" value="${next}">
<div class="row"><label for="token">API token</label> <input id="token" type="password" name="token" autocomplete="off" required autofocus> <button>Sign in</button></div>
${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
</form></main>`,
  });
  sendPage(exchange, made, status, status === 401 ? ['WWW-Authenticate', 'Bearer'] : []);
}

/** The command that opens this page signed in. */
function openCommand(next: string): string {
  const id = /^\/tenants\/[\w-]+\/conversations\/(cnv_\w+)$/.exec(next)?.[1];
  return id === undefined ? 'fn open' : `fn open ${id}`;
}

/** `POST /session`: exchanges a token for a session. A GET, from the address that a refused token leaves in the browser, leads to the pages. */
export async function serveSignIn(parts: HttpParts, sessions: Sessions, exchange: Exchange): Promise<void> {
  if (exchange.method === 'GET') return exchange.send(303, ['Location', '/', 'Cache-Control', 'no-store']);
  if (exchange.method !== 'POST') {
    exchange.extra.push('Allow', 'GET, POST');
    throw refusal('method_not_allowed');
  }
  const form = await formOf(exchange, mostFormBytes);
  const next = placeOf(form.get('next'));
  try {
    await parts.workspace.authenticate(`Bearer ${form.get('token')?.trim() ?? ''}`);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return signInPage(parts, exchange, 401, error.message, next);
  }
  exchange.send(303, ['Location', next, 'Cache-Control', 'no-store', 'Set-Cookie', sessions.cookie(exchange.scheme)]);
}

/** A path on this server, never another address. */
function placeOf(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\r\n\\]*$/.test(next) ? next : '/';
}

/** `POST /session/token`: a page that has a session gets a short-lived token, for its memory. */
export function serveToken(sessions: Sessions, exchange: Exchange): void {
  if (exchange.method !== 'POST') {
    exchange.extra.push('Allow', 'POST');
    throw refusal('method_not_allowed');
  }
  if (!sessions.holds(exchange.request.headers.cookie)) throw refusal('token_missing', 'This browser is not signed in');
  exchange.json(200, sessions.token());
}
