import type { Bundle, Bundler, FunctionSource as BundleSource } from '../../../bundle/index.ts';
import { checkSchemas, parseFunctionConfig } from '../../../contract/function-config/index.ts';
import { limits as contractLimits } from '../../../contract/index.ts';
import { environmentOf, type FunctionFile, type Project } from '../../../project/index.ts';
import type { LogLine, Program, Sandbox } from '../../../sandbox/index.ts';
import { FunctionError, monotonicMs, ProjectError, packed, Turnstile } from '../../../std/index.ts';
import type { LoadedFunction } from '../function-source.ts';
import type { DescribeCache } from './describe-cache.ts';
import { effectiveLimits } from './limits.ts';
import { withLoadHint } from './load-hint.ts';

/** A file outside `functions/` that is run as a function. */
export interface Scratch {
  readonly file: FunctionFile;
  /** There is no app around it, so it is the only function. */
  readonly alone: boolean;
}

export interface LoaderOptions {
  readonly bundler: Bundler;
  readonly sandbox: Sandbox;
  readonly descriptions: DescribeCache;
  readonly scratch?: Scratch;
  /** The functions are only built and listed, not invoked. */
  readonly listing?: boolean;
}

/** Why a function is loaded: to be invoked at once, or only to be listed. */
export type Purpose = 'run' | 'list';

export type BundleKind = BundleSource['kind'];

export interface FunctionOnDisk {
  readonly file: FunctionFile;
  /** Kind of bundle; a guess until its config has been read. */
  readonly kind: BundleKind;
}

/** A function that was just built. */
export interface Made {
  readonly loaded: LoadedFunction;
  /** The actual kind, whatever was guessed. */
  readonly kind: BundleKind;
  readonly bundle: Bundle;
  readonly logs: readonly LogLine[];
  /** Time for bundling and loading, without waiting for a turn. */
  readonly ms: number;
}

/** Config of a scratch file without its own. */
const scratchConfig = { type: 'server-side-method' };

/** How many programs may wait for their description at once. */
const describedAtOnce = 16;

/** Loads a function from its file: bundles it, loads it once to read its config, and checks the config. */
export class FunctionLoader {
  readonly #options: LoaderOptions;
  readonly #describing = new Turnstile(describedAtOnce);

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * @param describing called with the id of each program that is sent to the sandbox for its config
   * @throws FnError if it does not build, does not load, or has an invalid config
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
      // A view outside views/ fails on the server because there is no document; only its config shows that it is a view.
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
    const program = programOf(app, name, bundle);
    const described = bundle.probe ? programOf(app, name, bundle.probe) : program;
    describing(described.id);
    let logs: readonly LogLine[] = [];
    let { ms } = bundle;
    const describe = async () => {
      const startedAt = monotonicMs();
      const description = await this.#options.sandbox
        .describe(described, bundle.probe ? 'list' : purpose)
        .catch((error: unknown) => {
          throw withLoadHint(error, bundle);
        });
      ms += monotonicMs() - startedAt;
      logs = description.logs;
      // Compiling schemas takes longer than the rest of a config; for cached descriptions it has already been done.
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
    const small = purpose === 'list' && this.#options.listing !== true ? packed : <T>(texts: T) => texts;
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
      ...(isView ? { view: small(viewOf(bundle)) } : { program: small(program) }),
    };
    return { loaded, kind, bundle, logs, ms };
  }
}

/** Copies texts without reading them: those of a cached bundle are compressed. */
function programOf(app: string, name: string, bundle: Pick<Bundle, 'id' | 'code' | 'sourceMap'>): Program {
  const { id, code, sourceMap } = Object.getOwnPropertyDescriptors(bundle);
  return Object.defineProperties({ app, name }, { id, code, sourceMap }) as Program;
}

function viewOf(bundle: Bundle): NonNullable<LoadedFunction['view']> {
  const { code, sourceMap, css = { value: '', enumerable: true } } = Object.getOwnPropertyDescriptors(bundle);
  return Object.defineProperties({}, { script: code, css, sourceMap }) as NonNullable<LoadedFunction['view']>;
}

/** The function as the bundler's source. */
export function sourceOf({ app, root }: Project, { file, kind }: FunctionOnDisk): BundleSource {
  return { app, name: file.name, file: file.file, root, kind };
}

/** A guess by folder and extension that avoids a second build if it is right. Only `config.type` decides. */
export function guessKind(file: FunctionFile): BundleKind {
  return file.name.startsWith('views/') || /\.[jt]sx$/.test(file.file) ? 'view' : 'server';
}

/** The config shows that the guess was wrong. */
class WrongKind extends Error {}

/** The default export (the bundler made sure that there is one) is not a function. */
function noFunction(file: string): ProjectError {
  return new ProjectError('function_export_missing', `${file}: the default export is not a function`, {
    hint: 'Export a function, not an object or a class: export default async (sdk) => …',
    location: { file },
  });
}
