/** The kinds of events the journal records, in the same transaction as the change that caused them. */
export const eventKinds = [
  'customer.created',
  'customer.updated',
  'conversation.created',
  'conversation.updated',
  'conversation.assigned',
  'conversation.unassigned',
  'conversation.closed',
  'conversation.reopened',
  'message.received',
  'message.sent',
  'message.status',
  'conversation.aiPaused',
  'conversation.aiResumed',
  'note.created',
  'template.sent',
  'channel.connected',
  'channel.disconnected',
  'app.installed',
  'app.uninstalled',
  'app.settingsChanged',
  'function.deployed',
  'function.invoked',
  'function.failed',
  'aiAgentRun.started',
  'aiAgentRun.waiting',
  'aiAgentRun.completed',
  'aiAgentRun.handedOver',
  'aiAgentRun.failed',
  'aiAgentRun.cancelled',
  'aiAgentRun.capNear',
  'mcpClient.connected',
  'mcpClient.toolsChanged',
  'mcpClient.failed',
  'aiTool.called',
  'aiTool.failed',
  'confirmation.requested',
  'confirmation.answered',
  'confirmation.expired',
  'webhook.ping',
  'webhookEndpoint.disabled',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** Recorded only while an endpoint or a listener names them: `*` and `function.*` do not match them. */
export const kindsByNameOnly: readonly EventKind[] = ['function.invoked'];

/** What a stream of events can show besides, without keeping it. */
export const liveFrameKinds = ['invocation', 'log', 'build', 'draft', 'run'] as const;

export type LiveFrameKind = (typeof liveFrameKinds)[number];
