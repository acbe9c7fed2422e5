import type { Caller, EventKind } from '../../contract/index.ts';
import type { Flow } from '../../contract/shapes/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { finishJob, LeaseLost } from '../jobs/finish.ts';
import { removeJob } from '../jobs/remove.ts';
import type { Job, JobEnd } from '../jobs/types.ts';
import type {
  FlowRecord,
  FlowRecorded,
  FlowRunState,
  FlowSchedule,
  FlowSituation,
  FlowsDoor,
  Json,
  LoadedFlowRun,
  NewFlow,
} from '../types.ts';
import { failFlowRun } from './cancel.ts';
import { createFlowRun, enqueueTurn } from './create.ts';
import { readMessage, readRun, readSituation } from './load.ts';
import { tellAgentAtWork } from './new-message.ts';
import { publishFlows } from './publish.ts';
import { type ParseInput, recordStep } from './record.ts';
import { type FlowRunRow, triggerOf } from './rows.ts';

/** Runs work in one transaction, and checks the inputs of operations. */
export interface FlowTransactions {
  write<T>(
    origin: { name: string; emits: readonly EventKind[] },
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T>;
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  loadParser(): Promise<ParseInput>;
}

const publishing = { name: 'flows.publish', emits: ['flow.published'] } as const;
/** Everything that a step may lead to. */
const running = {
  name: 'flows.step',
  emits: [
    'flowRun.started',
    'flowRun.waiting',
    'flowRun.completed',
    'flowRun.failed',
    'flowRun.cancelled',
    'message.sent',
    'message.status',
    'template.sent',
    'note.created',
    'conversation.created',
    'conversation.reopened',
    'conversation.closed',
    'conversation.assigned',
    'customer.created',
    'conversation.aiPaused',
    'aiAgentRun.cancelled',
    'aiAgentRun.capNear',
  ],
} as const;

/** The flows of the workspace, for whoever runs them. */
export class Flows implements FlowsDoor {
  readonly #transactions: FlowTransactions;

  constructor(transactions: FlowTransactions) {
    this.#transactions = transactions;
  }

  publish(app: string, flows: readonly NewFlow[]): Promise<void> {
    return this.#transactions.write(publishing, system, (tx) => publishFlows(tx, app, flows));
  }

  async situation(job: Job): Promise<FlowSituation | undefined> {
    const found = await this.#transactions.read((tx) => readSituation(tx, job.payload));
    if (found === undefined) await this.#end(job, { state: 'aborted' });
    return found;
  }

