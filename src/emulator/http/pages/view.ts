import { type Caller, isOperationName, limits, operations, refusal } from '../../../contract/index.ts';
import { FnError, framesStart, isJsonType, sha256Hex, WorkspaceError } from '../../../std/index.ts';
import { internalError, sdkError } from '../../invoke/failure.ts';
import { misspeltMember } from '../../invoke/misspelt-member.ts';
import { blockedInView, deniedInView, mapViewStack, placeInView, viewFrame } from '../../pages/index.ts';
import type { LoadedFunction } from '../../sources/function-source.ts';
import type { Exchange } from '../exchange.ts';
import type { HttpParts } from '../parts.ts';
import { parseStrictJson } from '../strict-json.ts';
import { atMostOften } from './at-most-often.ts';
import { sendPage } from './send-page.ts';

const mostErrorBytes = 64 * 1024;

const viewParts = { frame: 'GET', start: 'GET', events: 'GET', call: 'POST', error: 'POST', blocked: 'POST' } as const;
type Part = keyof typeof viewParts;
type ViewFunction = ReturnType<typeof requireView>;

/** A request of a view's page: `GET …/frame?nonce=` the frame · `GET …/start?conversation=&customer=` the view's context ·
 * `POST …/call` {operation, input} · `POST …/error` {name, message, stack, build} → {stack} · `POST …/blocked` {directive, address, place,
 * build} → {message, stack} · `GET …/events` an event stream with `reload`, `problem`, `context`, `choices` and `reset`. */
interface ViewPart {
  readonly app: string;
  readonly name: string;
  readonly part: Part;
}

/** The part at `/views/<app>/<name>/<part>`; undefined for the page of a view, which may be named like one. */
export async function viewPartOf(
  parts: HttpParts,
  segments: readonly (string | undefined)[],
): Promise<ViewPart | undefined> {
  const [app = '', ...rest] = segments.map((segment) => segment ?? '');
  const last = rest.at(-1) ?? '';
  if (rest.length < 2 || !Object.hasOwn(viewParts, last)) return undefined;
  if (await parts.apps.find(app, rest.join('/'))) return undefined;
  return { app, name: rest.slice(0, -1).join('/'), part: last as Part };
}

export async function serveViewPart(
  parts: HttpParts,
  exchange: Exchange,
  { app, name, part }: ViewPart,
  caller: Caller,
): Promise<void> {
  requireMethod(exchange, viewParts[part]);
  if (part === 'events') return serveEvents(parts, exchange, app, name);
  const loaded = requireView(await parts.apps.load(app, name));
  if (part === 'frame') return serveFrame(parts, exchange, loaded);
  if (part === 'start') return exchange.json(200, await startOf(parts, exchange, loaded, caller));
  const body = await jsonOf(exchange, part === 'call' ? limits.request.bodyBytes : mostErrorBytes);
  if (part === 'call') return exchange.json(200, await answerOf(parts, loaded, body, caller));
  if (part === 'blocked') return exchange.json(200, tellBlocked(parts, loaded, body));
  exchange.json(200, { stack: tellError(parts, loaded, body) });
}

async function serveFrame({ sentFrames }: HttpParts, exchange: Exchange, loaded: ViewFunction): Promise<void> {
  const nonce = new URLSearchParams(exchange.query).get('nonce') ?? '';
  if (!/^[\w-]{16,64}$/.test(nonce))
    throw refusal('input_invalid', 'nonce is missing', { errors: [{ path: 'nonce', message: 'is missing' }] });
  const { app, name, view } = loaded;
  const frame = await viewFrame(view, nonce, `http://${exchange.request.headers.host}`);
  sentFrames.add(`${app}/${name}`, { ...frame, build: buildOf(loaded), sourceMap: view.sourceMap });
  sendPage(exchange, frame);
}

const buildOf = ({ view }: ViewFunction): string => sha256Hex(JSON.stringify([view.script, view.css]));

