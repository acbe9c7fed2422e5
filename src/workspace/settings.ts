import type { Tx } from './door/tx.ts';

async function read(tx: Tx, key: string): Promise<string | undefined> {
  const row = await tx.db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

async function write(tx: Tx, key: string, value: string): Promise<void> {
  await tx.db
    .insertInto('setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** The display name of the workspace. */
export async function nameOf(tx: Tx): Promise<string> {
  return (await read(tx, 'name')) ?? tx.facts.name;
}

export const setName = (tx: Tx, name: string) => write(tx, 'name', name);

/** Stores the offset of the workspace clock in milliseconds. It is read at the start (start.ts). */
export const setOffset = (tx: Tx, offsetMs: number) => write(tx, 'clock-offset', String(offsetMs));
