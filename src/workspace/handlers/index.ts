import type { Caller, Output, ParsedInput, StateOperation } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { agentHandlers } from './agents.ts';
import { appHandlers } from './apps.ts';
import { channelHandlers } from './channels.ts';
import { clockHandlers } from './clock.ts';
import { conversationHandlers } from './conversations.ts';
import { customerHandlers } from './customers.ts';
import { deliveryHandlers } from './deliveries.ts';
import { deploymentHandlers } from './deployments.ts';
import { eventHandlers } from './events.ts';
import { harnessHandlers } from './harnesses.ts';
import { invocationHandlers } from './invocations.ts';
import { jobHandlers } from './jobs.ts';
import { listenerHandlers } from './listeners.ts';
import { mcpClientHandlers } from './mcp-clients.ts';
import { mediaHandlers } from './media.ts';
import { messageHandlers } from './messages.ts';
import { noteHandlers } from './notes.ts';
import { packHandlers } from './packs.ts';
import { runHandlers } from './runs.ts';
import { secretHandlers } from './secrets.ts';
import { storeHandlers } from './store.ts';
import { templateHandlers } from './templates.ts';
import { tokenHandlers } from './tokens.ts';
import { toolHandlers } from './tools.ts';
import { traceHandlers } from './traces.ts';
import { variableHandlers } from './variables.ts';
import { webhookHandlers } from './webhooks.ts';
import { workspaceHandlers } from './workspace.ts';

/** Carries out one operation on the state: uses `tx` only, changes all or nothing. */
export type Handler<N extends StateOperation> = (input: ParsedInput<N>, tx: Tx, caller: Caller) => Promise<Output<N>>;

/** A handler for every row of the table that works on state; the compiler names a missing one. */
export type Handlers = { readonly [N in StateOperation]: Handler<N> };

/** The handlers of the named areas; each file provides one area. */
export type HandlersOf<Area extends string> = { readonly [N in StateOperation & `${Area}.${string}`]: Handler<N> };

export const handlers: Handlers = {
  ...workspaceHandlers,
  ...clockHandlers,
  ...customerHandlers,
  ...conversationHandlers,
  ...messageHandlers,
  ...agentHandlers,
  ...channelHandlers,
  ...templateHandlers,
  ...mediaHandlers,
  ...invocationHandlers,
  ...deploymentHandlers,
  ...appHandlers,
  ...secretHandlers,
  ...variableHandlers,
  ...storeHandlers,
  ...tokenHandlers,
  ...packHandlers,
  ...eventHandlers,
  ...webhookHandlers,
  ...deliveryHandlers,
  ...listenerHandlers,
  ...jobHandlers,
  ...harnessHandlers,
  ...runHandlers,
  ...noteHandlers,
  ...traceHandlers,
  ...mcpClientHandlers,
  ...toolHandlers,
};
