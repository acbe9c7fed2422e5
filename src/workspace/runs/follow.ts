import { fromJson, type Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { NewRun, RunInputMessage } from '../types.ts';
import type { RunRow } from './rows.ts';

/** Enqueues what a run's end leads to, in the transaction of the end. */
export async function followRun(tx: Tx, row: RunRow, status: string): Promise<void> {
  if (row.next_job === null) return;
  const next = fromJson<NonNullable<NewRun['next']>>(row.next_job);
  await enqueueJob(tx, {
    ...next,
    payload: { ...next.payload, runId: row.id, status, ...lastSeen(row) },
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  });
}

/** The last message of the conversation that it has seen: what came later has to be answered by somebody else. */
function lastSeen({ messages }: RunRow): { readonly seen?: string } {
  const all = messages === null ? [] : fromJson<RunInputMessage[]>(messages);
  const last = all.findLast(({ id }) => id.startsWith('msg_'));
  return last === undefined ? {} : { seen: last.id };
}
