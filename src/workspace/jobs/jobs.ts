import { type JobKind, limits } from '../../contract/index.ts';
import { newId } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { claimJobs, waitingState } from './claim.ts';
import { enqueueJob } from './enqueue.ts';
import { finishJob, LeaseLost } from './finish.ts';
import { removeJob } from './remove.ts';
import type { FreeWorkers, Job, JobEnd, JobSpec, JobsDoor, WaitingJob } from './types.ts';

/** Runs work in one transaction: a change, or reading alone. */
export interface Transactions {
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Finished jobs are removed once in so many claims. */
const sweepEvery = 500;

/** The table of jobs, for the process that works on it. */
export class Jobs implements Omit<JobsDoor, 'onChange'> {
  readonly #transactions: Transactions;
  /** A new name at each start, so that leases of an earlier process cannot be taken for this one's. */
  readonly #node = newId('nod');
  #opened: Promise<void> | undefined;
  #claims = 0;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  open(): Promise<void> {
    this.#opened ??= this.#transactions.write(async (tx) => {
      const at = Date.now();
      // Whoever has the file open owns it alone, so every other node is dead.
      await tx.db.deleteFrom('node').execute();
      await tx.db.insertInto('node').values({ id: this.#node, started_at: at, beat_at: at }).execute();
      await tx.db
        .updateTable('job')
        .set({ state: 'waiting', node: null, lease_until: null })
        .where('state', '=', 'leased')
        .where('node', '!=', this.#node)
        .execute();
      await removeFinished(tx);
    });
    return this.#opened;
  }

  async enqueue(specs: readonly JobSpec[]): Promise<{ id: string; created: boolean }[]> {
    if (specs.length === 0) return [];
    return this.#transactions.write(async (tx) => {
      const enqueued: { id: string; created: boolean }[] = [];
      for (const spec of specs) enqueued.push(await enqueueJob(tx, spec));
      return enqueued;
    });
  }

  async claim(workers: readonly FreeWorkers[]): Promise<Job[]> {
    await this.open();
    const kinds = workers.filter(({ free }) => free > 0);
    if (kinds.length === 0) return [];
    return this.#transactions.write(async (tx) => {
      if (++this.#claims % sweepEvery === 0) await removeFinished(tx);
      return claimJobs(tx, this.#node, kinds);
    });
  }

  async finish(job: Job, end: JobEnd, next: readonly JobSpec[] = []): Promise<boolean> {
    return this.ending(async (tx) => {
      await finishJob(tx, job, end);
      for (const spec of next) await enqueueJob(tx, { trace: job.trace, ...spec });
    });
  }

  /** Runs work that ends a job, in one transaction. @returns false if the job is no longer this process's: nothing was changed */
  async ending(work: (tx: Tx) => Promise<void>): Promise<boolean> {
    try {
      await this.#transactions.write(work);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }

  nextDue(kinds: readonly JobKind[]): Promise<number | undefined> {
    if (kinds.length === 0) return Promise.resolve(undefined);
    return this.#transactions.read(async ({ db }) => {
      let next: number | undefined;
      // One look into the index for each kind.
      for (const kind of kinds) {
        const row = await db
          .selectFrom('job')
          .select('due')
          .where('state', '=', waitingState)
          .where('kind', '=', kind)
          .orderBy('due')
          .limit(1)
          .executeTakeFirst();
        if (row !== undefined) next = Math.min(next ?? row.due, row.due);
      }
      return next;
    });
  }

  waiting(kind: JobKind): Promise<WaitingJob[]> {
    return this.#transactions.read(async ({ db }) => {
      const rows = await db
        .selectFrom('job')
        .select(['id', 'key', 'due', 'payload'])
        .where('kind', '=', kind)
        .where('state', 'in', ['waiting', 'blocked'])
        .orderBy('due')
        .orderBy('seq')
        .execute();
      return rows.map((row) => ({ ...row, payload: fromJson<WaitingJob['payload']>(row.payload) }));
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#transactions.write(async (tx) => {
      for (const id of ids) await removeJob(tx, id);
    });
  }

  async reschedule(id: string, due: number): Promise<void> {
    await this.#transactions.write(async (tx) => {
      await tx.db
        .updateTable('job')
        .set({ due: Math.round(due) })
        .where('id', '=', id)
        .where('state', 'in', ['waiting', 'blocked'])
        .execute();
      tx.afterCommit(tx.facts.jobsChanged);
    });
  }

  async shift(byMs: number): Promise<void> {
    await this.#transactions.write(async (tx) => {
      await tx.db
        .updateTable('job')
        .set((eb) => ({ due: eb('due', '+', Math.round(byMs)) }))
        .where('ended_at', 'is', null)
        .where('fixed', '=', 0)
        .execute();
      // What ended at a time that is yet to come answers for no repeat: its due time comes again.
      await tx.db.deleteFrom('job').where('ended_at', '>', tx.now).execute();
      tx.afterCommit(tx.facts.jobsChanged);
    });
  }
}

async function removeFinished({ db, now }: Tx): Promise<void> {
  await db
    .deleteFrom('job')
    .where('ended_at', '<=', now - limits.jobs.keptHours * 3_600_000)
    .where('state', '!=', 'failed')
    .execute();
  await db
    .deleteFrom('job')
    .where('ended_at', '<=', now - limits.invocations.keptDays * 86_400_000)
    .execute();
}
