import type { Tx } from '../door/tx.ts';
import { releaseLane } from './enqueue.ts';
import type { Job, JobEnd } from './types.ts';

/** Thrown inside a transaction whose job belongs to somebody else by now: the transaction is undone. */
export class LeaseLost extends Error {}

/**
 * Writes the end of a try, in the transaction that carries its effects.
 * @throws LeaseLost when the job was claimed again, cancelled or removed meanwhile
 */
export async function finishJob(tx: Tx, job: Job, end: JobEnd): Promise<void> {
  const outcome = end.outcome === undefined ? null : JSON.stringify(end.outcome);
  const own = () =>
    tx.db.updateTable('job').where('id', '=', job.id).where('epoch', '=', job.epoch).where('state', '=', 'leased');
  let changed: bigint;
  if (end.state === 'waiting') {
    const { numUpdatedRows } = await own()
      .set({
        state: 'waiting',
        due: Math.round(end.due),
        attempt: job.attempt + (end.counts === false ? 0 : 1),
        outcome,
        node: null,
        lease_until: null,
        ...(end.holdsLane === false && { holds_lane: 0 }),
        ...(end.payload && { payload: JSON.stringify(end.payload) }),
      })
      .executeTakeFirst();
    changed = numUpdatedRows;
  } else if (end.keep || job.key !== null || end.state === 'failed') {
    const { numUpdatedRows } = await own()
      .set({
        state: end.state,
        attempt: job.attempt + 1,
        outcome,
        node: null,
        lease_until: null,
        ended_at: tx.now,
      })
      .executeTakeFirst();
    changed = numUpdatedRows;
  } else {
    const { numDeletedRows } = await tx.db
      .deleteFrom('job')
      .where('id', '=', job.id)
      .where('epoch', '=', job.epoch)
      .where('state', '=', 'leased')
      .executeTakeFirst();
    changed = numDeletedRows;
  }
  if (changed === 0n) throw new LeaseLost(`${job.id} is no longer leased with epoch ${job.epoch}`);
  if (job.lane !== null && (end.state !== 'waiting' || end.holdsLane === false)) await releaseLane(tx, job.lane);
  tx.afterCommit(tx.facts.jobsChanged);
}
