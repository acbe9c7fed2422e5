import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { stampOf, type Watcher, watchApp } from '../bundle/index.ts';
import type { Caller, Door } from '../contract/index.ts';
import {
  databaseFile,
  findRunningDev,
  forgetRunningDev,
  type LocalWorkspace,
  localTokenFile,
  openLocal,
  patience,
  writeRunningDev,
} from '../emulator/index.ts';
import {
  type Project,
  placedSeedProblem,
  readSeed,
  requireProject,
  seedFile,
  writeEditorFiles,
} from '../project/index.ts';
import { type Environment, FnError, MachineError, ProjectError, toTimestamp } from '../std/index.ts';
import { invokeAgain } from './again.ts';
import type { DevEvent, Listening } from './events.ts';
import { installer } from './install.ts';
import { applyMcpLock } from './mcp-lock.ts';
import { secretsTeller } from './missing-secrets.ts';
import { trustTeller } from './missing-trust.ts';
import { exampleRequest, readyFlowsAndAgents, readyFunctions } from './ready.ts';
import { tellRuns } from './runs.ts';
import { Sources } from './sources.ts';

export interface DevOptions {
  readonly project: Project;
  /** Default 4400, for practice 4480; if busy, the next free port, unless `strictPort`. */
  readonly port?: number;
  readonly strictPort?: boolean;
  /** Listens beyond loopback. Tokens are then required everywhere. */
  readonly host?: boolean;
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  readonly inspectPort?: number;
  /** Where this user's own folders are; default: as this process has it. */
  readonly env?: Environment;
  /** Base address of an OTLP/HTTP collector. */
  readonly otlpEndpoint?: string | undefined;
  /** A seed file instead of the app's `seed.json`. */
  readonly seedFile?: string;
  /** The door that the functions' `sdk` uses, for --relay; default: the door of the local workspace. */
  readonly functionDoor?: (caller: Caller, local: Door) => Door;
  readonly emit: (event: DevEvent) => void;
  /** A workspace with this slug that has no app of this folder, only what is deployed to it. */
  readonly practice?: { readonly slug: string };
  /** Called once if the start waits for another command that uses the app's workspace. */
  readonly onWait: () => void;
  /** Ends that wait. */
  readonly signal: AbortSignal;
}

/** A running `fn dev`. */
export interface DevSession {
  readonly local: LocalWorkspace;
  readonly listening: Listening;
  /**
   * Resolves when every function has been examined once and `ready` has been emitted.
   * @throws MachineError `sandbox_unavailable`
   */
  readonly settled: Promise<void>;
  /** Reloads everything: config, seed file and functions. */
  restart(): Promise<void>;
  /** Repeats an invocation. @throws WorkspaceError when the function fails or is gone */
  again(invocationId: string): Promise<void>;
  close(): Promise<void>;
}

const defaultPort = 4400;
/** Of its own, so that the address one has logged in to stays the same whatever else runs. */
const practicePort = 4480;

/** How long the function being worked on goes first: a build that does not finish must not hold up the others. */
const likelyMs = 500;

/** A client that waited for the port sends its first request within this time. */
const firstRequestMs = 20;

/**
 * Starts the local workspace of an app and keeps it in step with the folder.
 * @throws MachineError `dev_running` when another process serves this app already, `port_busy` for a strict port
 */
export async function startDev(options: DevOptions): Promise<DevSession> {
  const { project, emit } = options;
  await refuseSecond(options);
  const seed = options.seedFile === undefined ? undefined : await readSeed(project, options.seedFile);
  const sources = new Sources();
  const local = await openLocal({
    project,
    database: 'file',
    ...(options.env && { env: options.env }),
    waitForOwner: patience(project.stateDir, options.signal, options.onWait),
    ahead: true,
    development: true,
    ...(seed && { seed }),
    ...(options.inspectPort !== undefined && { inspect: { port: options.inspectPort } }),
    ...(options.otlpEndpoint !== undefined && { otlpEndpoint: options.otlpEndpoint }),
    ...(options.functionDoor && { functionDoor: options.functionDoor }),
    ...(options.practice && { slug: options.practice.slug, withoutApp: true }),
    onEvent: (event) => {
      if (event.type === 'built') sources.built(event.inputs);
      emit(event);
    },
  }).catch(async (error: unknown) => {
    // Another `fn dev` that started at the same time may have it.
    await refuseSecond(options);
    throw error;
  });
  try {
    const listening = await listen(local, options);
    return keepInStep(local, listening, options, sources);
  } catch (error) {
    await local.close();
    throw error;
  }
}

