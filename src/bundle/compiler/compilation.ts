import { join } from 'node:path';
import type { BuildContext, BuildOptions, BuildResult, Message } from 'esbuild';
import { endlessFile } from '../freshness/reach.ts';
import { type Stamp, stampOf } from '../freshness/stamps.ts';
import { insteadOf } from '../node/table.ts';
import { SecondChoices } from '../packages/second-choices.ts';
import { type Findings, importRules, type UnavailableUse } from '../resolve.ts';
import type { BundleLimits, BundlerOptions, FunctionSource, Place } from '../types.ts';
import type { Batches } from './batches.ts';
import { compilerGeneration, killCompiler, type Result, replaceCompiler, withCompiler } from './compiler.ts';
import { buildOptions } from './options.ts';
import { probeOptions } from './probe.ts';

/** The compiler's output for a function, after the last retry with other choices. */
export type Compiled = Result & {
  /** Of views only. */
  readonly probed: BuildResult | undefined;
  /** What files look like since the compiler read them. */
  readonly stampOf: (path: string) => Stamp;
};

type Context = Pick<BuildContext, 'rebuild' | 'dispose'>;

interface Contexts {
  readonly main: Context;
  /** Of views only. */
  readonly probe?: Context;
}

/** What is compiled, and how. */
export interface Order {
  readonly source: FunctionSource;
  readonly place: Place;
  readonly limits: BundleLimits;
  readonly options: BundlerOptions;
  /** For first builds, of which many come at the same moment. */
  readonly batches: Batches | undefined;
}

/** A build that takes longer is checked for endless files. */
const longBuildMs = 250;

/** Maximum number of changed choices for packages, over the life of a function's builds. */
const mostChoices = 100;

/**
 * Compiles one function, repeatedly if needed – with another form of a package, or minified – until the result is acceptable. Holds the
 * compiler's contexts for it from the second build on.
 */
export class Compilation {
  readonly #order: Order;
  readonly #findings: Findings = { unavailable: [] };
  readonly #choices = new SecondChoices();
  /** The version of the choices for which the compiler's contexts were opened. */
  #openedFor = 0;
  /** Whether the code is minified because it is too large otherwise. */
  #minified = false;
  /** Not of a view that would then be too large. */
  #development: boolean;
  #context: Promise<Contexts> | undefined;
  #compiledBefore = false;

  constructor(order: Order) {
    this.#order = order;
    this.#development = order.options.development === true && order.source.kind === 'view';
  }

  /** Whether the output is a development build for the author of a view: see `BundlerOptions.development`. */
  get isForDevelopment(): boolean {
    return this.#development;
  }

  /** Whether the compiler has answered before, even with errors. */
  get compiledBefore(): boolean {
    return this.#compiledBefore;
  }

  /** Whether the compiler keeps what it read. */
  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  /** Node modules that the last result imports and that functions do not have. */
  get unavailable(): readonly UnavailableUse[] {
    return this.#findings.unavailable;
  }

  /** Packages of the last result that are written for pages in browsers. */
  get forPages(): SecondChoices['forPages'] {
    return this.#choices.forPages;
  }

  /** Frees the compiler's memory; the next build starts from nothing. */
  async release(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    const opened = await context?.catch(() => undefined);
    if (opened) await withCompiler(() => Promise.all([opened.main.dispose(), opened.probe?.dispose()]));
  }

  /** @returns the compiler's result, its errors, or the endless file */
  async run(): Promise<Compiled | { errors: Message[] } | { endless: string }> {
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
        const single = this.#order.options.once === true || !this.#compiledBefore;
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

  async #compileTogether(): Promise<Compiled | undefined> {
    const result =
      this.#order.source.kind === 'server' ? await this.#order.batches?.build(this.#order.place) : undefined;
    if (!result) return undefined;
    this.#findings.unavailable.splice(0, Number.POSITIVE_INFINITY, ...result.unavailable);
    return { ...result, probed: undefined };
  }

  /** Whether there is another choice than the one that was just built. */
  async #learnFrom(result: Compiled | { errors: Message[] }): Promise<boolean> {
    if (this.#choices.version >= mostChoices) return false;
    const output = 'metafile' in result ? result.outputFiles.find(({ path }) => path.endsWith('.js')) : undefined;
    if (output && output.contents.length > this.#order.limits.bundleBytes && this.#makeSmaller()) return true;
    if (this.#order.source.kind !== 'server') return false;
    const settings = () => this.#settings();
    if (!('metafile' in result)) return this.#choices.learnFromErrors(result.errors, settings);
    const sockets = this.#findings.unavailable.filter(({ builtin }) => insteadOf(builtin) === insteadOf('net'));
    const asking = sockets.map(({ importer }) => importer);
    return this.#choices.learnFrom(result.metafile, output?.text ?? '', asking, settings);
  }

  /** Switches to a smaller form that was not tried yet. @returns whether there is one */
  #makeSmaller(): boolean {
    if (this.#order.source.kind === 'view' ? !this.#development : this.#minified) return false;
    this.#minified = this.#order.source.kind === 'server';
    this.#development = false;
    this.#choices.version++;
    return true;
  }

  /** Kills the compiler if it reads an endless file. */
  #watch(generation: number): { endless: string | undefined; timer: NodeJS.Timeout } {
    const { root, limit, file } = this.#order.place;
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
    const { kind } = this.#order.source;
    this.#openedFor = this.#choices.version;
    const settings = this.#settings();
    return withCompiler(async (esbuild) => {
      const context = single ? oneShot(esbuild) : esbuild.context;
      if (kind === 'server') return { main: await context(settings) };
      const rules = importRules(kind, this.#order.limits, { unavailable: [] });
      const probing = probeOptions({ ...settings, plugins: [rules] });
      const [main, probe] = await Promise.all([context(settings), context(probing)]);
      return { main, probe };
    });
  }

  #settings(): BuildOptions {
    const { kind } = this.#order.source;
    const plugins = [importRules(kind, this.#order.limits, this.#findings, this.#choices)];
    return buildOptions({
      kind,
      ...this.#order.place,
      minify: this.#minified || (this.#order.options.minify ?? false),
      development: this.#development,
      plugins,
    });
  }
}

function oneShot({ build }: Pick<typeof import('esbuild'), 'build'>): (settings: BuildOptions) => Promise<Context> {
  return async (settings) => ({ rebuild: () => build(settings), dispose: async () => {} });
}

function isBuildFailure(error: unknown): error is { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
