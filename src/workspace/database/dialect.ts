import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Connection, Pool } from './connection.ts';
import type { Tables } from './tables.ts';

/** Kysely on node:sqlite: its own SQLite dialect requires another library's statements. */
export function kyselyOver(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new PoolDriver(pool),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

class PoolDriver implements Driver {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(await this.#pool.acquire());
  }

  async beginTransaction({ inner }: SqliteConnection): Promise<void> {
    inner.run('BEGIN');
  }

  async commitTransaction({ inner }: SqliteConnection): Promise<void> {
    inner.run('COMMIT');
  }

  async rollbackTransaction({ inner }: SqliteConnection): Promise<void> {
    // A full disk ends the transaction by itself.
    if (inner.db.isTransaction) inner.db.exec('ROLLBACK');
  }

  async releaseConnection({ inner }: SqliteConnection): Promise<void> {
    this.#pool.release(inner);
  }

  /** Does nothing: the opener closes the database. */
  async destroy(): Promise<void> {}
}

class SqliteConnection implements DatabaseConnection {
  readonly inner: Connection;

  constructor(inner: Connection) {
    this.inner = inner;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, hasRows } = this.inner.statement(sql);
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  // biome-ignore lint/correctness/useYield: rows come at once; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('This database does not stream queries.');
  }
}
