import { type EventKind, flowTriggers, limits, type Trace } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { JournalEvent } from '../types.ts';

/** Enqueues the question of what an event means for flows, in the transaction of the event; in the order of the conversation's events. */
export async function wakeFlows(tx: Tx, event: JournalEvent): Promise<void> {
  const triggers = flowTriggers[event.type as EventKind];
  const { conversationId } = event;
  if (triggers === undefined || conversationId === null || event.synthetic) return;
  const depth = event.depth + 1;
  // What flows lead to leads to flows again, but not for ever.
  if (depth > limits.trace.maxDepth) return;
  const flows = await tx.facts.flows.get(tx.db);
  const starts = flows.some(({ on }) => triggers.includes(on));
  if (!starts && !(event.type === 'message.received' && (await isUnderWay(tx, conversationId)))) return;
  const message = event.data['message'] as { readonly id?: string } | undefined;
  const messageId = message?.id ?? null;
  const trace = { traceId: event.traceId ?? tx.trace.traceId, causeId: event.id, depth };
  await askFlows(tx, { type: event.type, conversationId, messageId, trace });
}

/** Enqueues the question of what something in a conversation means for flows. */
export async function askFlows(
  tx: Tx,
  about: {
    readonly type: string;
    readonly conversationId: string;
    readonly messageId: string | null;
    readonly trace?: Trace;
  },
): Promise<void> {
  const { type, conversationId, messageId, trace = tx.trace } = about;
  await enqueueJob(tx, {
    kind: 'flow-step',
    lane: laneOf(conversationId),
    payload: { do: 'event', type, conversationId, messageId },
    trace,
  });
}

/** What happens to the flows of a conversation happens in order. */
export const laneOf = (conversationId: string) => `flow ${conversationId}`;

async function isUnderWay({ db }: Tx, conversationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('flow_run')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
