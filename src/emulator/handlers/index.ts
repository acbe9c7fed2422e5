import type { MachineHandlers } from '../door.ts';
import { agentHandlers } from './agents.ts';
import { appHandlers } from './apps.ts';
import { buildHandlers } from './builds.ts';
import { builtInHandlers } from './built-in.ts';
import { clockHandlers } from './clock.ts';
import { deploymentHandlers } from './deployments.ts';
import { fixtureHandlers } from './fixtures.ts';
import { flowHandlers } from './flows.ts';
import { functionHandlers } from './functions.ts';
import { mcpClientHandlers } from './mcp-clients.ts';
import type { MachineParts } from './parts.ts';
import { testHandlers } from './tests.ts';
import { toolHandlers } from './tools.ts';
import { Turns } from './turns.ts';
import { workspaceHandlers } from './workspace.ts';

export type { MachineParts } from './parts.ts';

/** Handlers of all operations that need a machine; the compiler reports a missing one. */
export function machineHandlers(parts: MachineParts): MachineHandlers {
  const { workspace } = parts;
  const turns = new Turns();
  return {
    ...functionHandlers(parts),
    ...fixtureHandlers(parts),
    ...testHandlers(parts),
    ...buildHandlers(parts),
    ...builtInHandlers(parts),
    ...flowHandlers(parts),
    ...appHandlers(parts, turns),
    ...deploymentHandlers(parts, turns),
    ...workspaceHandlers(parts),
    ...clockHandlers(parts),
    ...agentHandlers(parts),
    ...mcpClientHandlers(parts),
    ...toolHandlers(parts),
    'media.get': ({ mediaId }) => workspace.media.read(mediaId),
  };
}
