import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Bundle, FunctionSource as BundleSource } from '../../../bundle/index.ts';
import type { AppFileKind } from '../../../contract/index.ts';
import {
  type AppFile,
  AppFileReader,
  type FunctionFile,
  listFixtures,
  type Project,
  readFixture,
  saveFixture,
  saveTest,
} from '../../../project/index.ts';
import type { LogLine } from '../../../sandbox/index.ts';
import { FnError, Turnstile } from '../../../std/index.ts';
import type { FunctionInfo, FunctionSource, LoadedFunction, SourceFile } from '../function-source.ts';
import { mayHaveField } from './config-text.ts';
import { type Entry, FunctionFolder } from './function-folder.ts';
import { FunctionLoader, type LoaderOptions, type Purpose, sourceOf } from './function-loader.ts';
import { surplusFunctions } from './surplus.ts';

/** Changes of the folder's functions during development. */
export type AppEvent =
  | {
      type: 'built';
      name: string;
      ms: number;
      bytes: number;
      again: boolean;
      /** Whether it did not build before. */
      mended: boolean;
      /** Absolute paths of the files that it was built from. */
      inputs: readonly string[];
      warnings: Bundle['warnings'];
      /** Log lines of its top level; empty if the description was cached. */
      logs: readonly LogLine[];
    }
  | { type: 'build-failed'; name: string; error: FnError; serving: boolean }
  | { type: 'added'; name: string }
  | { type: 'removed'; name: string };

export interface AppFunctionsOptions extends LoaderOptions {
  readonly project: Project;
  readonly onEvent?: (event: AppEvent) => void;
}

/**
 * How many functions of a list are prepared together, and how many such groups at a time: some are built while others are described. A
 * function that is requested meanwhile waits for no more than these.
 */
const groupSize = 4;
const groupsAtOnce = 2;
/** How long a list waits at most for a requested function. */
const longestWayMs = 200;

const keepWarmAfterMs = 1_000;

/** A form offers no more. */
const maxFixtures = 50;
type BuildListener = Parameters<NonNullable<FunctionSource['onBuild']>>[0];

/**
 * The live functions of an app's folder. A function is bundled on first use, and again when one of its files has changed.
 * That is checked on every use, so no answer is ever older than the files. While a build is broken, the last good version
 * keeps serving.
 */
export class AppFunctions implements FunctionSource {
  readonly version = 'local';
  #project: Project;
  readonly #options: AppFunctionsOptions;
  readonly #listeners = new Set<() => void>();
  readonly #buildListeners = new Set<BuildListener>();
  readonly #folder: FunctionFolder;
  readonly #loader: FunctionLoader;
  readonly #files = new AppFileReader();
  /** The last surplus functions, by name. */
  #surplus: ReadonlyMap<string, FnError> = new Map();
  /** Loads in progress for waiting callers. */
  readonly #first = new Set<Promise<unknown>>();
  #likely: Promise<void> | undefined;
  #follow: (() => Promise<void> | undefined) | undefined;
  /** The first `rest`. */
  readonly #rested = Promise.withResolvers<void>();

