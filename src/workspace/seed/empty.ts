import type { Tx } from '../door/tx.ts';

/** Ordered so that nothing refers to deleted rows. */
const emptied = [
  'note',
  'message',
  'conversation',
  'customer',
  'agent_workgroup',
  'agent',
  'workgroup',
  'channel',
  'template',
  'store_entry',
  'variable',
  'pack_entry',
  'pack',
  'invocation',
  'log_line',
  'idempotency',
] as const;

/**
 * Deletes everything that a seed can describe and everything derived from it. Tokens, secrets, apps, deployments and uploaded
 * media stay; so does the journal, because it records what happened.
 */
export async function emptyWorkspace(tx: Tx): Promise<void> {
  for (const table of emptied) await tx.db.deleteFrom(table).execute();
}
