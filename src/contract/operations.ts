import { agentOperations } from './areas/agents.ts';
import { appOperations } from './areas/apps.ts';
import { buildOperations } from './areas/builds.ts';
import { channelOperations } from './areas/channels.ts';
import { clockOperations } from './areas/clock.ts';
import { confirmationOperations } from './areas/confirmations.ts';
import { conversationOperations } from './areas/conversations.ts';
import { customerOperations } from './areas/customers.ts';
import { deliveryOperations } from './areas/deliveries.ts';
import { deploymentOperations } from './areas/deployments.ts';
import { eventOperations } from './areas/events.ts';
import { fixtureOperations } from './areas/fixtures.ts';
import { flowOperations } from './areas/flows.ts';
import { functionOperations } from './areas/functions.ts';
import { harnessOperations } from './areas/harnesses.ts';
import { invocationOperations } from './areas/invocations.ts';
import { jobOperations } from './areas/jobs.ts';
import { listenerOperations } from './areas/listeners.ts';
import { mcpClientOperations } from './areas/mcp-clients.ts';
import { mediaOperations } from './areas/media.ts';
import { messageOperations } from './areas/messages.ts';
import { noteOperations } from './areas/notes.ts';
import { packOperations } from './areas/packs.ts';
import { runOperations } from './areas/runs.ts';
import { secretOperations } from './areas/secrets.ts';
import { sessionOperations } from './areas/sessions.ts';
import { storeOperations } from './areas/store.ts';
import { templateOperations } from './areas/templates.ts';
import { testOperations } from './areas/tests.ts';
import { tokenOperations } from './areas/tokens.ts';
import { toolOperations } from './areas/tools.ts';
import { traceOperations } from './areas/traces.ts';
import { variableOperations } from './areas/variables.ts';
import { webhookOperations } from './areas/webhooks.ts';
import { workspaceOperations } from './areas/workspace.ts';
import type { Operation } from './row.ts';

export type { Face, Method, Operation } from './row.ts';

/**
 * The platform as a table, area by area. Data only: `send-template` and `--help` load it, and are over before the schema library would be.
 * Therefore the shapes of an area are a file of their own beside its rows; `shapes/table.ts` joins those.
 */
export const operations = {
  ...workspaceOperations,
  ...customerOperations,
  ...conversationOperations,
  ...messageOperations,
  ...noteOperations,
  ...agentOperations,
  ...channelOperations,
  ...templateOperations,
  ...mediaOperations,
  ...sessionOperations,
  ...flowOperations,
  ...functionOperations,
  ...fixtureOperations,
  ...testOperations,
  ...buildOperations,
  ...invocationOperations,
  ...deploymentOperations,
  ...appOperations,
  ...secretOperations,
  ...variableOperations,
  ...storeOperations,
  ...tokenOperations,
  ...packOperations,
  ...clockOperations,
  ...eventOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...listenerOperations,
  ...jobOperations,
  ...harnessOperations,
  ...runOperations,
  ...traceOperations,
  ...mcpClientOperations,
  ...toolOperations,
  ...confirmationOperations,
} as const satisfies Record<string, Operation>;

/** The name of an operation: area, full stop, verb. */
export type OperationName = keyof typeof operations;

/** The operations that have a value in a column. */
export type OperationsWhere<Column extends keyof Operation, Value extends Operation[Column]> = {
  [N in OperationName]: (typeof operations)[N] extends Record<Column, Value> ? N : never;
}[OperationName];

/** Operations that a handler on the database carries out. */
export type StateOperation = OperationsWhere<'by', 'state'>;
/** Operations that need a machine: a sandbox, a stream, the clock. */
export type MachineOperation = OperationsWhere<'by', 'machine'>;
/** Operations that can be followed as an event stream. */
export type StreamedOperation = OperationsWhere<'eventStream', 'offered' | 'only'>;

/** A row of the table with its optional columns. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

export const operationNames = Object.keys(operations) as OperationName[];
