import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Rows that nearly every write asks for and that change seldom, kept in memory as they were committed last. */
export class CommittedCopy<T> {
  readonly #read: (db: Kysely<Tables>) => Promise<T>;
  #known: { readonly value: T } | undefined;
  /** The transaction that has changed them and has not been committed. */
  #changing: unknown;
  #version = 0;

  constructor(read: (db: Kysely<Tables>) => Promise<T>) {
    this.#read = read;
  }

  async get(db: Kysely<Tables>): Promise<T> {
    // Nobody else sees what this transaction has changed.
    if (db === this.#changing) return this.#read(db);
    if (this.#known !== undefined) return this.#known.value;
    const version = this.#version;
    const value = await this.#read(db);
    // Something may have been committed since the rows were read.
    if (version === this.#version) this.#known = { value };
    return value;
  }

  /** Called in the transaction of each change of the rows. */
  changed({ db, afterCommit }: { db: Kysely<Tables>; afterCommit: (work: () => void) => void }): void {
    this.#changing = db;
    this.#forget();
    afterCommit(() => {
      this.#changing = undefined;
      this.#forget();
    });
  }

  #forget(): void {
    this.#known = undefined;
    this.#version++;
  }
}
