import type { Door } from '../../contract/index.ts';
import { everyPage } from '../../std/index.ts';

/** The functions that an app has in a workspace, all pages of them. */
export async function liveFunctions(door: Door, app: string, signal: AbortSignal): Promise<{ name: string }[]> {
  return await everyPage((page) => door('functions.list', { app, ...page }, { signal }));
}
