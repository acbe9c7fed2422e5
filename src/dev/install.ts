import { type LocalWorkspace, localCaller } from '../emulator/index.ts';
import { FnError } from '../std/index.ts';
import type { DevEvent } from './events.ts';

/**
 * The first start installs the app, as a workspace would: its Custom App Setup runs once. A setup that has failed runs anew when it
 * was changed, or when that is asked for.
 * @returns installs where that is still to be done; of several calls one after another
 * @throws ProjectError when the functions cannot be listed
 */
export function installer(
  local: LocalWorkspace,
  emit: (event: DevEvent) => void,
): (options?: { again: boolean }) => Promise<void> {
  let installed = false;
  /** Program of the setup that has failed. */
  let failed: string | undefined;

  async function install(again: boolean): Promise<void> {
    const { app } = local.functions;
    installed ||= (await local.workspace.apps.state(app)).installed;
    if (installed) return;
    const infos = await local.functions.list();
    const setup = infos.find(({ type }) => type === 'custom-app-setup');
    // One that never loaded may be the setup, and installed without it the app would stay without it.
    if (!setup && infos.some(({ type }) => type === undefined)) return;
    const program = setup && local.functions.loaded(setup.name)?.program?.id;
    if (program !== undefined && program === failed && !again) return;
    try {
      await local.door(localCaller)('apps.install', { app });
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      failed = program;
      emit({ type: 'setup-failed', error });
    }
  }

  let last: Promise<void> = Promise.resolve();
  return ({ again } = { again: false }) => {
    if (installed) return Promise.resolve();
    const before = last.catch(() => {}); // told to whoever asked then
    last = before.then(() => install(again));
    return last;
  };
}
