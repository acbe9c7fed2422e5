import type { Selectable } from 'kysely';
import { limits, type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { releaseLane } from '../jobs/enqueue.ts';
import { pageBy } from '../lists/page.ts';
import type { HandlersOf } from './index.ts';

type Row = Selectable<Tables['job']>;
type Job = Output<'jobs.show'>;

export const jobHandlers: HandlersOf<'jobs'> = {
  async 'jobs.list'(input, tx) {
    const page = await pageBy(
      tx,
      'jobs.list',
      input,
      tx.db
        .selectFrom('job')
        .selectAll()
        .$if(input.kind !== undefined, (query) => query.where('kind', '=', input.kind ?? ''))
        .$if(input.state !== undefined, (query) => query.where('state', '=', storedState(input.state)))
        .$if(input.app !== undefined, (query) => query.where('group_key', '=', input.app ?? ''))
        .$if(input.traceId !== undefined, (query) => query.where('trace_id', '=', input.traceId ?? '')),
      { by: 'seq', desc: true },
    );
    return { items: page.rows.map(jobOf), nextCursor: page.nextCursor };
  },

  async 'jobs.show'({ id }, tx) {
    const row = await requireJob(tx, id);
    return { ...jobOf(row), payload: fromJson<Record<string, never>>(row.payload) };
  },

  async 'jobs.cancel'({ id }, tx) {
    const row = await requireJob(tx, id);
    if (row.kind !== 'invocation') {
      throw refusal('job_not_cancellable', `${id} is of kind ${row.kind}: only background calls can be cancelled`);
    }
    if (row.state === 'leased') throw refusal('job_running', `${id} is running`, { retryAfterSeconds: 1 });
    if (row.ended_at !== null) return jobOf(row);
    const ended = { state: 'aborted', ended_at: tx.now, outcome: JSON.stringify({ reason: 'cancelled' }) };
    await tx.db.updateTable('job').set(ended).where('id', '=', id).execute();
    if (row.lane !== null) await releaseLane(tx, row.lane);
    tx.afterCommit(tx.facts.jobsChanged);
    return jobOf({ ...row, ...ended });
  },
};

async function requireJob({ db }: Tx, id: string): Promise<Row> {
  const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('job_not_found', `There is no job ${id}, or it is no longer kept`);
  return row;
}

const storedState = (state = '') => (state === 'running' ? 'leased' : state);

function jobOf(row: Row): Omit<Job, 'payload'> {
  const { app, name, path, attempts } = fromJson<Record<string, string | undefined>>(row.payload);
  const isCall = row.kind === 'invocation' || row.kind === 'cron';
  return {
    id: row.id,
    kind: row.kind as Job['kind'],
    state: (row.state === 'leased' ? 'running' : row.state) as Job['state'],
    app: isCall ? (app ?? null) : null,
    function: isCall ? (name ?? path ?? null) : null,
    // One that was derived from the key of a request is nobody's name for the job.
    key: row.key?.startsWith('once_') ? null : row.key,
    dueAt: toTimestamp(row.due),
    attempt: row.attempt,
    maxAttempts: row.kind === 'invocation' ? Number(attempts ?? limits.jobs.attempts) : null,
    outcome: row.outcome === null ? null : fromJson<Record<string, never>>(row.outcome),
    traceId: row.trace_id,
    causeId: row.cause_id,
    createdAt: toTimestamp(row.created_at),
    endedAt: row.ended_at === null ? null : toTimestamp(row.ended_at),
  };
}
