import { limits, type OperationName, type ParsedInput, refusal } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { nameKey } from '../handlers/channels.ts';
import { conversationHandlers, conversationOf, conversationRow } from '../handlers/conversations.ts';
import { messageHandlers } from '../handlers/messages.ts';
import { noteHandlers } from '../handlers/notes.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { finishJob } from '../jobs/finish.ts';
import type { Job } from '../jobs/types.ts';
import { isPaused, storedAi } from '../runs/ai-state.ts';
import { startRun } from '../runs/create.ts';
import { pauseAi } from '../runs/pause.ts';
import type { FlowChange, FlowRecord, NewRun } from '../types.ts';
import { budgetLeft } from './budget-left.ts';
import { announceRun } from './create.ts';
import type { FlowRunRow } from './rows.ts';
import { askFlows, laneOf } from './wake-flows.ts';

/** Checks the input of an operation and fills in what it leaves out. @throws WorkspaceError input_invalid */
export type ParseInput = <N extends OperationName>(name: N, given: unknown) => ParsedInput<N>;

/**
 * Writes one step of a run with its changes and what comes next, in one transaction.
 * @returns false if the run was cancelled or went on elsewhere: nothing is written
 * @throws WorkspaceError if a change is refused; LeaseLost
 */
export async function recordStep(tx: Tx, job: Job, record: FlowRecord, parse: ParseInput): Promise<boolean> {
  const row = await tx.db.selectFrom('flow_run').selectAll().where('id', '=', record.runId).executeTakeFirst();
  if (row === undefined || row.status !== 'running' || row.steps !== record.seq) return false;
  const own = asFlow(tx, row);
  let ref: string | null = record.step?.ref ?? row.ai_run_id;
  for (const change of record.changes) ref = (await makeChange(own, row, change, parse)) ?? ref;
  if (record.step) await writeStep(own, row.id, { ...record.step, ref: ref ?? undefined });
  const { next } = record;
  if (next.type === 'go') await keepState(own, row, record, {});
  else {
    await stop(own, row, record);
    await finishJob(tx, job, { state: 'done' });
  }
  return true;
}

/** The transaction as the flow's own: what it does is the flow's doing, and caused by the run. */
function asFlow(tx: Tx, row: FlowRunRow): Tx {
  const trace = { traceId: row.trace_id, causeId: row.id, depth: row.depth };
  const name = `${row.app}/${row.flow}`;
  const caller = { type: 'flow', id: row.flow_id, name, scopes: ['read', 'write', 'send'], trace } as const;
  return { ...tx, caller, trace, announce: (announcement) => tx.announce({ by: { caller, trace }, ...announcement }) };
}

type Written = Partial<
  Pick<FlowRunRow, 'status' | 'waiting_for' | 'waiting_until' | 'timeout_job_id' | 'ai_run_id' | 'error' | 'ended_at'>
>;

