import { refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { appOf } from '../door/permission.ts';
import { pageOf } from '../lists/page.ts';
import type { HandlersOf } from './index.ts';

/** Only functions of the app can read values; no list, event or export contains them. */
export const secretHandlers: HandlersOf<'secrets'> = {
  async 'secrets.list'(input, tx) {
    const page = await pageOf(
      tx,
      'secrets.list',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('secret')
          .select(['name', 'updated_at'])
          .where('app', '=', input.app)
          .$if(after !== undefined, (query) => query.where('name', '>', after?.id ?? ''))
          .orderBy('name')
          .limit(limit)
          .execute(),
      (row) => ({ key: 0, id: row.name }),
    );
    const items = page.rows.map((row) => ({ name: row.name, updatedAt: toTimestamp(row.updated_at) }));
    return { items, nextCursor: page.nextCursor };
  },

  async 'secrets.set'({ app, name, value }, tx) {
    await tx.db
      .insertInto('secret')
      .values({ app, name, value, updated_at: tx.now })
      .onConflict((conflict) => conflict.columns(['app', 'name']).doUpdateSet({ value, updated_at: tx.now }))
      .execute();
    return { name, updatedAt: toTimestamp(tx.now) };
  },

  async 'secrets.delete'({ app, name }, tx) {
    const { numDeletedRows } = await tx.db
      .deleteFrom('secret')
      .where('app', '=', app)
      .where('name', '=', name)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw refusal('secret_not_found', `${app} has no secret ${name}`);
    return {};
  },

  async 'secrets.get'({ name }, tx, caller) {
    const row = await tx.db
      .selectFrom('secret')
      .select('value')
      .where('app', '=', appOf(caller))
      .where('name', '=', name)
      .executeTakeFirst();
    return { value: row?.value ?? null };
  },
};
