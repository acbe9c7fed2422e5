import type { z } from 'zod';
import type { EventKind } from '../events.ts';
import type { Channel } from './channels.shapes.ts';
import type { Confirmation } from './confirmations.shapes.ts';
import type { Conversation } from './conversations.shapes.ts';
import type { Customer } from './customers.shapes.ts';
import type { Event, eventData } from './events.shapes.ts';
import type { Flow, FlowRun } from './flows.shapes.ts';
import type { McpClientInEvent } from './mcp-clients.shapes.ts';
import type { Message } from './messages.shapes.ts';
import type { RunInList } from './runs.shapes.ts';
import type { ToolCall } from './tools.shapes.ts';

type Data = { readonly [K in EventKind]: z.input<(typeof eventData)[K]> };

const at = '2026-11-20T09:41:00.123Z';
const customerId = 'cus_01JZ8Q6K3V4N5M6P7R8S9T0V1A';
const conversationId = 'cnv_01JZ8Q6K3V4N5M6P7R8S9T0V1B';
const channelId = 'chn_01JZ8Q6K3V4N5M6P7R8S9T0V1C';
const agentId = 'agt_01JZ8Q6K3V4N5M6P7R8S9T0V1D';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const nobody = { agentId: null, workgroupId: null };

const customer: z.input<typeof Customer> = {
  id: customerId,
  name: 'Ann Larsen',
  phone: '+4930901820',
  email: 'ann.larsen@mail.example',
  language: 'en',
  fields: { tier: 'gold' },
  createdAt: at,
  updatedAt: at,
};

const conversation: z.input<typeof Conversation> = {
  id: conversationId,
  url: `https://app.example.com/tenants/acme/conversations/${conversationId}`,
  customerId,
  channelId,
  status: 'open',
  inbox: true,
  assignee: nobody,
  ai: { state: 'active', by: null, since: null, reason: null },
  fields: { orderId: 'A-1017' },
  createdAt: at,
  updatedAt: at,
  lastMessageAt: at,
};

const received: z.input<typeof Message> = {
  id: 'msg_01JZ8Q6K3V4N5M6P7R8S9T0V1E',
  conversationId,
  direction: 'in',
  author: { type: 'customer', id: customerId },
  text: 'Where is my order?',
  media: null,
  template: null,
  quickReplies: [],
  status: 'received',
  quickReplyId: null,
  error: null,
  createdAt: at,
};

const sent: z.input<typeof Message> = {
  ...received,
  id: 'msg_01JZ8Q6K3V4N5M6P7R8S9T0V1F',
  direction: 'out',
  author: { type: 'agent', id: agentId },
  text: 'It arrives on Friday.',
  status: 'sent',
};

const channel: z.input<typeof Channel> = {
  id: channelId,
  kind: 'messaging-app',
  name: 'Messaging app',
  reaches: ['phone'],
  connected: true,
  createdAt: at,
};

const app = { app: 'order-desk', version: 'dpl_01JZ8Q6K3V4N5M6P7R8S9T0V1G' };

const invocation = {
  id: 'inv_01JZ8Q6K3V4N5M6P7R8S9T0V1H',
  app: 'order-desk',
  function: 'api/orders/find',
  trigger: 'http',
  status: 'ok',
  wallMs: 12,
  error: null,
};

const endpoint = {
  id: 'whk_01JZ8Q6K3V4N5M6P7R8S9T0V1J',
  kind: 'url' as const,
  events: ['message.received'],
  state: 'enabled' as const,
  reason: null,
  target: 'https://shop.example',
};

const flow: z.input<typeof Flow> = {
  id: 'flw_01JZ8Q6K3V4N5M6P7R8S9T0V1X',
  app: 'order-desk',
  name: 'support',
  title: 'Support',
  version: 3,
  state: 'enabled',
  trigger: { on: 'message.received', filtered: false, priority: 0, also: false, schedule: null, timezone: null },
  publishedAt: at,
};

