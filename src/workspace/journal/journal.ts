import { type Kysely, sql } from 'kysely';
import { type Caller, limits, type Trace } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Announcement } from '../door/tx.ts';
import type { ActorType, JournalEvent, Json } from '../types.ts';

/** If its new or previous data is larger than this, an event only names the objects instead of including them. */
const dataBytes = 20_000;
/** Older events are deleted. */
const { eventsKept } = limits.journal;

const actorTypes: Record<Caller['type'], ActorType> = {
  token: 'api',
  function: 'function',
  agent: 'user',
  customer: 'customer',
  local: 'user',
  system: 'system',
};

/** Writes one event in the transaction of the change. */
export async function writeEvent(
  db: Kysely<Tables>,
  announcement: Announcement,
  from: { caller: Caller; trace: Trace; operation: string; now: number },
): Promise<JournalEvent> {
  const { caller, trace, operation, now } = from;
  const conversationId = announcement.conversationId ?? null;
  const sequence = conversationId === null ? null : await nextSequence(db, conversationId);
  const data = shortened(announcement.data);
  const event = {
    id: newId('evt', now),
    type: announcement.type,
    timestamp: toTimestamp(now),
    actor: { type: actorTypes[caller.type], id: caller.id },
    conversationId,
    sequence,
    data: asJson(data),
    previous: announcement.previous === undefined ? null : asJson(shortened(announcement.previous)),
    operation,
    invocationId: caller.invocationId ?? null,
    ...trace,
  };
  const { seq } = await db
    .insertInto('journal')
    .values({
      id: event.id,
      type: event.type,
      at: now,
      actor_type: event.actor.type,
      actor_id: event.actor.id,
      conversation_id: conversationId,
      sequence,
      data,
      previous: event.previous === null ? null : JSON.stringify(event.previous),
      operation,
      invocation_id: event.invocationId,
      trace_id: trace.traceId,
      cause_id: trace.causeId,
      depth: trace.depth,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  if (seq % 1000 === 0)
    await db
      .deleteFrom('journal')
      .where('seq', '<=', seq - eventsKept)
      .execute();
  return { seq, ...event };
}

async function nextSequence(db: Kysely<Tables>, conversationId: string): Promise<number> {
  const row = await db
    .updateTable('conversation')
    .set({ event_count: sql<number>`event_count + 1` })
    .where('id', '=', conversationId)
    .returning('event_count')
    .executeTakeFirstOrThrow();
  return row.event_count;
}

function asJson(text: string): Record<string, Json> {
  return JSON.parse(text) as Record<string, Json>;
}

function shortened(data: Record<string, unknown>): string {
  const whole = JSON.stringify(data);
  if (Buffer.byteLength(whole) <= dataBytes) return whole;
  const short = Object.entries(data).map(([name, value]) => {
    const id = typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : null;
    return [name, { id, truncated: true }];
  });
  return JSON.stringify(Object.fromEntries(short));
}

export async function latestSeq(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('journal')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

export async function eventsAfter(db: Kysely<Tables>, seq: number, limit: number): Promise<JournalEvent[]> {
  const rows = await db.selectFrom('journal').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute();
  return rows.map((row) => ({
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
  }));
}
