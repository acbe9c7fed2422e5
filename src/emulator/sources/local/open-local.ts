import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Bundler, type BundlerOptions } from '../../../bundle/index.ts';
import { type Caller, type Door, scopes } from '../../../contract/index.ts';
import type { Seed } from '../../../contract/shapes/index.ts';
import type { Project } from '../../../project/index.ts';
import {
  claimState,
  isTrusted,
  placedSeedProblem,
  readLocalSecrets,
  readSeed,
  setAsideForeignState,
  setAsideWords,
} from '../../../project/index.ts';
import { type InspectOptions, openSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts';
import { preludeSource } from '../../../sdk/index.ts';
import { type Environment, TurnableClock } from '../../../std/index.ts';
import { openWorkspace, type Workspace } from '../../../workspace/index.ts';
import { type Emulator, openEmulator } from '../../emulator.ts';
import type { EmulatorEvent } from '../../events.ts';
import type { Network } from '../../invoke/fetch/outgoing-fetch.ts';
import { type AppEvent, AppFunctions, type AppFunctionsOptions } from './app-functions.ts';
import { DescribeCache } from './describe-cache.ts';
import type { Scratch } from './function-loader.ts';
import {
  databaseFile,
  keepStatePrivate,
  localToken,
  localTokenFile,
  makeStateFolder,
  newLocalToken,
  renewLocalToken,
} from './state-files.ts';

export interface LocalOptions {
  readonly project: Project;
  /** `file`: persistent, in `.fn/workspace.db`. `memory`: discarded when closed. */
  readonly database: 'file' | 'memory';
  /** Loaded into an empty workspace instead of the app's `seed.json`. */
  readonly seed?: Seed;
  readonly clock?: TurnableClock;
  /** A file that is run as a function of the app. */
  readonly scratch?: Scratch;
  /** Values that override the app's stored secrets. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The door for a function's `sdk`; default: the door of this workspace. For relay. */
  readonly functionDoor?: (caller: Caller, local: Door) => Door;
  /** The network for the functions' `fetch`; default: that of this machine. For tests. */
  readonly network?: Network;
  /** Builds views for development, so that React explains its errors. */
  readonly development?: boolean;
  /** Prepares the function that is being worked on at once, for a first request. */
  readonly ahead?: boolean;
  /** Default `dev`. */
  readonly slug?: string;
  /** Where this user's own folders are; default: as this process has it. */
  readonly env?: Environment;
  /** A workspace that has no app of this folder, only what is deployed to it. */
  readonly withoutApp?: boolean;
  /** Asked while another process holds the workspace: whether to wait any longer. Default: no. */
  readonly waitForOwner?: () => boolean;
  /** Number of sandbox processes; default: one per core, at most two. */
  readonly processes?: number;
  /** `waiting`: the first function to run waits for its debugger. */
  readonly inspect?: Pick<InspectOptions, 'port' | 'waiting'>;
  /** Base address of an OTLP/HTTP collector. */
  readonly otlpEndpoint?: string | undefined;
  readonly onEvent?: (event: LocalEvent) => void;
  /** Receives the coverage of the app's sources. */
  readonly onCoverage?: NonNullable<SandboxOptions['onCoverage']>;
}

export type LocalEvent =
  | AppEvent
  | EmulatorEvent
  | { type: 'problem'; code: string; message: string }
  /** A build with waiting callers is taking seconds. */
  | { type: 'building'; names: readonly string[]; ms: number };

/** An app's folder with a workspace in this process. */
export interface LocalWorkspace {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  readonly functions: AppFunctions;
  readonly clock: TurnableClock;
  /** The token of this workspace, which is valid nowhere else. Replaced when it is revoked. */
  readonly token: string;
  /**
   * Loads the seed into an empty workspace, once. The first call that could notice waits for it. After a failure the next
   * call tries again. @throws ProjectError
   */
  planted(): Promise<void>;
  /** Why the last attempt to load the seed failed. */
  seedProblem(): unknown;
  /** A door to the workspace; by default with the permissions of the person at this machine. */
  door(caller?: Caller): Door;
  close(): Promise<void>;
}

/** The person at this machine. */
export const localCaller: Caller = {
  type: 'local',
  id: null,
  scopes,
};

/**
 * Opens the embedded workspace of an app: for `fn dev`, for one-shot commands and for tests.
 * @throws MachineError if the state cannot be read or written, is another user's and cannot be set aside, or another process owns it
 */
export async function openLocal(options: LocalOptions): Promise<LocalWorkspace> {
  const { project, database } = options;
  const kept = database === 'file';
  if (kept) ownState(project, options);
  const clock = options.clock ?? new TurnableClock();
  let emulator: Emulator | undefined;
  const { development = false } = options;
  const compiling = openBundler(project, { development, ...tellingOfLong(options.onEvent) }, options.scratch);
  const sandbox = await openSandboxWithPrelude(options);
  const { scratch, onEvent } = options;
  const functions = appFunctions({
    project,
    ...compiling,
    // A description from the cache runs nothing, so what it ran would be missing from the coverage.
    ...(options.onCoverage && { cacheDir: undefined }),
    sandbox,
    ...(scratch && { scratch }),
    ...(onEvent && { onEvent }),
  });
  if (options.ahead) {
    void functions.loadLikely();
    // The compiler and the sandbox run in parallel: pending messages to them are sent before each longer step here.
    await nextTurn();
  }
  const ownSecrets = async () => ({
    ...Object.fromEntries(await readLocalSecrets(project, process.env)),
    ...options.secrets,
  });
  const workspace = await openWorkspace({
    file: kept ? databaseFile(project.stateDir) : ':memory:',
    slug: options.slug ?? 'dev',
    baseUrl: () => emulator?.baseUrl ?? '',
    clock,
    namedSecrets: ownSecrets,
    waitForOwner: options.waitForOwner,
  }).catch(async (error: unknown) => {
    await functions.close();
    await sandbox.close();
    throw error;
  });
  if (options.ahead) await nextTurn();
  let token = kept ? localToken(project.stateDir) : newLocalToken();
  // Revoking it is meant to invalidate known copies, not to lock this machine out.
  const renew = async () => {
    token = kept ? renewLocalToken(project.stateDir) : newLocalToken();
    await workspace.installLocalToken(token, renew);
  };
  await workspace.installLocalToken(token, renew);
  const offsetMs = kept ? await workspace.clock.keptOffset() : 0;
  if (offsetMs !== 0) clock.advance(offsetMs);
  // Not now: loading the seed takes longer than everything else at a first start, and many functions never read the data.
  let seedProblem: unknown;
  const planted = untilDone(async () => {
    try {
      await plant(workspace, options.scratch?.alone ? undefined : project, options.seed);
      seedProblem = undefined;
    } catch (error) {
      seedProblem = error;
      throw error;
    }
  });
  const living = await openEmulator({
    workspace,
    sandbox,
    sources: options.withoutApp ? [] : [functions],
    clock,
    planted,
    ...(!options.scratch?.alone && { appSeed: () => readSeed(project) }),
    ...(kept && { stateDir: project.stateDir }),
    ...(kept && !options.withoutApp && { appFolder: project.root }),
    ...(kept && options.withoutApp && { tokenFile: localTokenFile(project.stateDir) }),
    localSecrets: async (app) => (app === project.app ? ownSecrets() : {}),
    ...(!options.withoutApp && {
      packages: () => ({ folder: project.root, trusted: isTrusted(project.root, options.env) }),
    }),
    ...(options.otlpEndpoint !== undefined && { otlpEndpoint: options.otlpEndpoint }),
    ...(options.functionDoor && { functionDoor: options.functionDoor }),
    ...(options.network && { network: options.network }),
    ...(options.onEvent && { onEvent: options.onEvent }),
  });
  emulator = living;
  return {
    emulator: living,
    workspace,
    sandbox,
    functions,
    clock,
    get token() {
      return token;
    },
    planted,
    seedProblem: () => seedProblem,
    door: (caller = localCaller) => living.door(caller),
    async close() {
      await living.close();
      await functions.close();
      await sandbox.close();
      await workspace.close();
    },
  };
}

/** Makes the state folder, as this user's own. */
function ownState({ stateDir }: Project, { env, onEvent }: Pick<LocalOptions, 'env' | 'onEvent'>): void {
  const aside = setAsideForeignState(stateDir, env);
  if (aside !== undefined)
    onEvent?.({ type: 'problem', code: 'state_set_aside', message: setAsideWords(stateDir, aside) });
  makeStateFolder(stateDir);
  claimState(stateDir, env);
}

async function plant(workspace: Workspace, project: Project | undefined, given: Seed | undefined): Promise<void> {
  if (!(await workspace.seed.isEmpty())) return workspace.seed.fillSecrets();
  const own = given === undefined && project ? await readSeed(project) : undefined;
  try {
    await workspace.seed.apply(workspace.seed.beginning(given ?? own));
  } catch (error) {
    throw own && project ? await placedSeedProblem(error, project) : error;
  }
}

/** Runs the work once, for any number of callers. After a failure, the next call starts it again. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}

/** The functions of an app without a workspace: enough to bundle, load and list them. */
export interface BareFunctions {
  readonly functions: AppFunctions;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
}

/** For `fn build`, `fn list` and `fn deploy`: in `.fn` nothing but the cache is written. */
export async function openFunctions(
  project: Project,
  onEvent?: (event: LocalEvent) => void,
  bundling: BundlerOptions = {},
): Promise<BareFunctions> {
  const compiling = openBundler(project, { once: true, ...bundling, ...tellingOfLong(onEvent) });
  keepStatePrivate(project.stateDir);
  const sandbox = await openSandboxWithPrelude(onEvent && { onEvent });
  if (!compiling.hasBuilt) sandbox.expectList();
  const functions = appFunctions({ project, ...compiling, sandbox, listing: true, ...(onEvent && { onEvent }) });
  return {
    functions,
    sandbox,
    async close() {
      await functions.close();
      await sandbox.close();
    },
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Compiling {
  readonly bundler: Bundler;
  /** Folder of the bundle cache; undefined for a folder that is not an app. */
  readonly cacheDir: string | undefined;
  /** Whether the cache contains anything. */
  readonly hasBuilt: boolean;
}

function tellingOfLong(onEvent?: (event: LocalEvent) => void): Pick<BundlerOptions, 'onLong'> {
  return { onLong: (names, ms) => onEvent?.({ type: 'building', names, ms }) };
}

function openBundler(project: Project, bundling: BundlerOptions, scratch?: Scratch): Compiling {
  const cacheDir = scratch?.alone ? undefined : join(project.stateDir, 'cache');
  const bundles = cacheDir && join(cacheDir, 'bundles');
  const bundler = new Bundler({ ...(bundles && { cacheDir: bundles }), ...bundling });
  const hasBuilt = bundles !== undefined && existsSync(bundles);
  // If nothing was bundled before, the compiler will be needed: its process starts in parallel.
  if (!hasBuilt) bundler.prepare().catch(() => {});
  return { bundler, cacheDir, hasBuilt };
}

function appFunctions(given: Omit<AppFunctionsOptions, 'descriptions'> & Compiling): AppFunctions {
  const { cacheDir, hasBuilt: _, ...options } = given;
  return new AppFunctions({
    ...options,
    descriptions: new DescribeCache(cacheDir && join(cacheDir, 'descriptions.json')),
  });
}

type SandboxWishes = Partial<Pick<LocalOptions, 'project' | 'processes' | 'inspect' | 'onEvent' | 'onCoverage'>>;

async function openSandboxWithPrelude({
  project,
  processes,
  inspect,
  onEvent,
  onCoverage,
}: SandboxWishes = {}): Promise<Sandbox> {
  return openSandbox({
    prelude: await preludeSource(),
    ...(processes !== undefined && { processes }),
    ...(inspect && { inspect: { ...inspect, host: '127.0.0.1', ...(project && { root: project.root }) } }),
    ...(onCoverage && { onCoverage }),
    onProblem: ({ code, message }) => onEvent?.({ type: 'problem', code, message }),
  });
}
