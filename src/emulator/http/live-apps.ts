import { WorkspaceError } from '../../std/index.ts';
import type { Apps } from '../sources/apps.ts';
import { builtInApps } from '../sources/built-in/index.ts';
import type { FunctionInfo, FunctionSource } from '../sources/function-source.ts';

/** Apps with live endpoints and their functions: the folder's app, and installed deployed apps. Our own apps are in the contract. */
export async function liveApps(apps: Apps): Promise<{ app: string; functions: FunctionInfo[] }[]> {
  const ours: readonly string[] = builtInApps;
  const live = [];
  for (const source of await apps.all()) {
    if (ours.includes(source.app)) continue;
    if (await apps.isLive(source)) live.push({ app: source.app, functions: await listed(source) });
  }
  return live;
}

/** The functions of an app; none if it cannot be read, so that it does not hide the others. */
export async function listed(source: FunctionSource): Promise<FunctionInfo[]> {
  try {
    return await source.list();
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}