const flowRun: z.input<typeof FlowRun> = {
  id: 'flr_01JZ8Q6K3V4N5M6P7R8S9T0V1Y',
  flowId: flow.id,
  app: 'order-desk',
  flow: 'support',
  version: 3,
  status: 'running',
  trigger: 'message.received',
  conversationId,
  customerId: customer.id,
  node: 'start',
  waitingFor: null,
  stepCount: 0,
  missedMessages: 0,
  error: null,
  reason: null,
  rerunOf: null,
  traceId,
  startedAt: at,
  endedAt: null,
};

const mcpClient: z.input<typeof McpClientInEvent> = {
  id: 'mcp_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
  name: 'shop',
  origin: 'https://mcp.shop.example',
  transport: 'streamable-http',
  tools: { available: 4, withheld: 0 },
  error: null,
  changed: [],
};

const toolCall: z.input<typeof ToolCall> = {
  id: 'tlc_01JZ8Q6K3V4N5M6P7R8S9T0V1Q',
  at,
  tool: 'find_order',
  source: { kind: 'app', name: 'order-desk' },
  version: app.version,
  caller: { type: 'aiAgent', id: 'nora' },
  runId: 'run_01JZ8Q6K3V4N5M6P7R8S9T0V1R',
  modelCallId: 'mdc_01JZ8Q6K3V4N5M6P7R8S9T0V1S',
  conversationId,
  arguments: { orderId: 'A-1017' },
  decision: 'permitted',
  confirmationId: null,
  status: 'ok',
  error: null,
  ms: 38,
  resultBytes: 24,
  result: { status: 'shipped' },
  invocationId: invocation.id,
  traceId,
  causeId: null,
};

const confirmation: z.input<typeof Confirmation> = {
  id: 'cfm_01JZ8Q6K3V4N5M6P7R8S9T0V1T',
  state: 'open',
  by: 'human',
  tool: 'refund',
  source: { kind: 'app', name: 'order-desk' },
  title: 'Refund an order',
  text: 'Refund order A-1017?',
  arguments: { orderId: 'A-1017' },
  callId: 'tlc_01JZ8Q6K3V4N5M6P7R8S9T0V1V',
  caller: { type: 'aiAgent', id: 'nora' },
  runId: 'run_01JZ8Q6K3V4N5M6P7R8S9T0V1R',
  conversationId,
  askedAt: at,
  expiresAt: '2026-11-20T09:56:00.123Z',
  onExpire: 'handover',
  answer: null,
};

const run: z.input<typeof RunInList> = {
  id: 'run_01JZ8Q6K3V4N5M6P7R8S9T0V1R',
  object: 'aiAgentRun',
  status: 'completed',
  source: {
    type: 'function',
    app: 'order-desk',
    function: 'api/ask',
    flowId: null,
    flowVersion: null,
    nodeId: null,
    flowRunId: null,
  },
  aiAgentId: 'aia_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
  agent: 'order-desk/nora',
  harness: { id: 'har_01JZ8Q6K3V4N5M6P7R8S9T0V1X', kind: 'builtin', name: 'builtin', note: null },
  conversationId,
  customerId,
  models: { main: 'script:nora', fallback: null, fast: null },
  budget: { maxCostUsd: null, maxTokens: 50_000, maxModelCalls: 12, maxToolCalls: 20, maxSeconds: 120 },
  usage: {
    modelCalls: 2,
    toolCalls: 1,
    inputTokens: 167,
    outputTokens: 42,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: 0,
    costBasis: 'priced',
    seconds: 3.2,
    byModel: [{ model: 'script:nora', inputTokens: 167, outputTokens: 42, costUsd: 0 }],
  },
  budgetExceeded: null,
  text: 'It arrives on Friday.',
  result: {
    type: 'reply',
    messageIds: ['msg_01JZ8Q6K3V4N5M6P7R8S9T0V1F'],
    teamId: null,
    reason: null,
    summary: null,
  },
  error: null,
  waitingFor: [],
  metadata: {},
  rerunOf: null,
  traceId,
  createdAt: at,
  startedAt: at,
  endedAt: at,
};
const nothingSaid = { text: null, result: { ...run.result, type: 'none' as const, messageIds: [] } };