/** The context of the view: a conversation and its customer, or a customer alone. */
async function startOf(parts: HttpParts, exchange: Exchange, loaded: ViewFunction, caller: Caller) {
  const { app, name, version } = loaded;
  const door = parts.door(caller);
  const query = new URLSearchParams(exchange.query);
  const { slug, url } = await door('workspace.show', {});
  const conversationId = query.get('conversation');
  const conversation = conversationId ? await door('conversations.get', { id: conversationId }) : null;
  const customerId = conversation?.customerId ?? query.get('customer');
  const customer = customerId ? await door('customers.get', { id: customerId }) : null;
  const [user = null] = (await door('agents.list', { limit: 1 })).items;
  const environment = version === 'local' ? ('local' as const) : ('workspace' as const);
  return {
    build: buildOf(loaded),
    context: { workspace: { slug, url }, app, function: name, version, environment },
    clockOffsetMs: parts.clock.offsetMs,
    user,
    conversation,
    customer,
  };
}

/** One call of the Client SDK: only its operations, with the permissions of the view's app. */
async function answerOf(
  parts: HttpParts,
  { app, name }: LoadedFunction,
  body: Record<string, unknown>,
  caller: Caller,
) {
  const { operation, input } = body;
  try {
    if (typeof operation !== 'string' || !isOperationName(operation))
      throw refusal('operation_not_allowed', 'There is no such operation');
    const faces: readonly string[] = operations[operation].faces;
    if (!faces.includes('client')) throw refusal('operation_not_allowed', `${operation} is not part of the Client SDK`);
    const viewer: Caller = { ...caller, type: 'local', id: name, name: `${app}/${name}`, app };
    return { ok: (await parts.door(viewer)(operation, input as never)) ?? null };
  } catch (error) {
    return { error: sdkError(internalError(error)) };
  }
}

/** Explains what the browser blocked, also in the terminal. */
function tellBlocked(parts: HttpParts, loaded: ViewFunction, body: Record<string, unknown>) {
  const [directive = '', address = '', place = ''] = ['directive', 'address', 'place'].map((key) =>
    typeof body[key] === 'string' ? body[key] : '',
  );
  const message = blockedInView(directive, address);
  const stack = place === '' ? message : `${message}\n    ${place}`;
  return { message, stack: tellError(parts, loaded, { name: 'Blocked', message, stack, build: body['build'] }) };
}

/** Maps the stack to the author's files, and prints the error in the terminal. */
function tellError(parts: HttpParts, loaded: ViewFunction, body: Record<string, unknown>): string {
  const { app, name } = loaded;
  const text = (key: string) => (typeof body[key] === 'string' ? body[key] : '');
  let stack = withTitle(text('stack'), text('name'), text('message'));
  try {
    const frame = parts.sentFrames.of(`${app}/${name}`, body['build']);
    if (frame) {
      const hint = hintOf(stack, frame.sourceMap, frame.programLine, { name: text('name'), message: text('message') });
      stack = mapViewStack(stack, frame.sourceMap, frame.programLine);
      if (hint !== undefined) stack = explained(stack, hint);
    }
  } catch {
    // If the map does not fit, the stack is kept as it is.
  }
  if (text('name') === 'SecurityError') stack = explained(stack, deniedInView(text('message')));
  parts.emit({ type: 'view-failed', app, function: name, name: text('name'), message: text('message'), stack });
  return stack;
}

