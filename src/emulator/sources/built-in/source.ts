import { readFile } from 'node:fs/promises';
import { parseFunctionConfig } from '../../../contract/function-config/index.ts';
import { limits } from '../../../contract/index.ts';
import { assetPath, isBuilt, lazy, ProjectError } from '../../../std/index.ts';
import type { FunctionInfo, FunctionSource, LoadedFunction } from '../function-source.ts';
import type { BuiltInFunction } from './types.ts';

/** Names of the built-in apps, which are part of documented paths. */
export const builtInApps = ['template-app', 'session-link-app'] as const;

/** By app. Created by the build; from source they are bundled on first use. */
const builtIn = lazy(
  async (): Promise<Readonly<Record<string, readonly BuiltInFunction[]>>> =>
    isBuilt
      ? JSON.parse(await readFile(assetPath('apps.json'), 'utf8'))
      : await (await import('./build.ts')).bundleApps(),
);

export class BuiltInSource implements FunctionSource {
  readonly app: string;
  readonly version = 'built-in';
  readonly #loaded = new Map<string, LoadedFunction>();

  constructor(app: (typeof builtInApps)[number]) {
    this.app = app;
  }

  loaded(name: string): LoadedFunction | undefined {
    return this.#loaded.get(name);
  }

  async load(name: string): Promise<LoadedFunction> {
    const known = this.#loaded.get(name);
    if (known) return known;
    const found = ((await builtIn())[this.app] ?? []).find((one) => one.name === name);
    if (!found) throw new ProjectError('function_unknown', `There is no function "${name}" in ${this.app}`);
    const config = parseFunctionConfig(found.config, { app: this.app, name });
    const { id, code, sourceMap } = found;
    const loaded: LoadedFunction = {
      app: this.app,
      name,
      path: `${name}.js`,
      type: config.type,
      version: this.version,
      config,
      limits: limits.function,
      // Ours keep no state between invocations, and are called often.
      isolation: 'warm',
      environment: {},
      fetchAllow: [],
      program: { id, app: this.app, name, code, sourceMap },
    };
    this.#loaded.set(name, loaded);
    return loaded;
  }

  async list(): Promise<FunctionInfo[]> {
    return ((await builtIn())[this.app] ?? []).map(({ name, config: raw }) => {
      const config = parseFunctionConfig(raw, { app: this.app, name });
      return { name, path: `${name}.js`, type: config.type, config };
    });
  }

  onChange(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}
}
