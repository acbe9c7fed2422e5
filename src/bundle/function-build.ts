import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { BuildResult, Message } from 'esbuild';
import { forPackageManager, monotonicMs, type ProjectError, packed, sha256Hex, toSlashes, wait } from '../std/index.ts';
import { withClassNames } from './compiler/class-names.ts';
import { Compilation, type Compiled, type Order } from './compiler/compilation.ts';
import { filesOf } from './compiler/metafile.ts';
import { confinedMap, withStyles } from './compiler/source-map.ts';
import { scriptSafe } from './compiler/wrap.ts';
import type { DiskCache } from './freshness/disk-cache.ts';
import { candidatesOf, Freshness, rulingFiles } from './freshness/freshness.ts';
import { linkedRulers, reachedFiles, shadowing } from './freshness/reach.ts';
import { type Stamp, stampOf, unsure } from './freshness/stamps.ts';
import { isInstalled } from './packages/package-folder.ts';
import { tooLargeParts } from './problems/bundle-size.ts';
import { trespasses } from './problems/confine.ts';
import { importCycles } from './problems/cycles.ts';
import { buildFailed, type Problem, problemOf } from './problems/failure.ts';
import { fileProblem } from './problems/file-problem.ts';
import { missingAwaits } from './problems/missing-awaits.ts';
import { nativePackages } from './problems/native-packages.ts';
import { compilerWarnings, pageWarnings, unavailableWarnings, wasmWarnings } from './problems/warnings.ts';
import type { Bundle, BundleLimits, BundlerOptions, FunctionSource, Place, Probe } from './types.ts';

/** How far the clock behind file timestamps may lag. */
const clockGrainMs = 10;

/** Below this size, reading the sources again is as fast as keeping them. */
const worthKeepingBytes = 64 * 1024;

/** How long to wait for a file that has become empty or disappeared. */
const settleMs = 40;

/** Attempts of a build that fails while its files change. */
const maxAttempts = 3;

/** The builds of one function: one at a time, from the disk cache if nothing has changed, with a record of the files that the last one depended on. */
export class FunctionBuild {
  readonly #source: FunctionSource;
  readonly #place: Place;
  readonly #limits: BundleLimits;
  readonly #options: BundlerOptions;
  readonly #cache: DiskCache | undefined;
  readonly #compilation: Compilation;
  #running: Promise<Bundle> | undefined;
  #next: Promise<Bundle> | undefined;
  #freshness: Freshness | undefined;
  #sourceBytes = 0;
  /** Whether one of the author's files was empty when the compiler read it. */
  #readEmpty = false;

  /** @param cache keeps bundles between processes */
  constructor(order: Order, cache: DiskCache | undefined) {
    this.#source = order.source;
    this.#place = order.place;
    this.#limits = order.limits;
    this.#options = order.options;
    this.#cache = cache;
    this.#compilation = new Compilation(order);
  }

  /** Builds the function. A build that is already running may have read files before their last save, so calls during it share the next one. */
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
    return this.#compilation.isOpen ? this.#sourceBytes : 0;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Whether it was built once, from so much source that the next build would be slow unless the compiler keeps it. */
  get isWorthKeeping(): boolean {
    const { compiledBefore, isOpen } = this.#compilation;
    return !this.#options.once && compiledBefore && !isOpen && this.#sourceBytes > worthKeepingBytes;
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
    await this.#compilation.release();
  }

  /** The bundle from the disk cache, if nothing has changed since. */
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
    const { isForDevelopment } = this.#compilation;
    return [root, limit, file, this.#source.kind, this.#options.minify ?? false, isForDevelopment, this.#limits];
  }

  /**
   * Builds, and builds again if a file was read in the middle of a save: errors should describe what is in the files, and what is
   * imported from a file that was still empty would be undefined.
   */
  async #build(): Promise<Bundle> {
    const kept = this.#kept();
    if (kept) return kept;
    for (let attempt = 1; ; attempt++) {
      const isFinal = () => attempt === maxAttempts || !this.#freshness?.isStaleNow();
      try {
        const bundle = await this.#buildOnce();
        if (!this.#readEmpty || isFinal()) return bundle;
      } catch (error) {
        if (isFinal()) throw error;
      }
    }
  }

