import { type SelectQueryBuilder, sql } from 'kysely';
import { limits, refusal } from '../../contract/index.ts';
import { canonicalJson } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Tx } from '../door/tx.ts';
import { hmac, sameText } from '../tokens/hmac.ts';

/** Where a page begins: after the row with this sort key and id. */
export interface Position {
  readonly key: number | string;
  readonly id: string;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly nextCursor: string | null;
  /** Where this page ends, even if it is the last one: for lists that only grow at their end. */
  readonly resumeCursor: string;
}

const beginning: Position = { key: 0, id: '' };

/**
 * Reads one page of a list. Pages follow rows, not counts, so that rows added or removed meanwhile shift nothing.
 * @param list  operation name; with the filters in `input` it binds the cursor to this very list
 * @param fetch reads at most `limit` rows after a position
 * @throws WorkspaceError cursor_invalid for a cursor of another list, or one that was changed
 */
export async function pageOf<Row>(
  tx: Tx,
  list: string,
  input: { limit?: number | undefined; cursor?: string | undefined },
  fetch: (after: Position | undefined, limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<Page<Row>> {
  const limit = input.limit ?? limits.list.default;
  const scope = scopeOf(list, input, tx);
  const after = input.cursor === undefined ? undefined : readCursor(input.cursor, scope, tx.facts.secret);
  const rows = await rowsUpTo(limit + 1, after, fetch, positionOf);
  const shown = rows.slice(0, Math.min(limit, countWithin(rows, limits.list.pageBytes)));
  const last = shown.at(-1);
  const nextCursor =
    rows.length > shown.length && last !== undefined ? makeCursor(positionOf(last), scope, tx.facts.secret) : null;
  return {
    rows: shown,
    nextCursor,
    get resumeCursor() {
      return makeCursor(last === undefined ? (after ?? beginning) : positionOf(last), scope, tx.facts.secret);
    },
  };
}

/** Reads in batches, so that a page of large rows costs neither the memory nor the time of all requested rows. */
async function rowsUpTo<Row>(
  most: number,
  after: Position | undefined,
  fetch: (after: Position | undefined, limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<Row[]> {
  const lot = limits.list.default + 1;
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const wanted = Math.min(lot, most - rows.length);
    const more = await fetch(last === undefined ? after : positionOf(last), wanted);
    rows.push(...more);
    if (more.length < wanted || rows.length === most || countWithin(rows, limits.list.pageBytes) < rows.length)
      return rows;
  }
}

/** How many rows fit into a page of so many bytes; at least one, however large. */
function countWithin(rows: readonly unknown[], mostBytes: number): number {
  let bytes = 0;
  const beyond = rows.findIndex((row) => {
    for (const value of Object.values(row as object)) if (typeof value === 'string') bytes += value.length;
    return bytes > mostBytes;
  });
  return beyond < 0 ? rows.length : Math.max(1, beyond);
}

/** The order of a list's rows; ties of `by` are broken by id or another unique column. */
interface Order<Column> {
  readonly by: Column;
  readonly tie?: Column;
  readonly desc?: boolean;
}

/**
 * Reads one page of a query.
 * @param rows a query for every row of the list, unordered
 * @throws WorkspaceError cursor_invalid
 */
export function pageBy<Table extends keyof Tables, Row extends object>(
  tx: Tx,
  list: string,
  input: { limit?: number | undefined; cursor?: string | undefined },
  rows: SelectQueryBuilder<Tables, Table, Row>,
  order: Order<string & keyof Row>,
): Promise<Page<Row>> {
  const { by, tie = 'id' as string & keyof Row, desc = false } = order;
  const direction = desc ? 'desc' : 'asc';
  const beyond = desc ? sql`<` : sql`>`;
  const [key, id] = [sql.ref(by), sql.ref(tie)];
  return pageOf<Row>(
    tx,
    list,
    input,
    (after, limit) => {
      const rest = after ? rows.where(sql<boolean>`(${key}, ${id}) ${beyond} (${after.key}, ${after.id})`) : rows;
      return rest.orderBy(key, direction).orderBy(id, direction).limit(limit).execute() as Promise<Row[]>;
    },
    (row) => ({ key: row[by] as Position['key'], id: String(row[tie]) }),
  );
}

function scopeOf(list: string, input: object, tx: Tx): string {
  const filters = Object.entries(input).filter(([name]) => name !== 'limit' && name !== 'cursor');
  return `${list} ${tx.caller.app ?? ''} ${canonicalJson(Object.fromEntries(filters))}`;
}

function makeCursor({ key, id }: Position, scope: string, secret: string): string {
  const text = Buffer.from(JSON.stringify([key, id])).toString('base64url');
  return `${text}.${signature(text, scope, secret)}`;
}

function readCursor(cursor: string, scope: string, secret: string): Position {
  const [text = '', signed = '', ...rest] = cursor.split('.');
  if (rest.length > 0 || !sameText(signed, signature(text, scope, secret))) {
    throw refusal('cursor_invalid', undefined, {
      errors: [{ path: 'cursor', message: 'is not a cursor of this list with these filters' }],
    });
  }
  const [key, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number | string, string];
  return { key, id };
}

function signature(text: string, scope: string, secret: string): string {
  return hmac(secret, `cursor ${scope} ${text}`).slice(0, 16);
}
