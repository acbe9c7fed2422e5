import { fromJson, type Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { NewRun } from '../types.ts';
import type { RunRow } from './rows.ts';

/** Enqueues what a run's end leads to, in the transaction of the end. */
export async function followRun(tx: Tx, row: RunRow, status: string): Promise<void> {
  if (row.next_job === null) return;
  const next = fromJson<NonNullable<NewRun['next']>>(row.next_job);
  await enqueueJob(tx, {
    ...next,
    payload: { ...next.payload, runId: row.id, status },
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  });
}