/** What an event of each kind carries, for those who want to see or try one. */
const examples: Data = {
  'customer.created': { customer },
  'customer.updated': { customer: { ...customer, fields: { tier: 'platinum' } } },
  'conversation.created': { conversation },
  'conversation.updated': { conversation: { ...conversation, fields: { orderId: 'A-1018' } } },
  'conversation.assigned': {
    conversation: { ...conversation, assignee: { agentId, workgroupId: null } },
    assignee: { agentId, workgroupId: null },
  },
  'conversation.unassigned': { conversation, assignee: nobody },
  'conversation.closed': { conversation: { ...conversation, status: 'closed' } },
  'conversation.reopened': { conversation },
  'message.received': { message: received },
  'message.sent': { message: sent },
  'message.status': { message: { ...sent, status: 'read' } },
  'conversation.aiPaused': {
    conversation: {
      ...conversation,
      ai: { state: 'paused', by: { type: 'agent', id: agentId }, since: at, reason: 'a person took over' },
    },
  },
  'conversation.aiResumed': { conversation },
  'note.created': {
    note: {
      id: 'nte_01JZ8Q6K3V4N5M6P7R8S9T0V1K',
      conversationId,
      author: { type: 'agent', id: agentId },
      text: 'Called the carrier: it arrives on Friday.',
      createdAt: at,
    },
  },
  'template.sent': {
    message: {
      ...sent,
      author: { type: 'api', id: null },
      text: null,
      template: { name: 'order_shipped', language: 'en', rendered: { body: 'Hi Ann, your order is on its way.' } },
    },
    template: { id: 'tpl_01JZ8Q6K3V4N5M6P7R8S9T0V1M', name: 'order_shipped', language: 'en' },
  },
  'channel.connected': { channel },
  'channel.disconnected': { channel: { ...channel, connected: false } },
  'app.installed': { app },
  'app.uninstalled': { app },
  'app.settingsChanged': { app },
  'flow.published': { flow },
  'flowRun.started': { flowRun },
  'flowRun.waiting': {
    flowRun: {
      ...flowRun,
      status: 'waiting',
      node: 'listen',
      waitingFor: { type: 'message', until: '2026-11-21T09:41:00.123Z', runId: null },
      stepCount: 3,
    },
  },
  'flowRun.completed': { flowRun: { ...flowRun, status: 'completed', node: 'end', stepCount: 5, endedAt: at } },
  'flowRun.failed': {
    flowRun: {
      ...flowRun,
      status: 'failed',
      node: 'find',
      stepCount: 3,
      error: { code: 'function_failed', message: 'flow-nodes/find: Error: the shop does not answer' },
      endedAt: at,
    },
  },
  'flowRun.cancelled': {
    flowRun: { ...flowRun, status: 'cancelled', stepCount: 3, reason: 'a person took over', endedAt: at },
  },
  'function.deployed': {
    deployment: {
      id: 'dpl_01JZ8Q6K3V4N5M6P7R8S9T0V1G',
      app: 'order-desk',
      fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      state: 'live',
      baseVersion: null,
      message: 'Find orders by phone number',
      commit: { sha: '3a6eb0790f39ac87c94f3856b2dd2c5d110e6811', committedAt: '2026-11-20T09:30:00Z' },
      functions: 3,
      createdBy: { type: 'token', id: 'tok_01JZ8Q6K3V4N5M6P7R8S9T0V1N', name: 'ci' },
      createdAt: at,
      activatedAt: at,
    },
  },
  'function.invoked': { invocation },
  'function.failed': {
    invocation: {
      ...invocation,
      status: 'error',
      error: { code: 'function_failed', message: 'Cannot read properties of undefined (reading "id")' },
    },
  },
  'aiAgentRun.started': { run: { ...run, ...nothingSaid, endedAt: null, status: 'running' } },
  'aiAgentRun.waiting': { run: { ...run, ...nothingSaid, endedAt: null, status: 'waiting' } },
  'aiAgentRun.completed': { run },
  'aiAgentRun.handedOver': {
    run: { ...run, status: 'handedOver', result: { ...run.result, type: 'handover', reason: 'The customer asked' } },
  },
  'aiAgentRun.failed': {
    run: {
      ...run,
      ...nothingSaid,
      status: 'failed',
      budgetExceeded: 'tokens',
      error: { code: 'budget_tokens', message: 'The budget of 50000 tokens is used up' },
    },
  },
  'aiAgentRun.cancelled': {
    run: {
      ...run,
      ...nothingSaid,
      status: 'cancelled',
      error: { code: 'cancelled', message: 'The run was cancelled: a person took over' },
    },
  },
  'aiAgentRun.capNear': {
    agent: {
      id: 'aia_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
      name: 'order-desk/nora',
      cap: 'perDay',
      used: 800,
      max: 1_000,
    },
  },
  'mcpClient.connected': { mcpClient },
  'mcpClient.toolsChanged': {
    mcpClient: { ...mcpClient, tools: { available: 4, withheld: 1 }, changed: ['cancel_order'] },
  },
  'mcpClient.failed': {
    mcpClient: { ...mcpClient, error: { code: 'mcp_unreachable', message: 'The server does not answer' } },
  },
  'aiTool.called': { toolCall },
  'aiTool.failed': {
    toolCall: {
      ...toolCall,
      status: 'error',
      error: { code: 'tool_failed', message: 'The order is not there', retryable: false },
      resultBytes: null,
      result: null,
    },
  },
  'confirmation.requested': { confirmation },
  'confirmation.answered': {
    confirmation: {
      ...confirmation,
      state: 'allowed',
      answer: { actor: { type: 'agent', id: agentId }, at, reason: null, edited: false },
    },
  },
  'confirmation.expired': { confirmation: { ...confirmation, state: 'expired' } },
  'webhook.ping': { endpoint },
  'webhookEndpoint.disabled': {
    endpoint: { ...endpoint, state: 'disabled', reason: 'nothing but failures for 5 days' },
  },
};

