import type { Door } from '../../contract/index.ts';
import { everyPage } from '../../std/index.ts';

/** All functions of an app in a workspace, from all pages. */
export async function liveFunctions(door: Door, app: string, signal: AbortSignal): Promise<{ name: string }[]> {
  return await everyPage((page) => door('functions.list', { app, ...page }, { signal }));
}
