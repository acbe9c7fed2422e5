import type { ProjectPackages } from '../agent/index.ts';
import {
  type Caller,
  type Door,
  type EventKind,
  flowTriggers,
  type OperationName,
  type Output,
  operationOf,
  type ParsedInput,
  refusal,
} from '../contract/index.ts';
import type { Seed } from '../contract/shapes/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { ProjectError, type TurnableClock, toTimestamp } from '../std/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { doorOf, type EmulatorDoor } from './door.ts';
import type { EmulatorEvent } from './events.ts';
import { AppFlows } from './flows/app-flows.ts';
import { flowWorker } from './flows/flow-worker.ts';
import { type NodeAnswer, NodeStubs } from './flows/node-stubs.ts';
import { requireAppOf } from './handlers/built-in.ts';
import { firstChecksOf } from './handlers/first-checks.ts';
import { followUpsOf } from './handlers/follow-ups.ts';
import { type MachineParts, machineHandlers } from './handlers/index.ts';
import { type HttpFace, type Listening, type ListenOptions, openHttp } from './http/index.ts';
import { systemCaller } from './invoke/arguments.ts';
import { failureLine } from './invoke/failure.ts';
import type { Network } from './invoke/fetch/outgoing-fetch.ts';
import { Invoker } from './invoke/invoker.ts';
import { LogStream } from './invoke/log-stream.ts';
import { Secrets } from './invoke/secrets.ts';
import { backgroundCalls } from './jobs/background-calls.ts';
import { Scheduler } from './jobs/cron.ts';
import { expiryWorker } from './jobs/expiry.ts';
import { JobRunner } from './jobs/runner.ts';
import { LiveFrames } from './live-frames.ts';
import { McpClients } from './mcp/mcp-clients.ts';
import { McpTools } from './mcp/mcp-tools.ts';
import { Agents } from './runs/agents.ts';
import { RunDoors } from './runs/run-doors.ts';
import { RunFeed } from './runs/run-feed.ts';
import { runWorker } from './runs/run-worker.ts';
import { AgentTeller } from './runs/tell-agents.ts';
import { Apps } from './sources/apps.ts';
import type { FunctionSource } from './sources/function-source.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import { AppTools, confirmedCalls, ToolsGate } from './tools/index.ts';
import { AppEndpoints } from './webhooks/app-endpoints.ts';
import { deliverToFunction } from './webhooks/deliver-to-function.ts';
import { Deliveries } from './webhooks/deliveries.ts';

export interface EmulatorOptions {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  /** Functions that are not deployed: an app's folder. */
  readonly sources: readonly FunctionSource[];
  readonly clock: TurnableClock;
  /** Folder for what must survive a restart: the key of browser sessions. */
  readonly stateDir?: string;
  /** The file of the local token, if this workspace belongs to no app's folder: a workspace for practice. */
  readonly tokenFile?: string;
  /** The folder of the app in development: the console opens its files in an editor. */
  readonly appFolder?: string;
  /** `process.env` of functions whose source does not define it. */
  readonly environment?: (app: string) => Readonly<Record<string, string>>;
  /** Values on this machine that override the workspace's secrets. */
  readonly localSecrets?: (app: string) => Promise<Readonly<Record<string, string>>>;
  /** Replaces the local door for functions' calls. */
  readonly functionDoor?: (caller: Caller, local: Door) => Door;
  /** Replaces this machine's network for functions' `fetch`. */
  readonly network?: Network;
  /** Resolves when the seed is loaded; awaited before the first call that could notice. */
  readonly planted?: () => Promise<void>;
  /** The app's own seed, loaded by a reset without another one. */
  readonly appSeed?: () => Promise<Seed | undefined>;
  /** Where packages of the app are loaded from, for harnesses made of an SDK; undefined without an app. */
  readonly packages?: () => ProjectPackages | undefined;
  /** Base address of an OTLP/HTTP collector, which is told of runs of AI agents. */
  readonly otlpEndpoint?: string | undefined;
  readonly onEvent?: (event: EmulatorEvent) => void;
}