  scheduled(): Promise<readonly FlowSchedule[]> {
    return this.#transactions.read(async ({ db }) => {
      const rows = await db
        .selectFrom('flow')
        .select(['app', 'name', 'definition'])
        .where('live', '=', 1)
        .where('trigger_on', '=', 'schedule')
        .execute();
      return rows.map(({ app, name, definition }) => {
        const { schedule = '', timezone = 'UTC' } = triggerOf(fromJson<Flow>(definition));
        return { app, name, schedule, timezone };
      });
    });
  }

  async begin(job: Job, flowIds: readonly string[]): Promise<void> {
    const {
      conversationId,
      messageId,
      input = null,
    } = job.payload as { conversationId: string | null; messageId: string | null; input?: Json };
    await this.#ending(job, async (tx) => {
      const conversation =
        conversationId === null
          ? null
          : ((await tx.db
              .selectFrom('conversation')
              .select(['id', 'customer_id'])
              .where('id', '=', conversationId)
              .executeTakeFirst()) ?? null);
      const message = messageId === null ? null : await readMessage(tx, messageId);
      const flows = await tx.facts.flows.get(tx.db);
      for (const flow of flows.filter(({ id }) => flowIds.includes(id))) {
        try {
          const definition = JSON.stringify(flow.definition);
          await createFlowRun(tx, { flow: { ...flow, definition }, trigger: flow.on, conversation, message, input });
        } catch (error) {
          if (!(error instanceof WorkspaceError && error.code === 'flow_running')) throw error;
        }
      }
      await finishJob(tx, job, { state: 'done' });
    });
  }

  async keep(job: Job, runId: string, message: object, state: FlowRunState | undefined): Promise<void> {
    await this.#ending(job, async (tx) => {
      const row = await runRow(tx, runId);
      if (row !== undefined && row.ended_at === null) await takeMessage(tx, row, message, state);
      await finishJob(tx, job, { state: 'done' });
    });
  }

  async wake(job: Job, runId: string, event: object, at?: number): Promise<void> {
    await this.#ending(job, async (tx) => {
      const row = await runRow(tx, runId);
      if (row?.status === 'waiting' && (at === undefined || row.steps === at)) await wakeRun(tx, row, event);
      await finishJob(tx, job, { state: 'done' });
    });
  }

  async fail(job: Job, runId: string, message: string): Promise<void> {
    await this.#ending(job, async (tx) => {
      const row = await runRow(tx, runId);
      if (row !== undefined) await failFlowRun(tx, row, message);
    });
  }

  definition(flowId: string, version: number): Promise<Flow | undefined> {
    return this.#transactions.read(async ({ db }) => {
      const row = await db
        .selectFrom('flow_version')
        .select('definition')
        .where('flow_id', '=', flowId)
        .where('version', '=', version)
        .executeTakeFirst();
      return row && fromJson<Flow>(row.definition);
    });
  }

  async load(job: Job, runId: string): Promise<LoadedFlowRun | undefined> {
    const found = await this.#transactions.read(async (tx) => {
      const row = await runRow(tx, runId);
      return row?.status === 'running' ? readRun(tx, row) : undefined;
    });
    if (found === undefined) await this.#end(job, { state: 'aborted' });
    return found;
  }

  async record(job: Job, record: FlowRecord): Promise<FlowRecorded> {
    const parse = await this.#transactions.loadParser();
    try {
      const written = await this.#transactions.write(running, system, (tx) => recordStep(tx, job, record, parse));
      if (written) return { is: 'recorded' };
      await this.#end(job, { state: 'aborted' });
      return { is: 'stale' };
    } catch (error) {
      if (error instanceof LeaseLost) return { is: 'stale' };
      // What the workspace cannot do is a bug or a full disk; what it refuses is a fact that the flow may react to.
      if (!(error instanceof WorkspaceError) || error.status >= 500) throw error;
      return { is: 'refused', error: { code: error.code, message: error.message } };
    }
  }

  #end(job: Job, end: JobEnd): Promise<void> {
    return this.#ending(job, (tx) => finishJob(tx, job, end));
  }

  /** A job that is no longer this process's changes nothing. */
  async #ending(job: Job, work: (tx: Tx) => Promise<void>): Promise<void> {
    const trace = { ...job.trace, causeId: job.causeId ?? job.id };
    try {
      await this.#transactions.write(running, { ...system, trace }, work);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }
}

const system: Caller = { type: 'system', id: null, scopes: ['admin'] };

async function runRow({ db }: Tx, id: string): Promise<FlowRunRow | undefined> {
  return db.selectFrom('flow_run').selectAll().where('id', '=', id).executeTakeFirst();
}

async function takeMessage(tx: Tx, row: FlowRunRow, message: object, state: FlowRunState | undefined): Promise<void> {
  const meaning = await tellAgentAtWork(tx, row);
  if (meaning === 'interrupted') return wakeRun(tx, row, { type: 'message', message });
  const query = tx.db.updateTable('flow_run').where('id', '=', row.id);
  if (meaning === 'rejected' || state === undefined)
    await query.set((eb) => ({ missed: eb('missed', '+', 1) })).execute();
  else await query.set({ state: JSON.stringify(state), updated_at: tx.now }).execute();
}

/** Lets a run that waits go on with what happened. */
async function wakeRun(tx: Tx, row: FlowRunRow, event: object): Promise<void> {
  await tx.db
    .updateTable('flow_run')
    .set({
      status: 'running',
      event: JSON.stringify(event),
      waiting_for: null,
      waiting_until: null,
      timeout_job_id: null,
      updated_at: tx.now,
    })
    .where('id', '=', row.id)
    .execute();
  if (row.timeout_job_id !== null) await removeJob(tx, row.timeout_job_id);
  await enqueueTurn(tx, row);
}