async function refuseSecond({ project, practice }: DevOptions): Promise<void> {
  const other = await findRunningDev(project.stateDir);
  if (!other || other.pid === process.pid) return;
  throw new MachineError(
    'dev_running',
    `"fn dev${practice ? ' --practice' : ''}" is already running${practice ? '' : ' for this app'}: ${other.url} (process ${other.pid})`,
    {
      hint: 'Use that one, or stop it with Ctrl-C in its terminal.',
    },
  );
}

async function listen(local: LocalWorkspace, options: DevOptions): Promise<Listening> {
  const { project } = options;
  const wanted = options.port ?? (options.practice ? practicePort : defaultPort);
  const { url, port, beyond } = await local.emulator.listen({
    port: wanted,
    strict: options.strictPort ?? false,
    host: options.host ?? false,
    allowHosts: options.allowHosts ?? [],
    allowOrigins: options.allowOrigins ?? [],
  });
  const slug = local.workspace.slug;
  const startedAt = toTimestamp(Date.now());
  writeRunningDev(project.stateDir, { pid: process.pid, url, port, slug, startedAt });
  const listening: Listening = {
    type: 'listening',
    url,
    openUrl: local.emulator.openUrl(),
    port,
    ...(beyond && { beyond }),
    ...(wanted !== 0 && port !== wanted && { busyPort: wanted }),
    app: project.app,
    workspace: { slug, url: `${url}/tenants/${slug}` },
    token: local.token,
    ...(options.practice && { practice: { tokenFile: localTokenFile(project.stateDir) } }),
    ...(options.inspectPort !== undefined && { inspectPort: options.inspectPort }),
  };
  options.emit(listening);
  return listening;
}

