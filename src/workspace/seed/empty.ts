import type { Tx } from '../door/tx.ts';
import { resetHarnesses } from '../harnesses/harnesses.ts';
import { removeAllOwnerSecrets } from '../owner-secrets.ts';

/** Ordered so that nothing refers to deleted rows. */
const emptied = [
  'note',
  'message',
  'run_event',
  'run',
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
  'confirmation',
  'tool_call',
  'delivery',
  'endpoint',
  'mcp_client',
  'job',
] as const;

/**
 * Deletes everything that a seed can describe and everything derived from it. Tokens, secrets of apps, apps, deployments and uploaded
 * media stay; so do the journal, because it records what happened, and listeners, which belong to developers' machines. Jobs are removed: nothing
 * more is sent.
 */
export async function emptyWorkspace(tx: Tx): Promise<void> {
  await stopRuns(tx);
  await removeAllOwnerSecrets(tx);
  for (const table of emptied) await tx.db.deleteFrom(table).execute();
  await resetHarnesses(tx);
  tx.facts.subscriptions.changed(tx);
  tx.afterCommit(tx.facts.jobsChanged);
}

/** Whoever works on a run is told that it is gone, and stops. */
async function stopRuns(tx: Tx): Promise<void> {
  const runs = await tx.db.selectFrom('run').select('id').where('ended_at', 'is', null).execute();
  tx.afterCommit(() => {
    for (const { id } of runs) tx.facts.runCancelled(id);
  });
}
