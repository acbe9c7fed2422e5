import type { Kysely } from 'kysely';
import { isSubscribed } from '../../contract/index.ts';
import { CommittedCopy } from '../database/committed-copy.ts';
import type { Tables } from '../database/index.ts';
import type { Tx } from '../door/tx.ts';

/** An endpoint with what a delivery needs. */
export interface KnownEndpoint {
  readonly id: string;
  readonly kind: 'url' | 'function';
  readonly target: string;
  readonly patterns: readonly string[];
  readonly isEnabled: boolean;
  readonly secret: string | undefined;
  readonly oldSecret: string | undefined;
  /** Until when the old secret signs, too. */
  readonly oldSecretUntil: number;
}

/** Names under which an endpoint's secrets are stored. */
export const secretNames = { current: 'signing', old: 'signing_old' } as const;

/**
 * The endpoints of the workspace, in memory: each event asks who wants it, and each delivery for its secret. There are at most a hundred, and
 * they change seldom.
 */
export class Subscriptions {
  readonly #all = new CommittedCopy(read);

  /** Those that want an event of this kind. */
  async wanting(db: Kysely<Tables>, kind: string): Promise<KnownEndpoint[]> {
    const all = await this.#all.get(db);
    if (all.size === 0) return [];
    return [...all.values()].filter(({ isEnabled, patterns }) => isEnabled && isSubscribed(patterns, kind));
  }

  async endpoint(db: Kysely<Tables>, id: string): Promise<KnownEndpoint | undefined> {
    return (await this.#all.get(db)).get(id);
  }

  /** Called in the transaction of each change of an endpoint. */
  changed(tx: Pick<Tx, 'db' | 'afterCommit'>): void {
    this.#all.changed(tx);
  }
}

async function read(db: Kysely<Tables>): Promise<ReadonlyMap<string, KnownEndpoint>> {
  const rows = await db
    .selectFrom('endpoint')
    .select(['id', 'kind', 'target', 'patterns', 'state', 'old_secret_until'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (rows.length === 0) return new Map();
  const secrets = await db
    .selectFrom('secret')
    .select(['app', 'name', 'value'])
    .where('name', 'in', Object.values(secretNames))
    .where(
      'app',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const secretOf = (id: string, name: string) => secrets.find((row) => row.app === id && row.name === name)?.value;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        kind: row.kind as KnownEndpoint['kind'],
        target: row.target,
        patterns: JSON.parse(row.patterns) as string[],
        isEnabled: row.state === 'enabled',
        secret: secretOf(row.id, secretNames.current),
        oldSecret: secretOf(row.id, secretNames.old),
        oldSecretUntil: row.old_secret_until ?? 0,
      },
    ]),
  );
}
