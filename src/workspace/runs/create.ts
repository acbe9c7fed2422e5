import { type Caller, limits, refusal } from '../../contract/index.ts';
import { newId } from '../../std/index.ts';
import type { Tx } from '../door/tx.ts';
import { conversationRow } from '../handlers/conversations.ts';
import { requireHarness } from '../harnesses/harnesses.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { NewRun, RunSource } from '../types.ts';
import { isPaused } from './ai-state.ts';
import { noResult, nothingUsed, type RunRow } from './rows.ts';

const dayMs = 86_400_000;

/** Gives the file of an AI agent its id, and counts its version up when its content has changed. */
export async function knowAgent(
  { db, now }: Tx,
  { app, name, content }: { readonly app: string; readonly name: string; readonly content: string },
): Promise<{ id: string; version: number }> {
  const known = await db
    .selectFrom('ai_agent')
    .selectAll()
    .where('app', '=', app)
    .where('name', '=', name)
    .executeTakeFirst();
  if (known === undefined) {
    const made = { id: newId('aia', now), version: 1 };
    await db
      .insertInto('ai_agent')
      .values({ ...made, app, name, content })
      .execute();
    return made;
  }
  if (known.content === content) return { id: known.id, version: known.version };
  const version = known.version + 1;
  await db.updateTable('ai_agent').set({ version, content }).where('id', '=', known.id).execute();
  return { id: known.id, version };
}

/**
 * Starts a run in the transaction of what causes it. It is a job: what is not committed never runs, what is committed goes on after a
 * restart. Its end enqueues the job `next`, in the transaction of the end.
 * @throws WorkspaceError harness_not_found, conversation_not_found, conversation_closed, ai_paused, ai_cap_reached, run_depth
 */
export async function startRun(tx: Tx, run: NewRun): Promise<RunRow> {
  const { spec, agent, conversationId } = run;
  const { trace } = tx;
  if (trace.depth + 1 > limits.agents.depth)
    throw refusal('run_depth', `Runs may start each other ${limits.agents.depth} times at most`);
  const conversation = conversationId === undefined ? undefined : await conversationRow(tx, conversationId);
  if (conversation !== undefined && spec.sends) {
    if (conversation.status === 'closed')
      throw refusal('conversation_closed', undefined, { hint: 'Reopen it first: conversations.reopen.' });
    if (isPaused(conversation))
      throw refusal('ai_paused', undefined, { hint: 'Hand it back to the AI first: conversations.resumeAi.' });
  }
  const harness = await requireHarness(tx, run.harness);
  const known = agent === undefined ? undefined : await knowAgent(tx, agent);
  if (agent !== undefined && known !== undefined && run.rerunOf === undefined) {
    await requireWithinCaps(tx, { ...agent, id: known.id }, conversationId);
  }
  const id = newId('run', tx.now);
  const row: RunRow = {
    id,
    status: 'queued',
    source: JSON.stringify({ ...sourceOf(tx.caller), ...run.source }),
    agent_id: known?.id ?? null,
    agent: agent === undefined ? null : `${agent.app}/${agent.name}`,
    harness_id: harness.id,
    harness: JSON.stringify({ kind: harness.kind, name: harness.name }),
    conversation_id: conversationId ?? null,
    customer_id: conversation?.customer_id ?? null,
    spec: JSON.stringify(spec),
    messages: null,
    history: JSON.stringify({ messages: 0, leftOut: 0 }),
    usage: JSON.stringify(nothingUsed),
    state: null,
    said: 0,
    text: null,
    result: JSON.stringify(noResult),
    error: null,
    warnings: '[]',
    waiting_for: '[]',
    late_events: 0,
    rerun_of: run.rerunOf ?? null,
    job_id: null,
    next_job: run.next === undefined ? null : JSON.stringify(run.next),
    trace_id: trace.traceId,
    cause_id: trace.causeId,
    depth: trace.depth + 1,
    created_at: tx.now,
    started_at: null,
    ended_at: null,
  };
  row.job_id = await enqueueRun(tx, row, run.due);
  await tx.db.insertInto('run').values(row).execute();
  for (const { seq, at, event } of run.events ?? []) {
    await tx.db
      .insertInto('run_event')
      .values({ run_id: id, seq, type: event.type, at, data: JSON.stringify(event) })
      .execute();
  }
  await pruneRuns(tx, known?.id);
  return row;
}

/** Runs of one conversation work one after another, and nobody works twice on one run. */
const laneOf = ({ id, conversation_id }: Pick<RunRow, 'id' | 'conversation_id'>): string =>
  conversation_id === null ? `ai ${id}` : `ai ${conversation_id}`;

/** Enqueues the work on a run. */
export async function enqueueRun(
  tx: Tx,
  row: Pick<RunRow, 'id' | 'conversation_id' | 'trace_id' | 'depth'>,
  due?: number,
): Promise<string> {
  const { id } = await enqueueJob(tx, {
    kind: 'agent-run',
    payload: { runId: row.id },
    lane: laneOf(row),
    ...(due !== undefined && { due }),
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  });
  return id;
}

function sourceOf({ type, app, id }: Caller): Partial<RunSource> {
  if (type === 'function') return { type: 'function', app: app ?? null, function: id };
  return { type: type === 'local' ? 'cli' : 'api' };
}

interface CappedAgent extends NonNullable<NewRun['agent']> {
  readonly id: string;
}

/** @throws WorkspaceError ai_cap_reached */
async function requireWithinCaps(tx: Tx, agent: CappedAgent, conversationId: string | undefined): Promise<void> {
  const { perDay, perConversation } = agent.caps ?? {};
  const runs = tx.db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agent.id)
    .where('rerun_of', 'is', null);
  const check = async (cap: 'perDay' | 'perConversation', max: number, query: typeof runs) => {
    const { count } = await query.executeTakeFirstOrThrow();
    const name = `${agent.app}/${agent.name}`;
    if (count >= max) {
      const where = cap === 'perDay' ? 'today' : 'in this conversation';
      throw refusal('ai_cap_reached', `${name} has had ${max} runs ${where}, as many as its caps allow`, {
        hint: `Raise caps.${cap} in agents/${agent.name}.json.`,
      });
    }
    if (count + 1 !== Math.ceil(max * limits.agents.capWarning)) return;
    await tx.announce({
      type: 'aiAgentRun.capNear',
      data: { agent: { id: agent.id, name, cap, used: count + 1, max } },
    });
  };
  if (perDay !== undefined) {
    const today = tx.now - (tx.now % dayMs);
    await check('perDay', perDay, runs.where('created_at', '>=', today));
  }
  if (perConversation !== undefined && conversationId !== undefined) {
    await check('perConversation', perConversation, runs.where('conversation_id', '=', conversationId));
  }
}

/** Keeps runs of the last 7 days, and at most 1,000 of an agent; what is under way stays. */
async function pruneRuns({ db, now }: Tx, agentId: string | undefined): Promise<void> {
  await db
    .deleteFrom('run')
    .where('created_at', '<', now - limits.agents.keptDays * dayMs)
    .where('ended_at', 'is not', null)
    .execute();
  const oldest = await db
    .selectFrom('run')
    .select('created_at')
    .where('agent_id', agentId === undefined ? 'is' : '=', agentId ?? null)
    .orderBy('created_at', 'desc')
    .offset(limits.agents.keptRuns)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await db
    .deleteFrom('run')
    .where('agent_id', agentId === undefined ? 'is' : '=', agentId ?? null)
    .where('created_at', '<=', oldest.created_at)
    .where('ended_at', 'is not', null)
    .execute();
}
