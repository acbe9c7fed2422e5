import type { ProjectPackages } from '../../agent/index.ts';
import type { Caller } from '../../contract/index.ts';
import type { Seed } from '../../contract/shapes/index.ts';
import type { TurnableClock } from '../../std/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { CallableOperation, EmulatorDoor, MachineHandlers } from '../door.ts';
import type { AppFlows } from '../flows/app-flows.ts';
import type { Invoker } from '../invoke/invoker.ts';
import type { Secrets } from '../invoke/secrets.ts';
import type { Scheduler } from '../jobs/cron.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { McpClients } from '../mcp/mcp-clients.ts';
import type { Agents } from '../runs/agents.ts';
import type { Apps } from '../sources/apps.ts';
import type { ToolsGate } from '../tools/gate.ts';
import type { AppEndpoints } from '../webhooks/app-endpoints.ts';

/** Dependencies of the operations' handlers here. */
export interface MachineParts {
  readonly workspace: Workspace;
  readonly apps: Apps;
  readonly agents: Agents;
  readonly invoker: Invoker;
  readonly secrets: Secrets;
  readonly scheduler: Scheduler;
  readonly runner: JobRunner;
  readonly appEndpoints: AppEndpoints;
  readonly appFlows: AppFlows;
  readonly mcpClients: McpClients;
  readonly tools: ToolsGate;
  /** Where harnesses made of an SDK load its package from. */
  readonly packages: () => ProjectPackages | undefined;
  readonly clock: TurnableClock;
  readonly baseUrl: () => string;
  /** An address with a one-time code that signs a browser in; undefined while nothing listens. */
  readonly openUrl: (path?: string) => string | undefined;
  /** The app's own seed. @throws WorkspaceError seed_invalid */
  readonly appSeed: () => Promise<Seed | undefined>;
  readonly door: (caller: Caller) => EmulatorDoor;
}

/** The handlers of the named areas. */
export type HandlersOf<Area extends string> = Pick<MachineHandlers, CallableOperation & `${Area}.${string}`>;
