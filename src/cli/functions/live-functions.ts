import type { Door, Output } from '../../contract/index.ts';
import { everyPage } from '../../std/index.ts';

export type LiveFunction = Output<'functions.list'>['items'][number];

/** All functions of an app in a workspace, from all pages. */
export async function liveFunctions(door: Door, app: string, signal: AbortSignal): Promise<LiveFunction[]> {
  return await everyPage((page) => door('functions.list', { app, ...page }, { signal }));
}