async function keepState(tx: Tx, row: FlowRunRow, { state, step }: FlowRecord, more: Written): Promise<FlowRunRow> {
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > limits.flows.stateBytes)
    throw refusal('body_too_large', `What a run keeps may be ${limits.flows.stateBytes / 1024} KiB at most`);
  const ended = more.ended_at != null;
  return tx.db
    .updateTable('flow_run')
    .set({
      state: text,
      // A run that has ended stays at its last node.
      node: ended ? (step?.node ?? row.node) : state.node,
      steps: state.seq,
      event: '{"type":"go"}',
      updated_at: tx.now,
      // The step that its answer leads to is written.
      ai_run_id: null,
      ...more,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function stop(tx: Tx, row: FlowRunRow, record: FlowRecord): Promise<void> {
  const { next } = record;
  if (next.type === 'end') {
    const error = next.status === 'failed' ? JSON.stringify(next.error) : null;
    const after = await keepState(tx, row, record, {
      status: next.status,
      error,
      waiting_for: null,
      waiting_until: null,
      ended_at: tx.now,
    });
    await announceRun(tx, next.status === 'completed' ? 'flowRun.completed' : 'flowRun.failed', after);
    // Messages that nobody has taken start a flow, as if they came now.
    const messageId = record.state.queue.at(-1)?.['id'];
    if (row.conversation_id !== null && typeof messageId === 'string') {
      await askFlows(tx, { type: 'message.received', conversationId: row.conversation_id, messageId });
    }
    return;
  }
  if (next.type === 'startRun') {
    const run = await startAgent(tx, row, record.state.seq, next.run);
    const waiting = { status: 'waiting', waiting_for: 'run', waiting_until: null, ai_run_id: run.id };
    await announceRun(tx, 'flowRun.waiting', await keepState(tx, row, record, waiting));
    return;
  }
  if (next.type !== 'wait') return;
  const until = tx.now + Math.round(next.ms);
  const job = await enqueueJob(tx, {
    kind: 'flow-step',
    key: `flow wait ${row.id}:${record.state.seq}`,
    due: until,
    payload: { do: 'timeout', runId: row.id, at: record.state.seq },
  });
  const after = await keepState(tx, row, record, {
    status: 'waiting',
    waiting_for: next.for,
    waiting_until: until,
    timeout_job_id: job.id,
  });
  await announceRun(tx, 'flowRun.waiting', after);
}

/** Starts the run of an AI agent; its end is what the flow goes on with. */
async function startAgent(tx: Tx, row: FlowRunRow, seq: number, run: Omit<NewRun, 'source' | 'next'>) {
  const budget = await budgetLeft(tx, row, run.spec.budget);
  return startRun(tx, {
    ...run,
    spec: { ...run.spec, budget, nodeBudget: run.spec.budget },
    source: {
      type: 'flow',
      app: row.app,
      flowId: row.flow_id,
      flowVersion: row.version,
      nodeId: row.node,
      flowRunId: row.id,
    },
    next: {
      kind: 'flow-step',
      lane: row.conversation_id === null ? `flow ${row.id}` : laneOf(row.conversation_id),
      payload: { do: 'answered', flowRunId: row.id, at: seq },
    },
  });
}

async function writeStep(tx: Tx, runId: string, step: NonNullable<FlowRecord['step']>): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await tx.db
    .insertInto('flow_step')
    .values({
      run_id: runId,
      seq: step.seq,
      node: step.node,
      type: step.type,
      outcome: step.outcome,
      output: json(step.output),
      variables: json(step.variables),
      message: json(step.message),
      error: json(step.error),
      ref: step.ref ?? null,
      at: tx.now,
      ms: Math.round(step.ms),
    })
    .execute();
}

/** @returns the id of the message that was sent, if one was */
async function makeChange(tx: Tx, run: FlowRunRow, change: FlowChange, parse: ParseInput): Promise<string | undefined> {
  const conversationId = run.conversation_id;
  if (conversationId === null) throw refusal('conversation_not_found', 'The run has no conversation');
  const { caller } = tx;
  switch (change.type) {
    case 'sendMessage': {
      await requireAi(tx, run, conversationId);
      const input = parse('messages.send', { conversationId, ...change.message });
      return (await messageHandlers['messages.send'](input, tx, caller)).id;
    }
    case 'sendTemplate': {
      await requireAi(tx, run, conversationId);
      const input = parse('messages.sendTemplate', { to: await phoneOf(tx, run), ...change.template });
      return (await messageHandlers['messages.sendTemplate'](input, tx, caller)).messageId;
    }
    case 'assign': {
      if (change.note !== undefined) {
        const note = parse('notes.add', { conversationId, text: change.note });
        await noteHandlers['notes.add'](note, tx, caller);
      }
      const assign =
        'agent' in change.to
          ? { agentEmail: change.to.agent }
          : { workgroupId: await workgroupNamed(tx, change.to.workgroup) };
      await conversationHandlers['conversations.assign']({ id: conversationId, assign }, tx, caller);
      if (change.pausesAi) await handOver(tx, run, conversationId);
      return undefined;
    }
    case 'closeConversation':
      await conversationHandlers['conversations.close']({ id: conversationId }, tx, caller);
      return undefined;
  }
}

/**
 * While people answer, a flow says nothing; but the one that has handed over, itself or by its agent, goes on to its end.
 * @throws WorkspaceError ai_paused
 */
async function requireAi(tx: Tx, run: FlowRunRow, conversationId: string): Promise<void> {
  const conversation = await conversationRow(tx, conversationId);
  if (!isPaused(conversation)) return;
  const { by } = storedAi(conversation);
  if (by?.type === 'aiAgent' || (by?.type === 'flow' && by.id === run.flow_id)) return;
  throw refusal('ai_paused', 'People answer in this conversation');
}

/** People answer from now on. */
async function handOver(tx: Tx, run: FlowRunRow, conversationId: string): Promise<void> {
  const row = await conversationRow(tx, conversationId);
  const by = { type: 'flow', id: run.flow_id };
  const { changed } = await pauseAi(tx, row, { by, reason: `handed over by the flow ${run.flow}` });
  await tx.db.updateTable('conversation').set({ inbox: 1 }).where('id', '=', conversationId).execute();
  if (!changed) return;
  const conversation = conversationOf(await conversationRow(tx, conversationId), tx.facts);
  await tx.announce({ type: 'conversation.aiPaused', conversationId, data: { conversation } });
}

async function phoneOf({ db }: Tx, run: FlowRunRow): Promise<string> {
  const row = await db
    .selectFrom('customer')
    .select('phone')
    .where('id', '=', run.customer_id ?? '')
    .executeTakeFirst();
  if (row?.phone == null) throw refusal('recipient_invalid', 'The customer has no phone number for a message template');
  return row.phone;
}

async function workgroupNamed({ db }: Tx, name: string): Promise<string> {
  const row = await db.selectFrom('workgroup').select('id').where('name_key', '=', nameKey(name)).executeTakeFirst();
  if (row === undefined) throw refusal('workgroup_not_found', `There is no workgroup ${name}`);
  return row.id;
}
