import { appFileKindNames, isAppFileKind } from '../../contract/index.ts';
import { type BuiltFunction, type DeployFile, deployFileOf, deployFileOfApp } from '../../deploy/index.ts';
import type { LoadedFunction } from '../../emulator/index.ts';
import { environmentOf, type FunctionFile, type Project } from '../../project/index.ts';
import { FnError, ProjectError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { alike, alsoBroken, type BrokenFunction, problemTexts } from '../failures/alike.ts';
import { requirePortable } from './portable-tools.ts';
import { tellBuilt } from './tell-built.ts';

export interface BuildWishes {
  /** Full names; undefined for all functions. */
  readonly names?: readonly string[] | undefined;
  /** The profile whose environment of `fn.config.json` applies. */
  readonly profile: string | undefined;
  readonly minify?: boolean;
}

const mostBuilds = 3;

/**
 * Bundles functions and loads every bundle once in the sandbox. If any fail, all of these are reported. If a source is saved during the
 * build, it would be in some bundles only, or in part, so all are built again.
 * @param onProblem called for each function that fails
 * @throws the first problem; ProjectError sources_changing
 */
export async function builtFunctions(
  context: Context,
  project: Project,
  wishes: BuildWishes,
  onProblem?: (error: FnError) => void,
): Promise<DeployFile[]> {
  for (let builds = 1; builds <= mostBuilds; builds++) {
    const built = await builtOnce(context, project, wishes, onProblem);
    if (built !== undefined) return built;
  }
  throw new ProjectError(
    'sources_changing',
    `The sources of ${project.app} kept changing while they were being built`,
    {
      hint: 'Wait until they stop changing, then run it again.',
    },
  );
}

/** @returns undefined if a source was saved meanwhile */
async function builtOnce(
  context: Context,
  project: Project,
  wishes: BuildWishes,
  onProblem: ((error: FnError) => void) | undefined,
): Promise<DeployFile[] | undefined> {
  const { io } = context;
  // The sandbox's process starts while the emulator loads.
  const { forkEarly } = await import('../../sandbox/early.ts');
  forkEarly();
  const { openFunctions, surplusFunctions } = await import('../../emulator/index.ts');
  const { functions, sandbox, close } = await openFunctions(project, tellBuilt(io), { minify: wishes.minify ?? false });
  context.onEnd(close);
  const files = (await functions.files()).filter(
    ({ name }) => wishes.names === undefined || wishes.names.includes(name),
  );
  const settings = settingsOf(project, wishes.profile);
  const built: DeployFile[] = [];
  const broken: BrokenFunction[] = [];
  const one = async ({ name, relative }: FunctionFile) => {
    try {
      const loaded = await functions.load(name);
      requirePortable(io, name, loaded.config, relative);
      built.push(deployFileOf(builtOf(loaded, settings)));
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      broken.push({ name, error });
    }
    context.signal.throwIfAborted();
    io.progress(`built ${name} (${built.length + broken.length} of ${files.length})`);
  };
  await Promise.all(files.map(one));
  // Where functions are named, the other files stay as they are live.
  const kinds = wishes.names === undefined ? appFileKindNames : [];
  for (const file of (await Promise.all(kinds.map((kind) => functions.textsOf(kind)))).flat()) {
    const { path, name, kind, config, problem, texts } = file;
    if (problem !== undefined) broken.push({ name, error: problem });
    else built.push(deployFileOfApp({ path, kind, texts, config: JSON.parse(JSON.stringify(config)) }));
  }
  const surplus = surplusFunctions(
    built
      .filter(({ entry }) => !isAppFileKind(entry.type))
      .map(({ entry: { path, config } }) => ({ name: path.replace(/\.js$/, ''), config })),
  );
  for (const [name, error] of surplus) broken.push({ name, error });
  io.progress('');
  await sandbox.ready;
  for (const { error } of broken) onProblem?.(error);
  const [thrown, ...others] = alike(broken);
  if (thrown === undefined) return files.every(({ name }) => functions.loaded(name)) ? built : undefined;
  const circumstances = { version: context.version, command: 'deploy', debug: context.flags.debug };
  for (const text of problemTexts(others, io.errStyle, circumstances)) io.err(text);
  const [{ error }, ...more] = thrown;
  if (more.length > 0) {
    const names = more.map(({ name }) => name);
    io.err(alsoBroken(names, io.errStyle, 'for the reason that follows'));
  }
  throw error;
}

function builtOf(loaded: LoadedFunction, settings: NonNullable<BuiltFunction['settings']>): BuiltFunction {
  const { path, type, program, view } = loaded;
  // Through JSON: a workspace gets plain data, without undefined members.
  const config: BuiltFunction['config'] = JSON.parse(JSON.stringify(loaded.config));
  return {
    path,
    type,
    config,
    code: program?.code ?? view?.script ?? '',
    sourceMap: program?.sourceMap ?? view?.sourceMap,
    css: view?.css,
    settings,
  };
}

/** The app's settings for all of its functions. */
function settingsOf({ config }: Project, profile: string | undefined): NonNullable<BuiltFunction['settings']> {
  const env = environmentOf(config, profile);
  return {
    ...(Object.keys(env).length > 0 && { env: { ...env } }),
    ...(config.isolation !== undefined && { isolation: config.isolation }),
    ...(config.limits !== undefined && Object.keys(config.limits).length > 0 && { limits: { ...config.limits } }),
    ...(config.fetch !== undefined && { fetch: { allow: [...config.fetch.allow] } }),
  };
}
