import { limits } from '../../contract/index.ts';
import type { Connection, Database } from '../database/index.ts';
import type { FunctionOfApp, NewInvocation } from '../types.ts';
import { type InvocationRow, linesOf, rowOf } from './rows.ts';
import { WaitingRecords } from './waiting-records.ts';

const { keptPerFunction, keptDays, keptLogBytes, recordedBytes } = limits.invocations;
/** How long records are collected before they are written. */
const batchMs = 1000;
/** Records whose events are written in one transaction. */
const eventsAtOnce = 100;
/** Old records are removed whenever a function has this many new ones. */
const sweepEvery = 250;

/** Writes records and their events, in one transaction. */
export type WriteWithEvents = (invocations: readonly NewInvocation[]) => Promise<void>;

/**
 * The records of invocations. They are written in batches by plain statements, because there may be ten thousand a
 * second: only as many of a function's batch are written as would be kept.
 */
export class InvocationLog {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #writeWithEvents: WriteWithEvents;
  readonly #pending = new Map<string, WaitingRecords>();
  readonly #unswept = new Map<string, number>();
  /** The newer part of each function's log. */
  readonly #logged = new Map<string, LogPart>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, now: () => number, writeWithEvents: WriteWithEvents) {
    this.#database = database;
    this.#now = now;
    this.#writeWithEvents = writeWithEvents;
  }

  record(invocation: NewInvocation): void {
    const kept = cut(invocation);
    this.#add(invocation, () => kept, logBytes(invocation));
  }

  /** Records an invocation without a log. */
  recordLater(of: FunctionOfApp, make: () => NewInvocation): void {
    this.#add(of, make, 0);
  }

  #add(of: FunctionOfApp, make: () => NewInvocation, bytes: number): void {
    const name = `${of.app}/${of.function}`;
    const waiting = this.#pending.get(name) ?? new WaitingRecords(of);
    this.#pending.set(name, waiting);
    waiting.add(make, bytes);
    this.#timer ??= setTimeout(() => {
      // A full disk must not end the process because of a log: the records wait, and the next reader gets the error.
      this.flush().catch(() => {});
    }, batchMs);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const next = this.#writing.catch(() => {}).then(() => this.#write());
    this.#writing = next;
    return next;
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const batches = [...this.#pending.values()];
    this.#pending.clear();
    let withEvents: NewInvocation[];
    try {
      withEvents = await this.#database.writer.use((connection) => this.#insert(connection, batches));
    } catch (error) {
      this.#putBack(batches);
      throw error;
    }
    while (withEvents.length > 0) {
      try {
        await this.#writeWithEvents(withEvents.slice(0, eventsAtOnce));
      } catch (error) {
        for (const invocation of withEvents) this.#add(invocation, () => invocation, logBytes(invocation));
        throw error;
      }
      withEvents = withEvents.slice(eventsAtOnce);
    }
  }

  /** Writes the records that lead to no event, which are nearly all. @returns the others */
  #insert(connection: Connection, batches: readonly WaitingRecords[]): NewInvocation[] {
    return connection.transaction(() => {
      const withEvents: NewInvocation[] = [];
      const isNamed = isInvokedNamed(connection);
      for (const batch of batches) {
        for (const { make } of batch.inOrder()) {
          const invocation = make();
          if (isEvent(invocation, isNamed)) withEvents.push(invocation);
          else insert(connection, invocation);
        }
      }
      for (const batch of batches) {
        this.#sweep(connection, batch);
        this.#sweepLog(connection, batch);
      }
      return withEvents;
    });
  }

  /** Puts unwritten records back, before those that arrived meanwhile. */
  #putBack(batches: readonly WaitingRecords[]): void {
    for (const batch of batches) {
      const name = `${batch.of.app}/${batch.of.function}`;
      for (const { make, bytes } of this.#pending.get(name)?.inOrder() ?? []) batch.add(make, bytes);
      this.#pending.set(name, batch);
    }
  }

  /** Logs are kept in two parts: when the newer one is full, the older one is deleted with its records. */
  #sweepLog(connection: Connection, { of: { app, function: name }, bytes }: WaitingRecords): void {
    if (bytes === 0) return;
    const key = `${app}/${name}`;
    const known = this.#logged.get(key);
    const part = known ?? newerPart(connection, app, name);
    if (known) part.bytes += bytes;
    if (part.bytes > keptLogBytes) {
      removeLogged(connection, app, name, part.since);
      Object.assign(part, nothingSince(connection));
    }
    this.#logged.set(key, part);
  }

  #sweep(connection: Connection, { of, size }: WaitingRecords): void {
    const name = `${of.app}/${of.function}`;
    const unswept = (this.#unswept.get(name) ?? sweepEvery) + size;
    this.#unswept.set(name, unswept % sweepEvery);
    if (unswept >= sweepEvery) sweep(connection, of.app, of.function, this.#now());
  }
}

const logBytes = ({ logs }: NewInvocation): number => logs.reduce((sum, { text }) => sum + text.length, 0);

/** What an invocation that an event has caused leads to is in the log of its delivery: an event of it would lead to the next one. */
function isEvent({ status, trigger }: NewInvocation, isNamed: boolean): boolean {
  return trigger !== 'event' && (status !== 'ok' || isNamed);
}

