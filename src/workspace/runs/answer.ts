import { type Input, limits, type Output, refusal } from '../../contract/index.ts';

import { fromJson, type Tx } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { removeJob } from '../jobs/remove.ts';
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
  return keepAnswers(tx, row, [{ interruptId: asked.id, status, payload }]);
}

/** Counts every question of an agent as cancelled that nobody has answered in time. */
export async function expireRun(tx: Tx, row: RunRow): Promise<void> {
  if (row.status !== 'waiting') return;
  const questions = waitingOf(row).filter(({ kind }) => kind === 'agent');
  await keepAnswers(
    tx,
    { ...row, job_id: null },
    questions.map(({ id }) => ({ interruptId: id, status: 'cancelled', payload: null })),
  );
}

async function keepAnswers(
  tx: Tx,
  row: RunRow,
  answers: readonly { interruptId: string; status: 'resolved' | 'cancelled'; payload: unknown }[],
): Promise<RunRow> {
  const seq = await lastSeq(tx, row.id);
  await insertEvents(
    tx,
    row.id,
    answers.map((answer, i) => ({ seq: seq + 1 + i, at: tx.now, event: { type: 'interrupt.answered', ...answer } })),
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

/** Lets the questions of an agent expire: at the time that it says itself, or like a confirmation. @returns the job */
export async function enqueueExpiry(tx: Tx, row: RunRow, waitingFor: Waiting): Promise<string | undefined> {
  const questions = waitingFor.filter(({ kind }) => kind === 'agent');
  if (questions.length === 0) return undefined;
  const times = questions.map(({ expiresAt }) => (expiresAt === null ? Number.NaN : Date.parse(expiresAt)));
  const due = Math.min(...times.map((time) => (Number.isNaN(time) ? tx.now + limits.tools.confirmationMs : time)));
  const { id } = await enqueueJob(tx, {
    kind: 'expiry',
    due: Math.min(Math.max(due, tx.now), tx.now + maxWaitMs),
    payload: { of: 'run', id: row.id },
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  });
  return id;
}
