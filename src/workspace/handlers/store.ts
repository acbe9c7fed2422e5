import { limits, type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { appOf } from '../door/permission.ts';
import { type Facts, fromJson, type Tx } from '../door/tx.ts';
import { pageOf } from '../lists/page.ts';
import type { Json } from '../types.ts';
import type { HandlersOf } from './index.ts';

type Entry = Output<'store.set'>;

export const storeHandlers: HandlersOf<'store'> = {
  async 'store.get'({ key }, tx, caller) {
    const row = await entryOf(tx, appOf(caller), key);
    return { value: row === undefined ? null : fromJson<Json>(row.value) };
  },

  async 'store.list'(input, tx, caller) {
    const app = appOf(caller);
    const prefix = input.prefix ?? '';
    const end = endOf(prefix);
    const page = await pageOf(
      tx,
      'store.list',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('store_entry')
          .selectAll()
          .where('app', '=', app)
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', tx.now)]))
          .$if(after !== undefined, (query) => query.where('key', '>', after?.id ?? ''))
          .$if(prefix !== '', (query) => query.where('key', '>=', prefix))
          .$if(end !== undefined, (query) => query.where('key', '<', end ?? ''))
          .orderBy('key')
          .limit(limit)
          .execute(),
      (row) => ({ key: 0, id: row.key }),
    );
    const items = page.rows.map((row) => shown(row.key, row.value, row.expires_at));
    return { items, nextCursor: page.nextCursor };
  },

  async 'store.set'({ key, value, ttlSeconds }, tx, caller) {
    const text = JSON.stringify(value);
    const expiresAt = ttlSeconds === undefined ? null : Math.ceil(tx.now + ttlSeconds * 1000);
    await put(tx, appOf(caller), key, text, expiresAt);
    return shown(key, text, expiresAt);
  },

  async 'store.delete'({ key }, tx, caller) {
    const there = await entryOf(tx, appOf(caller), key);
    await tx.db.deleteFrom('store_entry').where('app', '=', appOf(caller)).where('key', '=', key).execute();
    return { deleted: there !== undefined };
  },

  async 'store.increment'({ key, by }, tx, caller) {
    const app = appOf(caller);
    const row = await entryOf(tx, app, key);
    const before = row === undefined ? 0 : fromJson<Json>(row.value);
    if (typeof before !== 'number') throw refusal('store_not_a_number', `The value of ${key} is not a number`);
    const value = before + (by ?? 1);
    if (!Number.isFinite(value)) throw refusal('store_not_a_number', `The value of ${key} would be out of range`);
    await put(tx, app, key, JSON.stringify(value), row?.expires_at ?? null);
    return { value };
  },
};

async function entryOf(
  tx: Tx,
  app: string,
  key: string,
): Promise<{ value: string; expires_at: number | null } | undefined> {
  return tx.db
    .selectFrom('store_entry')
    .select(['value', 'expires_at'])
    .where('app', '=', app)
    .where('key', '=', key)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', tx.now)]))
    .executeTakeFirst();
}

async function put(tx: Tx, app: string, key: string, value: string, expiresAt: number | null): Promise<void> {
  const bytes = Buffer.byteLength(value);
  if (bytes > limits.store.valueBytes) {
    throw refusal(
      'store_value_too_large',
      `The value of ${key} has ${bytes} bytes; ${limits.store.valueBytes} are the most`,
    );
  }
  const { numUpdatedRows } = await tx.db
    .updateTable('store_entry')
    .set({ value, expires_at: expiresAt })
    .where('app', '=', app)
    .where('key', '=', key)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await takeRoom(tx, app);
  await tx.db.insertInto('store_entry').values({ app, key, value, expires_at: expiresAt }).execute();
}

/**
 * Free places for keys, by workspace and app: a lower bound. Counting means walking over all keys, so it is not done for each new one;
 * deletions meanwhile only make more room.
 */
const rooms = new WeakMap<Facts, Map<string, number>>();

/** Reserves a place for a new key. Expired keys are removed when room is needed. */
async function takeRoom(tx: Tx, app: string): Promise<void> {
  await tx.db.deleteFrom('store_entry').where('app', '=', app).where('expires_at', '<=', tx.now).execute();
  const ofApps = rooms.get(tx.facts) ?? new Map<string, number>();
  rooms.set(tx.facts, ofApps);
  const room = ofApps.get(app) || limits.store.keysPerApp - (await keysOf(tx, app));
  if (room <= 0)
    throw refusal('store_full', `The store of ${app} has ${limits.store.keysPerApp} keys, and no room for more`);
  ofApps.set(app, room - 1);
}

async function keysOf(tx: Tx, app: string): Promise<number> {
  const { keys } = await tx.db
    .selectFrom('store_entry')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('app', '=', app)
    .executeTakeFirstOrThrow();
  return keys;
}

/** The smallest text that sorts after all texts with this prefix, in SQLite's order of code points. Undefined if there is none. */
function endOf(prefix: string): string | undefined {
  const points = [...prefix.toWellFormed()].map((sign) => sign.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // The code points in between are surrogates, which cannot stand alone.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

function shown(key: string, value: string, expiresAt: number | null): Entry {
  return { key, value: fromJson<Json>(value), expiresAt: expiresAt === null ? null : toTimestamp(expiresAt) };
}
