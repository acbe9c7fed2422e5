import type { Client } from '../client/index.ts';
import { everyPage } from '../std/index.ts';
import type { Plan } from './plan.ts';

/**
 * Whether a live app waits to be installed: a setup that asks for settings runs only once somebody has given them. Only apps with a
 * setup are checked. A workspace that does not say is assumed to have installed the app: the deploy itself has succeeded.
 */
export async function waitsForInstall(
  { client, app, signal }: { client: Client; app: string; signal?: AbortSignal | undefined },
  { manifest }: Pick<Plan, 'manifest'>,
): Promise<boolean> {
  if (!manifest.some(({ type }) => type === 'custom-app-setup')) return false;
  const apps = await everyPage((page) => client('apps.list', page, { signal })).catch(() => []);
  return apps.some((one) => one.app === app && !one.installed);
}
