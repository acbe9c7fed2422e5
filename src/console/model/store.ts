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
  readonly concerns: Concerns;
  users = 0;
  readonly #read: () => Promise<T>;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(read: () => Promise<T>, concerns: Concerns) {
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
  return { items: [...page.items, ...known.items.slice(at + 1)], nextCursor: known.nextCursor };
}

/** All that is shown, each thing read once, and again after changes. */
export class Store {
  readonly #call: Call;
  readonly #queries = new Map<string, Query<unknown>>();
  /** What has been read of long lists, by the key of their query. */
  readonly #pages = new Map<string, Pages<unknown>>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** What an operation answers to an input; the same query for the same input. */
  query<N extends OperationName>(operation: N, input: Input<N>, concerns: Concerns): Query<Output<N>> {
    return this.named(`${operation} ${JSON.stringify(input)}`, () => this.#call(operation, input), concerns);
  }

  named<T>(key: string, read: () => Promise<T>, concerns: Concerns): Query<T> {
    const known = this.#queries.get(key);
    if (known) return known as Query<T>;
    const made = new Query(read, concerns);
    this.#queries.set(key, made as Query<unknown>);
    return made;
  }

  /**
   * The query of a long list whose items do not move. Of it only the first page is read again; `more` reads the next one.
   * @param read reads the page at a cursor; without one, the first
   */
  pages<Item extends { readonly id: string }>(
    key: string,
    read: (cursor?: string) => Promise<Pages<Item>>,
    concerns: Concerns,
  ): { readonly query: Query<Pages<Item>>; more(): Promise<void>; replace(change: (item: Item) => Item): void } {
    const keep = (pages: Pages<Item>) => {
      this.#pages.set(key, pages);
      return pages;
    };
    const known = () => this.#pages.get(key) as Pages<Item> | undefined;
    const query = this.named(
      key,
      async () => {
        const page = await read();
        return keep(mergeFirstPage(known(), page));
      },
      concerns,
    );
    return {
      query,
      async more() {
        const before = known();
        if (!before?.nextCursor) return;
        const page = await read(before.nextCursor);
        query.data.value = keep({ items: [...(known() ?? before).items, ...page.items], nextCursor: page.nextCursor });
      },
      replace(change) {
        const before = known();
        if (before) query.data.value = keep({ ...before, items: before.items.map(change) });
      },
    };
  }

  /** Begins to show a query. @returns ends it */
  show(query: Query<never> | Query<unknown>): () => void {
    query.users++;
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
    this.#pages.clear();
    for (const [key, query] of this.#queries) {
      if (query.users > 0) query.refresh();
      else this.#queries.delete(key);
    }
  }

  #dropIdle(): void {
    const idle = [...this.#queries].filter(([, { users }]) => users === 0);
    for (const [key] of idle.slice(0, -maxIdle)) this.#queries.delete(key);
  }
}
