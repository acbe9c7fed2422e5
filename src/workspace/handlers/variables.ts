import { limits, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { etagOfContent, etagOfNothing } from '../door/etag.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { pageOf } from '../lists/page.ts';
import { requireSize } from '../size.ts';
import type { Json } from '../types.ts';
import type { HandlersOf } from './index.ts';

export const variableHandlers: HandlersOf<'vars'> = {
  async 'vars.list'(input, tx) {
    const page = await pageOf(
      tx,
      'vars.list',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('variable')
          .selectAll()
          .where('app', '=', input.app)
          .$if(after !== undefined, (query) => query.where('name', '>', after?.id ?? ''))
          .orderBy('name')
          .limit(limit)
          .execute(),
      (row) => ({ key: 0, id: row.name }),
    );
    return { items: page.rows.map(variableOf), nextCursor: page.nextCursor };
  },

  async 'vars.get'(input, tx) {
    const row = await rowOf(tx, input);
    if (row === undefined) throw unknown(input);
    return variableOf(row);
  },

  async 'vars.set'({ app, name, value: given }, tx) {
    const before = await rowOf(tx, { app, name });
    tx.requireVersion(before === undefined ? etagOfNothing : etagOfContent(variableOf(before)));
    const value = JSON.stringify(given);
    requireSize('value', value, limits.vars.valueBytes);
    await tx.db
      .insertInto('variable')
      .values({ app, name, value, updated_at: tx.now })
      .onConflict((conflict) => conflict.columns(['app', 'name']).doUpdateSet({ value, updated_at: tx.now }))
      .execute();
    return variableOf({ name, value, updated_at: tx.now });
  },

  async 'vars.delete'(input, tx) {
    const before = await rowOf(tx, input);
    if (before === undefined) throw unknown(input);
    tx.requireVersion(etagOfContent(variableOf(before)));
    await tx.db.deleteFrom('variable').where('app', '=', input.app).where('name', '=', input.name).execute();
    return {};
  },
};

interface Named {
  readonly app: string;
  readonly name: string;
}

function rowOf(tx: Tx, { app, name }: Named) {
  return tx.db.selectFrom('variable').selectAll().where('app', '=', app).where('name', '=', name).executeTakeFirst();
}

const unknown = ({ app, name }: Named) => refusal('var_not_found', `${app} has no variable ${name}`);

function variableOf(row: { name: string; value: string; updated_at: number }) {
  return { name: row.name, value: fromJson<Json>(row.value), updatedAt: toTimestamp(row.updated_at) };
}
