import type { Kysely } from 'kysely';
import { type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { pageOf } from '../lists/page.ts';
import type { HandlersOf } from './index.ts';

type Part = Output<'packs.use'>['packs'][number];

/** Days are stored as whole quarters, so that sums stay exact. */
const quarters = (days: number) => Math.round(days * 4);
const days = (count: number) => count / 4;

/** A ledger: packs are filled once, bookings take from the oldest pack with days left, nothing ever expires. */
export const packHandlers: HandlersOf<'packs'> = {
  async 'packs.list'(input, tx) {
    const page = await pageOf(
      tx,
      'packs.list',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('pack')
          .selectAll()
          .$if(after !== undefined, (query) => query.where('position', '>', Number(after?.key)))
          .orderBy('position')
          .limit(limit)
          .execute(),
      (row) => ({ key: row.position, id: row.id }),
    );
    return { items: page.rows.map(packOf), nextCursor: page.nextCursor };
  },

  async 'packs.balance'(_input, tx) {
    const { added, left } = await balanceOf(tx);
    return { days: days(added), used: days(added - left), left: days(left) };
  },

  async 'packs.history'(input, tx) {
    const page = await pageOf(
      tx,
      'packs.history',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('pack_entry')
          .selectAll()
          .$if(after !== undefined, (query) => query.where('position', '<', Number(after?.key)))
          .orderBy('position', 'desc')
          .limit(limit)
          .execute(),
      (row) => ({ key: row.position, id: row.id }),
    );
    const items = page.rows.map((row) => ({
      id: row.id,
      kind: row.kind as 'added' | 'used',
      days: days(row.quarters),
      note: row.note,
      packs: fromJson<Part[]>(row.packs),
      balanceAfter: days(row.balance_after),
      at: toTimestamp(row.at),
    }));
    return { items, nextCursor: page.nextCursor };
  },

  async 'packs.add'(input, tx) {
    return addPack(tx, input.days, input.name);
  },

  async 'packs.use'(input, tx) {
    return useDays(tx, input.days, input.note ?? null);
  },
};

/** The default name of a pack. */
export const packName = (count: number): string => `Pack of ${count} ${count === 1 ? 'day' : 'days'}`;

export async function addPack(tx: Tx, count: number, name = packName(count)): Promise<Output<'packs.add'>> {
  const row = {
    id: newId('pck', tx.now),
    name,
    quarters: quarters(count),
    quarters_left: quarters(count),
    created_at: tx.now,
    position: await nextPosition(tx.db, 'pack'),
  };
  await tx.db.insertInto('pack').values(row).execute();
  await writeEntry(tx, { kind: 'added', quarters: row.quarters, note: name, packs: [{ id: row.id, days: count }] });
  return packOf(row);
}

/** Books days. @throws WorkspaceError pack_days_insufficient; nothing was booked then */
export async function useDays(tx: Tx, count: number, note: string | null): Promise<Output<'packs.use'>> {
  const { left } = await balanceOf(tx);
  if (quarters(count) > left) {
    throw refusal('pack_days_insufficient', `${count} days are more than the ${days(left)} that are left`, {
      details: { left: days(left), asked: count },
      hint: 'Add a Development Pack: fn pack add DAYS',
    });
  }
  const packs = await takeFromOldest(tx, quarters(count));
  const entry = await writeEntry(tx, { kind: 'used', quarters: quarters(count), note, packs });
  return { id: entry.id, days: count, note, packs, left: days(entry.balanceAfter) };
}

async function takeFromOldest(tx: Tx, count: number): Promise<Part[]> {
  const filled = await tx.db
    .selectFrom('pack')
    .select(['id', 'quarters_left'])
    .where('quarters_left', '>', 0)
    .orderBy('position')
    .execute();
  const parts: Part[] = [];
  let rest = count;
  for (const pack of filled) {
    const taken = Math.min(rest, pack.quarters_left);
    if (taken === 0) break;
    await tx.db
      .updateTable('pack')
      .set({ quarters_left: pack.quarters_left - taken })
      .where('id', '=', pack.id)
      .execute();
    parts.push({ id: pack.id, days: days(taken) });
    rest -= taken;
  }
  return parts;
}

async function writeEntry(
  tx: Tx,
  given: { kind: 'added' | 'used'; quarters: number; note: string | null; packs: Part[] },
): Promise<{ id: string; balanceAfter: number }> {
  const { left } = await balanceOf(tx);
  const id = newId('pke', tx.now);
  await tx.db
    .insertInto('pack_entry')
    .values({
      id,
      kind: given.kind,
      quarters: given.quarters,
      note: given.note,
      packs: JSON.stringify(given.packs),
      balance_after: left,
      at: tx.now,
      position: await nextPosition(tx.db, 'pack_entry'),
    })
    .execute();
  return { id, balanceAfter: left };
}

async function balanceOf(tx: Tx): Promise<{ added: number; left: number }> {
  const row = await tx.db
    .selectFrom('pack')
    .select((eb) => [eb.fn.sum<number>('quarters').as('added'), eb.fn.sum<number>('quarters_left').as('left')])
    .executeTakeFirst();
  return { added: Number(row?.added ?? 0), left: Number(row?.left ?? 0) };
}

async function nextPosition(db: Kysely<Tables>, table: 'pack' | 'pack_entry'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

function packOf(row: {
  id: string;
  name: string;
  quarters: number;
  quarters_left: number;
  created_at: number;
}): Output<'packs.add'> {
  return {
    id: row.id,
    name: row.name,
    days: days(row.quarters),
    daysLeft: days(row.quarters_left),
    createdAt: toTimestamp(row.created_at),
  };
}
