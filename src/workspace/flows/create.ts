import { limits, refusal } from '../../contract/index.ts';
import type { Flow } from '../../contract/shapes/index.ts';
import { newId } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Json } from '../types.ts';
import { type FlowRow, type FlowRunRow, flowRunOf, triggerOf } from './rows.ts';
import { laneOf } from './wake-flows.ts';

export interface NewFlowRun {
  readonly flow: Pick<FlowRow, 'id' | 'app' | 'name' | 'version' | 'definition'>;
  readonly trigger: string;
  readonly conversation: { readonly id: string; readonly customer_id: string } | null;
  readonly message?: object | null;
  readonly input?: Json;
  readonly rerunOf?: string;
  readonly rerunFrom?: string | undefined;
}

/** Runs are removed once in so many. */
const sweepEvery = 200;

/** Starts a run with its first job. @throws WorkspaceError flow_running, loop_detected */
export async function createFlowRun(tx: Tx, run: NewFlowRun): Promise<FlowRunRow> {
  const { flow, conversation } = run;
  if (conversation !== null && (await isRunning(tx, flow.id, conversation.id)))
    throw refusal('flow_running', `${flow.name} is already running in ${conversation.id}`);
  const id = newId('flr', tx.now);
  const row = await tx.db
    .insertInto('flow_run')
    .values({
      id,
      flow_id: flow.id,
      app: flow.app,
      flow: flow.name,
      version: flow.version,
      status: 'running',
      trigger_kind: run.trigger,
      conversation_id: conversation?.id ?? null,
      customer_id: conversation?.customer_id ?? null,
      steps: 0,
      node: run.rerunFrom ?? triggerOf(fromJson<Flow>(flow.definition)).name,
      event: '{"type":"go"}',
      message: run.message ? JSON.stringify(run.message) : null,
      input: JSON.stringify(run.input ?? null),
      missed: 0,
      rerun_of: run.rerunOf ?? null,
      rerun_from: run.rerunFrom ?? null,
      trace_id: tx.trace.traceId,
      cause_id: tx.trace.causeId,
      depth: tx.trace.depth,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await announceRun(tx, 'flowRun.started', row);
  await enqueueTurn(tx, row);
  if (row.seq % sweepEvery === 0) await sweepRuns(tx);
  return row;
}

async function isRunning({ db }: Tx, flowId: string, conversationId: string): Promise<boolean> {
  const found = await db
    .selectFrom('flow_run')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('flow_id', '=', flowId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

type RunEvent = 'flowRun.started' | 'flowRun.waiting' | 'flowRun.completed' | 'flowRun.failed' | 'flowRun.cancelled';

export async function announceRun(tx: Tx, type: RunEvent, row: FlowRunRow): Promise<void> {
  await tx.announce({
    type,
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    data: { flowRun: flowRunOf(row) },
  });
}

/** The job in which a run has its turn: behind what happened in its conversation before. */
export async function enqueueTurn(tx: Tx, row: FlowRunRow): Promise<void> {
  await enqueueJob(tx, {
    kind: 'flow-step',
    lane: row.conversation_id === null ? `flow ${row.id}` : laneOf(row.conversation_id),
    payload: { do: 'turn', runId: row.id },
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  });
}

/** Keeps the runs of the last days, and the newest of each flow; those under way stay. */
async function sweepRuns({ db, now }: Tx): Promise<void> {
  const { keptDays, keptRuns } = limits.flows;
  await db
    .deleteFrom('flow_run')
    .where('ended_at', '<', now - keptDays * 86_400_000)
    .execute();
  const flows = await db
    .selectFrom('flow_run')
    .select((eb) => ['flow_id', eb.fn.countAll<number>().as('count')])
    .groupBy('flow_id')
    .having((eb) => eb(eb.fn.countAll(), '>', keptRuns))
    .execute();
  for (const { flow_id } of flows) {
    const oldest = await db
      .selectFrom('flow_run')
      .select('seq')
      .where('flow_id', '=', flow_id)
      .orderBy('seq', 'desc')
      .offset(keptRuns)
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined) continue;
    await db
      .deleteFrom('flow_run')
      .where('flow_id', '=', flow_id)
      .where('seq', '<=', oldest.seq)
      .where('ended_at', 'is not', null)
      .execute();
  }
}
