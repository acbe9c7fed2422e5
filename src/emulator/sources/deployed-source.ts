import { parseFunctionConfig } from '../../contract/function-config/index.ts';
import { type AppFileKind, limits as contractLimits, isAppFileKind } from '../../contract/index.ts';
import { ProjectError, sha256Hex } from '../../std/index.ts';
import type { LiveRelease, Workspace } from '../../workspace/index.ts';
import type { FunctionInfo, FunctionSource, LoadedFunction, SourceFile } from './function-source.ts';
import { effectiveLimits } from './local/limits.ts';

type ManifestFile = LiveRelease['manifest'][number];

/** The functions of an app's live deployment. Immutable until another one is activated. */
export class DeployedSource implements FunctionSource {
  readonly app: string;
  readonly #workspace: Workspace;
  readonly #onRetired: (programId: string) => void;
  readonly #listeners = new Set<() => void>();
  #release: LiveRelease;
  #files: ReadonlyMap<string, ManifestFile>;
  #loaded = new Map<string, LoadedFunction>();
  #loading = new Map<string, Promise<LoadedFunction>>();

  constructor(workspace: Workspace, release: LiveRelease, onRetired: (programId: string) => void = () => {}) {
    this.app = release.app;
    this.#workspace = workspace;
    this.#onRetired = onRetired;
    this.#release = release;
    this.#files = filesOf(release);
  }

  get version(): string {
    return this.#release.id;
  }

  /** Whether the live release runs this program. */
  runs(programId: string): boolean {
    return [...this.#files.values()].some((file) => file.sha256 === programId);
  }

  loaded(name: string): LoadedFunction | undefined {
    return this.#loaded.get(name);
  }

  load(name: string): Promise<LoadedFunction> {
    const known = this.#loaded.get(name);
    if (known) return Promise.resolve(known);
    const waited = this.#loading.get(name);
    if (waited) return waited;
    const loading = this.#load(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async list(): Promise<FunctionInfo[]> {
    return [...this.#files.entries()].map(([name, file]) => {
      const config = parseFunctionConfig(file.config, { app: this.app, name });
      return { name, path: file.path, type: config.type, config };
    });
  }

  async appFiles<K extends AppFileKind>(kind: K): Promise<readonly SourceFile<K>[]> {
    const entries = this.#release.manifest.filter(({ type }) => type === kind);
    // The schema library is loaded only where there is such a file.
    if (entries.length === 0) return [];
    const { checkAppFile } = await import('../../contract/shapes/index.ts');
    return entries.map((entry) => {
      const checked = checkAppFile(kind, entry.config);
      const all = [{ path: entry.path, sha256: entry.sha256 }, ...(entry.files ?? [])];
      return {
        kind,
        name: entry.path.slice(entry.path.indexOf('/') + 1, -'.json'.length),
        path: entry.path,
        config: checked.fits ? checked.value : undefined,
        problem: checked.fits ? undefined : new ProjectError('app_file_invalid', `${entry.path} is not valid`),
        content: sha256Hex(JSON.stringify(all.map(({ path, sha256 }) => [path, sha256]))),
        text: async (path) => {
          const file = all.find((one) => one.path === path);
          if (file === undefined) return undefined;
          return Buffer.from(await this.#workspace.deployments.blob(file.sha256)).toString('utf8');
        },
      };
    });
  }

  /** Switches to another live release. Running invocations finish with the release that they began with. */
  async refresh(): Promise<void> {
    const live = await this.#workspace.deployments.live(this.app);
    if (!live || live.id === this.#release.id) return;
    const before = this.#loaded;
    this.#release = live;
    this.#files = filesOf(live);
    this.#loaded = new Map();
    this.#loading = new Map();
    const still = new Set([...this.#files.values()].map((file) => file.sha256));
    for (const { program } of before.values()) if (program && !still.has(program.id)) this.#onRetired(program.id);
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  async #load(name: string): Promise<LoadedFunction> {
    const release = this.#release;
    const file = this.#files.get(name);
    if (!file) throw new ProjectError('function_unknown', `There is no function "${name}" in ${release.id}`);
    const loaded = await readFunction(this.#workspace, release.app, release.id, file);
    if (this.#release === release) this.#loaded.set(name, loaded);
    return loaded;
  }
}

/** One function of a release, live or not. */
export async function readFunction(
  workspace: Workspace,
  app: string,
  version: string,
  file: ManifestFile,
): Promise<LoadedFunction> {
  const name = nameOf(file);
  const config = parseFunctionConfig(file.config, { app, name });
  const text = async (sha256: string | undefined) =>
    sha256 === undefined ? undefined : Buffer.from(await workspace.deployments.blob(sha256)).toString('utf8');
  const [code = '', sourceMap, css = ''] = await Promise.all([
    text(file.sha256),
    text(file.sourceMapSha256),
    text(file.cssSha256),
  ]);
  const { env, isolation, limits, fetch } = file.settings ?? {};
  const common = {
    app,
    name,
    path: file.path,
    type: config.type,
    version,
    config,
    limits: effectiveLimits(contractLimits.function, limits, config.limits),
    isolation: config.isolation ?? isolation ?? 'fresh',
    environment: env ?? {},
    ...(fetch && { fetchAllow: fetch.allow }),
  } as const;
  const map = sourceMap !== undefined && { sourceMap };
  if (config.type === 'custom-view') return { ...common, view: { script: code, css, ...map } };
  return { ...common, program: { id: file.sha256, app, name, code, ...map } };
}

const nameOf = (file: ManifestFile) => file.path.replace(/\.js$/, '');

const filesOf = (release: LiveRelease): ReadonlyMap<string, ManifestFile> =>
  new Map(release.manifest.filter(({ type }) => !isAppFileKind(type)).map((file) => [nameOf(file), file]));
