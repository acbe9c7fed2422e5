import type { Selectable } from 'kysely';
import { limits, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { envelopeOf } from '../journal/envelope.ts';
import { requireEvent } from '../journal/read-events.ts';
import { pageBy } from '../lists/page.ts';
import { requireEnabled, requireEndpoint } from '../webhooks/endpoints.ts';
import { deliveryTo, isListener, requireListener } from '../webhooks/listeners.ts';
import { makeDelivery } from '../webhooks/make-deliveries.ts';
import { paceOf, resendDelivery } from '../webhooks/recover.ts';
import type { HandlersOf } from './index.ts';

const { maxAtOnce } = limits.webhooks;

type Row = Omit<Selectable<Tables['delivery']>, 'body' | 'depth'>;
type Delivery = Output<'deliveries.list'>['items'][number];

const columns = [
  'seq',
  'id',
  'event_id',
  'event_type',
  'conversation_id',
  'receiver_id',
  'state',
  'attempts',
  'next_due',
  'status',
  'reason',
  'trace_id',
  'cause_id',
  'created_at',
  'ended_at',
  'resend_at',
] as const;

export const deliveryHandlers: HandlersOf<'deliveries'> = {
  async 'deliveries.list'(input, tx) {
    const { endpointId, eventId, state } = input;
    const page = await pageBy(
      tx,
      'deliveries.list',
      input,
      tx.db
        .selectFrom('delivery')
        .select(columns)
        .$if(endpointId !== undefined, (query) => query.where('receiver_id', '=', endpointId ?? ''))
        .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId ?? ''))
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? '')),
      { by: 'seq', desc: true },
    );
    return { items: page.rows.map(deliveryOf), nextCursor: page.nextCursor };
  },

  async 'deliveries.show'({ id }, tx) {
    const row = await tx.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw refusal('delivery_not_found', `There is no delivery ${id}`);
    const attempts = await tx.db
      .selectFrom('delivery_attempt')
      .selectAll()
      .where('delivery_id', '=', id)
      .orderBy('number')
      .execute();
    return { ...deliveryOf(row), body: row.body, attempts: attempts.map(attemptOf) };
  },

  async 'deliveries.resend'({ id, eventId, endpointId, failedSince, perSecond }, tx) {
    if (endpointId !== undefined) await requireReceiver(tx, endpointId);
    const pace = paceOf(tx, perSecond);
    if (eventId !== undefined) {
      const ids = await resendEvent(tx, eventId, endpointId, pace);
      return { count: ids.length, more: false, deliveryIds: ids };
    }
    const found = await failedOrOne(tx, { id, failedSince, endpointId });
    const ids = found.slice(0, maxAtOnce);
    for (const one of ids) await resendDelivery(tx, one, pace());
    return { count: ids.length, more: found.length > maxAtOnce, deliveryIds: ids };
  },
};

/** @throws WorkspaceError webhook_not_found, webhook_disabled, listener_not_found */
async function requireReceiver(tx: Tx, id: string): Promise<void> {
  if (isListener(id)) await requireListener(tx, id);
  else requireEnabled(await requireEndpoint(tx, id));
}

/** Deliveries whose receiver can get something: one of them, or those that failed. */
async function failedOrOne(
  tx: Tx,
  { id, failedSince, endpointId }: Pick<ParsedInput<'deliveries.resend'>, 'id' | 'failedSince' | 'endpointId'>,
): Promise<string[]> {
  if (id !== undefined) {
    const row = await tx.db.selectFrom('delivery').select('receiver_id').where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw refusal('delivery_not_found', `There is no delivery ${id}`);
    await requireReceiver(tx, row.receiver_id);
    return [id];
  }
  const rows = await tx.db
    .selectFrom('delivery')
    .select('id')
    .where('state', '=', 'failed')
    .where('created_at', '>=', Date.parse(failedSince ?? ''))
    .$if(endpointId !== undefined, (query) => query.where('receiver_id', '=', endpointId ?? ''))
    .where((eb) =>
      eb.or([
        eb(
          'receiver_id',
          'in',
          eb.selectFrom('endpoint').select('endpoint.id').where('endpoint.state', '=', 'enabled'),
        ),
        eb('receiver_id', 'in', eb.selectFrom('listener').select('listener.id')),
      ]),
    )
    .orderBy('seq')
    .limit(maxAtOnce + 1)
    .execute();
  return rows.map((row) => row.id);
}

/** To one receiver, even if it did not get the event before; or to everybody who got it, or wants it now. */
async function resendEvent(
  tx: Tx,
  eventId: string,
  receiverId: string | undefined,
  pace: () => number,
): Promise<string[]> {
  const event = await requireEvent(tx, eventId);
  const known = await tx.db
    .selectFrom('delivery')
    .select(['id', 'receiver_id'])
    .where('event_id', '=', eventId)
    .orderBy('seq')
    .execute();
  const byReceiver = new Map(known.map((row) => [row.receiver_id, row.id]));
  const wanting = await tx.facts.subscriptions.wanting(tx.db, event.type);
  const enabled = new Set([
    ...(await tx.db.selectFrom('endpoint').select('id').where('state', '=', 'enabled').execute()).map((row) => row.id),
    ...(await tx.db.selectFrom('listener').select('id').execute()).map((row) => row.id),
  ]);
  const everybody = [...new Set([...byReceiver.keys(), ...wanting.map((endpoint) => endpoint.id)])];
  const receivers = receiverId === undefined ? everybody.filter((one) => enabled.has(one)) : [receiverId];
  const body = JSON.stringify(envelopeOf(event, tx.facts.slug));
  const ids: string[] = [];
  for (const receiver of receivers) {
    const before = byReceiver.get(receiver);
    if (before === undefined && !isListener(receiver)) {
      ids.push(await makeDelivery(tx, { event, body, receiverId: receiver, due: pace() }));
    } else {
      const id = before ?? (await deliveryTo(tx, receiver, event)).id;
      await resendDelivery(tx, id, pace());
      ids.push(id);
    }
  }
  return ids;
}

function deliveryOf(row: Row): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    endpointId: row.receiver_id,
    conversationId: row.conversation_id,
    state: row.state as Delivery['state'],
    attemptCount: row.attempts,
    nextAttemptAt: row.next_due === null ? null : toTimestamp(row.next_due),
    status: row.status,
    reason: row.reason,
    traceId: row.trace_id,
    causeId: row.cause_id,
    createdAt: toTimestamp(row.created_at),
    endedAt: row.ended_at === null ? null : toTimestamp(row.ended_at),
  };
}

type Attempt = Output<'deliveries.show'>['attempts'][number];

function attemptOf(row: Selectable<Tables['delivery_attempt']>): Attempt {
  return {
    number: row.number,
    startedAt: toTimestamp(row.started_at),
    ms: row.ms,
    target: row.target,
    requestHeaders: fromJson<Attempt['requestHeaders']>(row.request_headers),
    status: row.status,
    answer: row.answer === null ? null : fromJson<NonNullable<Attempt['answer']>>(row.answer),
    error: row.error === null ? null : fromJson<NonNullable<Attempt['error']>>(row.error),
    reason: row.reason,
    invocationId: row.invocation_id,
  };
}
