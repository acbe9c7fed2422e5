import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FunctionType, Input, OperationName, Output } from '../../contract/index.ts';
import { Api, problemIn, type Routes } from '../model/api.ts';
import { type Drafts, draftsAfter } from '../model/drafts.ts';
import { type Change, type Connection, Follower } from '../model/follower.ts';
import { unreachable } from '../model/problem.ts';
import { type Concerns, type Query, Store } from '../model/store.ts';
import { renewPlace } from './router.ts';

/** Made of the contract's table by the build. */
declare const OPERATION_ROUTES: Routes;
declare const TYPE_TITLES: Readonly<Record<FunctionType, string>>;

/** The name of each type of function. */
export const typeTitles = TYPE_TITLES;

/** What the page is told by the document that the server sends. */
const { slug = '', tokenFile, appFolder } = document.documentElement.dataset;

export { appFolder, slug, tokenFile };

/** In memory only: it is neither in the document nor in any storage. */
let token: Promise<string> | undefined;

async function fetchToken(): Promise<string> {
  const response = await fetch('/session/token', { method: 'POST' }).catch((error) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await problemIn(response);
  const given: { token: string } = await response.json();
  return given.token;
}

function tokenOf(isRefused: boolean): Promise<string> {
  if (isRefused) token = undefined;
  if (token === undefined) {
    token = fetchToken();
    token.catch(() => {
      token = undefined;
    });
  }
  return token;
}

export const api = new Api({
  routes: OPERATION_ROUTES,
  base: `/api/${slug}`,
  token: tokenOf,
  fetch: (url, init) => fetch(url, init),
});
export const { call } = api;
export const store = new Store(call);

export const connection: Signal<Connection> = signal('connecting');
/** When something was last heard of the workspace, by the machine's clock. */
export const heardAt = signal(Date.now());
/** Milliseconds of the workspace's clock before the machine's. */
export const clockOffset = signal(0);
/** The workspace's clock, to the second. */
export const now = signal(Date.now());
/** The beginning of the workspace's day: what only says whether a time is of today is rendered once a day, not every second. */
export const today = computed(() => new Date(now.value).setHours(0, 0, 0, 0));
/** What AIs write and have not sent. */
export const drafts: Signal<Drafts> = signal(new Map());

/** The workspace’s clock is this far before the machine’s from now on. */
export function turnClock(offsetMs: number): void {
  clockOffset.value = offsetMs;
  now.value = workspaceNow();
}

/** The time of the workspace, in milliseconds. */
const workspaceNow = (): number => Date.now() + clockOffset.value;

const listeners = new Set<(change: Change) => void>();

/** Tells of everything that happens, also of live frames. @returns ends it */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const follower = new Follower({
  now: async () => (await call('events.list', { order: 'desc', limit: 1 })).resumeCursor,
  open: async (cursor, signal) => {
    const response = await api.open(
      'events.stream',
      { live: 'invocation,build,draft,run,seed,clock' },
      { headers: { 'last-event-id': cursor }, signal },
    );
    return response.body as unknown as AsyncIterable<Uint8Array>;
  },
  onChange: (change) => {
    heardAt.value = Date.now();
    if (change.type === 'live.clock') turnClock(Number(change.data['offsetMs']));
    if (change.type === 'live.seed') store.refreshAll();
    else store.changed(change);
    drafts.value = draftsAfter(drafts.value, change);
    for (const listener of listeners) listener(change);
  },
  onConnection: (state) => {
    if (state === 'live') heardAt.value = Date.now();
    connection.value = state;
  },
  onResumed: () => {
    drafts.value = new Map();
    store.refreshAll();
  },
  onGap: () => {
    store.refreshAll();
    toast('Reloaded: more had happened than is kept.');
  },
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
});

/** What an operation answers, kept up to date while it is shown; undefined while there is no input yet. */
export function useQuery<N extends OperationName>(
  operation: N,
  input: Input<N> | undefined,
  concerns: Concerns,
): Query<Output<N>> | undefined {
  const query = input === undefined ? undefined : store.query(operation, input, concerns);
  return useShown(query);
}

/** The trace of something, read again when something of the same trace happens. Invocations are told before their trace is known. */
export function useTrace(id: string | undefined): Query<Output<'traces.show'>> | undefined {
  const concerns: Concerns = ({ type, data }) => {
    if (type === 'live.invocation') return true;
    return !type.startsWith('live.') && data['traceId'] === query?.data.value?.traceId;
  };
  const query: Query<Output<'traces.show'>> | undefined = useQuery(
    'traces.show',
    id === undefined ? undefined : { id },
    concerns,
  );
  return query;
}

/** Keeps a query of the store up to date while it is shown. */
export function useShown<T extends Query<never> | Query<unknown> | undefined>(query: T): T {
  useEffect(() => (query === undefined ? undefined : store.show(query)), [query]);
  return query;
}

/** Concerns of what never changes while the page is open. */
export const never: Concerns = () => false;
/** Concerns of what events of these kinds change. */
export const about =
  (kinds: RegExp): Concerns =>
  ({ type }) =>
    kinds.test(type);

export interface Toast {
  readonly key: number;
  readonly text: string;
  readonly href?: string;
}

export const toasts: Signal<readonly Toast[]> = signal([]);
const toastMs = 6_000;
let toastCount = 0;

/** Says what was done, for a moment. Never an error that must be read. */
export function toast(text: string, href?: string): void {
  const key = ++toastCount;
  toasts.value = [...toasts.value.slice(-3), { key, text, ...(href !== undefined && { href }) }];
  setTimeout(() => dropToast(key), toastMs);
}

export function dropToast(key: number): void {
  toasts.value = toasts.value.filter((one) => one.key !== key);
}

/** Copies a text, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    toast('The browser does not let this page copy.');
  }
}

/** What is chosen for this browser: the only thing that is stored, and nothing of the workspace. */
function kept<T extends string>(name: string, fallback: T): Signal<T> {
  const value = signal(fallback);
  try {
    value.value = (localStorage.getItem(name) as T | null) ?? fallback;
  } catch {
    // Without storage it is forgotten with the page.
  }
  effect(() => {
    try {
      localStorage.setItem(name, value.value);
    } catch {}
  });
  return value;
}

export const theme = kept<'system' | 'light' | 'dark'>('fn-theme', 'system');
/** The editor in which source files are opened. */
export const editor = kept<string>('fn-editor', 'vscode');
/** Id of the colleague as whom one writes. */
export const actsAs = kept<string>('fn-acts-as', '');

/** Begins: the session, the stream, the clocks. Resolves when pages may read. */
export async function begin(): Promise<void> {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
  setInterval(() => {
    now.value = workspaceNow();
  }, 1_000);
  // A browser opens six connections per host: tabs that nobody looks at would keep others from loading.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) follower.stop();
    else void follower.start();
  });
  window.addEventListener('popstate', renewPlace);
  if (!document.hidden) await follower.start();
}

/** The value of a signal that a page waits for. */
export type Shown<T> = ReadonlySignal<T | undefined>;
