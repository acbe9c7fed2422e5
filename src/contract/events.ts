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

/** What happened, in one sentence. */
export const aboutEvents: Readonly<Record<EventKind, string>> = {
  'customer.created': 'A customer was created: somebody wrote for the first time, or was added',
  'customer.updated': 'Fields of a customer changed; `previous` has the old values',
  'conversation.created': 'A conversation began',
  'conversation.updated': 'Fields of a conversation changed',
  'conversation.assigned': 'A conversation was assigned to an agent or a workgroup',
  'conversation.unassigned': 'A conversation is nobody’s any more',
  'conversation.closed': 'A conversation was closed',
  'conversation.reopened': 'A closed conversation was opened again',
  'message.received': 'A customer wrote',
  'message.sent': 'A message to a customer was handed to the channel',
  'message.status': 'The channel says that a message was delivered, read, or has failed',
  'note.created': 'Somebody wrote an internal note into a conversation',
  'template.sent': 'A message template was sent',
  'channel.connected': 'A channel was connected',
  'channel.disconnected': 'A channel was disconnected',
  'app.installed': 'An app was installed',
  'app.uninstalled': 'An app was uninstalled',
  'app.settingsChanged': 'The settings of an app changed',
  'function.deployed': 'A deployment went live: all functions of an app at once',
  'function.invoked': 'A function ran. Recorded only while an endpoint or a listener names this kind',
  'function.failed': 'A function failed',
  'mcpClient.connected': 'A connection to an MCP server stands',
  'mcpClient.toolsChanged': 'The tools of an MCP server changed: `changed` names those that are new, different or gone',
  'mcpClient.failed': 'An MCP server cannot be reached, or answers wrongly',
  'aiTool.called': 'An AI Tool was called',
  'aiTool.failed': 'A call of an AI Tool failed, or was refused',
  'confirmation.requested': 'A call of an AI Tool waits for somebody to allow it',
  'confirmation.answered': 'A call of an AI Tool was allowed or denied',
  'confirmation.expired': 'Nobody has answered in time whether a call of an AI Tool is allowed',
  'webhook.ping': 'Somebody tries out a webhook endpoint; it goes to this endpoint only',
  'webhookEndpoint.disabled': 'A webhook endpoint was disabled: by hand, by its receiver, or after days of failures',
};

/** Recorded only while an endpoint or a listener names them: `*` and `function.*` do not match them. */
export const kindsByNameOnly: readonly EventKind[] = ['function.invoked'];

/** What a stream of events can show besides, without keeping it. `seed`: the workspace was filled or emptied, which writes no events. */
export const liveFrameKinds = ['invocation', 'log', 'build', 'seed'] as const;

export type LiveFrameKind = (typeof liveFrameKinds)[number];
