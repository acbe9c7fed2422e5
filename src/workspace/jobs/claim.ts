import type { Selectable } from 'kysely';
import type { JobKind } from '../../contract/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { FreeWorkers, Job } from './types.ts';

const maxClaimed = 32;
/** How long a lease holds without a sign of life, where several processes work. In real time. */
const leaseMs = 60_000;
/** Rows that are looked at for one claim: jobs of a group that is busy are passed over. */
const maxScanned = 512;

/** Claims due jobs of kinds that have a free worker, in the order in which they are due. */
export async function claimJobs(tx: Tx, node: string, workers: readonly FreeWorkers[]): Promise<Job[]> {
  const claimed: Job[] = [];
  for (const worker of workers) {
    for (const row of await findDue(tx, worker, maxClaimed - claimed.length)) {
      await tx.db
        .updateTable('job')
        .set({ state: 'leased', node, epoch: row.epoch + 1, lease_until: Date.now() + leaseMs })
        .where('seq', '=', row.seq)
        .execute();
      claimed.push(jobOf({ ...row, epoch: row.epoch + 1 }));
    }
  }
  return claimed;
}

async function findDue({ db, now }: Tx, { kind, free, groups }: FreeWorkers, most: number): Promise<Row[]> {
  const wanted = Math.min(free, most);
  if (wanted <= 0) return [];
  const full = groups
    ? [...groups.running].filter(([, running]) => running >= groups.most).map(([group]) => group)
    : [];
  const rows = await db
    .selectFrom('job')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('due', '<=', now)
    .$if(full.length > 0, (query) =>
      query.where((eb) => eb.or([eb('group_key', 'is', null), eb('group_key', 'not in', full)])),
    )
    .orderBy('due')
    .orderBy('seq')
    .limit(groups ? maxScanned : wanted)
    .execute();
  if (!groups) return rows;
  const running = new Map(groups.running);
  const taken: Row[] = [];
  for (const row of rows) {
    if (taken.length === wanted) break;
    const before = row.group_key === null ? 0 : (running.get(row.group_key) ?? 0);
    if (row.group_key !== null && before >= groups.most) continue;
    if (row.group_key !== null) running.set(row.group_key, before + 1);
    taken.push(row);
  }
  return taken;
}

type Row = Selectable<Tables['job']>;

export function jobOf(row: Row): Job {
  return {
    id: row.id,
    kind: row.kind as JobKind,
    key: row.key,
    lane: row.lane,
    group: row.group_key,
    due: row.due,
    attempt: row.attempt,
    epoch: row.epoch,
    payload: fromJson<Job['payload']>(row.payload),
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
    causeId: row.cause_id,
  };
}
