/** A page of the console, as its address names it. What else is in the query belongs to the page. */
export type Place =
  | { readonly page: 'functions'; readonly app?: string; readonly name?: string }
  | { readonly page: 'inbox'; readonly conversationId?: string }
  | { readonly page: 'invocations'; readonly id?: string }
  | { readonly page: 'runs'; readonly id?: string }
  | { readonly page: 'trace'; readonly id: string }
  | { readonly page: 'view'; readonly app: string; readonly name: string };

export type PageName = Place['page'];

/**
 * The place at a path: `/`, `/functions/APP/NAME`, `/tenants/SLUG`, `/tenants/SLUG/conversations/ID`, `/invocations/ID`, `/runs/ID`, `/traces/ID`,
 * `/views/APP/NAME`. A name may have slashes.
 * @param slug the workspace's; another one is no place here
 * @returns undefined if there is none, also for a segment that is empty or cannot be decoded
 */
export function parsePlace(path: string, slug: string): Place | undefined {
  if (path === '/') return { page: 'functions' };
  const segments = path.slice(1).split('/').map(decodeSegment);
  if (!path.startsWith('/') || segments.some((segment) => !segment)) return undefined;
  const [first = '', second = '', third, fourth] = segments as string[];
  const { length } = segments;
  switch (first) {
    case 'functions':
      return length < 3 ? undefined : { page: 'functions', app: second, name: segments.slice(2).join('/') };
    case 'views':
      return length < 3 ? undefined : { page: 'view', app: second, name: segments.slice(2).join('/') };
    case 'invocations':
      if (length === 1) return { page: 'invocations' };
      return length === 2 ? { page: 'invocations', id: second } : undefined;
    case 'runs':
      if (length === 1) return { page: 'runs' };
      return length === 2 ? { page: 'runs', id: second } : undefined;
    case 'traces':
      return length === 2 ? { page: 'trace', id: second } : undefined;
    case 'tenants':
      if (second !== slug) return undefined;
      if (length === 2) return { page: 'inbox' };
      if (length !== 4 || third !== 'conversations' || fourth === undefined) return undefined;
      return { page: 'inbox', conversationId: fourth };
    default:
      return undefined;
  }
}

/** The path of a place. */
export function pathOf(place: Place, slug: string): string {
  switch (place.page) {
    case 'functions':
      return place.app === undefined ? '/' : `/functions/${encoded(place.app, place.name ?? '')}`;
    case 'view':
      return `/views/${encoded(place.app, place.name)}`;
    case 'invocations':
      return place.id === undefined ? '/invocations' : `/invocations/${encoded(place.id)}`;
    case 'runs':
      return place.id === undefined ? '/runs' : `/runs/${encoded(place.id)}`;
    case 'trace':
      return `/traces/${encoded(place.id)}`;
    case 'inbox': {
      const inbox = `/tenants/${encoded(slug)}`;
      return place.conversationId === undefined ? inbox : `${inbox}/conversations/${encoded(place.conversationId)}`;
    }
  }
}

/**
 * The place that shows what an id stands for: `inv_…`, `run_…`, `cnv_…`; of anything else that has a trace, the trace.
 * @returns undefined for what is no id
 */
export function placeOfId(id: string): Place | undefined {
  if (/^[0-9a-f]{32}$/.test(id)) return { page: 'trace', id };
  const prefix = /^([a-z]{3})_\w{4,}$/.exec(id)?.[1];
  if (prefix === 'inv') return { page: 'invocations', id };
  if (prefix === 'run') return { page: 'runs', id };
  if (prefix === 'cnv') return { page: 'inbox', conversationId: id };
  if (prefix && /^(?:evt|msg|job|flr|cfm|tlc|mdc|dlv)$/.test(prefix)) return { page: 'trace', id };
  return undefined;
}

/** The pages that have an address without an id, by the name that one says in a terminal. */
const pages = ['functions', 'inbox', 'invocations', 'runs'] as const;

/** The place that a word names: a page or an id. @returns undefined for any other word */
export function placeOfWord(word: string): Place | undefined {
  const page = pages.find((name) => name === word);
  return page === undefined ? placeOfId(word) : { page };
}

const encoded = (...segments: readonly string[]): string =>
  segments
    .flatMap((segment) => segment.split('/'))
    .map(encodeURIComponent)
    .join('/');

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
