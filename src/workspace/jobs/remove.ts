import type { Tx } from '../door/tx.ts';
import { releaseLane } from './enqueue.ts';

/** Removes a job that waits. @returns whether there was one */
export async function removeJob(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.db
    .deleteFrom('job')
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'blocked'])
    .returning('lane')
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.lane !== null) await releaseLane(tx, row.lane);
  tx.afterCommit(tx.facts.jobsChanged);
  return true;
}