/** Whether an endpoint or a listener names `function.invoked`: only then is each invocation an event. */
function isInvokedNamed(connection: Connection): boolean {
  const named = `patterns LIKE '%"function.invoked"%'`;
  const found = connection.get(
    `SELECT 1 AS found FROM endpoint WHERE state = 'enabled' AND ${named} UNION ALL SELECT 1 FROM listener WHERE ${named} LIMIT 1`,
  );
  return found !== undefined;
}

interface LogPart {
  bytes: number;
  /** The position of its first line. */
  since: number;
}

function nothingSince(connection: Connection): LogPart {
  const last = connection.get('SELECT max(seq) AS seq FROM log_line');
  return { bytes: 0, since: Number(last?.['seq'] ?? 0) + 1 };
}

/** Determines the newer part when this process first writes a log of the function. A log no larger than one part counts as older. */
function newerPart(connection: Connection, app: string, name: string): LogPart {
  if (connection.pragma('page_count') * connection.pragma('page_size') <= keptLogBytes) return nothingSince(connection);
  const full = connection.get(
    `SELECT seq, bytes FROM (SELECT seq, sum(octet_length(text)) OVER (ORDER BY seq DESC) AS bytes
      FROM log_line WHERE app = ? AND function = ?) WHERE bytes > ? ORDER BY seq DESC LIMIT 1`,
    app,
    name,
    keptLogBytes,
  );
  return full === undefined ? nothingSince(connection) : { bytes: Number(full['bytes']), since: Number(full['seq']) };
}

function removeLogged(connection: Connection, app: string, name: string, before: number): void {
  const lines = 'FROM log_line WHERE app = ? AND function = ? AND seq < ?';
  connection.run(`DELETE FROM invocation WHERE id IN (SELECT invocation_id ${lines})`, app, name, before);
  connection.run(`DELETE ${lines}`, app, name, before);
}

function sweep(connection: Connection, app: string, name: string, now: number): void {
  const borders = connection.get(
    'SELECT started_at, id FROM invocation WHERE app = ? AND function = ? ORDER BY started_at DESC, id DESC LIMIT 1 OFFSET ?',
    app,
    name,
    keptPerFunction - 1,
  );
  const oldest = now - keptDays * 86_400_000;
  const which = `app = ? AND function = ? AND (started_at < ? OR (started_at, id) < (?, ?))`;
  const values = [app, name, oldest, borders?.['started_at'] ?? 0, borders?.['id'] ?? ''] as const;
  connection.run(`DELETE FROM log_line WHERE invocation_id IN (SELECT id FROM invocation WHERE ${which})`, ...values);
  connection.run(`DELETE FROM invocation WHERE ${which}`, ...values);
}

const columns = [
  ['id', 'app', 'function', 'type', 'version', 'trigger_kind', 'caller_type', 'caller_id', 'status', 'started_at'],
  ['wall_ms', 'cpu_ms', 'peak_memory_bytes', 'error', 'input', 'result', 'calls', 'trace_id', 'cause_id'],
].flat() as readonly (keyof InvocationRow)[];
const insertRow = `INSERT INTO invocation (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;

function insert(connection: Connection, invocation: NewInvocation): void {
  const row = rowOf(invocation);
  connection.run(insertRow, ...columns.map((column) => row[column] ?? null));
  for (const line of linesOf(invocation)) {
    connection.run(
      'INSERT INTO log_line (invocation_id, app, function, at, level, text) VALUES (?, ?, ?, ?, ?, ?)',
      line.invocation_id,
      line.app,
      line.function,
      line.at,
      line.level,
      line.text,
    );
  }
}

function cut(invocation: NewInvocation): NewInvocation {
  const { inputJson, resultJson, calls } = invocation;
  const listed = listedCalls(calls);
  if (fits(inputJson) && (resultJson === null || fits(resultJson)) && listed === calls.length) return invocation;
  return {
    ...invocation,
    inputJson: cutJson(inputJson),
    resultJson: resultJson === null ? null : cutJson(resultJson),
    calls: calls.slice(0, listed),
    callsLeftOut: calls.length - listed,
  };
}

/** How many of the calls fit into a record. */
function listedCalls(calls: NewInvocation['calls']): number {
  let bytes = 0;
  for (const [i, { input: _, answer: __, ...call }] of calls.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(call)) + 1;
    if (bytes > recordedBytes) return i;
  }
  return calls.length;
}

/** Most texts are short enough without counting: no UTF-16 unit takes more than three bytes. */
function fits(text: string): boolean {
  return text.length * 3 <= recordedBytes || Buffer.byteLength(text) <= recordedBytes;
}

/** Replaces JSON that is too long by its beginning and its size. */
function cutJson(text: string): string {
  if (fits(text)) return text;
  const bytes = Buffer.from(text);
  // A character cut in the middle is left out.
  const start = bytes
    .subarray(0, recordedBytes)
    .toString()
    .replace(/\uFFFD+$/, '');
  return JSON.stringify({ truncated: true, bytes: bytes.length, start });
}
