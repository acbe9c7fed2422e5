import type { Door } from '../contract/index.ts';

/** The functions that an app has in a workspace, all pages of them. */
export async function liveFunctions(door: Door, app: string, signal: AbortSignal): Promise<{ name: string }[]> {
  const live: { name: string }[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await door('functions.list', { app, ...(cursor && { cursor }) }, { signal });
    live.push(...page.items);
    cursor = page.nextCursor;
  }
  return live;
}