  async #buildOnce(): Promise<Bundle> {
    const { root, limit, file } = this.#place;
    const entry = join(root, file);
    const isSave = this.#freshness !== undefined;
    await this.#settle(entry);
    const unreadable = fileProblem(entry, file, this.#limits);
    if (unreadable) throw this.#failed([unreadable]);
    const startedAt = Date.now();
    const before = new Map<string, Stamp>([[entry, stampOf(entry)]]);
    for (const [path] of this.#freshness?.entries() ?? []) before.set(path, stampOf(path));
    const remember = (paths: Iterable<string>, look = stampOf) => {
      const all = new Set([...paths, ...rulingFiles(root, limit)]);
      this.#freshness = new Freshness(stamps(all, before, startedAt, look));
    };

    const result = await this.#compilation.run();
    if ('endless' in result) {
      remember([...before.keys(), ...reachedFiles(entry, limit), result.endless]);
      const shown = toSlashes(relative(root, result.endless));
      throw this.#failed([{ message: `${shown} is a pipe or a device; functions are built from files` }]);
    }
    if ('errors' in result && result.errors.length > 0) {
      remember([...before.keys(), ...reachedFiles(entry, limit), ...missingPlaces(result.errors, root, limit)]);
      throw this.#failed(result.errors.map((message) => problemOf(message, this.#place)));
    }
    const built = result as Compiled;
    const files = filesOf(built.metafile, root);
    const { inputs } = built.metafile;
    this.#sourceBytes = Object.values(inputs).reduce((sum, { bytes }) => sum + bytes, 0);
    this.#readEmpty = [...files].some(([key, path]) => inputs[key]?.bytes === 0 && !isInstalled(path));
    const rulers = linkedRulers(files, root, limit);
    remember([...files.values(), ...shadowing(built.metafile, files, limit), ...rulers], built.stampOf);
    const problems = [
      ...trespasses(built.metafile, files, root, limit),
      ...nativePackages(built.metafile, files, root),
      ...tooLargeParts(built, this.#limits),
    ];
    if (problems.length > 0) throw this.#failed(problems);
    const bundle = this.#options.once ? small(this.#bundle(built, files)) : this.#bundle(built, files);
    this.#cache?.write(this.#cacheKey(), { bundle, stamps: [...(this.#freshness?.entries() ?? [])] }, isSave);
    return bundle;
  }

  #failed(problems: readonly Problem[]): ProjectError {
    return buildFailed(this.#source.name, problems, this.#place.limit);
  }

  /**
   * Waits a moment for an unfinished save: some editors empty the file and then write it, others move it away and write a new
   * one. Only applies to a file that had content at the last build.
   */
  async #settle(entry: string): Promise<void> {
    const had = new Map(this.#freshness?.entries() ?? []);
    const halfDone = () =>
      [entry, ...had.keys()].some(
        (path) => isWritten(had.get(path)) && !isInstalled(path) && !isWritten(stampOf(path)),
      );
    for (const deadline = monotonicMs() + settleMs; had.size > 0 && halfDone() && monotonicMs() < deadline; ) {
      await wait(2);
    }
  }

  #bundle({ metafile, outputFiles, warnings, probed }: Compiled, files: Map<string, string>): Bundle {
    const { root, limit, file } = this.#place;
    const output = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text;
    const text = withClassNames(output('bundle.js') ?? '', (source) => textOf(files.get(source)));
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
        ...missingAwaits(file, textOf(files.get(file))),
        ...importCycles(metafile, files, root, file),
        ...unavailableWarnings(this.#compilation.unavailable, metafile, root),
        ...pageWarnings(this.#compilation.forPages, metafile, root),
        ...wasmWarnings(metafile, root),
      ].map((warning) => ({ ...warning, message: forPackageManager(warning.message, limit) })),
      ...(css === undefined ? {} : { css }),
      ...(probed ? { probe: probeOf(probed, root, limit) } : {}),
    };
  }
}

/** Of many functions that are built once, the texts of all are kept until the last one is. */
function small({ probe, ...bundle }: Bundle): Bundle {
  return packed({ ...bundle, ...(probe && { probe: packed(probe) }) });
}

function textOf(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined; // removed since the compiler read it: the next request builds again
  }
}

function probeOf({ outputFiles = [], metafile }: BuildResult, root: string, limit: string): Probe {
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const code = text('probe.js');
  const sourceMap = confinedMap(text('probe.js.map'), metafile ?? { inputs: {}, outputs: {} }, root, limit);
  return { id: sha256Hex(code), code, sourceMap };
}

/** Whether the file exists and is not empty. */
function isWritten(stamp: Stamp | undefined): boolean {
  return stamp !== undefined && stamp !== '' && stamp !== unsure && stamp.split(':')[1] !== '0';
}

/**
 * Stamps of the files that were read. It is certain which content the compiler read only if a file looked the same before and after, or, for
 * a new one, if it was last written before the build began. Any other file counts as changed.
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

/** Paths at which a new file or package would fix an unresolved import. */
function missingPlaces(errors: readonly Message[], root: string, limit: string): string[] {
  return errors.flatMap((error) => {
    const specifier = /^Could not resolve "([^"]+)"/.exec(error.text)?.[1];
    const importer = error.location && join(root, error.location.file);
    const touched = importer ? [importer] : [];
    return specifier && importer ? [...touched, ...candidatesOf(specifier, importer, limit)] : touched;
  });
}
