import { type Caller, refusal } from '../../../contract/index.ts';
import { WorkspaceError } from '../../../std/index.ts';
import { systemCaller } from '../../invoke/arguments.ts';
import { homePage } from '../../pages/index.ts';
import { builtInExample } from '../../sources/built-in/index.ts';
import type { FunctionInfo, FunctionSource } from '../../sources/function-source.ts';
import type { Exchange } from '../exchange.ts';
import { listed } from '../live-apps.ts';
import type { HttpParts } from '../parts.ts';
import { decode } from '../routes.ts';
import type { Sessions } from '../sessions.ts';
import { serveConversation, serveInbox, serveMedia, servePageEvents, writeAsCustomer } from './inbox.ts';
import { problemPage, wantsPage } from './problem.ts';
import { sendPage } from './send-page.ts';
import { serveSignIn, signInPage } from './sign-in.ts';
import { serveView } from './view.ts';

/** A person on a page: may read, and do what a view does on their behalf. */
const reader: Caller = { type: 'local', id: null, name: 'page', scopes: ['read', 'write', 'send'] };

/** Everything that is not the API: pages for people, behind a session. */
export async function servePage(parts: HttpParts, sessions: Sessions, exchange: Exchange): Promise<void> {
  try {
    await serve(parts, sessions, exchange);
  } catch (error) {
    if (!(error instanceof WorkspaceError && wantsPage(exchange))) throw error;
    problemPage(exchange, error, parts.workspace.slug);
  }
}

async function serve(parts: HttpParts, sessions: Sessions, exchange: Exchange): Promise<void> {
  const segments = exchange.path.slice(1).split('/').map(decode);
  const [first, second, third, id] = segments;
  // Browsers request it for documents that are not pages; our pages declare that they have none.
  if (exchange.path === '/favicon.ico') return exchange.send(204, ['Cache-Control', 'max-age=86400']);
  if (!isPage(first, segments, parts.workspace.slug))
    throw refusal('route_unknown', `There is nothing at ${exchange.path}`);
  if (first === 'session') return serveSignIn(parts, sessions, exchange);
  if (redeemed(sessions, exchange)) return;
  const caller = await callerOf(parts, sessions, exchange);
  if (caller === undefined) return signInPage(parts, exchange, 401);
  if (first === 'views') return serveView(parts, exchange, segments.slice(1), caller);
  if (exchange.method === 'POST' && third === 'conversations' && id !== undefined)
    return writeAsCustomer(parts, exchange, id, caller);
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
    exchange.extra.push('Allow', 'GET, HEAD');
    throw refusal('method_not_allowed');
  }
  if (first === '') return serveHome(parts, exchange, caller);
  if (second !== undefined && third === 'conversations' && id !== undefined)
    return serveConversation(parts, exchange, id, caller);
  if (third === 'events') return servePageEvents(parts, exchange);
  if (third === 'media' && id !== undefined) return serveMedia(parts, exchange, id, caller);
  return serveInbox(parts, exchange, caller);
}

function isPage(first: string | undefined, segments: readonly (string | undefined)[], slug: string): boolean {
  if (segments.includes(undefined)) return false;
  if (first === '' || first === 'session') return segments.length === 1;
  if (first === 'views') return segments.length >= 3;
  if (first !== 'tenants' || segments[1] !== slug) return false;
  if (segments.length === 3) return segments[2] === 'events';
  return segments.length === 2 || (segments.length === 4 && ['conversations', 'media'].includes(segments[2] ?? ''));
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

async function callerOf(parts: HttpParts, sessions: Sessions, exchange: Exchange): Promise<Caller | undefined> {
  const { authorization, cookie } = exchange.request.headers;
  if (sessions.holds(cookie)) return { ...reader, requestId: exchange.requestId };
  if (authorization === undefined) return undefined;
  return { ...(await parts.workspace.authenticate(authorization)), requestId: exchange.requestId };
}

async function serveHome(parts: HttpParts, exchange: Exchange, caller: Caller): Promise<void> {
  const { apps } = parts;
  const { name, slug } = await parts.door(caller)('workspace.show', {});
  const shown = [];
  for (const source of await apps.all()) {
    const { installed } = await apps.state(source.app);
    shown.push({
      app: source.app,
      installed,
      isLocal: source.version === 'local',
      functions: await examples(parts, source, await listed(source)),
    });
  }
  sendPage(
    exchange,
    homePage({
      workspace: { name, slug },
      baseUrl: parts.baseUrl(),
      ...(parts.tokenFile !== undefined && { tokenFile: parts.tokenFile }),
      apps: shown,
    }),
  );
}

/** The functions with an example input for each. */
async function examples(parts: HttpParts, source: FunctionSource, infos: FunctionInfo[]) {
  const door = parts.door(systemCaller);
  const exampleOf = async (name: string) =>
    source.example ? await source.example(name) : await builtInExample(source.app, name, door);
  return await Promise.all(infos.map(async (info) => ({ ...info, example: await exampleOf(info.name) })));
}
