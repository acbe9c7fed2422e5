import type { Tx } from '../tx.ts';

/** In an order in which nothing refers to what is gone. */
const emptied = [
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
 * Takes everything out that a seed can describe and what came of it. Tokens, secrets, apps, deployments and uploaded
 * media stay; so does the journal, for it says what happened.
 */
export async function emptyWorkspace(tx: Tx): Promise<void> {
  for (const table of emptied) await tx.db.deleteFrom(table).execute();
}
