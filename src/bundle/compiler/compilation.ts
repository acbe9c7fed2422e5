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

/** The compiler's result for a function, after the last change of choices. */
export type Compiled = Result & {
  /** Of views only. */
  readonly probed: BuildResult | undefined;
  /** Stamps of files, taken after the compiler read them. */
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
  /** For first builds, many of which come at once. */
  readonly batches: Batches | undefined;
}

/** A build that takes longer is checked for endless files. */
const longBuildMs = 250;

/** How often the choices about packages may change over all builds of a function. */
const maxChoiceChanges = 100;

/**
 * Compiles one function, and compiles it again with another form of a package, or smaller, until the result can be used. Keeps the compiler's
 * contexts for the function from its second build on.
 */
export class Compilation {
  readonly #order: Order;
  readonly #findings: Findings = { unavailable: [] };
  readonly #choices = new SecondChoices();
  /** The version of the choices for which the compiler's contexts were opened. */
  #openedFor = 0;
  /** The code is minified because it is too large otherwise. */
  #minified = false;
  /** Built for development; false for a view that would then be too large. */
  #development: boolean;
  #context: Promise<Contexts> | undefined;
  #compiledBefore = false;

  constructor(order: Order) {
    this.#order = order;
    this.#development = order.options.development === true && order.source.kind === 'view';
  }

  /** Whether the result is a development build of a view: see `BundlerOptions.development`. */
  get isForDevelopment(): boolean {
    return this.#development;
  }

  /** Whether the compiler has returned a result before, even with errors. */
  get compiledBefore(): boolean {
    return this.#compiledBefore;
  }

  /** Whether the compiler keeps the sources. */
  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  /** Imports of Node built-ins in the last result that functions do not have. */
  get unavailable(): readonly UnavailableUse[] {
    return this.#findings.unavailable;
  }

  /** Packages in the last result that are written for web pages. */
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

  /** @returns the compiler's result, its errors, or the path of an endless file */
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
        // The compiler's process is gone; a new one starts with a new context.
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

  /** Updates the choices from a result. @returns whether to build again */
  async #learnFrom(result: Compiled | { errors: Message[] }): Promise<boolean> {
    if (this.#choices.version >= maxChoiceChanges) return false;
    const output = 'metafile' in result ? result.outputFiles.find(({ path }) => path.endsWith('.js')) : undefined;
    if (output && output.contents.length > this.#order.limits.bundleBytes && this.#makeSmaller()) return true;
    if (this.#order.source.kind !== 'server') return false;
    const settings = () => this.#settings();
    if (!('metafile' in result)) return this.#choices.learnFromErrors(result.errors, settings);
    const importersLike = (name: string) =>
      this.#findings.unavailable
        .filter(({ builtin }) => insteadOf(builtin) === insteadOf(name))
        .map(({ importer }) => importer);
    const importers = { sockets: importersLike('net'), files: importersLike('fs') };
    return this.#choices.learnFrom(result.metafile, output?.text ?? '', importers, settings);
  }

  /** Switches to a smaller form. @returns false if all have been tried */
  #makeSmaller(): boolean {
    if (this.#order.source.kind === 'view' ? !this.#development : this.#minified) return false;
    this.#minified = this.#order.source.kind === 'server';
    this.#development = false;
    this.#choices.version++;
    return true;
  }

  /** Ends the compiler if it reads an endless file. */
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
   * @param single build in one call, without keeping anything in the compiler: for first builds, since most functions do not change while
   * this process runs
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
