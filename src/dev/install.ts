import { type LocalWorkspace, localCaller } from '../emulator/index.ts';
import { FnError } from '../std/index.ts';
import type { DevEvent } from './events.ts';

/**
 * Installs the app at its first start, as a workspace would: its Custom App Setup runs once. A failed setup is tried again when the
 * setup changes, when the problems of other functions change, which may be the cause, or on request.
 * @returns a function that installs the app if that is still to be done; several calls run one after another
 * @throws ProjectError when the functions cannot be listed
 */
export function installer(
  local: LocalWorkspace,
  emit: (event: DevEvent) => void,
): (options?: { again: boolean }) => Promise<void> {
  let installed = false;
  /** The state of the setup and of other functions when it failed. */
  let failed: string | undefined;

  async function install(again: boolean): Promise<void> {
    const { app } = local.functions;
    installed ||= (await local.workspace.apps.state(app)).installed;
    if (installed) return;
    const infos = await local.functions.list();
    const setup = infos.find(({ type }) => type === 'custom-app-setup');
    // A function that never loaded may be the setup; installing without it would skip the setup for good.
    if (!setup && infos.some(({ type }) => type === undefined)) return;
    const program = setup && local.functions.loaded(setup.name)?.program?.id;
    const problems = infos.flatMap(({ name, problem }) => (problem ? [[name, problem.message]] : []));
    const found = program && JSON.stringify([program, problems]);
    if (found !== undefined && found === failed && !again) return;
    try {
      await local.door(localCaller)('apps.install', { app });
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      failed = found;
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
