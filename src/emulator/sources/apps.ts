import { type Output, refusal } from '../../contract/index.ts';
import { FnError } from '../../std/index.ts';
import type { AppState, Workspace } from '../../workspace/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import { brokenFunction } from '../invoke/failure.ts';
import { buildOf } from './builds.ts';
import { BuiltInSource, builtInApps } from './built-in/index.ts';
import { DeployedSource, readFunction } from './deployed-source.ts';
import type { FunctionInfo, FunctionSource, LoadedFunction } from './function-source.ts';

/** The apps of a workspace. Their functions come from a folder, the built-in apps, or a deployment, in this order. */
export class Apps {
  readonly #workspace: Workspace;
  readonly #sources = new Map<string, FunctionSource>();
  readonly #installed = new Map<string, AppState>();
  readonly #listeners = new Set<(app: string) => void>();
  readonly #onRetired: (programId: string) => void;

  constructor(options: {
    workspace: Workspace;
    sources: readonly FunctionSource[];
    onRetired: (programId: string) => void;
  }) {
    this.#workspace = options.workspace;
    this.#onRetired = options.onRetired;
    for (const source of [...options.sources, ...builtInApps.map((app) => new BuiltInSource(app))]) {
      if (!this.#sources.has(source.app)) this.#add(source);
    }
  }

  /** Registers every app in the workspace, and installs the built-in ones if they are new to it. Runs once. */
  register(): Promise<void> {
    this.#registering ??= this.#register();
    return this.#registering;
  }

  #registering: Promise<void> | undefined;

  async #register(): Promise<void> {
    const known = new Set(await this.#workspace.apps.known());
    for (const source of this.#sources.values()) {
      if (known.has(source.app)) continue;
      const builtIn = source instanceof BuiltInSource;
      await this.#workspace.apps.register(source.app, builtIn);
      if (builtIn)
        await this.#workspace.apps.installed(source.app, { settings: {}, version: source.version }, systemCaller);
    }
  }

  /** The app's functions; undefined for an app that is neither here nor deployed. */
  source(app: string): FunctionSource | undefined | Promise<FunctionSource | undefined> {
    return this.#sources.get(app) ?? this.#deployed(app);
  }

  async requireSource(app: string): Promise<FunctionSource> {
    const source = await this.source(app);
    if (!source) throw refusal('app_unknown', `There is no app "${app}"`);
    return source;
  }

  /** @throws WorkspaceError app_unknown, function_not_found, function_broken */
  async load(app: string, name: string): Promise<LoadedFunction> {
    const source = this.#sources.get(app) ?? (await this.requireSource(app));
    const now = source.loaded?.(name);
    if (now) return now;
    try {
      return await source.load(name);
    } catch (error) {
      throw loadRefusal(error, app, name);
    }
  }

  /**
   * Lets a function of a deployment call another one of the same deployment, although it may have been replaced since, or is not live yet
   * while its Custom App Setup runs.
   * @param version the caller's; the live one is used if it is undefined, or the app is a folder
   */
  async beside<T>(
    version: string | undefined,
    { app, name }: { readonly app: string; readonly name: string },
    use: (loaded: LoadedFunction) => Promise<T>,
  ): Promise<T> {
    const source = await this.source(app);
    const isLive = source !== undefined && (!(source instanceof DeployedSource) || source.version === version);
    if (version === undefined || isLive) return use(await this.load(app, name));
    const { manifest } = await this.#workspace.call('deployments.show', { app, id: version }, systemCaller);
    const file = manifest.find(({ path }) => path === `${name}.js`);
    if (!file) throw unknownFunction(app, name);
    const loaded = await readFunction(this.#workspace, app, version, file);
    try {
      return await use(loaded);
    } finally {
      const now = this.#sources.get(app);
      const isKept = now instanceof DeployedSource && now.runs(file.sha256);
      if (!isKept) this.#onRetired(file.sha256);
    }
  }

  /** Like `load`, but returns undefined for an unknown app or function. Answers synchronously if nothing has to be awaited. */
  find(app: string, name: string): LoadedFunction | Promise<LoadedFunction | undefined> {
    return this.#sources.get(app)?.loaded?.(name) ?? this.#find(app, name);
  }

  async #find(app: string, name: string): Promise<LoadedFunction | undefined> {
    try {
      return await this.load(app, name);
    } catch (error) {
      if (error instanceof FnError && (error.code === 'app_unknown' || error.code === 'function_not_found'))
        return undefined;
      throw error;
    }
  }

  /** Every app that has functions. */
  async all(): Promise<FunctionSource[]> {
    for (const app of await this.#workspace.deployments.apps()) await this.source(app);
    return [...this.#sources.values()];
  }

  async list(app: string): Promise<FunctionInfo[]> {
    return (await this.requireSource(app)).list();
  }

  /** Corrects the counts: the workspace knows only how many functions a deployment has, not those of a folder or a built-in app. */
  async countFunctions(items: { app: string; functions: number }[]): Promise<void> {
    for (const item of items) {
      const source = this.#sources.get(item.app);
      if (source && !(source instanceof DeployedSource)) item.functions = (await source.list()).length;
    }
  }

  /** The app's state, cached in memory; every change goes through `forget`. */
  state(app: string): AppState | Promise<AppState> {
    return this.#installed.get(app) ?? this.#readState(app);
  }

  async #readState(app: string): Promise<AppState> {
    if (this.#sources.get(app) instanceof BuiltInSource) await this.register();
    const state = await this.#workspace.apps.state(app);
    this.#installed.set(app, state);
    return state;
  }

  /** Installed, uninstalled, deployed: what was known of the app is read again. */
  async changed(app: string): Promise<void> {
    this.#installed.delete(app);
    const source = this.#sources.get(app);
    const before = source?.version;
    if (source instanceof DeployedSource) await source.refresh();
    // A source that switched to another release has told so itself. One is not there yet at an app's first deployment, and that an app was
    // installed or uninstalled changes nothing in it.
    if (source === undefined || source.version === before) this.#tell(app);
  }

  /** Whether functions of an app answer and act by themselves: those of a folder, and of a deployed app while it is installed. */
  async isLive({ app, version }: Pick<FunctionSource, 'app' | 'version'>): Promise<boolean> {
    return version === 'local' || (await this.state(app)).installed;
  }

  /** Other functions of an app are live now, or it was installed or uninstalled. */
  onChange(listener: (app: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Each function of a folder that was built, or could not be. */
  onBuild(
    listener: (built: Output<'builds.list'>['items'][number] & { readonly ms: number | null }) => void,
  ): () => void {
    const ends = [...this.#sources.values()].map((source) =>
      source.onBuild?.(({ ms, ...info }) => listener({ ...buildOf(source.app, info), ms: ms ?? null })),
    );
    return () => {
      for (const end of ends) end?.();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    for (const source of this.#sources.values()) {
      // Sources that were passed in are closed by their creator.
      if (source instanceof DeployedSource) await source.close();
    }
  }

  async #deployed(app: string): Promise<FunctionSource | undefined> {
    const live = await this.#workspace.deployments.live(app);
    const known = this.#sources.get(app);
    if (known || !live) return known;
    return this.#add(new DeployedSource(this.#workspace, live, this.#onRetired));
  }

  #add(source: FunctionSource): FunctionSource {
    this.#sources.set(source.app, source);
    source.onChange(() => this.#tell(source.app));
    return source;
  }

  #tell(app: string): void {
    for (const listener of this.#listeners) listener(app);
  }
}

const unknownFunction = (app: string, name: string) =>
  refusal('function_not_found', `There is no function "${name}" in ${app}`);

function loadRefusal(error: unknown, app: string, name: string): unknown {
  if (!(error instanceof FnError)) return error;
  if (error.code === 'function_unknown') return unknownFunction(app, name);
  return brokenFunction(error, `${app}/${name}`);
}