/** The old values of what changed, of kinds that tell them. */
const previous: { readonly [K in EventKind]?: Record<string, z.core.util.JSONType> } = {
  'customer.updated': { fields: { tier: 'gold' } },
  'conversation.updated': { fields: { orderId: 'A-1017' } },
  'conversation.assigned': { assignee: nobody },
  'conversation.unassigned': { assignee: { agentId, workgroupId: null } },
  'conversation.closed': { status: 'open' },
  'conversation.reopened': { status: 'closed' },
  'message.status': { status: 'sent' },
};

/** An event of a kind, as a receiver gets it. */
export function exampleEventOf(kind: EventKind): z.input<typeof Event> {
  const isOfConversation = /^(?:conversation|message|note|template|aiTool|confirmation)\./.test(kind);
  const byCustomer = kind === 'message.received';
  return {
    id: 'evt_01JZ8Q6K3V4N5M6P7R8S9T0V1P',
    type: kind,
    timestamp: at,
    apiVersion: '2026-11-01',
    workspace: 'acme',
    environment: 'workspace',
    actor: byCustomer ? { type: 'customer', id: customerId } : { type: 'agent', id: agentId },
    conversationId: isOfConversation ? conversationId : null,
    sequence: isOfConversation ? 7 : null,
    data: exampleOf(kind),
    previous: previous[kind] ?? null,
    traceId,
    causeId: null,
  };
}

/** What an event of a kind carries, as an example. */
export function exampleOf(kind: EventKind): Record<string, z.core.util.JSONType> {
  return structuredClone(examples[kind]) as Record<string, z.core.util.JSONType>;
}
