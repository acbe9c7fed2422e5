import type { Caller, Output } from '../../contract/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import type { WorkspaceCallOptions } from '../../workspace/index.ts';
import { readFunction } from '../deployed-source.ts';
import { runSetup } from '../setup.ts';
import { systemCaller } from '../typed.ts';
import type { HandlersFor, MachineParts } from './parts.ts';

type Deployment = Output<'deployments.activate'>;

/** Switching an app to another release: the new release's Custom App Setup runs first, and the old one stays when it throws. */
export function deploymentHandlers(parts: MachineParts): HandlersFor<'deployments.activate' | 'deployments.rollback'> {
  const { workspace, apps } = parts;
  const done = async (live: Deployment, caller: Caller): Promise<Deployment> => {
    const { settings } = await apps.state(live.app);
    await workspace.apps.installed(live.app, { settings, version: live.id }, caller);
    await apps.changed(live.app);
    return live;
  };
  return {
    async 'deployments.activate'(input, caller, options) {
      const settled = await prepare(parts, input.app, input.id, caller, options);
      const live = await workspace.deployments.activate(input, caller, options);
      if (settled === 'later') {
        await apps.changed(live.app);
        return live;
      }
      return done(live, caller);
    },
    async 'deployments.rollback'(input, caller, options) {
      if (input.to !== undefined) await prepare(parts, input.app, input.to, caller, options);
      return done(await workspace.deployments.rollback(input, caller, options), caller);
    },
  };
}

/**
 * Runs the setup of a release that is about to go live. `later`: it asks for settings that nobody gave yet, so the app waits to be
 * installed with them.
 */
async function prepare(
  parts: MachineParts,
  app: string,
  id: string,
  caller: Caller,
  options: WorkspaceCallOptions,
): Promise<'now' | 'later'> {
  const { workspace, apps, invoker } = parts;
  const release = await workspace.call('deployments.show', { app, id }, systemCaller);
  const live = await workspace.deployments.live(app);
  const file = release.manifest.find(({ type }) => type === 'custom-app-setup');
  // What the workspace is going to refuse, or has done already, is no reason to run anything.
  const refusedAnyway =
    options.ifMatch !== undefined &&
    options.ifMatch.replace(/^W\/|"/g, '') !== (live?.id ?? 'none') &&
    options.ifMatch !== '*';
  if (!file || release.state === 'expired' || live?.id === id || refusedAnyway) return 'now';
  if (!(await complete(parts, release.manifest))) return 'now';
  const { installed, settings, version } = await apps.state(app);
  const loaded = await readFunction(workspace, app, id, file);
  try {
    await runSetup(
      invoker,
      loaded,
      { phase: installed ? 'update' : 'install', settings, fromVersion: version },
      caller,
    );
    return 'now';
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'settings_invalid' && !installed) return 'later';
    throw error;
  }
}

async function complete(
  { workspace }: MachineParts,
  manifest: Output<'deployments.show'>['manifest'],
): Promise<boolean> {
  try {
    for (const { sha256 } of manifest) await workspace.deployments.blob(sha256);
    return true;
  } catch {
    return false;
  }
}
