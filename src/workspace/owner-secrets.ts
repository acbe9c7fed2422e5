import type { Tx } from './door/tx.ts';

/**
 * Secrets of what belongs to the workspace and not to an app: webhook endpoints, harnesses, clients of MCP servers. They are kept under the id of
 * their owner. An id has an underscore and the name of an app has none, so that no function and no operation on an app's secrets reaches them; the
 * records of every app are redacted of them.
 */
export async function putOwnerSecret(tx: Tx, ownerId: string, name: string, value: string): Promise<void> {
  await tx.db
    .insertInto('secret')
    .values({ app: ownerId, name, value, updated_at: tx.now })
    .onConflict((conflict) => conflict.columns(['app', 'name']).doUpdateSet({ value, updated_at: tx.now }))
    .execute();
  tx.afterCommit(() => tx.facts.secretKept(value));
}

/** Removes the secrets of one owner. */
export async function removeOwnerSecrets({ db }: Pick<Tx, 'db'>, ownerId: string): Promise<void> {
  await db.deleteFrom('secret').where('app', '=', ownerId).execute();
}

/** Removes the secrets of all owners; those of apps stay. */
export async function removeAllOwnerSecrets({ db }: Pick<Tx, 'db'>): Promise<void> {
  const apps = await db.selectFrom('secret').select('app').distinct().execute();
  const owners = apps.map(({ app }) => app).filter((app) => app.includes('_'));
  if (owners.length > 0) await db.deleteFrom('secret').where('app', 'in', owners).execute();
}
