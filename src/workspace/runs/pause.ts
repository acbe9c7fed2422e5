import type { Selectable } from 'kysely';
import { openRunStatuses } from '../../contract/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { activeAi, isPaused, type StoredAi, storedAi } from './ai-state.ts';
import { cancelRun } from './cancel.ts';

type ConversationRow = Selectable<Tables['conversation']>;

/**
 * Pauses the AI in a conversation: its runs there are cancelled in the same transaction, and nothing that they still produce is sent.
 * @param except a run that ends by itself in this transaction
 * @returns the conversation as it is then, and whether that is a change: whoever changed it announces `conversation.aiPaused`
 */
export async function pauseAi(
  tx: Tx,
  row: ConversationRow,
  { by, reason, except }: { by: StoredAi['by']; reason: string | null; except?: string },
): Promise<{ row: ConversationRow; changed: boolean }> {
  const runs = await tx.db
    .selectFrom('run')
    .selectAll()
    .where('conversation_id', '=', row.id)
    .where('status', 'in', openRunStatuses)
    .execute();
  for (const run of runs) {
    // A run that answers nobody here does not talk over the person.
    if (run.id === except || !fromJson<{ sends: boolean }>(run.spec).sends) continue;
    await cancelRun(tx, run, 'a person took over');
  }
  if (isPaused(row)) return { row, changed: false };
  const ai: StoredAi = { state: 'paused', by, since: tx.now, reason };
  return { row: await keep(tx, row, ai), changed: true };
}

/** Hands a conversation back to the AI. */
export async function resumeAi(tx: Tx, row: ConversationRow): Promise<{ row: ConversationRow; changed: boolean }> {
  const before = storedAi(row);
  if (before.state !== 'paused') return { row, changed: false };
  const resumed = { pausedAt: before.since ?? tx.now, resumedAt: tx.now };
  return { row: await keep(tx, row, { ...activeAi, resumed }), changed: true };
}

/** What the next run has to be told of a pause that is over; told once. */
export async function takeResumed(tx: Tx, row: ConversationRow): Promise<StoredAi['resumed']> {
  const { resumed, ...rest } = storedAi(row);
  if (resumed !== undefined) await keep(tx, row, rest);
  return resumed;
}

async function keep(tx: Tx, row: ConversationRow, ai: StoredAi): Promise<ConversationRow> {
  const changes = { ai: JSON.stringify(ai), updated_at: tx.now };
  await tx.db.updateTable('conversation').set(changes).where('id', '=', row.id).execute();
  return { ...row, ...changes };
}
