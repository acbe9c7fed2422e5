import type { z } from 'zod';
import { agentShapes } from '../areas/agents.shapes.ts';
import { appShapes } from '../areas/apps.shapes.ts';
import { buildShapes } from '../areas/builds.shapes.ts';
import { channelShapes } from '../areas/channels.shapes.ts';
import { clockShapes } from '../areas/clock.shapes.ts';
import { confirmationShapes } from '../areas/confirmations.shapes.ts';
import { conversationShapes } from '../areas/conversations.shapes.ts';
import { customerShapes } from '../areas/customers.shapes.ts';
import { deliveryShapes } from '../areas/deliveries.shapes.ts';
import { deploymentShapes } from '../areas/deployments.shapes.ts';
import { eventShapes } from '../areas/events.shapes.ts';
import { fixtureShapes } from '../areas/fixtures.shapes.ts';
import { flowShapes } from '../areas/flows.shapes.ts';
import { functionShapes } from '../areas/functions.shapes.ts';
import { harnessShapes } from '../areas/harnesses.shapes.ts';
import { invocationShapes } from '../areas/invocations.shapes.ts';
import { jobShapes } from '../areas/jobs.shapes.ts';
import { listenerShapes } from '../areas/listeners.shapes.ts';
import { mcpClientShapes } from '../areas/mcp-clients.shapes.ts';
import { mediaShapes } from '../areas/media.shapes.ts';
import { messageShapes } from '../areas/messages.shapes.ts';
import { noteShapes } from '../areas/notes.shapes.ts';
import { packShapes } from '../areas/packs.shapes.ts';
import { runShapes } from '../areas/runs.shapes.ts';
import { secretShapes } from '../areas/secrets.shapes.ts';
import { sessionShapes } from '../areas/sessions.shapes.ts';
import { storeShapes } from '../areas/store.shapes.ts';
import { templateShapes } from '../areas/templates.shapes.ts';
import { testShapes } from '../areas/tests.shapes.ts';
import { tokenShapes } from '../areas/tokens.shapes.ts';
import { toolShapes } from '../areas/tools.shapes.ts';
import { traceShapes } from '../areas/traces.shapes.ts';
import { variableShapes } from '../areas/variables.shapes.ts';
import { webhookShapes } from '../areas/webhooks.shapes.ts';
import { workspaceShapes } from '../areas/workspace.shapes.ts';
import type { OperationName } from '../operations.ts';

/** The input and output shapes of every operation; the compiler names a missing one. */
export const shapes = {
  ...workspaceShapes,
  ...customerShapes,
  ...conversationShapes,
  ...messageShapes,
  ...noteShapes,
  ...agentShapes,
  ...channelShapes,
  ...templateShapes,
  ...mediaShapes,
  ...sessionShapes,
  ...flowShapes,
  ...functionShapes,
  ...fixtureShapes,
  ...testShapes,
  ...buildShapes,
  ...invocationShapes,
  ...deploymentShapes,
  ...appShapes,
  ...secretShapes,
  ...variableShapes,
  ...storeShapes,
  ...tokenShapes,
  ...packShapes,
  ...clockShapes,
  ...eventShapes,
  ...webhookShapes,
  ...deliveryShapes,
  ...listenerShapes,
  ...jobShapes,
  ...harnessShapes,
  ...runShapes,
  ...traceShapes,
  ...mcpClientShapes,
  ...toolShapes,
  ...confirmationShapes,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>;

type Shapes = typeof shapes;

/** The input of an operation as a caller writes it. */
export type Input<N extends OperationName> = z.input<Shapes[N]['input']>;
/** The input of an operation after parsing. */
export type ParsedInput<N extends OperationName> = z.output<Shapes[N]['input']>;
/** The answer of an operation. */
export type Output<N extends OperationName> = z.output<Shapes[N]['output']>;
