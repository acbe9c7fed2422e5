import { fromJson, type Tx } from '../door/tx.ts';
import { cancelRun } from '../runs/cancel.ts';
import { eventsOf } from '../runs/events.ts';
import type { RunEventRecord, RunSpec } from '../types.ts';
import type { FlowRunRow } from './rows.ts';

/**
 * What a new message of the customer means for the AI agent that a flow run waits for. One that may be interrupted is cancelled here, as
 * long as it has called no tool with an effect: the next run sees what came before.
 */
export async function tellAgentAtWork(
  tx: Tx,
  { status, waiting_for, ai_run_id }: FlowRunRow,
): Promise<'kept' | 'interrupted' | 'rejected'> {
  if (status !== 'waiting' || waiting_for !== 'run' || ai_run_id === null) return 'kept';
  const run = await tx.db.selectFrom('run').selectAll().where('id', '=', ai_run_id).executeTakeFirst();
  // One that has not begun will see the message.
  if (run === undefined || !['running', 'waiting'].includes(run.status)) return 'kept';
  const { onNewMessage = 'keep' } = fromJson<RunSpec & object>(run.spec);
  if (onNewMessage === 'reject') return 'rejected';
  if (onNewMessage === 'keep' || hasHadEffect(await eventsOf(tx, run.id))) return 'kept';
  // Its end leads to nothing: the flow goes on with the message.
  await cancelRun(tx, { ...run, next_job: null }, 'the customer wrote something more');
  return 'interrupted';
}

/** Whether a tool was called that may change something. What an agent calls by itself is not known. */
function hasHadEffect(events: readonly RunEventRecord[]): boolean {
  const offered = events.flatMap(({ event }) =>
    event.type === 'run.tools' ? (event['tools'] as { readonly name: string; readonly readOnly?: boolean }[]) : [],
  );
  const harmless = new Set(offered.filter(({ readOnly }) => readOnly).map(({ name }) => name));
  return events.some(
    ({ event }) =>
      event.type === 'toolCall.requested' && !harmless.has((event['call'] as { readonly name: string }).name),
  );
}