/** In Firefox and Safari a stack does not begin with the error itself. */
function withTitle(stack: string, name: string, message: string): string {
  return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`;
}

function hintOf(
  stack: string,
  sourceMap: string | undefined,
  programLine: number,
  error: { readonly name: string; readonly message: string },
): string | undefined {
  if (error.name !== 'TypeError') return undefined;
  const place = placeInView(stack, sourceMap, programLine);
  return place && misspeltMember({ ...error, place }, 'client');
}

/** The stack with the explanation above its frames. */
function explained(stack: string, explanation: string): string {
  const frames = framesStart(stack);
  return frames < 0 ? `${stack}\n${explanation}` : `${stack.slice(0, frames)}\n${explanation}${stack.slice(frames)}`;
}

/**
 * Sends `reload` after a new build of the view, `problem` if it does not build, `context` when its data has changed, `choices` when there
 * may be others to show it with, and `reset` when its conversation or customer may be gone.
 */
function serveEvents(parts: HttpParts, exchange: Exchange, app: string, name: string): void {
  const { apps, workspace, clock } = parts;
  // A view that does not build counts as missing: it is loaded when it does.
  let shown = Promise.resolve(apps.find(app, name)).catch(() => undefined);
  const look = async () => {
    try {
      const before = await shown;
      const now = await apps.load(app, name);
      shown = Promise.resolve(now);
      const info = (await apps.list(app)).find((one) => one.name === name);
      if (info?.problem) tell(info.problem, info.isStale);
      else if (before === undefined || before.view?.script !== now.view?.script || before.view?.css !== now.view?.css)
        stream.send('reload', {});
    } catch (error) {
      if (error instanceof FnError) tell(error);
    }
  };
  // Once fixed, the page loads it again, even if it is the same as before.
  const tell = (problem: FnError, isStale = false) => {
    shown = Promise.resolve(undefined);
    const { title, text } = problemText(problem);
    stream.send('problem', { title, text: isStale ? `${text}\n\nThe page shows the last good version.` : text });
  };
  const unsubscribe = apps.onChange(() => void look());
  const context = atMostOften(() => stream.send('context', {}));
  const choices = atMostOften(() => stream.send('choices', {}));
  const unwatch = workspace.events.subscribe(({ type, conversationId }) => {
    if (conversationId !== null || type.startsWith('customer.')) context.changed();
    if (type.startsWith('customer.') || type === 'conversation.created') choices.changed();
  });
  const unseed = workspace.seed.onChange(() => stream.send('reset', {}));
  const stopClock = clock.onTurn(() => stream.send('context', {}));
  const stream = parts.streams.open(exchange, () => {
    context.stop();
    choices.stop();
    unsubscribe();
    unwatch();
    unseed();
    stopClock();
  });
  // The page may have been opened, or shown again, while the view does not build.
  void look();
}

function problemText(error: FnError): { title: string; text: string } {
  const known = error instanceof WorkspaceError && error.cause instanceof FnError ? error.cause : error;
  const { location, message, hint } = known;
  const [title = '', ...excerpts] = message.split(/\n+/);
  const place = location
    ? [location.file, location.line, location.column].filter((part) => part !== undefined).join(':')
    : undefined;
  // A failed build has several positions with their lines; other errors have one.
  const places = excerpts.length > 0 ? excerpts : [place, location?.text];
  return { title, text: [...places, hint].filter((part) => part !== undefined).join('\n') };
}

function requireView<T extends LoadedFunction>(loaded: T): T & { view: NonNullable<LoadedFunction['view']> } {
  if (loaded.view) return loaded as T & { view: NonNullable<LoadedFunction['view']> };
  throw refusal('function_type_mismatch', `${loaded.app}/${loaded.name} is of type ${loaded.type}, not custom-view`);
}

function requireMethod(exchange: Exchange, method: 'GET' | 'POST'): void {
  if (exchange.method === method || (method === 'GET' && exchange.method === 'HEAD')) return;
  exchange.extra.push('Allow', method);
  throw refusal('method_not_allowed');
}

async function jsonOf(exchange: Exchange, most: number): Promise<Record<string, unknown>> {
  if (!isJsonType(exchange.request.headers['content-type'])) throw refusal('content_type_unsupported');
  const value = parseStrictJson((await exchange.body(most)) ?? new Uint8Array(0));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal('body_invalid');
  return value as Record<string, unknown>;
}
