import { parsePlace } from '../../../console/index.ts';
import { type Caller, refusal } from '../../../contract/index.ts';
import { WorkspaceError } from '../../../std/index.ts';
import { consoleCaller } from '../authenticate.ts';
import type { Exchange } from '../exchange.ts';
import type { HttpParts } from '../parts.ts';
import { decode } from '../routes.ts';
import type { Sessions } from '../sessions.ts';
import { serveConsole, serveConsoleFile } from './console.ts';
import { serveMedia } from './media.ts';
import { problemPage, wantsPage } from './problem.ts';
import { serveSignIn, serveToken, signInPage } from './sign-in.ts';
import { serveViewPart, viewPartOf } from './view.ts';

/** Everything that is not the API: the console, and what its pages need besides operations. */
export async function servePage(parts: HttpParts, exchange: Exchange): Promise<void> {
  try {
    await serve(parts, exchange);
  } catch (error) {
    if (!(error instanceof WorkspaceError && wantsPage(exchange))) throw error;
    problemPage(exchange, error, parts.workspace.slug);
  }
}

async function serve(parts: HttpParts, exchange: Exchange): Promise<void> {
  const { path } = exchange;
  const { sessions } = parts;
  const { slug } = parts.workspace;
  const segments = path.slice(1).split('/').map(decode);
  const [first, second, third, fourth] = segments;
  // Browsers request it for documents that are not pages; our pages declare that they have none.
  if (path === '/favicon.ico') return exchange.send(204, ['Cache-Control', 'max-age=86400']);
  if (path === '/session') return serveSignIn(parts, sessions, exchange);
  if (path === '/session/token') return serveToken(sessions, exchange);
  const isMedia = first === 'tenants' && second === slug && third === 'media' && segments.length === 4;
  const isFile = first === 'console' && segments.length === 3;
  const hasPlace = parsePlace(path, slug) !== undefined;
  if (!isMedia && !isFile && !hasPlace) throw refusal('route_unknown', `There is nothing at ${path}`);
  if (isFile) {
    requireGet(exchange);
    return serveConsoleFile(exchange, second ?? '', third ?? '');
  }
  if (redeemed(sessions, exchange)) return;
  const caller = await callerOf(parts, exchange);
  if (caller === undefined) return signInPage(parts, exchange, 401);
  if (isMedia) {
    requireGet(exchange);
    return serveMedia(parts, exchange, fourth ?? '', caller);
  }
  const viewPart = first === 'views' ? await viewPartOf(parts, segments.slice(1)) : undefined;
  if (viewPart) return serveViewPart(parts, exchange, viewPart, caller);
  requireGet(exchange);
  // For links to an editor, of use to a browser that is signed in; whoever holds a token may be elsewhere.
  const isSignedIn = sessions.holds(exchange.request.headers.cookie);
  const { tokenFile, appFolder } = parts;
  return serveConsole(exchange, slug, {
    ...(tokenFile !== undefined && { tokenFile }),
    ...(isSignedIn && appFolder !== undefined && { appFolder }),
  });
}

function requireGet({ method, extra }: Exchange): void {
  if (method === 'GET' || method === 'HEAD') return;
  extra.push('Allow', 'GET, HEAD');
  throw refusal('method_not_allowed');
}

/** Exchanges a code in the address for a cookie, and removes it from the address. */
function redeemed(sessions: Sessions, exchange: Exchange): boolean {
  const query = new URLSearchParams(exchange.query);
  const code = query.get('code');
  if (code === null || exchange.method !== 'GET') return false;
  query.delete('code');
  const rest = query.toString();
  const place = `${exchange.path}${rest === '' ? '' : `?${rest}`}`;
  // A used code does not affect a signed-in person; anyone else is asked for a token on the target page.
  const cookie = sessions.redeem(code) ? ['Set-Cookie', sessions.cookie(exchange.scheme)] : [];
  exchange.send(303, ['Location', place, 'Cache-Control', 'no-store', ...cookie]);
  return true;
}

async function callerOf(parts: HttpParts, exchange: Exchange): Promise<Caller | undefined> {
  const { authorization, cookie } = exchange.request.headers;
  if (parts.sessions.holds(cookie)) return { ...consoleCaller, requestId: exchange.requestId };
  if (authorization === undefined) return undefined;
  return { ...(await parts.workspace.authenticate(authorization)), requestId: exchange.requestId };
}
