interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Asks page after page, at most `most` items. */
export async function everyPage<T>(
  ask: (page: { limit: number; cursor?: string }) => Promise<Page<T>>,
  most = 10_000,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ limit: Math.min(200, most - items.length), ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    // A cursor that stays the same would go round for ever.
    cursor = page.nextCursor === null || page.nextCursor === cursor ? undefined : page.nextCursor;
  } while (cursor !== undefined && items.length < most);
  return items;
}
