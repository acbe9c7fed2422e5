import { type Kysely, sql } from 'kysely';
import { type ActorType, type Caller, limits } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Announcement, Tx } from '../door/tx.ts';
import { wakeFlows } from '../flows/wake-flows.ts';
import type { JournalEvent, Json } from '../types.ts';
import { deliverEvent } from '../webhooks/make-deliveries.ts';

/** If its new or previous data is larger than this, an event only names the objects instead of including them. */
const dataBytes = 20_000;
/** Old events are removed once in so many. */
const pruneEvery = 1000;

const actorTypes: Record<Caller['type'], ActorType> = {
  token: 'api',
  function: 'function',
  agent: 'agent',
  flow: 'flow',
  aiAgent: 'aiAgent',
  customer: 'customer',
  local: 'api',
  system: 'system',
};

/** Who acts, as events and logs name it. */
export function actorOf(caller: Caller): { readonly type: ActorType; readonly id: string | null } {
  return { type: actorTypes[caller.type], id: caller.id };
}

/** Writes one event and its deliveries, in the transaction of the change. */
export async function writeEvent(tx: Tx, announcement: Announcement, operation: string): Promise<JournalEvent> {
  const { db, now } = tx;
  const { caller, trace } = announcement.by ?? tx;
  const conversationId = announcement.conversationId ?? null;
  // What did not happen is not counted, and its conversation may not exist.
  const sequence = conversationId === null || announcement.synthetic ? null : await nextSequence(db, conversationId);
  const data = shortened(announcement.data);
  const made = {
    id: newId('evt', now),
    type: announcement.type,
    timestamp: toTimestamp(now),
    actor: announcement.actor ?? actorOf(caller),
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
      id: made.id,
      type: made.type,
      at: now,
      actor_type: made.actor.type,
      actor_id: made.actor.id,
      conversation_id: conversationId,
      sequence,
      data,
      previous: made.previous === null ? null : JSON.stringify(made.previous),
      operation,
      invocation_id: made.invocationId,
      trace_id: trace.traceId,
      cause_id: trace.causeId,
      depth: trace.depth,
      deliver_to: announcement.deliverTo ?? null,
      synthetic: announcement.synthetic ? 1 : 0,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  await pruneJournal(db, seq, now);
  const event = { seq, ...made };
  await deliverEvent(tx, event, announcement.deliverTo);
  if (!announcement.skipsFlows) await wakeFlows(tx, event);
  return event;
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
