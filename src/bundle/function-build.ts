import { join, relative } from 'node:path';
import type { BuildContext, BuildOptions, BuildResult, Message } from 'esbuild';
import { monotonicMs, sha256Hex, toSlashes } from '../std/index.ts';
import type { Place } from './bundler.ts';
import type { Batches } from './compiler/batches.ts';
import { compilerGeneration, killCompiler, type Result, replaceCompiler, withCompiler } from './compiler/compiler.ts';
import { filesOf } from './compiler/metafile.ts';
import { buildOptions } from './compiler/options.ts';
import { probeOptions } from './compiler/probe.ts';
import { confinedMap, withStyles } from './compiler/source-map.ts';
import { scriptSafe } from './compiler/wrap.ts';
import type { DiskCache } from './freshness/disk-cache.ts';
import { candidatesOf, Freshness, rulingFiles } from './freshness/freshness.ts';
import { endlessFile, linkedRulers, reachedFiles, shadowing } from './freshness/reach.ts';
import { type Stamp, stampOf, unsure } from './freshness/stamps.ts';
import { insteadOf } from './node/table.ts';
import { isInstalled } from './packages/package-folder.ts';
import { SecondChoices } from './packages/second-choices.ts';
import { tooLargeParts } from './problems/bundle-size.ts';
import { checkFile } from './problems/check-file.ts';
import { trespasses } from './problems/confine.ts';
import { importCycles } from './problems/cycles.ts';
import { buildFailed, problemOf } from './problems/failure.ts';
import { nativePackages } from './problems/native-packages.ts';
import { compilerWarnings, pageWarnings, unavailableWarnings, wasmWarnings } from './problems/warnings.ts';
import { type Findings, importRules } from './resolve.ts';
import type { Bundle, BundleLimits, BundlerOptions, FunctionSource, Probe } from './types.ts';

type Built = Result & {
  readonly probed: BuildResult | undefined;
  readonly stampOf: (path: string) => Stamp;
};

type Context = Pick<BuildContext, 'rebuild' | 'dispose'>;

interface Contexts {
  readonly main: Context;
  /** Of views only. */
  readonly probe?: Context;
}

export interface FunctionBuildInput {
  readonly source: FunctionSource;
  readonly place: Place;
  readonly limits: BundleLimits;
  readonly options: BundlerOptions;
  readonly cache: DiskCache | undefined;
  /** For first builds, of which many come at the same moment. */
  readonly batches: Batches | undefined;
}

/** File systems stamp by a clock that may be this much behind. */
const clockGrainMs = 10;

/** Less than this is read anew as fast as it is remembered. */
const worthKeepingBytes = 64 * 1024;

/** A build that takes longer is looked at. */
const longBuildMs = 250;

/** How long a file that became empty or went away is waited for. */
const settleMs = 40;

/** Of a build that fails while its files change. */
const mostAttempts = 3;

/** Changes of mind about packages, over the life of a function's builds. */
const mostChoices = 100;

/** The life of one function's builds: its compiler context, and what its last build depended on. */
export class FunctionBuild {
  readonly #source: FunctionSource;
  readonly #place: Place;
  readonly #limits: BundleLimits;
  readonly #options: BundlerOptions;
  readonly #findings: Findings = { unavailable: [] };
  readonly #cache: DiskCache | undefined;
  readonly #batches: Batches | undefined;
  readonly #choices = new SecondChoices();
  /** The version of the choices for which the compiler's contexts were opened. */
  #openedFor = 0;
  /** Too large for a function as it is written. */
  #minified = false;
  /** Not of a view that would then be too large. */
  #development: boolean;
  #context: Promise<Contexts> | undefined;
  #running: Promise<Bundle> | undefined;
  #next: Promise<Bundle> | undefined;
  #freshness: Freshness | undefined;
  #sourceBytes = 0;
  #compiledBefore = false;

  constructor({ source, place, limits, options, cache, batches }: FunctionBuildInput) {
    this.#source = source;
    this.#place = place;
    this.#limits = limits;
    this.#options = options;
    this.#development = options.development === true && source.kind === 'view';
    this.#cache = cache;
    this.#batches = batches;
  }

