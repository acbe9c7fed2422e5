import type { Caller } from '../../contract/index.ts';
import { runSetup } from '../invoke/setup.ts';
import type { FunctionSource, LoadedFunction } from '../sources/function-source.ts';
import { requireInstalled } from './built-in.ts';
import type { HandlersOf, MachineParts } from './parts.ts';
import type { Turns } from './turns.ts';

/** Installs, updates and uninstalls an app. Its Custom App Setup runs first, and can prevent the change. */
export function appHandlers(parts: MachineParts, turns: Turns): HandlersOf<'apps'> {
  const { apps, workspace, invoker } = parts;
  const handlers: HandlersOf<'apps'> = {
    async 'apps.install'({ app, settings: given }, caller) {
      const source = await apps.requireSource(app);
      const state = await apps.state(app);
      const settings = given ?? state.settings;
      const phase = state.installed ? ('update' as const) : ('install' as const);
      const loaded = await setupOf(parts, source);
      const setup =
        loaded && (await runSetup(invoker, loaded, { phase, settings, fromVersion: state.version }, caller));
      const { version } = source;
      await workspace.apps.installed(app, { settings, version }, caller);
      await apps.changed(app);
      return { app, installed: true, version, setup: setup ?? null };
    },
    async 'apps.uninstall'({ app }, caller: Caller) {
      const source = await apps.requireSource(app);
      await requireInstalled(parts, app);
      const { settings, version } = await apps.state(app);
      const loaded = await setupOf(parts, source);
      const setup =
        loaded && (await runSetup(invoker, loaded, { phase: 'uninstall', settings, fromVersion: version }, caller));
      await workspace.apps.uninstalled(app, caller);
      await apps.changed(app);
      return { app, installed: false, setup: setup ?? null };
    },
  };
  return {
    'apps.install': (input, ...more) => turns.of(input.app, () => handlers['apps.install'](input, ...more)),
    'apps.uninstall': (input, ...more) => turns.of(input.app, () => handlers['apps.uninstall'](input, ...more)),
  };
}

/** @throws WorkspaceError function_broken if a function never loaded: it may be the setup, which would be skipped */
async function setupOf({ apps }: MachineParts, source: FunctionSource): Promise<LoadedFunction | undefined> {
  for (const { name, type = 'custom-app-setup' } of await source.list()) {
    const loaded = type === 'custom-app-setup' ? await apps.load(source.app, name) : undefined;
    if (loaded?.type === 'custom-app-setup') return loaded;
  }
  return undefined;
}
