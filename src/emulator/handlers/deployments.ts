import type { Caller, CallOptions, Output } from '../../contract/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import { untouched } from '../invoke/failure.ts';
import { runSetup } from '../invoke/setup.ts';
import { readFunction } from '../sources/deployed-source.ts';
import type { HandlersOf, MachineParts } from './parts.ts';
import type { Turns } from './turns.ts';

type Deployment = Output<'deployments.activate'>;

/** Switches an app to another release. The new release's Custom App Setup runs first; if it throws, the old release stays. */
export function deploymentHandlers(parts: MachineParts, turns: Turns): HandlersOf<'deployments'> {
  const { deployments, idempotency } = parts.workspace;
  const isRepeat = async (caller: Caller, { idempotencyKey: key }: CallOptions) =>
    key !== undefined && (await idempotency.isAnswered(key, caller));
  const switches: Omit<HandlersOf<'deployments'>, 'deployments.getFile'> = {
    async 'deployments.activate'(input, caller, options) {
      const activate = () => deployments.activate(input, caller, options);
      // A repeat only returns the earlier result: another release may be live by now.
      if (await isRepeat(caller, options)) return activate();
      const setup = await prepare(parts, input.app, await deployments.planActivate(input, options), caller);
      return told(parts, await switched(activate(), setup), setup, caller);
    },
    async 'deployments.rollback'(input, caller, options) {
      const rollback = () => deployments.rollback(input, caller, options);
      if (await isRepeat(caller, options)) return rollback();
      const setup = await prepare(parts, input.app, await deployments.planRollback(input, options), caller);
      return told(parts, await switched(rollback(), setup), setup, caller);
    },
  };
  return {
    'deployments.activate': (input, ...more) =>
      turns.of(input.app, () => switches['deployments.activate'](input, ...more)),
    'deployments.rollback': (input, ...more) =>
      turns.of(input.app, () => switches['deployments.rollback'](input, ...more)),
    'deployments.getFile': (input) => deployments.getFile(input),
  };
}

/** Result of a release's setup. `later`: it needs settings that were not given yet, so it runs when the app is installed with them. */
type Setup = 'none' | 'ran' | 'later';

/** Once a setup has run, something may have changed, even if the disk is too full for the switch. */
const switched = (transaction: Promise<Deployment>, setup: Setup) =>
  setup === 'ran' ? transaction : untouched(transaction);

async function told(
  { workspace, apps }: MachineParts,
  live: Deployment,
  setup: Setup,
  caller: Caller,
): Promise<Deployment> {
  if (setup !== 'later') {
    const { settings } = await apps.state(live.app);
    await workspace.apps.installed(live.app, { settings, version: live.id }, caller);
  }
  await apps.changed(live.app);
  return live;
}

/** Runs the setup of a release that is about to go live, if it has one. */
async function prepare(parts: MachineParts, app: string, id: string | undefined, caller: Caller): Promise<Setup> {
  const { workspace, apps, invoker } = parts;
  if (id === undefined) return 'none';
  const { manifest } = await workspace.call('deployments.show', { app, id }, systemCaller);
  const file = manifest.find(({ type }) => type === 'custom-app-setup');
  if (!file) return 'none';
  const { installed, settings, version } = await apps.state(app);
  const loaded = await readFunction(workspace, app, id, file);
  try {
    await runSetup(
      invoker,
      loaded,
      { phase: installed ? 'update' : 'install', settings, fromVersion: version },
      caller,
    );
    return 'ran';
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'settings_invalid' && !installed) return 'later';
    throw error;
  }
}
