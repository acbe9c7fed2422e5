import { limits, refusal } from '../../contract/index.ts';
import { newId } from '../../std/index.ts';
import type { Tx } from '../door/tx.ts';
import type { JobSpec } from './types.ts';

/** A place in a lane behind an unfinished job. */
const unfinished = ['blocked', 'waiting', 'leased'];

/**
 * Enqueues a job in the transaction of the change that causes it: what is not committed never runs, what is committed runs, whatever
 * dies. A job with a known key answers for the repeat.
 * @throws WorkspaceError body_too_large when the payload is larger than 64 KiB, loop_detected
 */
export async function enqueueJob(tx: Tx, spec: JobSpec): Promise<{ id: string; created: boolean }> {
  const { db, now } = tx;
  const payload = JSON.stringify(spec.payload);
  if (Buffer.byteLength(payload) > limits.jobs.payloadBytes) {
    throw refusal('body_too_large', `What is done later may carry at most ${limits.jobs.payloadBytes / 1024} KiB`);
  }
  if (spec.key !== undefined) {
    const known = await db.selectFrom('job').select(['id', 'ended_at']).where('key', '=', spec.key).executeTakeFirst();
    if (known !== undefined) {
      if (known.ended_at === null || known.ended_at > now - limits.jobs.keptHours * 3_600_000) {
        return { id: known.id, created: false };
      }
      await db.deleteFrom('job').where('id', '=', known.id).execute();
    }
  }
  const trace = spec.trace ?? tx.trace;
  const row = {
    id: newId('job', now),
    kind: spec.kind,
    key: spec.key ?? null,
    lane: spec.lane ?? null,
    holds_lane: 1,
    group_key: spec.group ?? null,
    state: spec.lane !== undefined && (await isLaneHeld(tx, spec.lane)) ? 'blocked' : 'waiting',
    due: Math.round(spec.due ?? now),
    fixed: spec.fixed ? 1 : 0,
    attempt: 0,
    payload,
    epoch: 0,
    trace_id: trace.traceId,
    cause_id: spec.causeId === undefined ? trace.causeId : spec.causeId,
    depth: trace.depth,
    created_at: now,
  };
  await db.insertInto('job').values(row).execute();
  tx.afterCommit(tx.facts.jobsChanged);
  return { id: row.id, created: true };
}

async function isLaneHeld({ db }: Tx, lane: string): Promise<boolean> {
  const holder = await db
    .selectFrom('job')
    .select('seq')
    .where('lane', '=', lane)
    .where('ended_at', 'is', null)
    .where('holds_lane', '=', 1)
    .where('state', 'in', unfinished)
    .limit(1)
    .executeTakeFirst();
  return holder !== undefined;
}

/** Lets the next job of a lane run, if none before it holds the lane any longer. */
export async function releaseLane({ db }: Tx, lane: string): Promise<void> {
  const rows = await db
    .selectFrom('job')
    .select(['seq', 'state', 'holds_lane'])
    .where('lane', '=', lane)
    .where('ended_at', 'is', null)
    .where('holds_lane', '=', 1)
    .orderBy('seq')
    .limit(1)
    .execute();
  const [first] = rows;
  if (first?.state !== 'blocked') return;
  await db.updateTable('job').set({ state: 'waiting' }).where('seq', '=', first.seq).execute();
}
