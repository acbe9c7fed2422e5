import { eventKinds, isSubscribed, limits, type Output } from '../../contract/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { envelopeOf } from '../journal/envelope.ts';
import { eventOf } from '../journal/read-events.ts';
import type { EndpointRow } from './endpoints.ts';
import { isListener } from './listeners.ts';
import { enqueueDelivery, makeDelivery } from './make-deliveries.ts';

const { maxAtOnce } = limits.webhooks;

/** Events from a time on of which an endpoint has no delivery, or one that failed. */
function missed({ db }: Tx, receiverId: string, patterns: readonly string[], since: number) {
  return db
    .selectFrom('journal')
    .leftJoin('delivery', (join) =>
      join.onRef('delivery.event_id', '=', 'journal.id').on('delivery.receiver_id', '=', receiverId),
    )
    .where('journal.at', '>=', since)
    .where('journal.deliver_to', 'is', null)
    .where(
      'journal.type',
      'in',
      eventKinds.filter((kind) => isSubscribed(patterns, kind)),
    )
    .where((eb) => eb.or([eb('delivery.id', 'is', null), eb('delivery.state', '=', 'failed')]));
}

export async function countMissed(
  tx: Tx,
  receiverId: string,
  patterns: readonly string[],
  since: number,
): Promise<number> {
  const { count } = await missed(tx, receiverId, patterns, since)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Delivers what an endpoint has missed, oldest first. */
export async function recoverMissed(
  tx: Tx,
  endpoint: EndpointRow,
  { since, perSecond }: { readonly since: number; readonly perSecond: number | undefined },
): Promise<Output<'webhooks.recover'>> {
  const rows = await missed(tx, endpoint.id, fromJson<string[]>(endpoint.patterns), since)
    .selectAll('journal')
    .select('delivery.id as deliveryId')
    .orderBy('journal.seq')
    .limit(maxAtOnce + 1)
    .execute();
  const pace = paceOf(tx, perSecond);
  for (const { deliveryId, ...row } of rows.slice(0, maxAtOnce)) {
    const due = pace();
    if (deliveryId !== null) await resendDelivery(tx, deliveryId, due);
    else {
      const event = eventOf(row);
      const body = JSON.stringify(envelopeOf(event, tx.facts.slug));
      await makeDelivery(tx, { event, body, receiverId: endpoint.id, due });
    }
  }
  return { count: Math.min(rows.length, maxAtOnce), more: rows.length > maxAtOnce };
}

/** @returns when the next one is due, at so many a second */
export function paceOf(tx: Tx, perSecond: number | undefined): () => number {
  let sent = 0;
  return () => Math.round(tx.now + (perSecond === undefined ? 0 : (sent++ * 1000) / perSecond));
}

/**
 * Delivers again: the same webhook-id, a new timestamp, and the schedule of retries from its beginning. One that waits for its next attempt is
 * made due.
 */
export async function resendDelivery(tx: Tx, id: string, due: number): Promise<void> {
  const row = await tx.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (isListener(row.receiver_id)) return resendToListener(tx, id, due);
  if (row.state === 'waiting') return hasten(tx, row, due);
  await tx.db
    .updateTable('delivery')
    .set({ state: 'waiting', next_due: due, ended_at: null })
    .where('id', '=', id)
    .execute();
  const trace = { traceId: row.trace_id, causeId: row.cause_id, depth: row.depth };
  await enqueueDelivery(tx, { id, receiverId: row.receiver_id, conversationId: row.conversation_id, due, trace });
}

async function resendToListener(tx: Tx, id: string, due: number): Promise<void> {
  await tx.db
    .updateTable('delivery')
    .set({ state: 'waiting', next_due: due, resend_at: due, ended_at: null })
    .where('id', '=', id)
    .execute();
  tx.afterCommit(tx.facts.listenersChanged);
}

async function hasten(tx: Tx, { id, receiver_id }: { id: string; receiver_id: string }, due: number): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ due })
    .where('group_key', '=', receiver_id)
    .where('payload', '=', JSON.stringify({ deliveryId: id }))
    .where('state', 'in', ['waiting', 'blocked'])
    .where('due', '>', due)
    .execute();
  await tx.db.updateTable('delivery').set({ next_due: due }).where('id', '=', id).where('next_due', '>', due).execute();
  tx.afterCommit(tx.facts.jobsChanged);
}
