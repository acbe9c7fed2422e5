import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { refusal } from '../../contract/index.ts';
import { machineFailure } from './failure.ts';

type Row = Record<string, SQLOutputValue>;

/** A prepared statement, and whether it returns rows. */
export interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/** How many prepared statements a connection keeps. Lists with `IN (…)` produce ever new texts, so the number must be bounded. */
const statementsKept = 400;

/** One connection with its prepared statements. */
export class Connection {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  statement(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.db.prepare(sql);
    const made = { statement, hasRows: statement.columns().length > 0 };
    if (this.#statements.size >= statementsKept) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, made);
    return made;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).statement.all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).statement.get(...values);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).statement.run(...values).changes);
  }

  /** Reads a numeric pragma: a setting or a fact of the database. */
  pragma(name: string): number {
    return Number(Object.values(this.db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  }

  /** Runs synchronous `work` as one transaction. */
  transaction<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.db.isOpen) this.db.close();
  }
}

/** Connections to one file, lent one at a time, first come first served. */
export class Pool {
  readonly #file: string;
  readonly #open: () => Connection;
  readonly #most: number;
  readonly #all: Connection[] = [];
  readonly #idle: Connection[] = [];
  #closing = false;
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(file: string, open: () => Connection, most: number, opened: readonly Connection[] = []) {
    this.#file = file;
    this.#open = open;
    this.#most = most;
    this.#all.push(...opened);
    this.#idle.push(...opened);
  }

  /** @throws WorkspaceError workspace_stopping once closing has begun */
  async acquire(): Promise<Connection> {
    if (this.#closing) throw refusal('workspace_stopping');
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#all.length < this.#most) {
      const made = this.#another();
      if (made !== undefined) return made;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Opens another connection, for speed only: if that fails, the open ones suffice. */
  #another(): Connection | undefined {
    try {
      const made = this.#open();
      this.#all.push(made);
      return made;
    } catch (error) {
      if (this.#all.length === 0) throw error;
      return undefined;
    }
  }

  release(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else next(connection);
  }

  /** Borrows a connection for `work`. @throws MachineError in place of SQLite's errors about the machine */
  async use<T>(work: (connection: Connection) => T | Promise<T>): Promise<T> {
    try {
      const connection = await this.acquire();
      try {
        return await work(connection);
      } finally {
        this.release(connection);
      }
    } catch (error) {
      throw machineFailure(this.#file, error);
    }
  }

  /** Borrows all connections at once, for `work` that must not run beside anything else. */
  async useAll<T>(work: () => T): Promise<T> {
    const held: Connection[] = [];
    try {
      while (held.length < this.#all.length) held.push(await this.acquire());
      return work();
    } finally {
      for (const connection of held) this.release(connection);
    }
  }

  /** Lets callers that already wait have their turn, then closes every connection. */
  async close(): Promise<void> {
    this.#closing = true;
    while (this.#idle.length < this.#all.length) {
      await new Promise<void>((resolve) => {
        this.#waiting.push((connection) => {
          this.#idle.push(connection);
          resolve();
        });
      });
    }
    for (const connection of this.#all) connection.close();
  }
}
