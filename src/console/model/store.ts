import { type Signal, signal } from '@preact/signals';
import type { Input, OperationName, Output } from '../../contract/index.ts';
import type { Call } from './api.ts';
import type { Change } from './follower.ts';
import { type Problem, problemOf } from './problem.ts';

/** Whether a change may concern what was read. */
export type Concerns = (change: Change) => boolean;

/** Between two readings of the same thing, however much happens. */
const restMs = 100;
/** Results that nobody shows stay for a while, so that going back shows something at once. */
const maxIdle = 40;

/** What an operation answers, read again after each change that concerns it. */
export class Query<T> {
  readonly data: Signal<T | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  readonly key: string;
  readonly concerns: Concerns;
  users = 0;
  readonly #read: () => Promise<T>;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string, read: () => Promise<T>, concerns: Concerns) {
    this.key = key;
    this.#read = read;
    this.concerns = concerns;
  }

  /** Reads it again: at once, or when the reading under way is done. */
  refresh(): void {
    if (this.#reading || this.#waiting !== undefined) {
      this.#isStale = true;
      return;
    }
    this.#isStale = false;
    this.#reading = this.#readOnce().finally(() => {
      this.#reading = undefined;
      this.#waiting = setTimeout(() => {
        this.#waiting = undefined;
        if (this.#isStale) this.refresh();
      }, restMs);
    });
  }

  /** Before everything is read anew: what is shown stays, but is nothing to build on. */
  forget(): void {}

  async #readOnce(): Promise<void> {
    try {
      this.data.value = await this.#read();
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = problemOf(error);
    }
  }
}

/** A list, page by page, which knows how to take in what has changed at its beginning. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  /** null: there is no more. */
  readonly nextCursor: string | null;
}

/**
 * What has been read of a list whose items do not move, after its first page was read again: new items come first, known ones are
 * replaced. If the page does not reach what is known, the rest is dropped, since there is a gap.
 */
export function mergeFirstPage<Item extends { readonly id: string }>(
  known: Pages<Item> | undefined,
  page: Pages<Item>,
): Pages<Item> {
  if (known === undefined) return page;
  const fresh = new Map(page.items.map((item) => [item.id, item]));
  const at = known.items.findLastIndex(({ id }) => fresh.has(id));
  if (at < 0) return page;
  // What has not changed stays the same object: whoever shows it has nothing to do.
  const before = new Map(known.items.slice(0, at + 1).map((item) => [item.id, item]));
  const items = page.items.map((item) => {
    const old = before.get(item.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(item) ? old : item;
  });
  return { items: [...items, ...known.items.slice(at + 1)], nextCursor: known.nextCursor };
}

/** What is read of a long list whose items do not move. Of it only the first page is read again; `more` reads the next one. */
class ListQuery<Item extends { readonly id: string }> extends Query<Pages<Item>> {
  readonly #page: (cursor?: string) => Promise<Pages<Item>>;
  /** What is shown, unless that is out of date. */
  #known: Pages<Item> | undefined;
  /** What came while the first page was read: it may not be on it. */
  #meanwhile: Item[] = [];
  #reading: Promise<void> | undefined;

  /** @param page reads the page at a cursor; without one, the first */
  constructor(key: string, page: (cursor?: string) => Promise<Pages<Item>>, concerns: Concerns) {
    super(
      key,
      async () => {
        this.#meanwhile = [];
        const { items, nextCursor } = await page();
        const isOnPage = new Set(items.map(({ id }) => id));
        const later = this.#meanwhile.filter(({ id }) => !isOnPage.has(id));
        this.#known = mergeFirstPage(this.#known, { items: [...later, ...items], nextCursor });
        return this.#known;
      },
      concerns,
    );
    this.#page = page;
  }

  /** Reads the next page, once at a time. */
  readonly more = (): Promise<void> => {
    this.#reading ??= this.#readMore().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  };

  async #readMore(): Promise<void> {
    const cursor = this.#known?.nextCursor;
    if (!cursor) return;
    const { items, nextCursor } = await this.#page(cursor);
    // Meanwhile the list may have begun anew.
    if (this.#known?.nextCursor === cursor) this.#keep({ items: [...this.#known.items, ...items], nextCursor });
  }

  /** Takes what is known better of an item of the list. */
  take(item: Item): void {
    const items = this.#known?.items ?? [];
    const at = items.findIndex(({ id }) => id === item.id);
    if (this.#known && at >= 0) this.#keep({ ...this.#known, items: items.with(at, item) });
  }

  /** Takes an item that is not in the list yet, to its beginning. */
  takeNew(item: Item): void {
    if (!this.#known) return;
    this.#meanwhile.unshift(item);
    if (this.#known.items.some(({ id }) => id === item.id)) this.take(item);
    else this.#keep({ ...this.#known, items: [item, ...this.#known.items] });
  }

  override forget(): void {
    this.#known = undefined;
  }

  #keep(pages: Pages<Item>): void {
    this.#known = pages;
    this.data.value = pages;
  }
}

/** All that is shown, each thing read once, and again after changes. */
export class Store {
  readonly #call: Call;
  readonly #queries = new Map<string, Query<unknown>>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** What an operation answers to an input; the same query for the same input. */
  query<N extends OperationName>(operation: N, input: Input<N>, concerns: Concerns): Query<Output<N>> {
    return this.named(`${operation} ${JSON.stringify(input)}`, () => this.#call(operation, input), concerns);
  }

  named<T>(key: string, read: () => Promise<T>, concerns: Concerns): Query<T> {
    return this.#kept(key, () => new Query(key, read, concerns));
  }

  /** The query of a long list. @param page reads the page at a cursor; without one, the first */
  pages<Item extends { readonly id: string }>(
    key: string,
    page: (cursor?: string) => Promise<Pages<Item>>,
    concerns: Concerns,
  ): ListQuery<Item> {
    return this.#kept(key, () => new ListQuery(key, page, concerns));
  }

  #kept<Q>(key: string, make: () => Q & Query<unknown>): Q {
    const known = this.#queries.get(key);
    if (known) return known as Q;
    const made = make();
    this.#queries.set(key, made);
    return made;
  }

  /** Begins to show a query. @returns ends it */
  show(query: Query<never> | Query<unknown>): () => void {
    query.users++;
    // Since it was made or last used, it may have been dropped with others that nobody shows.
    this.#queries.set(query.key, query);
    query.refresh();
    return () => {
      query.users--;
      this.#dropIdle();
    };
  }

  /** Something happened: reads again what it concerns and what is shown. */
  changed(change: Change): void {
    for (const query of this.#queries.values()) if (query.users > 0 && query.concerns(change)) query.refresh();
  }

  /** Reads everything again that is shown, and forgets the rest. */
  refreshAll(): void {
    for (const [key, query] of this.#queries) {
      query.forget();
      if (query.users > 0) query.refresh();
      else this.#queries.delete(key);
    }
  }

  #dropIdle(): void {
    const idle = [...this.#queries].filter(([, { users }]) => users === 0);
    for (const [key] of idle.slice(0, -maxIdle)) this.#queries.delete(key);
  }
}
