import type { Tx } from '../door/tx.ts';
import { removeJob } from '../jobs/remove.ts';
import { cancelRun } from '../runs/cancel.ts';
import { announceRun } from './create.ts';
import type { FlowRunRow } from './rows.ts';

/** Ends a run that is under way: whatever it is doing, nothing of it is written any more. */
export async function cancelFlowRun(tx: Tx, row: FlowRunRow, reason: string | null): Promise<FlowRunRow> {
  if (row.ended_at !== null) return row;
  const after = await tx.db
    .updateTable('flow_run')
    .set({ status: 'cancelled', reason, waiting_for: null, waiting_until: null, updated_at: tx.now, ended_at: tx.now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.timeout_job_id !== null) await removeJob(tx, row.timeout_job_id);
  const run =
    row.ai_run_id === null
      ? undefined
      : await tx.db.selectFrom('run').selectAll().where('id', '=', row.ai_run_id).executeTakeFirst();
  if (run !== undefined) await cancelRun(tx, run, 'its flow run was cancelled');
  await announceRun(tx, 'flowRun.cancelled', after);
  return after;
}

/** Ends a run that cannot go on: what works on it has thrown. */
export async function failFlowRun(tx: Tx, row: FlowRunRow, message: string): Promise<void> {
  if (row.ended_at !== null) return;
  const error = JSON.stringify({ code: 'internal_error', message });
  const after = await tx.db
    .updateTable('flow_run')
    .set({ status: 'failed', error, waiting_for: null, waiting_until: null, updated_at: tx.now, ended_at: tx.now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.timeout_job_id !== null) await removeJob(tx, row.timeout_job_id);
  await announceRun(tx, 'flowRun.failed', after);
}

/** Ends the runs of a conversation, but one. */
export async function cancelFlowRunsOf(
  tx: Tx,
  conversationId: string,
  reason: string,
  except: string | null = null,
): Promise<void> {
  const rows = await tx.db
    .selectFrom('flow_run')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .execute();
  for (const row of rows) if (row.id !== except) await cancelFlowRun(tx, row, reason);
}
