import type { Caller, EventKind, Output } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { finishJob, LeaseLost } from '../jobs/finish.ts';
import type { Job } from '../jobs/types.ts';
import type { LoadedRun, NewRun, RunChange, RunEnd, RunEventRecord, RunsDoor } from '../types.ts';
import { expireRun } from './answer.ts';
import { knowAgent, startRun } from './create.ts';
import { eventsOf } from './events.ts';
import { runOf } from './rows.ts';
import { beginRun, endRun, recordLate, recordRun } from './work.ts';

/** Runs work in one transaction. */
export interface Transactions {
  create<T>(caller: Caller, input: object, work: (tx: Tx) => Promise<T>): Promise<T>;
  write<T>(
    origin: { name: string; emits: readonly EventKind[] },
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T>;
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const origin = {
  name: 'aiAgentRuns.work',
  emits: [
    'aiAgentRun.started',
    'aiAgentRun.waiting',
    'aiAgentRun.completed',
    'aiAgentRun.handedOver',
    'aiAgentRun.failed',
    'aiAgentRun.cancelled',
    'message.sent',
    'message.status',
    'note.created',
    'conversation.assigned',
    'conversation.aiPaused',
  ],
} as const;

const system: Caller = { type: 'system', id: null, scopes: ['admin'] };

/** What whoever works on runs needs of the workspace. */
export class Runs implements Omit<RunsDoor, 'onCancel'> {
  readonly #transactions: Transactions;
  /** As whom each run acts that is worked on. */
  readonly #callers = new Map<string, Caller>();

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  knowAgents(
    agents: readonly { app: string; name: string; content: string }[],
  ): Promise<{ id: string; version: number }[]> {
    return this.#transactions.write(origin, system, async (tx) => {
      const known: { id: string; version: number }[] = [];
      for (const agent of agents) known.push(await knowAgent(tx, agent));
      return known;
    });
  }

  create(run: NewRun, caller: Caller): Promise<Output<'aiAgentRuns.show'>> {
    return this.#transactions.create(caller, run, async (tx) => runOf(tx, await startRun(tx, run)));
  }

  async begin(job: Job, runId: string): Promise<LoadedRun | undefined> {
    const caller = { ...system, trace: job.trace };
    let run: LoadedRun | undefined;
    try {
      run = await this.#transactions.write(origin, caller, (tx) => beginRun(tx, job, runId));
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
    if (run !== undefined) {
      const acts = run.agent === null ? { id: null } : { id: run.agent.id, name: run.agent.name };
      this.#callers.set(runId, { type: 'aiAgent', ...acts, scopes: ['read', 'write', 'send'], trace: run.trace });
    }
    return run;
  }

  record(job: Job, runId: string, change: RunChange): Promise<boolean> {
    return this.#try(runId, (tx) => recordRun(tx, job, runId, change));
  }

  async end(job: Job, runId: string, end: RunEnd): Promise<boolean> {
    try {
      return await this.#try(runId, (tx) => endRun(tx, job, runId, end));
    } finally {
      this.#callers.delete(runId);
    }
  }

  async recordLate(runId: string, change: RunChange): Promise<void> {
    await this.#try(runId, (tx) => recordLate(tx, runId, change));
    this.#callers.delete(runId);
  }

  async expire(job: Job, runId: string): Promise<void> {
    await this.#try(runId, async (tx) => {
      await finishJob(tx, job, { state: 'done' });
      const row = await tx.db.selectFrom('run').selectAll().where('id', '=', runId).executeTakeFirst();
      if (row !== undefined) await expireRun(tx, row);
    });
  }

  eventsAfter(runId: string, seq: number, limit: number): Promise<RunEventRecord[]> {
    return this.#transactions.read((tx) => eventsOf(tx, runId, seq, limit));
  }

  /** @returns false if the run is no longer this process's: nothing was changed */
  async #try(runId: string, work: (tx: Tx) => Promise<void>): Promise<boolean> {
    try {
      await this.#transactions.write(origin, this.#callers.get(runId) ?? system, work);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }
}
