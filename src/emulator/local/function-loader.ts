import type { Bundle, Bundler, FunctionSource as BundleSource } from '../../bundle/index.ts';
import { checkSchemas, parseFunctionConfig } from '../../contract/function-config/index.ts';
import { limits as contractLimits } from '../../contract/index.ts';
import { environmentOf, type FunctionFile, type Project } from '../../project/index.ts';
import type { LogLine, Program, Sandbox } from '../../sandbox/index.ts';
import { FunctionError, monotonicMs, ProjectError, Turnstile } from '../../std/index.ts';
import type { LoadedFunction } from '../functions.ts';
import type { DescribeCache } from './describe-cache.ts';
import { effectiveLimits } from './limits.ts';
import { withLoadHint } from './load-hint.ts';

/** A file that stands elsewhere than in `functions/` and is run as if it were a function. */
export interface Scratch {
  readonly file: FunctionFile;
  /** There is no app around it: nothing else is a function. */
  readonly alone: boolean;
}

export interface LoaderOptions {
  readonly bundler: Bundler;
  readonly sandbox: Sandbox;
  readonly descriptions: DescribeCache;
  readonly scratch?: Scratch;
}

/** What a function is loaded for: to be invoked at once, or to know what it is. */
export type Purpose = 'run' | 'list';

export type BundleKind = BundleSource['kind'];

export interface FunctionOnDisk {
  readonly file: FunctionFile;
  /** How it is bundled: known once its config has been read, guessed before. */
  readonly kind: BundleKind;
}

/** A function as it was built just now. */
export interface Made {
  readonly loaded: LoadedFunction;
  /** Its own one, whatever was guessed. */
  readonly kind: BundleKind;
  readonly bundle: Bundle;
  readonly logs: readonly LogLine[];
  /** Bundling and loading, without the wait for a turn. */
  readonly ms: number;
}

/** What a scratch file is unless its own config says otherwise. */
const scratchConfig = { type: 'server-side-method' };

/** Programs that wait for their description in the sandbox at one moment. */
const describedAtOnce = 16;

/** A file → the function it holds: bundled, loaded once to read its config, the config checked. */
export class FunctionLoader {
  readonly #options: LoaderOptions;
  readonly #describing = new Turnstile(describedAtOnce);

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * @param describing told the id of each program that the sandbox is given for its config
   * @throws FnError when it does not build, does not load, or says of itself what no function can be
   */
  async load(
    project: Project,
    given: FunctionOnDisk,
    purpose: Purpose,
    describing: (id: string) => void,
  ): Promise<Made> {
    try {
      return await this.#loadAs(project, given, purpose, describing);
    } catch (error) {
      const other = { file: given.file, kind: given.kind === 'view' ? 'server' : 'view' } as const;
      if (!(error instanceof WrongKind || error instanceof FunctionError)) throw error;
      const made = await this.#loadAs(project, other, purpose, describing).catch(() => undefined);
      // A view kept elsewhere than in views/ fails on the server for want of a document: only its config can tell.
      if (!made) throw error;
      await this.#options.bundler.close(sourceOf(project, given));
      return made;
    }
  }

  async #loadAs(
    project: Project,
    given: FunctionOnDisk,
    purpose: Purpose,
    describing: (id: string) => void,
  ): Promise<Made> {
    const { file, kind } = given;
    const { app, config: appConfig } = project;
    const { name, path } = file;
    const bundle = await this.#options.bundler.build(sourceOf(project, given));
    const program: Program = { id: bundle.id, app, name, code: bundle.code, sourceMap: bundle.sourceMap };
    const described = bundle.probe
      ? { app, name, id: bundle.probe.id, code: bundle.probe.code, sourceMap: bundle.probe.sourceMap }
      : program;
    describing(described.id);
    let logs: readonly LogLine[] = [];
    let { ms } = bundle;
    const describe = async () => {
      const startedAt = monotonicMs();
      const description = await this.#options.sandbox
        .describe(described, bundle.probe ? 'list' : purpose)
        .catch((error: unknown) => {
          throw withLoadHint(error, bundle.warnings);
        });
      ms += monotonicMs() - startedAt;
      logs = description.logs;
      // Compiling schemas costs more than all the rest of a config: with what is remembered it has been done.
      await checkSchemas(configOf(description.config), file.relative);
      return description;
    };
    const isScratch = file === this.#options.scratch?.file;
    const configOf = (raw: unknown) =>
      parseFunctionConfig(raw ?? (isScratch ? scratchConfig : undefined), {
        app,
        name,
        file: file.relative,
        timezone: appConfig.timezone,
      });
    const raw = await this.#options.descriptions.of(described, () => this.#describing.pass(describe));
    const config = configOf(raw.config);
    if (!raw.hasDefault) throw noFunction(file.relative);
    const isView = config.type === 'custom-view';
    if (isView !== (kind === 'view')) throw new WrongKind();
    const view = { script: bundle.code, css: bundle.css ?? '', sourceMap: bundle.sourceMap };
    const loaded: LoadedFunction = {
      app,
      name,
      path,
      type: config.type,
      version: 'local',
      config,
      limits: effectiveLimits(contractLimits.function, appConfig.limits, config.limits),
      isolation: config.isolation ?? appConfig.isolation ?? 'fresh',
      environment: environmentOf(appConfig),
      ...(appConfig.fetch && { fetchAllow: appConfig.fetch.allow }),
      ...(isView ? { view } : { program }),
    };
    return { loaded, kind, bundle, logs, ms };
  }
}

/** What the bundler knows a function by. */
export function sourceOf({ app, root }: Project, { file, kind }: FunctionOnDisk): BundleSource {
  return { app, name: file.name, file: file.file, root, kind };
}

/** Only `config.type` decides; the place and the ending spare a second build where they tell the truth. */
export function guessKind(file: FunctionFile): BundleKind {
  return file.name.startsWith('views/') || /\.[jt]sx$/.test(file.file) ? 'view' : 'server';
}

/** The guess by place and ending proved wrong once the config was read. */
class WrongKind extends Error {}

/** There is a default export (the bundler saw to that), but it is no function. */
function noFunction(file: string): ProjectError {
  return new ProjectError('function_export_missing', `${file}: the default export is not a function`, {
    hint: 'Export a function, not an object or a class: export default async (sdk) => …',
    location: { file },
  });
}
