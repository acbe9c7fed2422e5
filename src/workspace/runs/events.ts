import { fromJson, type Tx } from '../door/tx.ts';
import type { RunEventRecord } from '../types.ts';

/** What happened in a run, oldest first. */
export async function eventsOf({ db }: Tx, runId: string, after = 0, most = 100_000): Promise<RunEventRecord[]> {
  const rows = await db
    .selectFrom('run_event')
    .select(['seq', 'at', 'data'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(most)
    .execute();
  return rows.map(({ seq, at, data }) => ({ seq, at, event: fromJson<RunEventRecord['event'] & object>(data) }));
}

export async function insertEvents({ db }: Tx, runId: string, events: readonly RunEventRecord[]): Promise<void> {
  if (events.length === 0) return;
  await db
    .insertInto('run_event')
    .values(
      events.map(({ seq, at, event }) => ({
        run_id: runId,
        seq,
        type: event.type,
        at: Math.round(at),
        data: JSON.stringify(event),
      })),
    )
    .execute();
}

/** Place of the last event of a run; 0 if there is none. */
export async function lastSeq({ db }: Tx, runId: string): Promise<number> {
  const { seq } = await db
    .selectFrom('run_event')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return seq ?? 0;
}
