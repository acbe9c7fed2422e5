import { limits, type Trace } from '../../contract/index.ts';
import { newId } from '../../std/index.ts';
import type { Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { envelopeOf } from '../journal/envelope.ts';
import type { JournalEvent } from '../types.ts';
import { sweepDeliveries } from './sweep.ts';

/** Old deliveries are removed once in so many. */
const sweepEvery = 500;

/**
 * Makes a delivery for each endpoint that wants an event, in the transaction of the event.
 * @param deliverTo the only endpoint that gets it
 */
export async function deliverEvent(tx: Tx, event: JournalEvent, deliverTo?: string): Promise<void> {
  const { subscriptions, slug } = tx.facts;
  const receivers =
    deliverTo === undefined ? (await subscriptions.wanting(tx.db, event.type)).map(({ id }) => id) : [deliverTo];
  if (receivers.length === 0) return;
  const body = JSON.stringify(envelopeOf(event, slug));
  for (const receiverId of receivers) await makeDelivery(tx, { event, body, receiverId });
}

/** A delivery to make. */
export interface NewDelivery {
  readonly event: Pick<JournalEvent, 'id' | 'type' | 'conversationId' | 'traceId' | 'depth'>;
  readonly body: string;
  readonly receiverId: string;
  /** Milliseconds by the workspace clock; now if left out. */
  readonly due?: number;
}

/** Makes a delivery and its job. @returns `dlv_…` */
export async function makeDelivery(tx: Tx, { event, body, receiverId, due = tx.now }: NewDelivery): Promise<string> {
  const trace = { traceId: event.traceId ?? tx.trace.traceId, causeId: event.id, depth: event.depth + 1 };
  const isLoop = trace.depth > limits.trace.maxDepth;
  const id = newId('dlv', tx.now);
  const { seq } = await tx.db
    .insertInto('delivery')
    .values({
      id,
      event_id: event.id,
      event_type: event.type,
      conversation_id: event.conversationId,
      receiver_id: receiverId,
      state: isLoop ? 'failed' : 'waiting',
      attempts: 0,
      next_due: isLoop ? null : due,
      reason: isLoop ? loopReason : null,
      body,
      trace_id: trace.traceId,
      cause_id: event.id,
      depth: trace.depth,
      created_at: tx.now,
      ended_at: isLoop ? tx.now : null,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  if (!isLoop) await enqueueDelivery(tx, { id, receiverId, conversationId: event.conversationId, due, trace });
  if (seq % sweepEvery === 0) await sweepDeliveries(tx);
  return id;
}

const loopReason = `loop_detected: deliveries have led to this event more than ${limits.trace.maxDepth} times`;

/** Enqueues the attempts of a delivery behind those of its conversation. */
export async function enqueueDelivery(
  tx: Tx,
  delivery: {
    readonly id: string;
    readonly receiverId: string;
    readonly conversationId: string | null;
    readonly due: number;
    readonly trace: Trace;
  },
): Promise<void> {
  const { id, receiverId, conversationId, due, trace } = delivery;
  await enqueueJob(tx, {
    kind: 'delivery',
    group: receiverId,
    ...(conversationId !== null && { lane: `delivery ${receiverId} ${conversationId}` }),
    due,
    payload: { deliveryId: id },
    trace,
  });
}
