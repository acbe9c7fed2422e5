import { newId } from '../../std/index.ts';
import type { Tx } from '../door/tx.ts';
import type { NewFlow } from '../types.ts';
import { type FlowRow, flowOf, triggerOf } from './rows.ts';

/** Makes the flows of an app those. What has not changed keeps its version; runs under way keep theirs in any case. */
export async function publishFlows(tx: Tx, app: string, flows: readonly NewFlow[]): Promise<void> {
  const rows = await tx.db.selectFrom('flow').selectAll().where('app', '=', app).execute();
  const known = new Map(rows.map((row) => [row.name, row]));
  let changed = false;
  for (const flow of flows) {
    const before = known.get(flow.name);
    known.delete(flow.name);
    if (before?.live === 1 && before.content === flow.content) continue;
    changed = true;
    await putLive(tx, app, flow, before);
  }
  for (const row of known.values()) {
    if (row.live === 0) continue;
    changed = true;
    await tx.db.updateTable('flow').set({ live: 0 }).where('id', '=', row.id).execute();
  }
  if (changed) tx.facts.flows.changed(tx);
}

async function putLive(tx: Tx, app: string, flow: NewFlow, before: FlowRow | undefined): Promise<void> {
  const { on, priority = 0 } = triggerOf(flow.definition);
  const isSame = before?.content === flow.content;
  const row: FlowRow = {
    id: before?.id ?? newId('flw', tx.now),
    app,
    name: flow.name,
    version: (before?.version ?? 0) + (isSame ? 0 : 1),
    content: flow.content,
    enabled: before?.enabled ?? 1,
    live: 1,
    trigger_on: on,
    sort_key: `${String(1000 - priority).padStart(4, '0')} ${flow.name} ${app}`,
    definition: JSON.stringify(flow.definition),
    published_at: tx.now,
    created_at: before?.created_at ?? tx.now,
  };
  if (before === undefined) await tx.db.insertInto('flow').values(row).execute();
  else await tx.db.updateTable('flow').set(row).where('id', '=', row.id).execute();
  if (!isSame) {
    const { id, version, definition } = row;
    await tx.db.insertInto('flow_version').values({ flow_id: id, version, definition, published_at: tx.now }).execute();
    await sweepVersions(tx, id, version);
  }
  await tx.announce({ type: 'flow.published', data: { flow: flowOf(row) } });
}

/** Removes versions that are not live and of which no run is kept. */
async function sweepVersions({ db }: Tx, flowId: string, live: number): Promise<void> {
  await db
    .deleteFrom('flow_version')
    .where('flow_id', '=', flowId)
    .where('version', '!=', live)
    .where('version', 'not in', (eb) => eb.selectFrom('flow_run').select('version').where('flow_id', '=', flowId))
    .execute();
}
