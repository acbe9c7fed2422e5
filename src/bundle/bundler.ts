import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isInside, monotonicMs, ProjectError, Turnstile, toSlashes } from '../std/index.ts';
import { Batches, maxInBatch } from './compiler/batches.ts';
import { compilerGeneration, replaceCompiler, start, withCompiler } from './compiler/compiler.ts';
import { LongBuilds } from './compiler/long-builds.ts';
import { OpenBuilds } from './compiler/open-builds.ts';
import { DiskCache } from './freshness/disk-cache.ts';
import { lookingOnce } from './freshness/freshness.ts';
import { FunctionBuild } from './function-build.ts';
import { findWorkspaceRoot } from './packages/workspace-root.ts';
import {
  type BuiltBundle,
  type Bundle,
  type BundleLimits,
  type BundlerOptions,
  defaultLimits,
  type FunctionSource,
  type Place,
} from './types.ts';

/** From this many first builds on, restarting the compiler frees a worthwhile amount of memory. */
const manyBuilds = 30;

/** How many builds run at once. When each function is built once, two batches: the compiler works on one while we process the results of the other. */
const maxAtOnce = { usual: 8, once: 2 * maxInBatch };

/** Builds functions. Each has its own incremental compiler context, created when it is needed. */
export class Bundler {
  readonly #options: BundlerOptions;
  readonly #limits: BundleLimits;
  readonly #builds = new Map<string, FunctionBuild>();
  /** `given`: the app's folder as the function sources name it. */
  readonly #places = new Map<string, Pick<Place, 'root' | 'limit'> & { readonly given: string }>();

  readonly #cache: DiskCache | undefined;
  readonly #open = new OpenBuilds();
  readonly #batches: Batches | undefined;
  readonly #turnstile: Turnstile;
  readonly #long: LongBuilds;

  constructor(options: BundlerOptions = {}) {
    this.#options = options;
    this.#cache = options.cacheDir === undefined ? undefined : new DiskCache(options.cacheDir);
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#batches = options.minify ? undefined : new Batches(this.#limits);
    this.#turnstile = new Turnstile(options.once ? maxAtOnce.once : maxAtOnce.usual);
    this.#long = new LongBuilds((names, ms) => options.onLong?.(names, ms));
  }

  /**
   * Builds the function as it is on disk now. Everything saved before the call is in the bundle.
   * @throws ProjectError `build_failed` (`packages_not_installed` if that is the only problem), with every problem in the message and the position of the first one
   * as `location` (`file` relative to the app's folder)
   */
  build(source: FunctionSource): Promise<BuiltBundle> {
    return this.#build(source, (work) => this.#long.during(source.name, work));
  }

  /** @param watched wraps the work */
  async #build(
    source: FunctionSource,
    watched: (work: () => Promise<Bundle>) => Promise<Bundle>,
  ): Promise<BuiltBundle> {
    const key = keyOf(source);
    let build = this.#builds.get(key);
    if (!build) {
      const place = this.#placeOf(source);
      const order = { source, place, limits: this.#limits, options: this.#options, batches: this.#batches };
      build = new FunctionBuild(order, this.#cache);
      this.#builds.set(key, build);
    }
    const started = build;
    const built = await this.#turnstile.pass(async () => {
      const startedAt = monotonicMs();
      const bundle = await watched(() => started.run());
      // Copied without being read: the texts of a cached bundle are compressed.
      const ms = { value: monotonicMs() - startedAt, enumerable: true };
      return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(bundle), ms }) as BuiltBundle;
    });
    await this.#open.used(started);
    return built;
  }

  /**
   * Whether the function would build differently now, as far as the file system shows; true if it was never built. After a failed
   * build: whether anything changed that could fix it. Cheap enough for every request.
   */
  staleSince(source: FunctionSource): boolean {
    return this.#builds.get(keyOf(source))?.isStale() ?? true;
  }

  /** `staleSince` for many functions. */
  allStale(sources: readonly FunctionSource[]): boolean[] {
    return lookingOnce(() => sources.map((source) => this.staleSince(source)));
  }

  /** Whether anything is being built. */
  get isBusy(): boolean {
    return this.#turnstile.isBusy;
  }

  /** Lets the compiler keep the sources of a function that may be saved soon, if they are large. */
  async keepWarm(source: FunctionSource): Promise<void> {
    if (this.#builds.get(keyOf(source))?.isWorthKeeping) await this.#build(source, (work) => work());
  }

  /**
   * Prepares for saves: makes sure that the compiler's process runs, even if everything was cached. After many first builds it is restarted to
   * free their memory, unless it is working or keeps something for a later build.
   */
  async rest(): Promise<void> {
    const holdsNothing = this.#open.size === 0 && !this.isBusy;
    if (this.#builds.size >= manyBuilds && holdsNothing) await replaceCompiler(compilerGeneration());
    await this.prepare();
  }

  /** Loads the compiler and starts its process before the first build. */
  async prepare(): Promise<void> {
    await withCompiler(start);
  }

  /** Frees the memory kept for one function or for all, after running builds and pending writes have finished. */
  async close(source?: FunctionSource): Promise<void> {
    const keys = source ? [keyOf(source)] : [...this.#builds.keys()];
    await Promise.all(
      keys.map(async (key) => {
        const build = this.#builds.get(key);
        this.#builds.delete(key);
        if (!build) return;
        await build.close();
        this.#open.closed(build);
      }),
    );
    this.#cache?.settle();
  }

  #placeOf(source: FunctionSource): Place {
    let found = this.#places.get(source.root);
    if (!found) {
      const root = realpathSync(source.root);
      const limit = realpathSync(this.#options.workspaceRoot ?? findWorkspaceRoot(root));
      if (!isInside(limit, root)) {
        throw new ProjectError('build_failed', `The app ${source.root} is outside the workspace root ${limit}`);
      }
      found = { root, limit, given: resolve(source.root) };
      this.#places.set(source.root, found);
    }
    const { given, ...place } = found;
    const file = resolve(source.file);
    if (file === given || !isInside(given, file)) {
      throw new ProjectError('build_failed', `${source.file} is not inside the app ${source.root}`);
    }
    return { ...place, file: toSlashes(relative(given, file)) };
  }
}

function keyOf({ kind, file }: FunctionSource): string {
  return `${kind}\0${file}`;
}
