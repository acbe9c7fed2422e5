import type { Kysely } from 'kysely';
import type { Flow } from '../../contract/shapes/index.ts';
import { CommittedCopy } from '../database/committed-copy.ts';
import type { Tables } from '../database/index.ts';
import { fromJson } from '../door/tx.ts';

/** A flow that can start. */
export interface LiveFlow {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly version: number;
  readonly on: string;
  readonly definition: Flow;
}

/** The flows that can start, in their order: each event asks whether one of them cares. */
export const liveFlows = (): CommittedCopy<readonly LiveFlow[]> => new CommittedCopy(read);

async function read(db: Kysely<Tables>): Promise<LiveFlow[]> {
  const rows = await db
    .selectFrom('flow')
    .select(['id', 'app', 'name', 'version', 'trigger_on', 'definition'])
    .where('live', '=', 1)
    .where('enabled', '=', 1)
    .orderBy('sort_key')
    .execute();
  return rows.map(({ trigger_on, definition, ...row }) => ({
    ...row,
    on: trigger_on,
    definition: fromJson<Flow>(definition),
  }));
}