async function keepInStep(
  local: LocalWorkspace,
  listening: Listening,
  options: DevOptions,
  sources: Sources,
): Promise<DevSession> {
  const { emit } = options;
  let project = options.project;
  const install = options.practice ? async () => {} : installer(local, emit);
  const tellSecrets = secretsTeller(local, emit);
  const tellTrust = trustTeller(local, emit, options.env ?? process.env);
  const endTelling = tellRuns(local, emit);

  const configFile = join(project.root, 'fn.config.json');
  let configStamp = stampOf(configFile);
  let reloading: Promise<void> | undefined;

  async function reloadConfig(): Promise<void> {
    // There is no config to read, and one in a folder above is none of ours.
    if (options.practice) return;
    configStamp = stampOf(configFile);
    try {
      const next = await requireProject(project.root);
      if (next.app !== project.app) throw appRenamed(project.app, next.app);
      project = next;
      await local.functions.reconfigure(project);
      emit({ type: 'reloaded', what: 'config' });
      await lookForSecrets();
    } catch (error) {
      emit({ type: 'reload-failed', what: 'config', error: known(error) });
    }
  }

  /** With relay, a function reads the secrets of the other workspace. */
  async function lookForSecrets(): Promise<void> {
    if (!options.functionDoor) await tellSecrets(project);
  }

  /** A workspace for practice has no packages. */
  async function lookForTrust(): Promise<void> {
    if (!options.practice) await tellTrust(project);
  }

  /** Reloads the config if it was saved. Requests ask for this, too: where files cannot be watched, nothing else would notice. */
  function followConfig(): Promise<void> | undefined {
    if (!reloading && stampOf(configFile) !== configStamp) {
      reloading = reloadConfig().finally(() => {
        reloading = undefined;
      });
    }
    return reloading;
  }
  local.functions.followConfig(followConfig);

  async function reloadSeed(): Promise<void> {
    try {
      const seed = await readSeed(project, options.seedFile);
      if (!seed) return;
      if (local.seedProblem() !== undefined && options.seedFile === undefined) await local.planted();
      emit({ type: 'reloaded', what: 'seed', made: await local.workspace.seed.apply(seed) });
    } catch (error) {
      emit({
        type: 'reload-failed',
        what: 'seed',
        error: known(await placedSeedProblem(error, project, options.seedFile)),
      });
    }
  }

  async function reloadFunctions(): Promise<void> {
    try {
      await local.functions.refresh();
    } catch (error) {
      emit({ type: 'reload-failed', what: 'functions', error: known(error) });
    }
  }

  /** A setup relies on the data: if the seed is invalid, the installation waits for a valid one. */
  async function installSeeded(options?: { again: boolean }): Promise<void> {
    if (local.seedProblem() === undefined) await install(options);
  }

  let stateMissed = false;
  /** Notices that the database file was deleted, as by `git clean -dfx`: its data then ends with this process. */
  function lookForState(): void {
    if (stateMissed || existsSync(databaseFile(project.stateDir)) || !existsSync(project.root)) return;
    stateMissed = true;
    emit({
      type: 'problem',
      code: 'workspace_gone',
      message: `${project.stateDir} was deleted: this workspace’s data will be lost when fn dev stops, and other commands open a new one. Restart fn dev`,
    });
  }

  // Changes are handled in order: a save of the config must not overtake an earlier save of a function.
  let queue: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work);
    return queue;
  };

  const seedPath = options.seedFile === undefined ? seedFile : relative(project.root, resolve(options.seedFile));

  async function onChange(paths: readonly string[]): Promise<void> {
    // A request that waits for the saved function is already building it; the others are examined after its answer.
    await local.emulator.quiet();
    lookForState();
    const changed = new Set(paths.map((path) => relative(project.root, path)));
    if (changed.delete('fn.config.json')) await followConfig();
    if (changed.delete(seedPath)) await reloadSeed();
    if (changed.size > 0) await reloadFunctions();
    await installSeeded();
    await lookForTrust();
  }

  let watching: Promise<Watcher> | undefined;
  let closed: Promise<void> | undefined;

  /** Requests during the start are answered first: each of these steps keeps the process busy for a while. */
  async function settle(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, likelyMs).unref());
    await Promise.race([local.functions.loadLikely(), late]);
    await local.emulator.quiet(firstRequestMs);
    if (closed !== undefined) return;
    watching = watchApp(
      project.root,
      (paths) => void inTurn(() => onChange(paths)),
      (error) => emit({ type: 'watch-failed', error }),
    );
    sources.watchedBy(await watching);
    await local.emulator.quiet();
    const functions = await readyFunctions(local, listening.url);
    await local.emulator.quiet();
    try {
      await local.planted();
    } catch (error) {
      emit({
        type: 'reload-failed',
        what: 'seed',
        error: known(await placedSeedProblem(error, project, options.seedFile)),
      });
    }
    await applyMcpLock(project, local.door()).catch((error: unknown) => {
      emit({ type: 'reload-failed', what: 'config', error: known(error) });
    });
    await installSeeded();
    const example = await exampleRequest(project, functions);
    const more = await readyFlowsAndAgents(local);
    emit({
      ...listening,
      type: 'ready',
      functions,
      ...more,
      ...(example && { example }),
      ms: process.uptime() * 1_000,
    });
    await lookForSecrets();
    await lookForTrust();
    // After the ready line, which need not wait for it: with cached functions, nothing else would notice that this machine can run none.
    await local.sandbox.ready;
    await local.emulator.quiet();
    void local.functions.rest();
    writeEditorFiles(project);
  }

  return {
    local,
    listening,
    settled: settle(),
    restart: () =>
      inTurn(async () => {
        await reloadConfig();
        await reloadSeed();
        await installSeeded({ again: true });
      }),
    async again(invocationId) {
      await invokeAgain(local.door(), invocationId);
    },
    close() {
      closed ??= (async () => {
        await (await watching)?.close();
        endTelling();
        forgetRunningDev(project.stateDir);
        await local.close();
        emit({ type: 'stopped' });
      })();
      return closed;
    },
  };
}

function appRenamed(before: string, after: string): ProjectError {
  return new ProjectError(
    'app_renamed',
    `The app is now named "${after}" in fn.config.json; "${before}" is being served`,
    {
      hint: 'The name is part of every address. Restart "fn dev".',
    },
  );
}

/** Expected errors are shown; anything else is a bug of ours and ends the process. */
function known(error: unknown): FnError {
  if (error instanceof FnError) return error;
  throw error;
}
