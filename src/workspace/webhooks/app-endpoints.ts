import type { Tx } from '../door/tx.ts';
import { waitingState } from '../jobs/claim.ts';
import type { AppEndpoint } from '../types.ts';
import { type EndpointRow, insertEndpoint, removeEndpoint, updateEndpoint } from './endpoints.ts';

const functionGone = 'its function is gone';

/**
 * Makes the endpoints of apps those that their functions subscribe by `config.events`. An endpoint whose function is gone gets nothing new; it is
 * removed when nothing waits for it, for a function may be gone for a moment only.
 * @param unknown functions of which nobody knows at the moment what they subscribe to: theirs stay as they are
 */
export async function keepAppEndpoints(
  tx: Tx,
  wanted: readonly AppEndpoint[],
  unknown: ReadonlySet<string>,
): Promise<void> {
  const rows = await tx.db.selectFrom('endpoint').selectAll().where('kind', '=', 'function').execute();
  const byTarget = new Map(rows.map((row) => [row.target, row]));
  for (const { target, events } of wanted) {
    const known = byTarget.get(target);
    byTarget.delete(target);
    if (known === undefined) await insertEndpoint(tx, { kind: 'function', source: 'app', target, events });
    else await adapt(tx, known, JSON.stringify(events));
  }
  for (const row of byTarget.values()) {
    if (row.source === 'app' && !unknown.has(row.target)) await retire(tx, row);
  }
}

async function adapt(tx: Tx, row: EndpointRow, patterns: string): Promise<void> {
  const isBack = row.state === 'disabled' && row.reason === functionGone;
  // One that was added by hand is the app's from now on.
  if (row.source === 'app' && row.patterns === patterns && !isBack) return;
  await updateEndpoint(tx, row, { source: 'app', patterns, ...(isBack && { state: 'enabled', reason: null }) });
}

async function retire(tx: Tx, row: EndpointRow): Promise<void> {
  const waiting = await tx.db
    .selectFrom('delivery')
    .select('id')
    .where('receiver_id', '=', row.id)
    .where('state', '=', waitingState)
    .limit(1)
    .executeTakeFirst();
  if (waiting === undefined) return removeEndpoint(tx, row);
  if (row.state === 'enabled') {
    await updateEndpoint(tx, row, { state: 'disabled', reason: functionGone, disabled_at: tx.now });
  }
}