  constructor(options: AppFunctionsOptions) {
    this.#options = options;
    this.#loader = new FunctionLoader(options);
    this.#project = options.project;
    this.#folder = new FunctionFolder(options.project, options.scratch, {
      added: (name) => options.onEvent?.({ type: 'added', name }),
      forget: (entry) => this.#forget(entry),
      removed: (name) => options.onEvent?.({ type: 'removed', name }),
    });
  }

  get app(): string {
    return this.#project.app;
  }

  /** @param follow called before each use; reads the app's config again if it was saved, and returns undefined if it was not */
  followConfig(follow: () => Promise<void> | undefined): void {
    this.#follow = follow;
  }

  /** The function as it is on disk now, if it is already built. */
  loaded(name: string): LoadedFunction | undefined {
    if (this.#follow?.()) return undefined;
    const entry = this.#folder.known(name);
    return entry?.good && this.#isCurrent(entry) ? settled(entry) : undefined;
  }

  /** @throws FnError if it does not build or load and never did; ProjectError `function_unknown` */
  async load(name: string): Promise<LoadedFunction> {
    await this.#follow?.();
    return await this.#load(name, this.#purpose);
  }

  get #purpose(): Purpose {
    return this.#options.listing ? 'list' : 'run';
  }

  async #load(name: string, purpose: Purpose): Promise<LoadedFunction> {
    const entry = this.#folder.known(name) ?? (await this.#folder.find(name));
    // A running build may have read the files before the caller's save; one that begins after it has not.
    if (entry.loading) await entry.loading.catch(() => undefined);
    if (entry.loading) return entry.loading;
    if (this.#isCurrent(entry)) return settled(entry);
    entry.loading = this.#build(entry, purpose).finally(() => {
      delete entry.loading;
    });
    if (purpose === 'run') this.#goesFirst(entry.loading);
    return entry.loading;
  }

  /** Lists wait for it, but not for long. */
  #goesFirst(loading: Promise<unknown>): void {
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestWayMs).unref());
    const first = Promise.race([loading, late])
      .catch(() => {})
      .finally(() => this.#first.delete(first));
    this.#first.add(first);
  }

  /**
   * Prepares one function before the first request: the most recently saved one, since it is probably being worked on. If several were
   * written together, it is the first of them. Never fails: errors are reported when the function is requested.
   */
  async loadLikely(): Promise<void> {
    this.#likely ??= this.#folder
      .scan()
      .then(async (entries) => {
        const likely = lastSaved([...entries.values()].map(({ file }) => file));
        if (likely) await this.#load(likely.name, 'run');
      })
      .catch((error: unknown) => {
        if (!(error instanceof FnError)) throw error;
      });
    await this.#likely;
  }

  async listWithField(field: string): Promise<FunctionInfo[]> {
    const entries = [...(await this.#folder.scan()).values()];
    const texts = await Promise.all(entries.map((entry) => readFile(entry.file.file, 'utf8').catch(() => '')));
    return this.#list(entries.filter((_, i) => mayHaveField(texts[i] ?? '', field)));
  }

  /** All functions, sorted by name; those that do not build have a problem. */
  async list(): Promise<FunctionInfo[]> {
    const infos = await this.#list([...(await this.#folder.scan()).values()]);
    const surplus = surplusFunctions(infos);
    this.#tellSurplus(surplus);
    return infos.map((info) => {
      const problem = surplus.get(info.name);
      return problem ? { ...info, problem } : info;
    });
  }

  async #list(entries: readonly Entry[]): Promise<FunctionInfo[]> {
    const current = this.#current(entries);
    const groups = grouped(entries, this.#options.listing ? Math.max(1, entries.length) : groupSize);
    const turnstile = new Turnstile(groupsAtOnce);
    const made = groups.map((group) =>
      turnstile.pass(async () => {
        // A requested function has a waiting caller; a list is less urgent.
        await Promise.all(this.#first);
        return await Promise.all(group.map((entry) => this.#info(entry, current.has(entry))));
      }),
    );
    return (await Promise.all(made)).flat();
  }

  /** Reports surplus functions. Each one builds on its own, so nothing else would report the problem. */
  #tellSurplus(surplus: ReadonlyMap<string, FnError>): void {
    for (const [name, error] of surplus) {
      if (this.#surplus.get(name)?.message !== error.message)
        this.#options.onEvent?.({ type: 'build-failed', name, error, serving: false });
    }
    this.#surplus = surplus;
  }

  /** The files of a kind with their texts, as a deployment sends them. */
  textsOf<K extends AppFileKind>(kind: K): Promise<readonly AppFile<K>[]> {
    return this.#files.list(this.#project, kind);
  }

  async appFiles<K extends AppFileKind>(kind: K): Promise<readonly SourceFile<K>[]> {
    const files = await this.textsOf(kind);
    return files.map(({ texts, ...file }) => ({ ...file, text: async (path) => texts.get(path) }));
  }

  /** Saved inputs; those that cannot be read are left out. */
  async fixtures(name: string): Promise<{ name: string; input: unknown }[]> {
    const found = (await listFixtures(this.#project, name)).slice(0, maxFixtures).map(async (fixture) => {
      const input = await readFixture(this.#project, name, fixture).catch(() => undefined);
      return input === undefined ? [] : [{ name: fixture, input }];
    });
    return (await Promise.all(found)).flat();
  }

  async saveFixture(name: string, fixture: string, input: unknown): Promise<string> {
    return saveFixture(this.#project, name, fixture, input);
  }

  async saveTest(name: string, text: string): Promise<string> {
    return saveTest(this.#project, name, text);
  }

  /** Called when idle: prepares for the next save, and frees memory that a list of many functions took. */
  async rest(): Promise<void> {
    await this.#options.bundler.rest().catch(() => {}); // whoever builds next is told what is wrong
    this.#rested.resolve();
  }

  /** The function files on disk. Builds nothing. */
  async files(): Promise<FunctionFile[]> {
    return [...(await this.#folder.scan()).values()].map((entry) => entry.file);
  }

  /**
   * Scans the folder again, and rebuilds the functions that were built and have changed.
   * @throws ProjectError if the folder cannot be listed (a bad name, two files with one path): the known functions keep serving
   */
  async refresh(): Promise<void> {
    const now = await this.#folder.rescan();
    const built = [...now.values()].filter((entry) => entry.built);
    const current = this.#current(built);
    const changed = built.filter((entry) => !current.has(entry));
    await Promise.allSettled(changed.map((entry) => this.#load(entry.file.name, this.#purpose)));
    this.#announce();
  }

  /** The entries whose build matches the files on disk. */
  #current(entries: readonly Entry[]): Set<Entry> {
    const built = entries.filter((entry) => entry.built && !entry.loading);
    const stale = this.#options.bundler.allStale(built.map((entry) => this.#source(entry)));
    return new Set(built.filter((_, i) => !stale[i]));
  }

  /** The app's config has changed: limits and isolation follow. */
  async reconfigure(project: Project): Promise<void> {
    this.#project = project;
    this.#folder.project = project;
    for (const entry of (await this.#folder.scan()).values()) entry.built = false;
    await this.refresh();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onBuild(listener: BuildListener): () => void {
    this.#buildListeners.add(listener);
    return () => this.#buildListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#buildListeners.clear();
    this.#options.descriptions.settle();
    await this.#options.bundler.close();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #tellBuild(entry: Entry, ms?: number): void {
    if (this.#buildListeners.size === 0) return;
    const { name, path, relative: file } = entry.file;
    const { type, config } = entry.good ?? {};
    const trouble = entry.problem && { problem: entry.problem, isStale: entry.stale !== undefined };
    const built = { name, path, file, ...(type && { type }), ...(config && { config }), ...trouble };
    for (const listener of this.#buildListeners) listener({ ...built, ...(ms !== undefined && { ms }) });
  }

  #source(entry: Entry): BundleSource {
    return sourceOf(this.#project, entry);
  }

  #isCurrent(entry: Entry): boolean {
    return entry.built && !entry.loading && !this.#options.bundler.staleSince(this.#source(entry));
  }

  async #build(entry: Entry, purpose: Purpose): Promise<LoadedFunction> {
    const again = entry.good !== undefined;
    const project = this.#project;
    try {
      const { loaded, kind, bundle, logs, ms } = await this.#loader.load(project, entry, purpose, (id) =>
        this.#retireDescribed(entry, id),
      );
      entry.kind = kind;
      const before = entry.good;
      const mended = entry.problem !== undefined;
      entry.good = loaded;
      delete entry.stale;
      delete entry.problem;
      entry.built = project === this.#project; // what the app's config says may have changed meanwhile
      if (before?.program) this.#options.sandbox.replace(before.program, loaded.program);
      // Not reported if a file was saved unchanged, or was rebuilt only because it was recent.
      if (before && isSame(before, loaded) && !mended) return loaded;
      if (purpose === 'run') void this.#keepWarm(entry);
      const { bytes, inputs, warnings } = bundle;
      this.#options.onEvent?.({
        type: 'built',
        name: entry.file.name,
        ms,
        bytes,
        again,
        mended,
        inputs,
        warnings,
        logs,
      });
      this.#tellBuild(entry, ms);
      if (again || mended) this.#announce();
      return loaded;
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      if (!existsSync(entry.file.file)) return await this.#build(await this.#folder.back(entry), purpose);
      entry.problem = error;
      if (entry.good) entry.stale = { ...entry.good, isStale: true };
      entry.built = project === this.#project && error.retryAfter !== 'pause';
      const serving = entry.good !== undefined;
      this.#options.onEvent?.({ type: 'build-failed', name: entry.file.name, error, serving });
      this.#tellBuild(entry);
      return settled(entry);
    }
  }

  /** A requested function is likely to be saved next. Runs later, so that its answer goes first, and everything else that is being built. */
  async #keepWarm(entry: Entry): Promise<void> {
    const { bundler } = this.#options;
    await this.#rested.promise;
    const begin = () => {
      if (bundler.isBusy) void this.#keepWarm(entry);
      else bundler.keepWarm(this.#source(entry)).catch(() => {});
    };
    setTimeout(begin, keepWarmAfterMs).unref();
  }

  async #info(entry: Entry, isCurrent: boolean): Promise<FunctionInfo> {
    const { name, path, relative } = entry.file;
    try {
      const { type, config } = isCurrent ? settled(entry) : await this.#load(name, 'list');
      const trouble = entry.problem && { problem: entry.problem, isStale: entry.stale !== undefined };
      return { name, path, type, config, file: relative, ...trouble };
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      return { name, path, file: relative, problem: error };
    }
  }

  /** Retires a program that was only described: the sandbox would otherwise keep its code and source map. */
  #retireDescribed(entry: Entry, next?: string): void {
    const { described, good } = entry;
    if (next !== undefined) entry.described = next;
    if (described !== undefined && described !== next && described !== good?.program?.id)
      this.#options.sandbox.retire(described);
  }

  async #forget(entry: Entry): Promise<void> {
    this.#retireDescribed(entry);
    if (entry.good?.program) this.#options.sandbox.retire(entry.good.program.id);
    await this.#options.bundler.close(this.#source(entry));
  }
}

function grouped<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

/** Files written within this time count as written together. */
const writtenTogetherMs = 2_000;

function lastSaved(files: readonly FunctionFile[]): FunctionFile | undefined {
  const saved = files.map(({ file }) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const last = Math.max(...saved) - writtenTogetherMs;
  return files[saved.findIndex((at) => at >= last)];
}

/** Whether two versions are the same to their users. */
function isSame(one: LoadedFunction, other: LoadedFunction): boolean {
  const { program, view, ...rest } = one;
  const { program: otherProgram, view: otherView, ...otherRest } = other;
  return (
    program?.id === otherProgram?.id &&
    view?.script === otherView?.script &&
    view?.css === otherView?.css &&
    isDeepStrictEqual(rest, otherRest)
  );
}

function settled(entry: Entry): LoadedFunction {
  const loaded = entry.stale ?? entry.good;
  if (loaded) return loaded;
  throw entry.problem ?? new Error(`${entry.file.name} was built without result`);
}
