import { limits, refusal } from '../../contract/index.ts';

/**
 * One page of a list that this process holds, in the order of a key that each item has alone. Pages follow keys, so that what is added or
 * removed meanwhile shifts nothing.
 * @throws WorkspaceError cursor_invalid
 */
export function pageByKey<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  { limit = limits.list.default, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): { items: Item[]; nextCursor: string | null } {
  const after = cursor === undefined ? '' : keyIn(cursor);
  const rest = all.filter((item) => keyOf(item) > after).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && rest.length > items.length ? cursorOf(keyOf(last)) : null };
}

const cursorOf = (key: string) => Buffer.from(key).toString('base64url');

function keyIn(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (cursorOf(key) !== cursor) throw refusal('cursor_invalid');
  return key;
}
