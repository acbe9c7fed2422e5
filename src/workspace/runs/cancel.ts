import type { Tx } from '../door/tx.ts';
import { removeJob } from '../jobs/remove.ts';
import { followRun } from './follow.ts';
import { isOpen, type RunRow, runInListOf } from './rows.ts';

/** Ends a run as cancelled, in one transaction with what cancels it. Whoever works on it is told after the commit. */
export async function cancelRun(tx: Tx, row: RunRow, why: string): Promise<RunRow> {
  if (!isOpen(row)) return row;
  const changes = {
    status: 'cancelled',
    ended_at: tx.now,
    waiting_for: '[]',
    error: JSON.stringify({ code: 'cancelled', message: `The run was cancelled: ${why}` }),
  };
  await tx.db.updateTable('run').set(changes).where('id', '=', row.id).execute();
  const cancelled = { ...row, ...changes };
  if (row.job_id !== null) await removeJob(tx, row.job_id);
  await tx.announce({
    type: 'aiAgentRun.cancelled',
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    data: { run: runInListOf(cancelled) },
    previous: { status: row.status },
  });
  await followRun(tx, cancelled, 'cancelled');
  tx.afterCommit(() => tx.facts.runCancelled(row.id));
  return cancelled;
}