/** A running workspace: its state, its functions, its clock, and its faces. */
export interface Emulator {
  /** Address of the last listener; before that, the default address. */
  readonly baseUrl: string;
  door(caller: Caller): Door;
  /** The gate for tools. */
  readonly tools: ToolsGate;
  /**
   * The door's `functions.invoke` for input from our own code. It is not parsed again, so a one-shot command need not load the
   * schema library.
   * @throws WorkspaceError if the function fails or cannot be run
   */
  invoke(
    input: ParsedInput<'functions.invoke'>,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<Output<'functions.invoke'>>;
  /** Starts serving HTTP and firing cron jobs. @throws MachineError port_busy, port_unusable */
  listen(options: ListenOptions): Promise<Listening>;
  /**
   * Begins to work on jobs; `listen` does so by itself.
   * @param isNew of a workspace in which nothing can be due yet: schedules are read when the clock is turned
   */
  work(isNew?: boolean): Promise<void>;
  /** For tests: lets a node of a flow answer this instead of doing its work; undefined: it does its work again. */
  stubFlowNode(flow: string, node: string, answer: NodeAnswer | undefined): void;
  /** Resolves when nothing is due. @returns what still runs or waits after 30 s, as `kind id` */
  settled(): Promise<string[]>;
  /** A new address with a one-time code that signs a browser in. */
  openUrl(path?: string): string;
  /**
   * Resolves when no request is being answered, or after a moment. Deferrable work awaits this first.
   * @param expectMs how long to wait for a first request
   */
  quiet(expectMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Turns an error of the seed file into a refusal, so that HTTP clients see the reason, too. */
function refuseSeed(error: unknown): never {
  if (error instanceof ProjectError) throw refusal('seed_invalid', error.message, { hint: error.hint, cause: error });
  throw error;
}

/** Shows followers what is going on; logs and invocations as their operations show them, without input and result. */
function showLive(frames: LiveFrames, event: EmulatorEvent): void {
  if (event.type === 'log' && frames.wants('log')) {
    const { type: _, atMs, ...line } = event;
    frames.send('log', { at: toTimestamp(atMs), ...line });
  } else if (event.type === 'invoked' && frames.wants('invocation')) {
    const { type: _, ...invocation } = event;
    frames.send('invocation', invocation);
  }
}

/** Whether an event may start a flow, or go on with one. */
const isSeenByFlows = (emits: readonly EventKind[] = []) => emits.some((kind) => kind in flowTriggers);

/** Combines a workspace, a sandbox and the functions of apps. */
export async function openEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { workspace, sandbox, clock } = options;
  let baseUrl = 'http://127.0.0.1:4400';
  let listens = false;
  const logStream = new LogStream((name, input) => door(systemCaller)(name, input));
  const liveFrames = new LiveFrames();
  const emit = (event: EmulatorEvent) => {
    showLive(liveFrames, event);
    if (event.type === 'log') logStream.write(event);
    else if (event.type === 'invoked') {
      const { invocationId, app, function: name, error } = event;
      if (error) {
        const line = { level: 'error' as const, text: failureLine(error), atMs: clock.now() };
        logStream.write({ type: 'log', invocationId, app, function: name, ...line });
      }
      logStream.ended(invocationId);
    }
    options.onEvent?.(event);
  };
  const secrets = new Secrets({ workspace, localSecrets: options.localSecrets });
  const apps = new Apps({ workspace, sources: options.sources, onRetired: (id) => sandbox.retire(id) });
  apps.onBuild((build) => liveFrames.send('build', build));
  // What was built is live now, or another deployment: builds.list says what there is.
  apps.onChange((app) => liveFrames.send('build', { app, function: null }));
  workspace.seed.onChange(() => liveFrames.send('seed', {}));
  clock.onTurn(() => liveFrames.send('clock', { now: toTimestamp(clock.now()), offsetMs: Math.round(clock.offsetMs) }));
  const invoker: Invoker = new Invoker({
    workspace,
    sandbox,
    clock,
    secrets,
    baseUrl: () => baseUrl,
    environment: options.environment ?? (() => ({})),
    functionDoor: (caller) =>
      (options.functionDoor?.(caller, door(caller)) as EmulatorDoor | undefined) ?? door(caller),
    network: options.network,
    emit,
  });
  const runner = new JobRunner({ workspace, clock, emit });
  const scheduler = new Scheduler({ apps, invoker, workspace, clock, runner, emit });
  const deliveries = new Deliveries({
    workspace,
    deliverToFunction: (delivery, signal) =>
      deliverToFunction({ apps, invoker, secrets, workspace, baseUrl: () => baseUrl }, delivery, signal),
    emit,
  });
  runner.register('delivery', deliveries);
  runner.register('expiry', expiryWorker(workspace));
  const agents = new Agents(apps, workspace);
  const runFeed = new RunFeed();
  const runDoors = new RunDoors(() => (listens ? baseUrl : undefined));
  const appTools = new AppTools({ apps, invoker, workspace });
  const mcpClients = new McpClients({ workspace });
  const mcpTools = new McpTools(mcpClients, workspace);
  const tools = new ToolsGate({
    workspace,
    clock,
    emit,
    sources: async () => [...(await appTools.sources()), ...(await mcpTools.sources())],
  });
  runner.register('tool-call', confirmedCalls(tools));
  const packages = options.packages ?? (() => undefined);
  const telemetry = openTelemetry(options.otlpEndpoint, workspace, emit);
  const agentRuns = runWorker({
    workspace,
    agents,
    tools,
    secrets,
    packages,
    feed: runFeed,
    doors: runDoors,
    liveFrames,
    clock,
    ...(telemetry && { onStopped: telemetry.runStopped }),
  });
  runner.register('agent-run', agentRuns);
  const appEndpoints = new AppEndpoints({ apps, workspace, emit });
  const appFlows = new AppFlows({
    apps,
    workspace,
    agents,
    tools,
    door: (caller) => door(caller),
    onScheduled: () => scheduler.look(),
    emit,
  });
  const agentTeller = new AgentTeller({ apps, agents, tools, door: (caller) => door(caller), emit });
  const parts: MachineParts = {
    workspace,
    apps,
    agents,
    invoker,
    secrets,
    scheduler,
    runner,
    appEndpoints,
    appFlows,
    mcpClients,
    tools,
    clock,
    baseUrl: () => baseUrl,
    openUrl: (path) => (listens ? face().openUrl(path) : undefined),
    packages,
    appSeed: async () => options.appSeed?.().catch(refuseSeed),
    door,
  };
  runner.register('invocation', backgroundCalls(parts));
  const nodeStubs = new NodeStubs();
  runner.register('flow-step', flowWorker(parts, nodeStubs));
  const handlers = machineHandlers(parts);
  let planted = false;
  const plant = async () => {
    try {
      await Promise.all([apps.register(), options.planted?.()]);
    } catch (error) {
      refuseSeed(error);
    } finally {
      planted = true; // whoever asked first is told; the workspace goes on without its seed
    }
  };
  /** In a new workspace the first events must find the functions that subscribe to them. */
  let subscribing: Promise<void> | undefined;
  const firstCheck = firstChecksOf(parts);
  const before = (name: OperationName, input: unknown, caller: Caller) => {
    const { withoutSeed, by, emits, readsFlows } = operationOf(name);
    const reading = readsFlows ? appFlows.look() : isSeenByFlows(emits) ? appFlows.ready() : undefined;
    const waits = [
      ...(planted || withoutSeed ? [] : [plant()]),
      ...(reading ? [reading] : []),
      ...(subscribing && by === 'state' && emits ? [subscribing] : []),
    ];
    const check = () => requireAppOf(parts, name) ?? firstCheck(name, input, caller);
    return waits.length === 0 ? check() : Promise.all(waits).then(check);
  };
  const after = followUpsOf(parts);

  function door(caller: Caller): EmulatorDoor {
    return doorOf({ workspace, handlers, before, after }, caller);
  }

  /** Schedules are known before the first job runs, so that one whose function is gone is not taken for a mistake. */
  const work = async (isNew = false) => {
    const subscribed = appEndpoints.start(isNew).then(() => {
      subscribing = undefined;
    });
    if (isNew) subscribing = subscribed;
    else await Promise.all([scheduler.start(), subscribed, appFlows.start()]);
    if (!isNew) await tools.endAbandoned();
    agentTeller.start();
    runner.start(isNew);
  };

  let http: HttpFace | undefined;
  let closed: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;
  const face = () => {
    http ??= openHttp({
      ...parts,
      logStream,
      liveFrames,
      runFeed,
      runDoors,
      emit,
      ...(options.stateDir !== undefined && { stateDir: options.stateDir }),
      ...(options.tokenFile !== undefined && { tokenFile: options.tokenFile }),
      ...(options.appFolder !== undefined && { appFolder: options.appFolder }),
    });
    return http;
  };

  return {
    tools,
    get baseUrl() {
      return baseUrl;
    },
    door,
    invoke: (input, caller, signal) => handlers['functions.invoke'](input, caller, signal ? { signal } : {}),
    async listen(wanted) {
      const listening = await face().listen(wanted);
      baseUrl = listening.url;
      listens = true;
      // Reading every config would delay the first answer; the schedule can wait for a quiet moment.
      later = setTimeout(() => void Promise.allSettled([work(), workspace.warm(), plant()]), 250).unref();
      return listening;
    },
    work,
    stubFlowNode: (flow, node, answer) => nodeStubs.set(flow, node, answer),
    settled: () => runner.settled(),
    openUrl: (path) => face().openUrl(path),
    quiet: async (expectMs) => {
      await http?.quiet(expectMs);
    },
    close() {
      closed ??= (async () => {
        clearTimeout(later);
        scheduler.close();
        appEndpoints.close();
        appFlows.close();
        await agentTeller.close();
        logStream.close();
        await runner.close();
        await agentRuns.close();
        await telemetry?.close();
        await deliveries.close();
        await mcpClients.close();
        await Promise.all([http?.close(), invoker.close()]);
        await apps.close();
        await workspace.invocations.flush();
      })();
      return closed;
    },
  };
}
