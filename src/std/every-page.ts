interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const maxPages = 1_000;

/** Reads page after page, at most `most` items. It always ends, even if a server repeats a cursor or sends endless pages. */
export async function everyPage<T>(
  ask: (page: { limit: number; cursor?: string }) => Promise<Page<T>>,
  most = 10_000,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages && items.length < most; pages++) {
    const page = await ask({ limit: Math.min(200, most - items.length), ...(cursor !== undefined && { cursor }) });
    for (const item of page.items) items.push(item);
    const next = page.nextCursor ?? undefined;
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return items;
}
