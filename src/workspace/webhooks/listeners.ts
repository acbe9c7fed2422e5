import type { Selectable } from 'kysely';
import { limits, type Output, refusal } from '../../contract/index.ts';
import { newId } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { makeEventCursor } from '../journal/cursor.ts';
import { envelopeOf } from '../journal/envelope.ts';
import { eventsAfter, placeAfter, requireKept } from '../journal/read-events.ts';
import type { JournalEvent, ListenerPage } from '../types.ts';

export type ListenerRow = Selectable<Tables['listener']>;

/** Whether a receiver is a listener, which fetches its events, and not an endpoint. */
export const isListener = (receiverId: string): boolean => receiverId.startsWith('lsn_');

/** @throws WorkspaceError listener_not_found */
export async function requireListener({ db }: Tx, id: string): Promise<ListenerRow> {
  const row = await db.selectFrom('listener').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('listener_not_found', `There is no listener ${id}`);
  return row;
}

/** The delivery of an event to a listener; made when it is first needed, for a listener fetches its events. */
export async function deliveryTo(
  tx: Tx,
  listenerId: string,
  event: JournalEvent,
): Promise<{ id: string; attempts: number }> {
  const known = await tx.db
    .selectFrom('delivery')
    .select(['id', 'attempts'])
    .where('event_id', '=', event.id)
    .where('receiver_id', '=', listenerId)
    .executeTakeFirst();
  if (known !== undefined) return known;
  const id = newId('dlv', tx.now);
  await tx.db
    .insertInto('delivery')
    .values({
      id,
      event_id: event.id,
      event_type: event.type,
      conversation_id: event.conversationId,
      receiver_id: listenerId,
      state: 'waiting',
      attempts: 0,
      body: JSON.stringify(envelopeOf(event, tx.facts.slug)),
      trace_id: event.traceId ?? tx.trace.traceId,
      cause_id: event.id,
      depth: event.depth + 1,
      created_at: tx.now,
    })
    .execute();
  return { id, attempts: 0 };
}

/**
 * What a listener is to get next.
 * @param from where its stream has got to; undefined: at its cursor
 * @throws WorkspaceError listener_not_found, cursor_expired
 */
export async function nextForListener(tx: Tx, id: string, from: number | undefined): Promise<ListenerPage> {
  const row = await requireListener(tx, id);
  if (from === undefined) await requireKept(tx, row.seq);
  const { secret, slug } = tx.facts;
  const most = limits.list.most;
  const filter = { type: fromJson<string[]>(row.patterns).join() };
  const found = await eventsAfter(tx.db, from ?? row.seq, most, filter);
  const more = found.length === most;
  const last = found.at(-1)?.seq ?? from ?? row.seq;
  const resent = await tx.db
    .selectFrom('delivery')
    .select(['id', 'body', 'depth', 'resend_at'])
    .where('receiver_id', '=', id)
    .where('resend_at', 'is not', null)
    .orderBy('resend_at')
    .orderBy('seq')
    .limit(most)
    .execute();
  return {
    events: found.map((event) => ({
      event: envelopeOf(event, slug),
      cursor: makeEventCursor(event.seq, secret),
      depth: event.depth + 1,
    })),
    resends: resent.map((delivery) => ({
      deliveryId: delivery.id,
      event: JSON.parse(delivery.body) as Output<'events.show'>,
      depth: delivery.depth,
      at: delivery.resend_at ?? 0,
    })),
    seq: more ? last : await placeAfter(tx.db, from ?? row.seq, found, filter),
    more,
  };
}
