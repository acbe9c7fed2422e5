import { type Kysely, type Selectable, sql } from 'kysely';
import type { ActorType } from '../../contract/index.ts';
import { type EventKind, eventKinds, findSubscriptionProblem, isSubscribed, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Tx } from '../door/tx.ts';
import type { JournalEvent } from '../types.ts';
import { makeEventCursor } from './cursor.ts';

type Row = Selectable<Tables['journal']>;

/** Which events somebody wants. */
export interface EventFilter {
  /** Kinds, groups (`message.*`) or `*`, separated by commas. */
  readonly type?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Milliseconds by the workspace clock: events at or after this time. */
  readonly since?: number | undefined;
}

export async function latestSeq(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('journal')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/**
 * Where reading goes on after a page. What the filter leaves out behind the last event found is passed over once, so only then is the end of
 * the journal asked for.
 */
export async function placeAfter(
  db: Kysely<Tables>,
  from: number,
  found: readonly JournalEvent[],
  filter: EventFilter,
) {
  const last = found.at(-1)?.seq;
  if (last !== undefined && !leavesOut(filter)) return last;
  return Math.max(last ?? from, await latestSeq(db));
}

function leavesOut({ type, conversationId, since }: EventFilter): boolean {
  return (type !== undefined && type !== '*') || conversationId !== undefined || since !== undefined;
}

/** Events after a place in the journal, oldest first. */
export async function eventsAfter(
  db: Kysely<Tables>,
  seq: number,
  limit: number,
  filter: EventFilter = {},
): Promise<JournalEvent[]> {
  const rows = await select(db, filter).where('seq', '>', seq).orderBy('seq').limit(limit).execute();
  return rows.map(eventOf);
}

/** Events before a place in the journal, newest first. */
export async function eventsBefore(
  db: Kysely<Tables>,
  seq: number | undefined,
  limit: number,
  filter: EventFilter,
): Promise<JournalEvent[]> {
  const rows = await select(db, filter)
    .$if(seq !== undefined, (query) => query.where('seq', '<', seq ?? 0))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(eventOf);
}

function select(db: Kysely<Tables>, { type, conversationId, since }: EventFilter) {
  const kinds = kindsOf(type);
  return db
    .selectFrom('journal')
    .selectAll()
    .where('deliver_to', 'is', null)
    .$if(kinds !== undefined, (query) => query.where(sql`+type`, 'in', kinds ?? []))
    .$if(conversationId !== undefined, (query) => query.where('conversation_id', '=', conversationId ?? ''))
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? 0));
}

/** The kinds that a filter names; undefined for all. @throws WorkspaceError event_unknown, with the kind that was probably meant */
function kindsOf(type: string | undefined): EventKind[] | undefined {
  if (type === undefined) return undefined;
  const patterns = parseKinds(type);
  return eventKinds.filter((kind) => patterns.includes('*') || isSubscribed(patterns, kind));
}

/** @throws WorkspaceError event_unknown for a kind that there is not */
export function requireKinds(type: string | undefined): void {
  if (type !== undefined) parseKinds(type);
}

/** The place before the first event at or after a time. */
export async function seqAt(db: Kysely<Tables>, ms: number): Promise<number> {
  const row = await db
    .selectFrom('journal')
    .select((eb) => eb.fn.min('seq').as('seq'))
    .where('at', '>=', ms)
    .executeTakeFirst();
  return row?.seq == null ? latestSeq(db) : row.seq - 1;
}

/** @throws WorkspaceError event_unknown */
function parseKinds(type: string): string[] {
  const patterns = type
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const problem = findSubscriptionProblem(patterns);
  if (problem) throw refusal('event_unknown', problem.message, { hint: problem.hint });
  return patterns;
}

/** @throws WorkspaceError event_not_found */
export async function requireEvent({ db }: Tx, id: string): Promise<JournalEvent> {
  const row = await db.selectFrom('journal').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('event_not_found', `There is no event ${id}`);
  return eventOf(row);
}

/**
 * Refuses a cursor from which events are missing, because they are no longer kept.
 * @throws WorkspaceError cursor_expired, with the oldest cursor in its details
 */
export async function requireKept(tx: Tx, seq: number): Promise<void> {
  const oldest = await tx.db
    .selectFrom('journal')
    .select((eb) => eb.fn.min('seq').as('seq'))
    .executeTakeFirst();
  const first = oldest?.seq ?? (await latestSeq(tx.db)) + 1;
  if (seq >= first - 1) return;
  const cursor = makeEventCursor(first - 1, tx.facts.secret);
  throw refusal('cursor_expired', undefined, {
    details: { oldestCursor: cursor },
    hint: `Begin at the oldest event that is kept (cursor ${cursor}), or now (without a cursor).`,
  });
}

export function eventOf(row: Row): JournalEvent {
  return {
    seq: row.seq,
    id: row.id,
    type: row.type as JournalEvent['type'],
    timestamp: toTimestamp(row.at),
    actor: { type: row.actor_type as ActorType, id: row.actor_id },
    conversationId: row.conversation_id,
    sequence: row.sequence,
    data: JSON.parse(row.data) as JournalEvent['data'],
    previous: row.previous === null ? null : (JSON.parse(row.previous) as JournalEvent['data']),
    operation: row.operation,
    invocationId: row.invocation_id,
    traceId: row.trace_id,
    causeId: row.cause_id,
    depth: row.depth,
    ...(row.synthetic === 1 && { synthetic: true as const }),
  };
}