  /** A build that began before the call may have read files before their last save: calls meanwhile share the one after it. */
  run(): Promise<Bundle> {
    if (!this.#running) {
      this.#running = this.#build().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.run();
      });
    return this.#next;
  }

  /** Bytes of source text behind the open compiler context; 0 when none is open. */
  get sourceBytes(): number {
    return this.#context ? this.#sourceBytes : 0;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Built once, from so much source that the next build would take long without what the compiler then keeps. */
  get isWorthKeeping(): boolean {
    return !this.#options.once && this.#compiledBefore && !this.#context && this.#sourceBytes > worthKeepingBytes;
  }

  isStale(): boolean {
    return this.#freshness?.isStale() ?? true;
  }

  async close(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.release();
  }

  /** Frees the compiler's memory; the next build starts from nothing. */
  async release(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    const opened = await context?.catch(() => undefined);
    if (opened) await withCompiler(() => Promise.all([opened.main.dispose(), opened.probe?.dispose()]));
  }

  /** What another process kept, if nothing has changed since. */
  #kept(): Bundle | undefined {
    if (this.#freshness) return undefined;
    const kept = this.#cache?.read(this.#cacheKey());
    if (!kept) return undefined;
    const freshness = new Freshness(kept.stamps);
    if (freshness.isStaleNow()) return undefined;
    this.#freshness = freshness;
    return kept.bundle;
  }

  #cacheKey(): unknown[] {
    const { root, limit, file } = this.#place;
    return [root, limit, file, this.#source.kind, this.#options.minify ?? false, this.#development, this.#limits];
  }

  /** A failure is told of what stands in the files: one that was read in the middle of its save is read again. */
  async #build(): Promise<Bundle> {
    const kept = this.#kept();
    if (kept) return kept;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#buildOnce();
      } catch (error) {
        if (attempt === mostAttempts || !this.#freshness?.isStaleNow()) throw error;
      }
    }
  }

  async #buildOnce(): Promise<Bundle> {
    const { root, limit, file } = this.#place;
    const entry = join(root, file);
    await this.#settle(entry);
    checkFile(this.#source, entry, file, this.#limits);
    const startedAt = Date.now();
    const before = new Map<string, Stamp>([[entry, stampOf(entry)]]);
    for (const [path] of this.#freshness?.entries() ?? []) before.set(path, stampOf(path));
    const remember = (paths: Iterable<string>, look = stampOf) => {
      const all = new Set([...paths, ...rulingFiles(root, limit)]);
      this.#freshness = new Freshness(stamps(all, before, startedAt, look));
    };

    const result = await this.#compile();
    if ('endless' in result) {
      remember([...before.keys(), ...reachedFiles(entry, limit), result.endless]);
      const shown = toSlashes(relative(root, result.endless));
      throw buildFailed(this.#source.name, [
        { message: `${shown} is a pipe or a device, and functions are built from files` },
      ]);
    }
    if ('errors' in result && result.errors.length > 0) {
      remember([...before.keys(), ...reachedFiles(entry, limit), ...missingPlaces(result.errors, root, limit)]);
      throw buildFailed(
        this.#source.name,
        result.errors.map((message) => problemOf(message, this.#place)),
      );
    }
    const built = result as Built;
    const files = filesOf(built.metafile, root);
    this.#sourceBytes = Object.values(built.metafile.inputs).reduce((sum, { bytes }) => sum + bytes, 0);
    const rulers = linkedRulers(files, root, limit);
    remember([...files.values(), ...shadowing(built.metafile, files, limit), ...rulers], built.stampOf);
    const problems = [
      ...trespasses(built.metafile, files, root, limit),
      ...nativePackages(built.metafile, files, root),
      ...tooLargeParts(built, this.#limits),
    ];
    if (problems.length > 0) throw buildFailed(this.#source.name, problems);
    const bundle = this.#bundle(built, files);
    this.#cache?.write(this.#cacheKey(), { bundle, stamps: [...(this.#freshness?.entries() ?? [])] });
    return bundle;
  }

  /**
   * Waits a moment for a save that is half done: some editors empty the file and then write it, others move it away and write a
   * new one. Only for a file that had content at the last build.
   */
  async #settle(entry: string): Promise<void> {
    const had = new Map(this.#freshness?.entries() ?? []);
    const halfDone = () =>
      [entry, ...had.keys()].some(
        (path) => isWritten(had.get(path)) && !isInstalled(path) && !isWritten(stampOf(path)),
      );
    for (const deadline = monotonicMs() + settleMs; had.size > 0 && halfDone() && monotonicMs() < deadline; ) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** The compiler's result, or its errors, or what has no end. */
  async #compile(): Promise<Built | { errors: Message[] } | { endless: string }> {
    this.#choices.refresh();
    for (let deaths = 0; ; ) {
      if (this.#openedFor !== this.#choices.version) await this.release();
      const generation = compilerGeneration();
      const watch = this.#watch(generation);
      try {
        const isFirst = !this.#compiledBefore && deaths === 0 && this.#choices.version === 0;
        const together = isFirst ? await this.#compileTogether() : undefined;
        if (together && (await this.#learnFrom(together))) continue;
        if (together) {
          this.#compiledBefore = true;
          return together;
        }
        const single = this.#options.once === true || !this.#compiledBefore;
        if (!single) this.#context ??= this.#open(false);
        const { main, probe } = await (single ? this.#open(true) : (this.#context ?? this.#open(false)));
        this.#findings.unavailable.length = 0;
        const [result, probed] = await withCompiler(() => Promise.all([main.rebuild(), probe?.rebuild()]));
        const built = { ...(result as Result), probed, stampOf };
        if (await this.#learnFrom(built)) continue;
        this.#compiledBefore = true;
        return built;
      } catch (error) {
        if (isBuildFailure(error)) {
          if (await this.#learnFrom(error)) continue;
          this.#compiledBefore = true;
          return { errors: error.errors };
        }
        // The compiler's process is gone: it starts again with a new context.
        this.#context = undefined;
        if (watch.endless === undefined && deaths++ > 0) throw error;
        await replaceCompiler(generation);
        if (watch.endless !== undefined) return { endless: watch.endless };
      } finally {
        clearTimeout(watch.timer);
      }
    }
  }

  async #compileTogether(): Promise<Built | undefined> {
    const result = this.#source.kind === 'server' ? await this.#batches?.build(this.#place) : undefined;
    if (!result) return undefined;
    this.#findings.unavailable.splice(0, Number.POSITIVE_INFINITY, ...result.unavailable);
    return { ...result, probed: undefined };
  }

  /** Whether there is another choice than the one that was just built. */
  async #learnFrom(result: Built | { errors: Message[] }): Promise<boolean> {
    if (this.#choices.version >= mostChoices) return false;
    const output = 'metafile' in result ? result.outputFiles.find(({ path }) => path.endsWith('.js')) : undefined;
    if (output && output.contents.length > this.#limits.bundleBytes && this.#makeSmaller()) return true;
    if (this.#source.kind !== 'server') return false;
    const settings = () => this.#settings();
    if (!('metafile' in result)) return this.#choices.learnFromErrors(result.errors, settings);
    const sockets = this.#findings.unavailable.filter(({ builtin }) => insteadOf(builtin) === insteadOf('net'));
    const asking = sockets.map(({ importer }) => importer);
    return this.#choices.learnFrom(result.metafile, output?.text ?? '', asking, settings);
  }

  /** Whether there is a smaller form of it that was not tried. */
  #makeSmaller(): boolean {
    if (this.#source.kind === 'view' ? !this.#development : this.#minified) return false;
    this.#minified = this.#source.kind === 'server';
    this.#development = false;
    this.#choices.version++;
    return true;
  }

  /** Ends the compiler where it reads something that has no end. */
  #watch(generation: number): { endless: string | undefined; timer: NodeJS.Timeout } {
    const { root, limit, file } = this.#place;
    const look = () => {
      watch.endless = endlessFile(join(root, file), root, limit);
      if (watch.endless !== undefined) killCompiler(generation);
    };
    const watch = { endless: undefined as string | undefined, timer: setTimeout(look, longBuildMs) };
    return watch;
  }

  /**
   * @param single nothing is kept in the compiler, and it is asked once instead of twice: for a first build, since most functions are
   * not changed while this runs
   */
  async #open(single: boolean): Promise<Contexts> {
    const { kind } = this.#source;
    this.#openedFor = this.#choices.version;
    const settings = this.#settings();
    return withCompiler(async (esbuild) => {
      const context = single ? oneShot(esbuild) : esbuild.context;
      if (kind === 'server') return { main: await context(settings) };
      const rules = importRules(kind, this.#limits, { unavailable: [] });
      const probing = probeOptions({ ...settings, plugins: [rules] });
      const [main, probe] = await Promise.all([context(settings), context(probing)]);
      return { main, probe };
    });
  }

  #settings(): BuildOptions {
    const { kind } = this.#source;
    const plugins = [importRules(kind, this.#limits, this.#findings, this.#choices)];
    return buildOptions({
      kind,
      ...this.#place,
      minify: this.#minified || (this.#options.minify ?? false),
      development: this.#development,
      plugins,
    });
  }

  #bundle({ metafile, outputFiles, warnings, probed }: Built, files: Map<string, string>): Bundle {
    const { root, limit, file } = this.#place;
    const output = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text;
    const text = output('bundle.js') ?? '';
    const code = this.#source.kind === 'view' ? scriptSafe(text) : text;
    const css = output('bundle.css');
    const mapOf = (name: string) => confinedMap(output(`${name}.map`) ?? '', metafile, root, limit);
    const scriptMap = mapOf('bundle.js');
    return {
      name: this.#source.name,
      id: sha256Hex(code),
      code,
      sourceMap: css === undefined ? scriptMap : withStyles(scriptMap, mapOf('bundle.css')),
      bytes: Buffer.byteLength(code),
      inputs: [...files.values()].sort(),
      warnings: [
        ...compilerWarnings(warnings),
        ...importCycles(metafile, files, root, file),
        ...unavailableWarnings(this.#findings.unavailable, metafile, root),
        ...pageWarnings(this.#choices.forPages, metafile, root),
        ...wasmWarnings(metafile, root),
      ],
      ...(css === undefined ? {} : { css }),
      ...(probed ? { probe: probeOf(probed, root, limit) } : {}),
    };
  }
}

function oneShot({ build }: Pick<typeof import('esbuild'), 'build'>): (settings: BuildOptions) => Promise<Context> {
  return async (settings) => ({ rebuild: () => build(settings), dispose: async () => {} });
}

function probeOf({ outputFiles = [], metafile }: BuildResult, root: string, limit: string): Probe {
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const code = text('probe.js');
  const sourceMap = confinedMap(text('probe.js.map'), metafile ?? { inputs: {}, outputs: {} }, root, limit);
  return { id: sha256Hex(code), code, sourceMap };
}

/** Whether there is a file, with something in it. */
function isWritten(stamp: Stamp | undefined): boolean {
  return stamp !== undefined && stamp !== '' && stamp !== unsure && stamp.split(':')[1] !== '0';
}

function isBuildFailure(error: unknown): error is { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

/**
 * Which content the compiler read is certain only for a file that looked the same before and after, or – met for the first time –
 * was last written before the build began. Any other counts as changed.
 */
function* stamps(
  paths: Iterable<string>,
  before: Map<string, Stamp>,
  startedAt: number,
  look: (path: string) => Stamp,
): Generator<[string, Stamp]> {
  for (const path of paths) {
    const now = look(path);
    const then = before.get(path);
    const certain = then === undefined ? !(Number.parseFloat(now) >= startedAt - clockGrainMs) : then === now;
    yield [path, certain ? now : unsure];
  }
}

/** Where a file or package would have to appear to mend an import that was not found. */
function missingPlaces(errors: readonly Message[], root: string, limit: string): string[] {
  return errors.flatMap((error) => {
    const specifier = /^Could not resolve "([^"]+)"/.exec(error.text)?.[1];
    const importer = error.location && join(root, error.location.file);
    const touched = importer ? [importer] : [];
    return specifier && importer ? [...touched, ...candidatesOf(specifier, importer, limit)] : touched;
  });
}
