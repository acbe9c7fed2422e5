import { type Input, limits, type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { removeJob } from '../jobs/remove.ts';
import { actorOf } from '../journal/journal.ts';
import { enqueueRun } from './create.ts';
import { insertEvents, lastSeq } from './events.ts';
import type { RunRow } from './rows.ts';

type Waiting = Output<'aiAgentRuns.show'>['waitingFor'];
type Answer = Omit<Input<'aiAgentRuns.answer'>, 'id'>;

const dayMs = 86_400_000;
/** An agent may not make us wait longer for an answer. */
const maxWaitMs = 7 * dayMs;

const waitingOf = (row: RunRow): Waiting => fromJson<Waiting>(row.waiting_for);

/**
 * Answers a question with which an agent itself has stopped its run. With the last answer the run goes on; its next request carries them.
 * @throws WorkspaceError run_not_waiting, interrupt_not_found
 */
export async function answerRun(tx: Tx, row: RunRow, answer: Answer): Promise<RunRow> {
  const waiting = waitingOf(row);
  const questions = waiting.filter(({ kind }) => kind === 'agent');
  if (row.status !== 'waiting' || questions.length === 0) {
    const [confirmation] = waiting;
    throw refusal('run_not_waiting', `${row.id} does not wait for an answer: it is ${row.status}`, {
      ...(confirmation && { hint: `What it waits for is a confirmation: fn confirmation allow ${confirmation.id}` }),
    });
  }
  const { interruptId, status = 'resolved', payload = null } = answer;
  const [only, ...others] = questions;
  const asked =
    interruptId === undefined && others.length === 0 ? only : questions.find(({ id }) => id === interruptId);
  if (asked === undefined) {
    const ids = questions.map(({ id }) => id).join(', ');
    throw refusal(
      'interrupt_not_found',
      `${row.id} waits for ${ids}${interruptId === undefined ? '' : `, not for ${interruptId}`}`,
    );
  }
  return keepAnswers(tx, row, [{ interruptId: asked.id, status, payload }], actorOf(tx.caller));
}

/** Counts those questions of an agent as cancelled that nobody has answered in time; the others go on waiting. */
export async function expireRun(tx: Tx, row: RunRow): Promise<void> {
  if (row.status !== 'waiting') return;
  const due = waitingOf(row).filter((one) => one.kind === 'agent' && expiryOf(tx, one) <= tx.now);
  const after = await keepAnswers(
    tx,
    { ...row, job_id: null },
    due.map(({ id }) => ({ interruptId: id, status: 'cancelled', payload: null })),
    { type: 'system', id: null },
  );
  if (after.status !== 'waiting') return;
  const job = await enqueueExpiry(tx, row, waitingOf(after));
  await tx.db
    .updateTable('run')
    .set({ job_id: job ?? null })
    .where('id', '=', row.id)
    .execute();
}

async function keepAnswers(
  tx: Tx,
  row: RunRow,
  answers: readonly { interruptId: string; status: 'resolved' | 'cancelled'; payload: unknown }[],
  by: ReturnType<typeof actorOf>,
): Promise<RunRow> {
  const seq = await lastSeq(tx, row.id);
  await insertEvents(
    tx,
    row.id,
    answers.map((answer, i) => ({
      seq: seq + 1 + i,
      at: tx.now,
      event: { type: 'interrupt.answered', ...answer, by },
    })),
  );
  const left = waitingOf(row).filter(({ id }) => !answers.some(({ interruptId }) => interruptId === id));
  const changes = { waiting_for: JSON.stringify(left) };
  if (left.length > 0) {
    await tx.db.updateTable('run').set(changes).where('id', '=', row.id).execute();
    return { ...row, ...changes };
  }
  if (row.job_id !== null) await removeJob(tx, row.job_id);
  const goesOn = { ...changes, status: 'queued', job_id: await enqueueRun(tx, row) };
  await tx.db.updateTable('run').set(goesOn).where('id', '=', row.id).execute();
  return { ...row, ...goesOn };
}

/** A question of an agent with the time at which it counts as cancelled: that which it says itself, or like a confirmation. */
export function withExpiry(tx: Tx, one: Waiting[number]): Waiting[number] {
  if (one.kind !== 'agent') return one;
  const said = one.expiresAt === null ? tx.now + limits.tools.confirmationMs : Date.parse(one.expiresAt);
  return { ...one, expiresAt: toTimestamp(Math.min(Math.max(said, tx.now), tx.now + maxWaitMs)) };
}

const expiryOf = (tx: Tx, { expiresAt }: Waiting[number]) => (expiresAt === null ? tx.now : Date.parse(expiresAt));

/** Wakes a run when the first question of its agent expires. @returns the job */
export async function enqueueExpiry(tx: Tx, row: RunRow, waitingFor: Waiting): Promise<string | undefined> {
  const questions = waitingFor.filter(({ kind }) => kind === 'agent');
  if (questions.length === 0) return undefined;
  const { id } = await enqueueJob(tx, {
    kind: 'expiry',
    due: Math.min(...questions.map((one) => expiryOf(tx, one))),
    payload: { of: 'run', id: row.id },
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  });
  return id;
}
