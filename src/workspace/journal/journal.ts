import { type Kysely, sql } from 'kysely';
import { type Caller, limits, type Trace } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Announcement } from '../door/tx.ts';
import type { ActorType, JournalEvent, Json } from '../types.ts';

/** If its new or previous data is larger than this, an event only names the objects instead of including them. */
const dataBytes = 20_000;
/** Old events are removed once in so many. */
const pruneEvery = 1000;

const actorTypes: Record<Caller['type'], ActorType> = {
  token: 'api',
  function: 'function',
  agent: 'agent',
  customer: 'customer',
  local: 'api',
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
    ...(announcement.synthetic && { synthetic: true as const }),
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
      deliver_to: announcement.deliverTo ?? null,
      synthetic: announcement.synthetic ? 1 : 0,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  await pruneJournal(db, seq, now);
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

/** Keeps the events of the last 7 days, or the newest 100,000 if these are more; never more than 1,000,000. */
async function pruneJournal(db: Kysely<Tables>, seq: number, now: number): Promise<void> {
  if (seq % pruneEvery !== 0) return;
  const { eventsKept, maxEvents, keptDays } = limits.journal;
  const olderThan = now - keptDays * 86_400_000;
  await db
    .deleteFrom('journal')
    .where((eb) =>
      eb.or([eb('seq', '<=', seq - maxEvents), eb.and([eb('seq', '<=', seq - eventsKept), eb('at', '<', olderThan)])]),
    )
    .execute();
}
