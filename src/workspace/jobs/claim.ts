import { type Selectable, sql } from 'kysely';
import type { JobKind } from '../../contract/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { FreeWorkers, Job } from './types.ts';

const maxClaimed = 32;
/** How long a lease holds without a sign of life, where several processes work. In real time. */
const leaseMs = 60_000;
/** Jobs that are looked at together, and for one claim: those of a group that is busy are passed over. */
const pageSize = 32;
const maxScanned = 512;

/** As text of the statement, not as a value of it: the index of what waits is an index of this state only. */
export const waitingState = sql.lit('waiting');

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

async function findDue(tx: Tx, { kind, free, groups }: FreeWorkers, most: number): Promise<Row[]> {
  const wanted = Math.min(free, most);
  if (wanted <= 0) return [];
  const running = new Map(groups?.running);
  const taken: number[] = [];
  let after: Place | undefined;
  for (let scanned = 0; taken.length < wanted && scanned < maxScanned; ) {
    const full = groups ? [...running].filter(([, count]) => count >= groups.most).map(([group]) => group) : [];
    const places = await placesDue(tx, kind, full, groups ? pageSize : wanted, after);
    for (const { seq, group_key } of places) {
      if (taken.length === wanted) break;
      if (groups && group_key !== null) {
        const before = running.get(group_key) ?? 0;
        if (before >= groups.most) continue;
        running.set(group_key, before + 1);
      }
      taken.push(seq);
    }
    after = places.at(-1);
    scanned += places.length;
    if (places.length < pageSize) break;
  }
  if (taken.length === 0) return [];
  return tx.db.selectFrom('job').selectAll().where('seq', 'in', taken).orderBy('due').orderBy('seq').execute();
}

type Place = Pick<Row, 'due' | 'seq' | 'group_key'>;

/** What is due behind a place, in its order, without the groups that are full; read from the index alone. */
function placesDue({ db, now }: Tx, kind: string, full: readonly string[], limit: number, after: Place | undefined) {
  return db
    .selectFrom('job')
    .select(['due', 'seq', 'group_key'])
    .where('state', '=', waitingState)
    .where('kind', '=', kind)
    .where('due', '<=', now)
    .$if(full.length > 0, (query) =>
      query.where((eb) => eb.or([eb('group_key', 'is', null), eb('group_key', 'not in', full)])),
    )
    .$if(after !== undefined, (query) =>
      query
        .where('due', '>=', after?.due ?? 0)
        .where((eb) => eb.or([eb('due', '>', after?.due ?? 0), eb('seq', '>', after?.seq ?? 0)])),
    )
    .orderBy('due')
    .orderBy('seq')
    .limit(limit)
    .execute();
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
