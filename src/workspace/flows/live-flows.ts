import type { Kysely } from 'kysely';
import type { Flow } from '../../contract/shapes/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson } from '../door/tx.ts';

/** A flow that can start. */
export interface LiveFlow {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly version: number;
  readonly on: string;
  readonly definition: Flow;
}

/** The flows that can start, in memory and in their order: each event asks whether one of them cares. */
export class LiveFlows {
  #known: readonly LiveFlow[] | undefined;
  /** The transaction that has changed them and has not been committed. */
  #changing: unknown;
  #version = 0;

  async all(db: Kysely<Tables>): Promise<readonly LiveFlow[]> {
    // Nobody else sees what this transaction has changed.
    if (db === this.#changing) return read(db);
    if (this.#known !== undefined) return this.#known;
    const version = this.#version;
    const known = await read(db);
    // Something may have been committed since the rows were read.
    if (version === this.#version) this.#known = known;
    return known;
  }

  /** Called in the transaction of each change of a flow. */
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

async function read(db: Kysely<Tables>): Promise<LiveFlow[]> {
  const rows = await db
    .selectFrom('flow')
    .select(['id', 'app', 'name', 'version', 'trigger_on', 'definition'])
    .where('live', '=', 1)
    .where('enabled', '=', 1)
    .orderBy('sort_key')
    .execute();
  return rows.map(({ trigger_on, definition, ...row }) => ({
    ...row,
    on: trigger_on,
    definition: fromJson<Flow>(definition),
  }));
}
