import type { Selectable } from 'kysely';
import { type Output, refusal, type Scope } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { hashOfToken, newTokenValue } from '../tokens/tokens.ts';
import { assigneeOf } from './agents.ts';
import type { HandlersOf } from './index.ts';

const defaultScopes: readonly Scope[] = ['read', 'write', 'send'];

export const tokenHandlers: HandlersOf<'tokens'> = {
  async 'tokens.list'(input, tx) {
    const page = await pageBy(tx, 'tokens.list', input, tx.db.selectFrom('token').selectAll(), {
      by: 'created_at',
      desc: true,
    });
    return { items: page.rows.map((row) => tokenOf(row, tx)), nextCursor: page.nextCursor };
  },

  async 'tokens.create'({ name, scopes = [...defaultScopes], agentId }, tx) {
    if (agentId !== undefined) await assigneeOf(tx, { agentId });
    const token = newTokenValue(tx.facts.slug);
    const row = {
      id: newId('tok', tx.now),
      name,
      hash: hashOfToken(token),
      scopes: JSON.stringify([...new Set(scopes)]),
      agent_id: agentId ?? null,
      created_at: tx.now,
      last_used_at: null,
      revoked_at: null,
    };
    await tx.db.insertInto('token').values(row).execute();
    return {
      id: row.id,
      name,
      token,
      scopes: fromJson<string[]>(row.scopes),
      ...(agentId !== undefined && { agentId }),
    };
  },

  async 'tokens.revoke'({ id }, tx) {
    const row = await tx.db.selectFrom('token').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw refusal('token_not_found', `There is no token ${id}`);
    if (row.revoked_at !== null) return tokenOf(row, tx);
    await tx.db.updateTable('token').set({ revoked_at: tx.now }).where('id', '=', id).execute();
    tx.afterCommit(() => tx.facts.tokens.revoked(row.hash));
    return tokenOf({ ...row, revoked_at: tx.now }, tx);
  },
};

function tokenOf(row: Selectable<Tables['token']>, tx: Tx): Output<'tokens.revoke'> {
  const used = tx.facts.tokens.lastUse(row.id) ?? row.last_used_at;
  return {
    id: row.id,
    name: row.name,
    scopes: fromJson<string[]>(row.scopes),
    ...(row.agent_id !== null && { agentId: row.agent_id }),
    createdAt: toTimestamp(row.created_at),
    lastUsedAt: used === null ? null : toTimestamp(used),
    revokedAt: row.revoked_at === null ? null : toTimestamp(row.revoked_at),
  };
}
