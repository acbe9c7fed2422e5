// Made by "npm run generate" from the contract table. Do not edit.

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Pass it as `cursor` to get the next page; null at the end. */
  nextCursor: string | null;
}

/** A customer: identified by a phone number or an e-mail address. */
export interface Customer {
  /** Id, cus_… */
  id: string;
  name: string | null;
  /** E.164 */
  phone: string | null;
  email: string | null;
  language: string | null;
  /** Fields of your own */
  fields: Record<string, Json>;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  updatedAt: string;
}

/** All messages with one customer on one channel. */
export interface Conversation {
  /** Id, cnv_… */
  id: string;
  /** Direct link */
  url: string;
  /** Id, cus_… */
  customerId: string;
  /** Id, chn_… */
  channelId: string;
  status: 'open' | 'closed';
  /** Whether it is listed in the inbox; false until the customer writes */
  inbox: boolean;
  /** Who is responsible for it */
  assignee: Assignment;
  /** Whether AI agents answer here */
  ai: {
    state: 'active' | 'paused';
    /** Who paused it */
    by: { type: string; id: string | null } | null;
    /** RFC 3339 in UTC */
    since: string | null;
    reason: string | null;
  };
  /** Fields of your own */
  fields: Record<string, Json>;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  updatedAt: string;
  /** RFC 3339 in UTC; null without messages */
  lastMessageAt: string | null;
}

/** Who is responsible for a conversation. */
export interface Assignment {
  /** Id, agt_… */
  agentId: string | null;
  /** Id, wgr_… */
  workgroupId: string | null;
}

/** One message of a conversation. */
export interface Message {
  /** Id, msg_… */
  id: string;
  /** Id, cnv_… */
  conversationId: string;
  /** `in`: from the customer */
  direction: 'in' | 'out';
  author: {
    type: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'function' | 'api' | 'mcp' | 'system';
    id: string | null;
  };
  text: string | null;
  /** Image, video or document */
  media: {
    /** Id, med_… */
    mediaId?: string;
    url?: string;
    type: string;
    fileName?: string;
  } | null;
  /** For a message that was sent as a message template */
  template: {
    name: string;
    language: string;
    /** As the customer sees it */
    rendered: Json;
  } | null;
  /** Answers that the customer can choose from */
  quickReplies: Array<{ id: string; title: string }>;
  /** `received`: from the customer */
  status: 'sent' | 'delivered' | 'read' | 'failed' | 'received';
  /** The quick reply that the customer tapped */
  quickReplyId: string | null;
  /** Why it failed, in the words of the channel */
  error: string | null;
  /** RFC 3339 in UTC */
  createdAt: string;
}

export interface Note {
  /** Id, nte_… */
  id: string;
  /** Id, cnv_… */
  conversationId: string;
  author: {
    type: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'function' | 'api' | 'mcp' | 'system';
    id: string | null;
  };
  text: string;
  /** RFC 3339 in UTC */
  createdAt: string;
}

/** A human agent. */
export interface Agent {
  /** Id, agt_… */
  id: string;
  name: string;
  email: string;
  workgroupIds: string[];
}

/** A group of human agents. */
export interface Workgroup {
  /** Id, wgr_… */
  id: string;
  name: string;
}

/** A channel through which customers write. */
export interface Channel {
  /** Id, chn_… */
  id: string;
  kind: 'messaging-app' | 'photo-network' | 'web-chat' | 'sms' | 'email';
  name: string;
  /** The identities by which it can reach a customer */
  reaches: Array<'phone' | 'email'>;
  connected: boolean;
  /** RFC 3339 in UTC */
  createdAt: string;
}

/** A message template of the messaging-app channel. */
export interface Template {
  /** Id, tpl_… */
  id: string;
  name: string;
  language: string;
  category: 'marketing' | 'utility' | 'authentication';
  status: 'approved' | 'pending' | 'rejected' | 'paused';
  header?: TemplateHeader;
  /** Variables are positional ({{1}}) or named ({{name}}), never both */
  body: string;
  footer?: string;
  buttons?: TemplateButton[];
  carousel?: TemplateCard[];
  variables: {
    style: 'none' | 'positional' | 'named';
    /** Names, or "1", "2", … */
    body: string[];
    header: string[];
    /** Buttons that take a value */
    buttons: Array<{ index: number; type: string }>;
    /** Number of cards in the carousel; 0 if there is none */
    cards: number;
  };
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  updatedAt: string;
}

/** The header above the text of a message template. */
export type TemplateHeader = {
  format: 'text';
  /** At most one variable */
  text: string;
} | { format: 'image' | 'video' | 'document' } | { format: 'location' };

/** A button below a message template. */
export type TemplateButton = { type: 'quick_reply'; text: string } | { type: 'url'; text: string; url: string } | { type: 'phone'; text: string; phone: string } | { type: 'copy_code'; text: string };

/** One card of the carousel of a message template. */
export interface TemplateCard {
  header: { format: 'image' | 'video' };
  body?: string;
  buttons?: TemplateButton[];
}

/** The message that was sent, and the conversation it is in. */
export interface SentTemplate {
  /** Id, cnv_… */
  conversationId: string;
  /** Direct link */
  conversationUrl: string;
  /** Id, msg_… */
  messageId: string;
  /** Id, cus_… */
  customerId: string;
  created: { customer: boolean; conversation: boolean };
}

/** One invocation of a function. */
export interface Invocation {
  /** Id, inv_… */
  id: string;
  app: string;
  function: string;
  type: 'custom-flow-node' | 'server-side-method' | 'custom-view' | 'ai-tool' | 'cron-job' | 'custom-app-setup';
  version: string;
  /** What started it */
  trigger: 'http' | 'flow' | 'agent' | 'tool' | 'mcp' | 'cron' | 'setup' | 'cli' | 'method' | 'view' | 'job' | 'event';
  caller: { type: string; id: string | null };
  /** The trace that it belongs to: 32 hex digits */
  traceId: string | null;
  /** What caused it: an event, a job, another invocation */
  causeId: string | null;
  status: 'ok' | 'error' | 'timeout' | 'memory' | 'crashed' | 'refused';
  /** RFC 3339 in UTC */
  startedAt: string;
  /** Time it took */
  wallMs: number;
  /** Processor time it used */
  cpuMs: number;
  /** Most memory it used */
  peakMemoryBytes: number;
  /** With the stack in the author’s own sources */
  error: { code: string; name: string; message: string; stack?: string } | null;
}

/** One line of the log of an invocation. */
export interface LogLine {
  /** RFC 3339 in UTC */
  at: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}

/** The result and the log of an invocation. */
export interface InvokeResult {
  /** Id, inv_… */
  invocationId: string;
  result: Json;
  logs: LogLine[];
  wallMs: number;
  cpuMs: number;
  /** For an AI Tool: the policies of its config that a call by `tools.call` would have met */
  passedBy?: string[];
  /** True if the last good version ran, because what is in the folder does not build (`fn dev` only) */
  stale?: boolean;
}

/** A function of the workspace. */
export interface LiveFunction {
  app: string;
  name: string;
  type: 'custom-flow-node' | 'server-side-method' | 'custom-view' | 'ai-tool' | 'cron-job' | 'custom-app-setup';
  /** Below functions/, ending in .js */
  path: string;
  /** Endpoint of an exposed Server Side Method */
  url: string | null;
  /** Deployment id, or `local` during development */
  version: string;
  config: Record<string, Json>;
}

export interface Build {
  app: string;
  function: string;
  /** null: it has never loaded */
  type: 'custom-flow-node' | 'server-side-method' | 'custom-view' | 'ai-tool' | 'cron-job' | 'custom-app-setup' | null;
  /** Relative to the app’s folder; null for a function that is deployed */
  file: string | null;
  /** `stale`: it does not build or load now, and its last good version is served */
  state: 'ready' | 'stale' | 'failed';
  problem: {
    code: string;
    message: string;
    hint: string | null;
    file: string | null;
    line: number | null;
    column: number | null;
    /** The line itself */
    text: string | null;
  } | null;
}

/** One version of an app: all its functions at once. */
export interface Deployment {
  /** Id, dpl_… */
  id: string;
  app: string;
  /** SHA-256 of the manifest as canonical JSON */
  fingerprint: string;
  state: 'open' | 'live' | 'superseded' | 'expired';
  baseVersion: string | null;
  message: string | null;
  commit: { sha: string; committedAt: string } | null;
  functions: number;
  createdBy: { type: string; id: string | null; name: string | null };
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  activatedAt: string | null;
}

export interface Event {
  /** Id, evt_…; also the `webhook-id` of its deliveries */
  id: string;
  type: 'customer.created' | 'customer.updated' | 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.unassigned' | 'conversation.closed' | 'conversation.reopened' | 'message.received' | 'message.sent' | 'message.status' | 'conversation.aiPaused' | 'conversation.aiResumed' | 'note.created' | 'template.sent' | 'channel.connected' | 'channel.disconnected' | 'app.installed' | 'app.uninstalled' | 'app.settingsChanged' | 'function.deployed' | 'function.invoked' | 'function.failed' | 'aiAgentRun.started' | 'aiAgentRun.waiting' | 'aiAgentRun.completed' | 'aiAgentRun.handedOver' | 'aiAgentRun.failed' | 'aiAgentRun.cancelled' | 'aiAgentRun.capNear' | 'flow.published' | 'flowRun.started' | 'flowRun.waiting' | 'flowRun.completed' | 'flowRun.failed' | 'flowRun.cancelled' | 'mcpClient.connected' | 'mcpClient.toolsChanged' | 'mcpClient.failed' | 'aiTool.called' | 'aiTool.failed' | 'confirmation.requested' | 'confirmation.answered' | 'confirmation.expired' | 'webhook.ping' | 'webhookEndpoint.disabled';
  /** When it happened, by the workspace clock */
  timestamp: string;
  /** Version of this format */
  apiVersion: string;
  /** Slug of the workspace */
  workspace: string;
  /** `local`: on a developer’s machine */
  environment: 'local' | 'workspace';
  /** Who did it */
  actor: {
    type: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'function' | 'api' | 'mcp' | 'system';
    id: string | null;
  };
  conversationId: string | null;
  /** Counts the events of one conversation from 1 */
  sequence: number | null;
  /** The full objects as the API shows them; over 20 kB `{id, truncated: true}` */
  data: Record<string, Json>;
  /** Old values of the fields that changed */
  previous: Record<string, Json> | null;
  /** The trace that it belongs to: 32 hex digits */
  traceId: string | null;
  /** What caused it: an event, a job, an invocation; null where a trace begins */
  causeId: string | null;
  /** Made by `fn webhook trigger`: nothing happened in the workspace */
  synthetic?: true;
}

export interface WebhookEndpoint {
  /** Id, whk_… */
  id: string;
  kind: 'url' | 'function';
  /** `app`: the `config.events` of a function; it changes with the app */
  source: 'api' | 'app';
  /** Where events are posted to; null for a function */
  url: string | null;
  /** App and path of a Server Side Method; null for an address */
  function: string | null;
  /** Kinds of events, groups such as `message.*`, or `*` */
  events: string[];
  description: string | null;
  /** `needsSecret`: the seed names one without a value */
  state: 'enabled' | 'disabled' | 'needsSecret';
  /** Why it is disabled */
  reason: string | null;
  /** RFC 3339 in UTC */
  disabledAt: string | null;
  /** The first failure since the last success; null if the last one succeeded */
  failingSince: string | null;
  /** How long the secret before the last rotation still signs */
  oldSecretUntil: string | null;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  updatedAt: string;
}

export interface Delivery {
  /** Id, dlv_… */
  id: string;
  /** Also its `webhook-id` */
  eventId: string;
  eventType: string;
  /** whk_… of an endpoint, lsn_… of a listener */
  endpointId: string;
  conversationId: string | null;
  /** `aborted`: the receiver asked to end it, or the endpoint went */
  state: 'waiting' | 'delivered' | 'failed' | 'aborted';
  attemptCount: number;
  /** By the workspace clock; null when there is none to come */
  nextAttemptAt: string | null;
  /** HTTP status of the last attempt */
  status: number | null;
  /** What became of the last attempt, and whether another follows */
  reason: string | null;
  traceId: string;
  causeId: string | null;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  endedAt: string | null;
}

export interface Listener {
  /** Id, lsn_… */
  id: string;
  name: string;
  /** Kinds of events, groups such as `message.*`, or `*` */
  events: string[];
  /** Behind the last event that it has acknowledged */
  cursor: string;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  lastSeenAt: string;
}

export interface Job {
  /** Id, job_… */
  id: string;
  kind: 'cron' | 'delivery' | 'invocation' | 'flow-step' | 'agent-run' | 'tool-call' | 'expiry';
  /** `blocked`: another one of its lane comes first */
  state: 'blocked' | 'waiting' | 'running' | 'done' | 'failed' | 'aborted';
  /** For a background call or a schedule: the app */
  app: string | null;
  /** For a background call or a schedule: the function */
  function: string | null;
  key: string | null;
  /** By the workspace clock */
  dueAt: string;
  /** Tries that have ended */
  attempt: number;
  /** For a background call */
  maxAttempts: number | null;
  /** How the last try ended; null before */
  outcome: Json;
  traceId: string;
  causeId: string | null;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  endedAt: string | null;
}

export interface Flow {
  /** Id, flw_… */
  id: string;
  app: string;
  /** Name of its file below flows/, without the ending */
  name: string;
  title: string | null;
  /** Counts up when changed content goes live */
  version: number;
  /** `removed`: its file is gone; runs under way go on */
  state: 'enabled' | 'disabled' | 'removed';
  trigger: {
    on: 'message.received' | 'conversation.created' | 'conversation.assigned' | 'template.replied' | 'schedule' | 'manual' | 'code';
    /** Whether it has a filter */
    filtered: boolean;
    priority: number;
    also: boolean;
    schedule: string | null;
    timezone: string | null;
  };
  /** When its version went live */
  publishedAt: string;
}

export interface FlowRun {
  /** Id, flr_… */
  id: string;
  /** Id, flw_… */
  flowId: string;
  app: string;
  /** Name of the flow */
  flow: string;
  version: number;
  status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
  /** What started it */
  trigger: string;
  conversationId: string | null;
  customerId: string | null;
  /** Where it is, or where it ended */
  node: string;
  waitingFor: {
    type: 'message' | 'time' | 'run';
    /** RFC 3339 in UTC */
    until: string | null;
    runId: string | null;
  } | null;
  stepCount: number;
  /** Messages that came while too many others waited for it, or that its AI agent refused */
  missedMessages: number;
  error: { code: string; message: string } | null;
  /** Why it was cancelled */
  reason: string | null;
  rerunOf: string | null;
  traceId: string;
  /** RFC 3339 in UTC */
  startedAt: string;
  /** RFC 3339 in UTC */
  endedAt: string | null;
}

export interface FlowStep {
  /** Counts from 0; `RUN:SEQ` is the key of whatever the step did */
  seq: number;
  node: string;
  type: string;
  /** The way that it took out of the node */
  outcome: string;
  /** What the node answered; null if nothing */
  output: Json;
  error: { code: string; message: string } | null;
  /** The invocation, message or run of an AI agent that it made */
  ref: string | null;
  /** RFC 3339 in UTC */
  at: string;
  ms: number;
}

export interface Span {
  id: string;
  /** The span that caused it; null where the trace begins */
  parentId: string | null;
  kind: 'message' | 'event' | 'flow-run' | 'node-run' | 'agent-run' | 'model-call' | 'tool-call' | 'confirmation' | 'invocation' | 'sdk' | 'fetch' | 'log' | 'delivery-attempt';
  name: string;
  /** RFC 3339 in UTC */
  startedAt: string;
  ms: number;
  /** `ok`, what it failed with, or how it stands: `running`, `waiting`, `allowed`, `denied` */
  status: string;
  /** The id by which its own operation shows it */
  ref: string;
}

export interface Harness {
  /** Id, har_… */
  id: string;
  name: string;
  kind: 'builtin' | 'claude-agent-sdk' | 'openai-agents-sdk' | 'agent-framework' | 'openai-agents-api' | 'claude-managed-agents' | 'custom';
  /** What must be known of its kind: `not verified against the live service`, or null */
  note: string | null;
  provider: 'scripted' | 'openai' | 'openai-compatible' | 'anthropic' | null;
  baseUrl: string | null;
  /** Of the custom kind: the address of the agent’s server */
  endpoint: string | null;
  module: string | null;
  models: { main: string | null; fallback: string | null; fast: string | null };
  /** Whether it has a key for its models */
  hasKey: boolean;
  /** Of the custom kind: whether requests are signed */
  signed: boolean;
  requireSignedReplies: boolean;
  /** `needsSecret`: the key that the seed names has no value, or requests are to be signed and nothing signs */
  state: 'ready' | 'needsSecret';
  /** The name of the secret on this machine, from the seed */
  secretFrom: string | null;
  /** How long the secret before the last rotation still signs */
  oldSecretUntil: string | null;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  updatedAt: string;
}

export interface AiAgentRun {
  /** Id, run_… */
  id: string;
  object: 'aiAgentRun';
  /** `waiting`: for the answer of a person */
  status: 'queued' | 'running' | 'waiting' | 'completed' | 'handedOver' | 'failed' | 'cancelled';
  source: {
    type: 'api' | 'function' | 'flow' | 'cli' | 'rerun';
    app: string | null;
    function: string | null;
    flowId: string | null;
    flowVersion: number | null;
    nodeId: string | null;
    flowRunId: string | null;
  };
  aiAgentId: string | null;
  /** App and name: order-desk/nora */
  agent: string | null;
  harness: {
    /** Id, har_… */
    id: string;
    kind: string;
    name: string;
    /** What must be known of its kind: `not verified against the live service`, or null */
    note: string | null;
  };
  conversationId: string | null;
  customerId: string | null;
  models: { main: string | null; fallback: string | null; fast: string | null };
  budget: {
    maxCostUsd: number | null;
    maxTokens: number;
    maxModelCalls: number;
    maxToolCalls: number;
    maxSeconds: number;
  };
  usage: {
    inputTokens: number;
    outputTokens: number;
    /** Part of the input */
    cachedInputTokens: number;
    /** Part of the output */
    reasoningTokens: number;
    modelCalls: number;
    toolCalls: number;
    /** Of the models whose price is known */
    costUsd: number;
    /** `unknown`: a model has no price */
    costBasis: 'priced' | 'reported' | 'unknown';
    /** Working time */
    seconds: number;
    byModel: Array<{ model: string; inputTokens: number; outputTokens: number; costUsd: number | null }>;
  };
  /** The limit that ended the run */
  budgetExceeded: 'cost' | 'tokens' | 'modelCalls' | 'toolCalls' | 'time' | null;
  /** What was said to the customer */
  text: string | null;
  result: {
    type: 'reply' | 'handover' | 'none';
    messageIds: string[];
    teamId: string | null;
    reason: string | null;
    summary: string | null;
  };
  error: { code: string; message: string; hint?: string } | null;
  /** What a person has to answer */
  waitingFor: Array<{
    /** cfm_… of a confirmation, or the agent’s own id */
    id: string;
    /** `confirmation`: of a tool call; `agent`: a question of the agent itself */
    kind: 'confirmation' | 'agent';
    message: string | null;
    toolCallId: string | null;
    /** Of a question of the agent: JSON Schema of the answer, as the agent gave it */
    responseSchema?: Json;
    /** Of a question of the agent: when it counts as cancelled */
    expiresAt: string | null;
  }>;
  metadata: Record<string, Json>;
  rerunOf: string | null;
  traceId: string;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  startedAt: string | null;
  /** RFC 3339 in UTC */
  endedAt: string | null;
  input: Array<{ role: 'user' | 'assistant'; content: string }>;
  history: {
    /** Messages of the conversation that it saw */
    messages: number;
    /** Earlier ones that it did not see */
    leftOut: number;
  };
  modelCalls: Array<{
    /** Id, mdc_… */
    id: string;
    /** One counter over model and tool calls */
    seq: number;
    role: 'main' | 'fallback' | 'fast';
    provider: string;
    model: string;
    /** RFC 3339 in UTC */
    startedAt: string;
    /** RFC 3339 in UTC */
    endedAt: string | null;
    finishReason: 'stop' | 'toolCalls' | 'length' | 'filter' | 'error' | 'aborted' | null;
    /** Null when nothing was spent, or nobody knows */
    usage: {
      inputTokens: number;
      outputTokens: number;
      /** Part of the input */
      cachedInputTokens: number;
      /** Part of the output */
      reasoningTokens: number;
    } | null;
    costUsd: number | null;
    error: { code: string; message: string; hint?: string } | null;
  }>;
  toolCalls: Array<{
    /** Id, tlc_… */
    id: string;
    seq: number;
    modelCallId: string | null;
    name: string;
    source: {
      type: 'function' | 'mcp' | 'platform' | 'agent';
      /** App and path of the AI Tool */
      function: string | null;
      /** Name of the MCP client */
      client: string | null;
    };
    arguments: Json;
    status: 'requested' | 'awaitingConfirmation' | 'denied' | 'running' | 'ok' | 'error' | 'timeout' | 'cancelled';
    result: Json;
    error: { code: string; message: string } | null;
    /** RFC 3339 in UTC */
    startedAt: string;
    /** RFC 3339 in UTC */
    endedAt: string | null;
    /** cfm_…, of the question to a person */
    confirmation: string | null;
  }>;
  warnings: Array<{ code: string; message: string }>;
  /** What came after it was cancelled, and was dropped */
  lateEvents: number;
}

export interface AiAgentRunInList {
  /** Id, run_… */
  id: string;
  object: 'aiAgentRun';
  /** `waiting`: for the answer of a person */
  status: 'queued' | 'running' | 'waiting' | 'completed' | 'handedOver' | 'failed' | 'cancelled';
  source: {
    type: 'api' | 'function' | 'flow' | 'cli' | 'rerun';
    app: string | null;
    function: string | null;
    flowId: string | null;
    flowVersion: number | null;
    nodeId: string | null;
    flowRunId: string | null;
  };
  aiAgentId: string | null;
  /** App and name: order-desk/nora */
  agent: string | null;
  harness: {
    /** Id, har_… */
    id: string;
    kind: string;
    name: string;
    /** What must be known of its kind: `not verified against the live service`, or null */
    note: string | null;
  };
  conversationId: string | null;
  customerId: string | null;
  models: { main: string | null; fallback: string | null; fast: string | null };
  budget: {
    maxCostUsd: number | null;
    maxTokens: number;
    maxModelCalls: number;
    maxToolCalls: number;
    maxSeconds: number;
  };
  usage: {
    inputTokens: number;
    outputTokens: number;
    /** Part of the input */
    cachedInputTokens: number;
    /** Part of the output */
    reasoningTokens: number;
    modelCalls: number;
    toolCalls: number;
    /** Of the models whose price is known */
    costUsd: number;
    /** `unknown`: a model has no price */
    costBasis: 'priced' | 'reported' | 'unknown';
    /** Working time */
    seconds: number;
    byModel: Array<{ model: string; inputTokens: number; outputTokens: number; costUsd: number | null }>;
  };
  /** The limit that ended the run */
  budgetExceeded: 'cost' | 'tokens' | 'modelCalls' | 'toolCalls' | 'time' | null;
  /** What was said to the customer */
  text: string | null;
  result: {
    type: 'reply' | 'handover' | 'none';
    messageIds: string[];
    teamId: string | null;
    reason: string | null;
    summary: string | null;
  };
  error: { code: string; message: string; hint?: string } | null;
  /** What a person has to answer */
  waitingFor: Array<{
    /** cfm_… of a confirmation, or the agent’s own id */
    id: string;
    /** `confirmation`: of a tool call; `agent`: a question of the agent itself */
    kind: 'confirmation' | 'agent';
    message: string | null;
    toolCallId: string | null;
    /** Of a question of the agent: JSON Schema of the answer, as the agent gave it */
    responseSchema?: Json;
    /** Of a question of the agent: when it counts as cancelled */
    expiresAt: string | null;
  }>;
  metadata: Record<string, Json>;
  rerunOf: string | null;
  traceId: string;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  startedAt: string | null;
  /** RFC 3339 in UTC */
  endedAt: string | null;
}

export interface McpClient {
  /** Id, mcp_… */
  id: string;
  name: string;
  url: string;
  auth: { kind: 'none' | 'basic' | 'bearer'; user: string | null };
  /** Whether functions and API tokens may call its tools; agents and nodes name the tools themselves */
  code: boolean;
  /** `idle`: not connected, which happens at the first need; `cut`: the server has ended the connection; `waiting`: it is tried again at `retryAt`; `needsSecret`: the seed names one without a value */
  state: 'idle' | 'connecting' | 'listed' | 'cut' | 'waiting' | 'failed' | 'needsSecret';
  /** Why it is cut, waiting or failed */
  reason: string | null;
  /** RFC 3339 in UTC */
  retryAt: string | null;
  /** How the server was spoken to; null before the first connection */
  transport: 'sse' | 'streamable-http' | null;
  protocolVersion: string | null;
  /** What the server calls itself */
  server: { name: string; version: string } | null;
  tools: { available: number; withheld: number };
  /** RFC 3339 in UTC */
  listedAt: string | null;
  /** RFC 3339 in UTC */
  createdAt: string;
  /** RFC 3339 in UTC */
  updatedAt: string;
}

export interface McpTool {
  name: string;
  title: string | null;
  description: string;
  inputSchema: Record<string, Json>;
  outputSchema: Record<string, Json> | null;
  annotations: {
    readOnly: boolean | null;
    destructive: boolean | null;
    idempotent: boolean | null;
    openWorld: boolean | null;
  };
  /** SHA-256 of name, title, description, schemas and annotations */
  hash: string;
  /** What models call it */
  modelName: string;
  state: 'available' | 'withheld';
  /** Why it is withheld */
  reason: 'new' | 'changed' | 'unusable' | null;
  /** Why it is unusable */
  problem: string | null;
  /** What is suspicious about its texts; nothing is withheld for it */
  warnings: string[];
  confirm: 'never' | 'human' | 'customer';
  limits: { timeoutMs: number; maxCallsPerRun: number; perMinute: number };
  log: 'full' | 'redacted' | 'none';
  acceptedHash: string | null;
  /** What was accepted, if it differs and is known; from a lock file only the hash is */
  accepted: {
    title: string | null;
    description: string;
    inputSchema: Record<string, Json>;
    outputSchema: Record<string, Json> | null;
    annotations: {
      readOnly: boolean | null;
      destructive: boolean | null;
      idempotent: boolean | null;
      openWorld: boolean | null;
    };
  } | null;
}

export interface Tool {
  name: string;
  source: {
    kind: 'app' | 'mcp';
    /** Name of the app or the MCP client */
    name: string;
  };
  title: string | null;
  description: string;
  /** JSON Schema of the arguments */
  input: Json;
  /** JSON Schema of the result */
  output: Json | null;
  annotations: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Who may call it, besides people */
  callers: {
    aiAgents: 'all' | 'none' | string[];
    aiNodes: 'all' | 'none' | string[];
    harnesses: 'all' | 'none' | string[];
    code: boolean;
    mcp: boolean;
  };
  /** The fields of the conversation that it sees and may change */
  conversation: { read: string[]; write: string[] };
  confirm: {
    by: 'never' | 'human' | 'customer';
    expiresAfterMs: number;
    /** null: handover in a conversation, otherwise deny */
    onExpire: 'deny' | 'handover' | null;
    /** Whether only some calls need it: see `confirm.when` of the tool */
    conditional: boolean;
  };
  limits: {
    timeoutMs: number | null;
    maxCallsPerRun: number | null;
    perMinute: number | null;
    maxResultBytes: number;
  };
  /** The function behind it */
  function: string | null;
  /** Deployment id, or `local` during development */
  version: string | null;
  /** Why it cannot be called at the moment */
  problem: string | null;
}

export interface ToolCall {
  /** Id, tlc_… */
  id: string;
  /** RFC 3339 in UTC */
  at: string;
  tool: string;
  /** null: there was no such tool */
  source: {
    kind: 'app' | 'mcp';
    /** Name of the app or the MCP client */
    name: string;
  } | null;
  version: string | null;
  caller: {
    /** `agent`: a person of the team, or at this machine */
    type: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'function' | 'api' | 'mcp' | 'system';
    id: string | null;
  };
  runId: string | null;
  modelCallId: string | null;
  conversationId: string | null;
  /** As the tool’s `log` says; null if it says none */
  arguments: Json | null;
  /** Of the gate; `asked`: a confirmation is open */
  decision: 'permitted' | 'refused' | 'confirmed' | 'denied' | 'asked';
  confirmationId: string | null;
  status: 'running' | 'waiting' | 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled';
  error: ToolError | null;
  /** Time that the tool took */
  ms: number | null;
  resultBytes: number | null;
  /** As the tool’s `log` says; null if it says none */
  result: Json | null;
  invocationId: string | null;
  traceId: string;
  causeId: string | null;
}

export interface ToolError {
  code: 'tool_unknown' | 'tool_forbidden' | 'tool_invalid_arguments' | 'tool_limit' | 'tool_confirmation_required' | 'tool_denied' | 'tool_changed' | 'tool_timeout' | 'tool_failed' | 'tool_bad_output' | 'tool_cancelled' | 'mcp_input_required' | 'mcp_secret_missing' | 'mcp_unauthorized' | 'mcp_unavailable' | 'mcp_endpoint_invalid' | 'mcp_redirected' | 'mcp_protocol_error' | 'mcp_message_too_large' | 'mcp_call_refused' | 'mcp_connection_lost' | 'tool_outcome_unknown';
  message: string;
  /** Whether another try, with other arguments or later, may succeed */
  retryable: boolean;
}

export interface Confirmation {
  /** Id, cfm_… */
  id: string;
  state: 'open' | 'allowed' | 'denied' | 'expired';
  /** Who has to answer */
  by: 'human' | 'customer';
  tool: string;
  source: {
    kind: 'app' | 'mcp';
    /** Name of the app or the MCP client */
    name: string;
  };
  /** Of the tool */
  title: string | null;
  /** The question */
  text: string;
  /** As the tool’s `log` says */
  arguments: Json | null;
  /** Id, tlc_… */
  callId: string;
  caller: {
    /** `agent`: a person of the team, or at this machine */
    type: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'function' | 'api' | 'mcp' | 'system';
    id: string | null;
  };
  runId: string | null;
  conversationId: string | null;
  /** RFC 3339 in UTC */
  askedAt: string;
  /** By the workspace clock */
  expiresAt: string;
  onExpire: 'deny' | 'handover';
  answer: {
    /** Who answered */
    actor: {
      /** `agent`: a person of the team, or at this machine */
      type: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'function' | 'api' | 'mcp' | 'system';
      id: string | null;
    };
    /** RFC 3339 in UTC */
    at: string;
    reason: string | null;
    /** Whether the arguments were changed */
    edited: boolean;
  } | null;
}

/** The values for a message template. */
export interface TemplateVariables {
  /** The text variable, the media, or the location of the header */
  header?: string | { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined } | {
    latitude: number;
    longitude: number;
    name?: string | undefined;
    address?: string | undefined;
  } | undefined;
  /** Values in order, or by name */
  body?: string[] | Record<string, string> | undefined;
  buttons?: Array<{ index: number; value: string }> | undefined;
  carousel?: Array<{
    header?: { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined } | undefined;
    body?: string[] | Record<string, string> | undefined;
    buttons?: Array<{ index: number; value: string }> | undefined;
  }> | undefined;
}

/** A workspace as a file: `seed.json`. */
export interface Seed {
  $schema?: string | undefined;
  version?: 1 | undefined;
  workspace?: { name?: string | undefined } | undefined;
  channels?: Array<{
    kind: 'messaging-app' | 'photo-network' | 'web-chat' | 'sms' | 'email';
    name: string;
    connected?: boolean | undefined;
  }> | undefined;
  workgroups?: Array<{ name: string }> | undefined;
  agents?: Array<{ name: string; email: string; workgroups?: string[] | undefined }> | undefined;
  templates?: Array<{
    name: string;
    language: string;
    category: 'marketing' | 'utility' | 'authentication';
    status?: 'approved' | 'pending' | 'rejected' | 'paused' | undefined;
    header?: TemplateHeader | undefined;
    /** Variables are positional ({{1}}) or named ({{name}}), never both */
    body: string;
    footer?: string | undefined;
    buttons?: TemplateButton[] | undefined;
    carousel?: Array<{
      header: { format: 'image' | 'video' };
      body?: string | undefined;
      buttons?: TemplateButton[] | undefined;
    }> | undefined;
  }> | undefined;
  customers?: Array<{
    name?: string | undefined;
    /** Phone number, international form: +4930901820 */
    phone?: string | undefined;
    email?: string | undefined;
    language?: string | undefined;
    /** Fields of your own */
    fields?: Record<string, unknown> | undefined;
    conversations?: Array<{
      /** Name or kind of a channel */
      channel: string;
      status?: 'open' | 'closed' | undefined;
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | { workgroup: string } | undefined;
      messages?: Array<{ from: 'customer' | 'agent' | 'system'; text: string; at?: string | undefined }> | undefined;
      /** What only the team sees */
      notes?: Array<{
        text: string;
        /** Who wrote it; left out: nobody of the team */
        agentEmail?: string | undefined;
        at?: string | undefined;
      }> | undefined;
    }> | undefined;
  }> | undefined;
  /** AI harnesses, with secrets by name */
  harnesses?: Array<{
    name: string;
    kind: 'builtin' | 'claude-agent-sdk' | 'openai-agents-sdk' | 'agent-framework' | 'openai-agents-api' | 'claude-managed-agents' | 'custom';
    /** Of the kinds builtin and openai-agents-sdk: how models are spoken to */
    provider?: 'scripted' | 'openai' | 'openai-compatible' | 'anthropic' | undefined;
    /** Of kinds with models: the address of their API, if it is not the usual one */
    baseUrl?: string | undefined;
    /** Of the custom kind: the address of the agent’s server */
    endpoint?: string | undefined;
    /** Of the kind agent-framework: the file of the app that exports the agent. Only the token of this machine may name one */
    module?: string | undefined;
    /** For agents that name none */
    models?: {
      main?: string | undefined;
      /** Answers when the main one cannot */
      fallback?: string | undefined;
      /** For what is asked often and is simple */
      fast?: string | undefined;
    } | undefined;
    /** Of the custom kind: replies without a signature are refused */
    requireSignedReplies?: boolean | undefined;
    /** The name of the key, or of the signing secret of the custom kind: its value stays on the machine */
    secretFrom?: string | undefined;
    /** Of the custom kind: requests are not signed */
    unsigned?: boolean | undefined;
  }> | undefined;
  /** MCP servers of others, with secrets by name */
  mcpClients?: Array<{
    name: string;
    /** Endpoint of the server */
    url: string;
    /** Without it: no authentication. `secretFrom`: the name of the password or token; its value stays on the machine */
    auth?: { kind: 'basic'; user: string; secretFrom?: string | undefined } | { kind: 'bearer'; secretFrom?: string | undefined } | undefined;
    /** Whether functions and API tokens may call its tools */
    code?: boolean | undefined;
    /** Policies by name of the tool */
    tools?: Record<string, {
      /** Default: `human` if the server calls the tool destructive, otherwise `never` */
      confirm?: 'never' | 'human' | 'customer' | undefined;
      /** Default: 30 s, 20 calls a run, 60 a minute */
      limits?: {
        timeoutMs?: number | undefined;
        maxCallsPerRun?: number | undefined;
        perMinute?: number | undefined;
      } | undefined;
      /** What the log of calls keeps of arguments and results */
      log?: 'full' | 'redacted' | 'none' | undefined;
    }> | undefined;
  }> | undefined;
  packs?: Array<{ days: number; name?: string | undefined; used?: number | undefined }> | undefined;
  /** Endpoints: either an address or a function */
  webhooks?: Array<{
    url?: string | undefined;
    /** App and path of a Server Side Method: `order-desk/api/on-message` */
    function?: string | undefined;
    /** Kinds of events, groups such as `message.*`, or `*` */
    events: string[];
    description?: string | undefined;
    state?: 'enabled' | 'disabled' | undefined;
    /** Name of the signing secret: `FN_SECRET_NAME`, or in `.fn/secrets.json`. Without a value the endpoint waits for one */
    secretFrom?: string | undefined;
  }> | undefined;
  /** Variables by app */
  vars?: Record<string, Record<string, unknown>> | undefined;
}

/** What each kind of event carries in `data`. An object over 20 kB is replaced by `{id, truncated: true}`. */
export interface EventData {
  /** A customer was created: somebody wrote for the first time, or was added. */
  'customer.created': {
    customer: Customer | { id: string | null; truncated: true };
  };
  /** Fields of a customer changed; `previous` has the old values. */
  'customer.updated': {
    customer: Customer | { id: string | null; truncated: true };
  };
  /** A conversation began. */
  'conversation.created': {
    conversation: Conversation | { id: string | null; truncated: true };
  };
  /** Fields of a conversation changed. */
  'conversation.updated': {
    conversation: Conversation | { id: string | null; truncated: true };
  };
  /** A conversation was assigned to an agent or a workgroup. */
  'conversation.assigned': {
    conversation: Conversation | { id: string | null; truncated: true };
    assignee: Assignment | { id: string | null; truncated: true };
  };
  /** A conversation is nobody’s any more. */
  'conversation.unassigned': {
    conversation: Conversation | { id: string | null; truncated: true };
    assignee: Assignment | { id: string | null; truncated: true };
  };
  /** A conversation was closed. */
  'conversation.closed': {
    conversation: Conversation | { id: string | null; truncated: true };
  };
  /** A closed conversation was opened again. */
  'conversation.reopened': {
    conversation: Conversation | { id: string | null; truncated: true };
  };
  /** A customer wrote. */
  'message.received': {
    message: Message | { id: string | null; truncated: true };
  };
  /** A message to a customer was handed to the channel. */
  'message.sent': {
    message: Message | { id: string | null; truncated: true };
  };
  /** The channel says that a message was delivered, read, or has failed. */
  'message.status': {
    message: Message | { id: string | null; truncated: true };
  };
  /** The AI is paused in a conversation: a person took over, or it handed over. */
  'conversation.aiPaused': {
    conversation: Conversation | { id: string | null; truncated: true };
  };
  /** A conversation was handed back to the AI. */
  'conversation.aiResumed': {
    conversation: Conversation | { id: string | null; truncated: true };
  };
  /** Somebody wrote an internal note into a conversation. */
  'note.created': {
    note: Note | { id: string | null; truncated: true };
  };
  /** A message template was sent. */
  'template.sent': {
    message: Message | { id: string | null; truncated: true };
    template: {
      /** Id, tpl_… */
      id: string;
      name: string;
      language: string;
    } | { id: string | null; truncated: true };
  };
  /** A channel was connected. */
  'channel.connected': {
    channel: Channel | { id: string | null; truncated: true };
  };
  /** A channel was disconnected. */
  'channel.disconnected': {
    channel: Channel | { id: string | null; truncated: true };
  };
  /** An app was installed. */
  'app.installed': {
    app: { app: string; version: string | null } | { id: string | null; truncated: true };
  };
  /** An app was uninstalled. */
  'app.uninstalled': {
    app: { app: string; version: string | null } | { id: string | null; truncated: true };
  };
  /** The settings of an app changed. */
  'app.settingsChanged': {
    app: { app: string; version: string | null } | { id: string | null; truncated: true };
  };
  /** A deployment went live: all functions of an app at once. */
  'function.deployed': {
    deployment: Deployment | { id: string | null; truncated: true };
  };
  /** A function ran. Recorded only while an endpoint or a listener names this kind. */
  'function.invoked': {
    invocation: {
      /** Id, inv_… */
      id: string;
      app: string;
      function: string;
      trigger: string;
      status: string;
      wallMs: number;
      error: { code: string; message: string } | null;
    } | { id: string | null; truncated: true };
  };
  /** A function failed. */
  'function.failed': {
    invocation: {
      /** Id, inv_… */
      id: string;
      app: string;
      function: string;
      trigger: string;
      status: string;
      wallMs: number;
      error: { code: string; message: string } | null;
    } | { id: string | null; truncated: true };
  };
  /** A run of an AI agent began. */
  'aiAgentRun.started': {
    run: AiAgentRunInList | { id: string | null; truncated: true };
  };
  /** A run waits for the answer of a person. */
  'aiAgentRun.waiting': {
    run: AiAgentRunInList | { id: string | null; truncated: true };
  };
  /** A run ended with an answer. */
  'aiAgentRun.completed': {
    run: AiAgentRunInList | { id: string | null; truncated: true };
  };
  /** A run ended by handing over to a person. */
  'aiAgentRun.handedOver': {
    run: AiAgentRunInList | { id: string | null; truncated: true };
  };
  /** A run failed, or used up its budget. */
  'aiAgentRun.failed': {
    run: AiAgentRunInList | { id: string | null; truncated: true };
  };
  /** A run was cancelled: by hand, or because a person took over. */
  'aiAgentRun.cancelled': {
    run: AiAgentRunInList | { id: string | null; truncated: true };
  };
  /** An AI agent has had 80 % of the runs that its caps allow. */
  'aiAgentRun.capNear': {
    agent: {
      /** Id, aia_… */
      id: string;
      /** App and name */
      name: string;
      cap: 'perDay' | 'perConversation';
      used: number;
      max: number;
    };
  };
  /** A flow, or a new version of it, went live. */
  'flow.published': {
    flow: Flow | { id: string | null; truncated: true };
  };
  /** A run of a flow began. */
  'flowRun.started': {
    flowRun: FlowRun | { id: string | null; truncated: true };
  };
  /** A run of a flow waits for a message, a time or an AI agent. */
  'flowRun.waiting': {
    flowRun: FlowRun | { id: string | null; truncated: true };
  };
  /** A run of a flow came to its end. */
  'flowRun.completed': {
    flowRun: FlowRun | { id: string | null; truncated: true };
  };
  /** A run of a flow failed; `error` says why. */
  'flowRun.failed': {
    flowRun: FlowRun | { id: string | null; truncated: true };
  };
  /** A run of a flow was cancelled; `reason` says why. */
  'flowRun.cancelled': {
    flowRun: FlowRun | { id: string | null; truncated: true };
  };
  /** A connection to an MCP server stands. */
  'mcpClient.connected': {
    mcpClient: {
      /** Id, mcp_… */
      id: string;
      name: string;
      origin: string;
      transport: 'sse' | 'streamable-http' | null;
      tools: { available: number; withheld: number };
      /** Of `mcpClient.failed` */
      error: { code: string; message: string } | null;
      /** Of `mcpClient.toolsChanged`: names of the tools that are new, different or gone */
      changed: string[];
    } | { id: string | null; truncated: true };
  };
  /** The tools of an MCP server changed: `changed` names those that are new, different or gone. */
  'mcpClient.toolsChanged': {
    mcpClient: {
      /** Id, mcp_… */
      id: string;
      name: string;
      origin: string;
      transport: 'sse' | 'streamable-http' | null;
      tools: { available: number; withheld: number };
      /** Of `mcpClient.failed` */
      error: { code: string; message: string } | null;
      /** Of `mcpClient.toolsChanged`: names of the tools that are new, different or gone */
      changed: string[];
    } | { id: string | null; truncated: true };
  };
  /** An MCP server cannot be reached, or answers wrongly. */
  'mcpClient.failed': {
    mcpClient: {
      /** Id, mcp_… */
      id: string;
      name: string;
      origin: string;
      transport: 'sse' | 'streamable-http' | null;
      tools: { available: number; withheld: number };
      /** Of `mcpClient.failed` */
      error: { code: string; message: string } | null;
      /** Of `mcpClient.toolsChanged`: names of the tools that are new, different or gone */
      changed: string[];
    } | { id: string | null; truncated: true };
  };
  /** An AI Tool was called. */
  'aiTool.called': {
    toolCall: ToolCall | { id: string | null; truncated: true };
  };
  /** A call of an AI Tool failed, or was refused. */
  'aiTool.failed': {
    toolCall: ToolCall | { id: string | null; truncated: true };
  };
  /** A call of an AI Tool waits for somebody to allow it. */
  'confirmation.requested': {
    confirmation: Confirmation | { id: string | null; truncated: true };
  };
  /** A call of an AI Tool was allowed or denied. */
  'confirmation.answered': {
    confirmation: Confirmation | { id: string | null; truncated: true };
  };
  /** Nobody has answered in time whether a call of an AI Tool is allowed. */
  'confirmation.expired': {
    confirmation: Confirmation | { id: string | null; truncated: true };
  };
  /** Somebody tries out a webhook endpoint; it goes to this endpoint only. */
  'webhook.ping': {
    endpoint: {
      /** Id, whk_… */
      id: string;
      kind: 'url' | 'function';
      /** Kinds of events, groups such as `message.*`, or `*` */
      events: string[];
      /** `needsSecret`: the seed names one without a value */
      state: 'enabled' | 'disabled' | 'needsSecret';
      /** Why it is disabled */
      reason: string | null;
      /** The origin of its address, or its function */
      target: string;
    } | { id: string | null; truncated: true };
  };
  /** A webhook endpoint was disabled: by hand, by its receiver, or after days of failures. */
  'webhookEndpoint.disabled': {
    endpoint: {
      /** Id, whk_… */
      id: string;
      kind: 'url' | 'function';
      /** Kinds of events, groups such as `message.*`, or `*` */
      events: string[];
      /** `needsSecret`: the seed names one without a value */
      state: 'enabled' | 'disabled' | 'needsSecret';
      /** Why it is disabled */
      reason: string | null;
      /** The origin of its address, or its function */
      target: string;
    } | { id: string | null; truncated: true };
  };
}

/** The kinds of events. */
export type EventKind = keyof EventData;

/**
 * What a webhook receiver gets as JSON. Narrow it by its `type`; name the kinds that an endpoint subscribes to:
 * `WebhookEvent<'message.received' | 'message.sent'>`.
 */
export type WebhookEvent<Kind extends EventKind = EventKind> = {
  [K in Kind]: Omit<Event, 'type' | 'data'> & { type: K; data: EventData[K] };
}[Kind];

/** Every code with which a workspace refuses. */
export type ErrorCode =
  | 'token_missing'
  | 'token_malformed'
  | 'token_invalid'
  | 'token_revoked'
  | 'token_foreign'
  | 'token_scope'
  | 'request_foreign'
  | 'operation_not_allowed'
  | 'route_unknown'
  | 'method_not_allowed'
  | 'workspace_unknown'
  | 'input_invalid'
  | 'body_invalid'
  | 'body_too_deep'
  | 'body_too_large'
  | 'content_type_unsupported'
  | 'address_too_long'
  | 'header_invalid'
  | 'request_invalid'
  | 'request_timeout'
  | 'headers_too_large'
  | 'expectation_unknown'
  | 'upgrade_refused'
  | 'cursor_invalid'
  | 'idempotency_key_reused'
  | 'idempotency_key_running'
  | 'version_conflict'
  | 'rate_limited'
  | 'workspace_busy'
  | 'workspace_stopping'
  | 'disk_full'
  | 'internal_error'
  | 'recipient_invalid'
  | 'customer_not_found'
  | 'customer_ambiguous'
  | 'customer_exists'
  | 'conversation_not_found'
  | 'conversation_closed'
  | 'agent_not_found'
  | 'workgroup_not_found'
  | 'channel_not_found'
  | 'channel_exists'
  | 'channel_disconnected'
  | 'channel_unreachable'
  | 'template_not_found'
  | 'template_language_unknown'
  | 'template_not_approved'
  | 'variables_invalid'
  | 'variable_missing'
  | 'media_not_found'
  | 'media_type_unsupported'
  | 'media_too_large'
  | 'media_size_mismatch'
  | 'media_type_mismatch'
  | 'upload_credentials_invalid'
  | 'upload_credentials_expired'
  | 'upload_already_done'
  | 'app_unknown'
  | 'app_not_installed'
  | 'settings_invalid'
  | 'setup_failed'
  | 'fixture_unsavable'
  | 'test_unsavable'
  | 'function_not_found'
  | 'function_not_exposed'
  | 'function_method_not_allowed'
  | 'function_type_mismatch'
  | 'function_failed'
  | 'function_timeout'
  | 'function_memory'
  | 'function_crashed'
  | 'function_busy'
  | 'function_depth'
  | 'function_broken'
  | 'result_too_large'
  | 'result_invalid'
  | 'function_input_invalid'
  | 'invocation_not_found'
  | 'secret_not_found'
  | 'var_not_found'
  | 'store_full'
  | 'store_value_too_large'
  | 'store_not_a_number'
  | 'token_not_found'
  | 'deployment_not_found'
  | 'deployment_incomplete'
  | 'deployment_expired'
  | 'deployment_older'
  | 'references_missing'
  | 'secrets_missing'
  | 'file_hash_mismatch'
  | 'file_unexpected'
  | 'file_not_found'
  | 'message_not_found'
  | 'message_status_invalid'
  | 'quick_reply_unknown'
  | 'trace_not_found'
  | 'job_not_found'
  | 'job_running'
  | 'job_not_cancellable'
  | 'event_not_found'
  | 'event_unknown'
  | 'cursor_expired'
  | 'loop_detected'
  | 'webhook_not_found'
  | 'webhook_exists'
  | 'webhook_limit'
  | 'webhook_disabled'
  | 'webhook_of_app'
  | 'webhook_unsigned'
  | 'webhook_url_invalid'
  | 'webhook_url_insecure'
  | 'webhook_url_private'
  | 'signing_secret_invalid'
  | 'delivery_not_found'
  | 'listener_not_found'
  | 'harness_not_found'
  | 'harness_exists'
  | 'harness_address_invalid'
  | 'harness_module_invalid'
  | 'harness_built_in'
  | 'harness_unsigned'
  | 'harness_needs_secret'
  | 'ai_agent_not_found'
  | 'ai_agent_ambiguous'
  | 'ai_agent_broken'
  | 'ai_paused'
  | 'ai_cap_reached'
  | 'budget_price_unknown'
  | 'run_not_found'
  | 'run_not_waiting'
  | 'interrupt_not_found'
  | 'run_depth'
  | 'model_call_not_found'
  | 'mcp_client_not_found'
  | 'mcp_client_exists'
  | 'mcp_client_limit'
  | 'mcp_url_invalid'
  | 'mcp_url_insecure'
  | 'mcp_url_private'
  | 'mcp_tool_unknown'
  | 'mcp_tool_changed'
  | 'mcp_secret_missing'
  | 'mcp_unauthorized'
  | 'mcp_unavailable'
  | 'mcp_endpoint_invalid'
  | 'mcp_redirected'
  | 'mcp_protocol_error'
  | 'mcp_message_too_large'
  | 'mcp_timeout'
  | 'mcp_connection_lost'
  | 'mcp_call_refused'
  | 'tool_unknown'
  | 'tool_forbidden'
  | 'tool_invalid_arguments'
  | 'confirmation_not_found'
  | 'confirmation_answered'
  | 'confirmation_expired'
  | 'flow_not_found'
  | 'flow_ambiguous'
  | 'flow_disabled'
  | 'flow_trigger_mismatch'
  | 'flow_input_invalid'
  | 'flow_running'
  | 'flow_run_not_found'
  | 'flow_run_not_ended'
  | 'flow_node_not_passed'
  | 'pack_days_insufficient'
  | 'seed_invalid';

/** Every operation of a workspace, by its name. */
export interface Operations {
  /** Show the workspace and the current token. */
  'workspace.show': {
    input: {};
    output: {
      slug: string;
      name: string;
      /** The workspace’s own address */
      url: string;
      apiUrl: string;
      environment: 'local' | 'workspace';
      token: { id: string; name: string; scopes: string[] } | null;
      /** RFC 3339 in UTC */
      now: string;
    };
  };
  /** Create an address that signs a browser in, once and within ten minutes. */
  'workspace.openUrl': {
    input: { path?: string | undefined };
    output: { url: string };
  };
  /** Empty the workspace and load a seed. */
  'workspace.reset': {
    input: {
      /** Default: the app’s `seed.json`, otherwise a small made-up company */
      seed?: Seed | undefined;
    };
    output: {};
  };
  /** Export the workspace as a seed. */
  'workspace.export': {
    input: {};
    output: {
      $schema?: string;
      version?: 1;
      workspace?: { name?: string };
      channels?: Array<{
        kind: 'messaging-app' | 'photo-network' | 'web-chat' | 'sms' | 'email';
        name: string;
        connected?: boolean;
      }>;
      workgroups?: Array<{ name: string }>;
      agents?: Array<{
        name: string;
        /** E-mail address */
        email: string;
        workgroups?: string[];
      }>;
      templates?: Array<{
        name: string;
        language: string;
        category: 'marketing' | 'utility' | 'authentication';
        status?: 'approved' | 'pending' | 'rejected' | 'paused';
        header?: TemplateHeader;
        /** Variables are positional ({{1}}) or named ({{name}}), never both */
        body: string;
        footer?: string;
        buttons?: TemplateButton[];
        carousel?: TemplateCard[];
      }>;
      customers?: Array<{
        name?: string;
        /** Phone number, international form: +4930901820 */
        phone?: string;
        /** E-mail address */
        email?: string;
        language?: string;
        /** Fields of your own */
        fields?: Record<string, Json>;
        conversations?: Array<{
          /** Name or kind of a channel */
          channel: string;
          status?: 'open' | 'closed';
          assign?: {
            /** Id, agt_… */
            agentId?: string;
            /** E-mail address */
            agentEmail?: string;
            /** Id, wgr_… */
            workgroupId?: string;
          } | { workgroup: string };
          messages?: Array<{ from: 'customer' | 'agent' | 'system'; text: string; at?: string }>;
          /** What only the team sees */
          notes?: Array<{
            text: string;
            /** Who wrote it; left out: nobody of the team */
            agentEmail?: string;
            at?: string;
          }>;
        }>;
      }>;
      /** AI harnesses, with secrets by name */
      harnesses?: Array<{
        name: string;
        kind: 'builtin' | 'claude-agent-sdk' | 'openai-agents-sdk' | 'agent-framework' | 'openai-agents-api' | 'claude-managed-agents' | 'custom';
        /** Of the kinds builtin and openai-agents-sdk: how models are spoken to */
        provider?: 'scripted' | 'openai' | 'openai-compatible' | 'anthropic';
        /** Of kinds with models: the address of their API, if it is not the usual one */
        baseUrl?: string;
        /** Of the custom kind: the address of the agent’s server */
        endpoint?: string;
        /** Of the kind agent-framework: the file of the app that exports the agent. Only the token of this machine may name one */
        module?: string;
        /** For agents that name none */
        models?: {
          main?: string;
          /** Answers when the main one cannot */
          fallback?: string;
          /** For what is asked often and is simple */
          fast?: string;
        };
        /** Of the custom kind: replies without a signature are refused */
        requireSignedReplies?: boolean | any;
        /** The name of the key, or of the signing secret of the custom kind: its value stays on the machine */
        secretFrom?: string;
        /** Of the custom kind: requests are not signed */
        unsigned?: boolean | any;
      }>;
      /** MCP servers of others, with secrets by name */
      mcpClients?: Array<{
        name: string;
        /** Endpoint of the server */
        url: string;
        /** Without it: no authentication. `secretFrom`: the name of the password or token; its value stays on the machine */
        auth?: { kind: 'basic'; user: string; secretFrom?: string } | { kind: 'bearer'; secretFrom?: string };
        /** Whether functions and API tokens may call its tools */
        code?: boolean | any;
        /** Policies by name of the tool */
        tools?: Record<string, {
          /** Default: `human` if the server calls the tool destructive, otherwise `never` */
          confirm?: 'never' | 'human' | 'customer';
          /** Default: 30 s, 20 calls a run, 60 a minute */
          limits?: { timeoutMs?: number; maxCallsPerRun?: number; perMinute?: number };
          /** What the log of calls keeps of arguments and results */
          log?: 'full' | 'redacted' | 'none';
        }>;
      }>;
      packs?: Array<{ days: number; name?: string; used?: number }>;
      /** Endpoints: either an address or a function */
      webhooks?: Array<{
        url?: string;
        /** App and path of a Server Side Method: `order-desk/api/on-message` */
        function?: string;
        /** Kinds of events, groups such as `message.*`, or `*` */
        events: string[];
        description?: string;
        state?: 'enabled' | 'disabled';
        /** Name of the signing secret: `FN_SECRET_NAME`, or in `.fn/secrets.json`. Without a value the endpoint waits for one */
        secretFrom?: string;
      }>;
      /** Variables by app */
      vars?: Record<string, Record<string, Json>>;
    };
  };
  /** Add the contents of a seed to the workspace. */
  'workspace.import': {
    input: { seed: Seed };
    output: { created: Record<string, number> };
  };
  /** List customers, newest first. */
  'customers.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Part of a name, an e-mail address or a phone number */
      search?: string | undefined;
    };
    output: Page<Customer>;
  };
  /** Find the customer with a phone number or an e-mail address. */
  'customers.find': {
    input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
    };
    output: Customer;
  };
  /** Read a customer. */
  'customers.get': {
    input: { id: string };
    output: Customer;
  };
  /** Find the customer with a phone number or an e-mail address, or create it. */
  'customers.findOrCreate': {
    input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      name?: string | undefined;
      language?: string | undefined;
      fields?: Record<string, unknown> | undefined;
    };
    output: Customer & { created: boolean };
  };
  /** Change fields of a customer. */
  'customers.update': {
    input: {
      id: string;
      name?: string | null | undefined;
      /** Phone number, international form: +4930901820 */
      phone?: string | null | undefined;
      email?: string | null | undefined;
      language?: string | null | undefined;
      /** Merged with the existing fields; null removes a field */
      fields?: Record<string, unknown> | undefined;
    };
    output: Customer;
  };
  /** List the conversations of the inbox, most recent activity first. */
  'conversations.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Default true: conversations in which the customer has written */
      inbox?: boolean | 'all' | undefined;
      status?: 'open' | 'closed' | undefined;
      customerId?: string | undefined;
      channelId?: string | undefined;
      agentId?: string | undefined;
      workgroupId?: string | undefined;
    };
    output: Page<Conversation>;
  };
  /** Read a conversation with its direct link. */
  'conversations.get': {
    input: { id: string };
    output: Conversation;
  };
  /** Change fields of a conversation. */
  'conversations.update': {
    input: {
      id: string;
      /** A field that is null is removed */
      fields: Record<string, unknown>;
    };
    output: Conversation;
  };
  /** Assign a conversation to an agent (by id or e-mail), a workgroup, or nobody. */
  'conversations.assign': {
    input: {
      id: string;
      /** null: nobody */
      assign: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | null;
    };
    output: Conversation;
  };
  /** Close a conversation. */
  'conversations.close': {
    input: { id: string };
    output: Conversation;
  };
  /** Reopen a closed conversation. */
  'conversations.reopen': {
    input: { id: string };
    output: Conversation;
  };
  /** Pause the AI in a conversation; a run that is under way there is cancelled. */
  'conversations.pauseAi': {
    input: { id: string; reason?: string | undefined };
    output: Conversation;
  };
  /** Hand a conversation back to the AI. */
  'conversations.resumeAi': {
    input: {
      id: string;
      /** true: the AI answers the last message now; default: if the customer spoke last */
      answer?: boolean | undefined;
    };
    output: Conversation;
  };
  /** Find or create customer and conversation, assign it, and return the direct link. */
  'conversations.link': {
    input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      channel?: string | undefined;
      name?: string | undefined;
      /** Exactly one of agentId, agentEmail and workgroupId is given */
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | undefined;
    };
    output: {
      /** Id, cnv_… */
      conversationId: string;
      url: string;
      /** Id, cus_… */
      customerId: string;
      created: { customer: boolean; conversation: boolean };
    };
  };
  /** List the messages of a conversation, oldest first by default. */
  'messages.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      conversationId: string;
      /** `asc`, the default: oldest first; `desc`: newest first */
      order?: 'asc' | 'desc' | undefined;
    };
    output: Page<Message>;
  };
  /** Send a message to the customer of a conversation. */
  'messages.send': {
    input: {
      conversationId: string;
      text?: string | undefined;
      /** Give either mediaId or url, but not both */
      media?: { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined } | undefined;
      /** Answers that the customer can choose from */
      quickReplies?: Array<{ id: string; title: string }> | undefined;
    };
    output: Message;
  };
  /** Find or create customer and conversation, check the template and its variables, and send: all or nothing. */
  'messages.sendTemplate': {
    input: {
      /** Phone number, international form: +4930901820 */
      to: string;
      /** Name of the message template */
      template: string;
      /** Default: the customer’s language, otherwise that of the oldest approved template */
      language?: string | undefined;
      variables?: TemplateVariables | undefined;
      /** Exactly one of agentId, agentEmail and workgroupId is given */
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | undefined;
    };
    output: SentTemplate;
  };
  /** Write to the workspace as a customer would. */
  'messages.receive': {
    input: {
      conversationId?: string | undefined;
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      channel?: string | undefined;
      name?: string | undefined;
      text?: string | undefined;
      /** Give either mediaId or url, but not both */
      media?: { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined } | undefined;
      /** The quick reply of the last message that the customer taps */
      quickReplyId?: string | undefined;
    };
    output: Message;
  };
  /** Report what became of a message, as its channel would: delivered, read, failed. */
  'messages.updateStatus': {
    input: {
      id: string;
      status: 'delivered' | 'read' | 'failed';
      /** Why it failed, in the words of the channel */
      error?: string | undefined;
    };
    output: Message;
  };
  /** Write a note on a conversation, which the customer never sees. */
  'notes.add': {
    input: { conversationId: string; text: string };
    output: Note;
  };
  /** List the notes of a conversation, oldest first. */
  'notes.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      conversationId: string;
    };
    output: Page<Note>;
  };
  /** List the human agents. */
  'agents.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Part of a name or an e-mail address */
      search?: string | undefined;
    };
    output: Page<Agent>;
  };
  /** List the workgroups. */
  'workgroups.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<Workgroup>;
  };
  /** List the channels, connected or not. */
  'channels.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<Channel>;
  };
  /** Connect a channel. */
  'channels.connect': {
    input: {
      kind: 'messaging-app' | 'photo-network' | 'web-chat' | 'sms' | 'email';
      name?: string | undefined;
    };
    output: Channel;
  };
  /** Disconnect a channel; its conversations stay. */
  'channels.disconnect': {
    input: { id: string };
    output: Channel;
  };
  /** Send an approved message template to a number. */
  'templates.send': {
    input: {
      /** Phone number, international form: +4930901820 */
      to: string;
      /** Name of the message template */
      template: string;
      /** Default: the customer’s language, otherwise that of the oldest approved template */
      language?: string | undefined;
      variables?: TemplateVariables | undefined;
      /** Exactly one of agentId, agentEmail and workgroupId is given */
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | undefined;
    };
    output: SentTemplate;
  };
  /** List the approved message templates. */
  'templates.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      language?: string | undefined;
      name?: string | undefined;
    };
    output: Page<Template>;
  };
  /** Get credentials for one upload of template header media. */
  'templates.uploadCredentials': {
    input: { fileName: string; contentType: string; bytes: number };
    output: {
      /** Id, med_… */
      mediaId: string;
      uploadUrl: string;
      method: 'PUT';
      headers: Record<string, string>;
      /** RFC 3339 in UTC */
      expiresAt: string;
      maxBytes: number;
    };
  };
  /** Read the approved message templates. */
  'messageTemplates.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      language?: string | undefined;
      name?: string | undefined;
    };
    output: Page<Template>;
  };
  /** Create upload credentials. */
  'media.createUpload': {
    input: { fileName: string; contentType: string; bytes: number };
    output: {
      /** Id, med_… */
      mediaId: string;
      uploadUrl: string;
      method: 'PUT';
      headers: Record<string, string>;
      /** RFC 3339 in UTC */
      expiresAt: string;
      maxBytes: number;
    };
  };
  /** Upload the bytes, using upload credentials. */
  'media.upload': {
    input: { mediaId: string; signature: string; expires: string };
    output: {
      /** Id, med_… */
      id: string;
      contentType: string;
      bytes: number;
      fileName: string;
      /** RFC 3339 in UTC */
      uploadedAt: string | null;
    };
  };
  /** Download uploaded media. */
  'media.get': {
    input: { mediaId: string };
    output: any;
  };
  /** Get the direct link to a customer’s conversation, creating customer and conversation if necessary. */
  'sessions.link': {
    input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      /** Id, kind or name; default: the first connected channel that can reach the identity */
      channel?: string | undefined;
      name?: string | undefined;
      /** Exactly one of agentId, agentEmail and workgroupId is given */
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | undefined;
    };
    output: {
      /** Id, cnv_… */
      conversationId: string;
      /** Direct link */
      url: string;
      /** Id, cus_… */
      customerId: string;
      created: { customer: boolean; conversation: boolean };
    };
  };
  /** List the flows of the apps, in the order in which they are asked. */
  'flows.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app?: string | undefined;
    };
    output: Page<Flow>;
  };
  /** Check the flows of the apps in folders: what is wrong with each, and which one never starts. */
  'flows.check': {
    input: { app?: string | undefined };
    output: {
      items: Array<{
        app: string;
        name: string;
        file: string;
        problems: Array<{
          code: string;
          /** Where in the file: nodes.greet.next */
          path: string;
          /** Completes the path to a sentence */
          message: string;
        }>;
        /** A flow that comes first on the same trigger and has no filter: this one never starts */
        behind: string | null;
      }>;
    };
  };
  /** Show a flow with its nodes. */
  'flows.show': {
    input: {
      /** Id, or name: `support`, or `app/support` where several apps have one */
      id: string;
    };
    output: Flow & {
      /** The flow as it is written */
      definition: Json;
    };
  };
  /** Start a flow whose trigger is manual or code. */
  'flows.run': {
    input: {
      /** Id, or name: `support`, or `app/support` where several apps have one */
      id: string;
      conversationId?: string | undefined;
      /** What the flow gets as `input`; at most 64 KiB */
      input?: unknown;
    };
    output: FlowRun;
  };
  /** Let a flow start again. */
  'flows.enable': {
    input: {
      /** Id, or name: `support`, or `app/support` where several apps have one */
      id: string;
    };
    output: Flow;
  };
  /** Keep a flow from starting; runs that are under way go on. */
  'flows.disable': {
    input: {
      /** Id, or name: `support`, or `app/support` where several apps have one */
      id: string;
    };
    output: Flow;
  };
  /** List runs of flows, newest first. */
  'flowRuns.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Id, or name: `support`, or `app/support` where several apps have one */
      flow?: string | undefined;
      conversationId?: string | undefined;
      status?: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | undefined;
    };
    output: Page<FlowRun>;
  };
  /** Show a run of a flow with each of its steps. */
  'flowRuns.show': {
    input: { id: string };
    output: FlowRun & { input: Json; variables: Record<string, Json>; steps: FlowStep[] };
  };
  /** Cancel a run of a flow; one that has ended stays as it is. */
  'flowRuns.cancel': {
    input: { id: string; reason?: string | undefined };
    output: FlowRun;
  };
  /** Run again with the data of that run, from the beginning or from a node that it passed. */
  'flowRuns.rerun': {
    input: {
      id: string;
      /** A node that the run passed: what came before is taken from its record */
      from?: string | undefined;
    };
    output: FlowRun;
  };
  /** List the live functions of an app. */
  'functions.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app: string;
    };
    output: Page<LiveFunction>;
  };
  /** Show a function with its config. */
  'functions.show': {
    input: { app: string; name: string };
    output: LiveFunction;
  };
  /** Invoke a function of any type once. */
  'functions.invoke': {
    input: {
      app: string;
      name: string;
      /** The body for a Server Side Method, args for an AI Tool, input for a flow node, settings for a setup, … */
      input?: unknown;
      /** For a Server Side Method: the HTTP method; default: POST if there is a body, otherwise the first method it exposes */
      request?: {
        method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
        /** For a list, the key is repeated for each value */
        query?: Record<string, string | string[]> | undefined;
        headers?: Record<string, string> | undefined;
      } | undefined;
      /** The conversation a flow node or an AI Tool works in */
      conversationId?: string | undefined;
      /** For a flow node: the variables that earlier nodes have set */
      variables?: Record<string, unknown> | undefined;
      trigger?: 'http' | 'flow' | 'agent' | 'tool' | 'mcp' | 'cron' | 'setup' | 'cli' | 'method' | 'view' | 'job' | 'event' | undefined;
    };
    output: InvokeResult;
  };
  /** Read log lines of an app’s functions in the order written; also as an event stream. */
  'functions.logs': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app: string;
      function?: string | undefined;
      /** RFC 3339 in UTC */
      since?: string | undefined;
    };
    output: Page<{
      /** RFC 3339 in UTC */
      at: string;
      level: 'debug' | 'info' | 'warn' | 'error';
      text: string;
      function: string;
      /** Id, inv_… */
      invocationId: string;
    }> & {
      /** Pass it as `cursor` later, or to the event stream, to get what comes after this */
      resumeCursor: string;
    };
  };
  /** Call another Server Side Method of the same app. */
  'methods.call': {
    input: {
      path: string;
      body?: unknown;
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
    };
    output: any;
  };
  /** List the saved inputs of a function, or an example of one for a built-in app. */
  'fixtures.list': {
    input: { app: string; function: string };
    output: {
      items: Array<{ name: string; input: Json }>;
    };
  };
  /** Save an input of a function below fixtures/; nothing is overwritten. */
  'fixtures.save': {
    input: { app: string; function: string; name: string; input: unknown };
    output: {
      /** Path of the file below the app’s folder */
      file: string;
    };
  };
  /** Save a conversation as a test below test/; nothing is overwritten. */
  'tests.save': {
    input: {
      conversationId: string;
      /** Name of the file below test/, without .test.js */
      name: string;
    };
    output: {
      /** Path of the file below the app’s folder */
      file: string;
    };
  };
  /** List whether each function builds, and what is wrong, with its line in the source. */
  'builds.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Default: every app */
      app?: string | undefined;
    };
    output: Page<Build>;
  };
  /** List invocations, newest first. */
  'invocations.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app?: string | undefined;
      function?: string | undefined;
      status?: 'ok' | 'error' | 'timeout' | 'memory' | 'crashed' | 'refused' | undefined;
    };
    output: Page<Invocation>;
  };
  /** Show an invocation with input, result, logs and calls. */
  'invocations.show': {
    input: { id: string };
    output: Invocation & {
      /** Cut at 64 KiB */
      input: Json;
      /** Cut at 64 KiB */
      result: Json | null;
      logs: LogLine[];
      calls: Array<{
        kind: 'sdk' | 'fetch';
        name: string;
        startedMs: number;
        ms: number;
        status: string;
        /** JSON of what was sent, redacted, cut at 4 KiB */
        input?: string;
        /** JSON of what was answered, redacted, cut at 4 KiB */
        answer?: string;
      }>;
      /** Number of further calls that did not fit into 64 KiB */
      callsLeftOut?: number;
    };
  };
  /** List the deployments of an app, newest first, and which one is live. */
  'deployments.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app: string;
    };
    output: Page<Deployment> & { live: string | null };
  };
  /** Show a deployment with its manifest; the id `live` means the live one. */
  'deployments.show': {
    input: {
      app: string;
      /** dpl_…, or `live` */
      id: string;
    };
    output: Deployment & {
      manifest: Array<{
        path: string;
        type: 'custom-flow-node' | 'server-side-method' | 'custom-view' | 'ai-tool' | 'cron-job' | 'custom-app-setup' | 'ai-agent' | 'flow';
        config: Record<string, Json>;
        sha256: string;
        bytes: number;
        sourceMapSha256?: string;
        sourceMapBytes?: number;
        /** Style sheet of a Custom View */
        cssSha256?: string;
        cssBytes?: number;
        /** Files that belong to a JSON file: its instructions, its scripts */
        files?: Array<{ path: string; sha256: string; bytes: number }>;
        /** Settings from the app’s fn.config.json for all its functions */
        settings?: {
          env?: Record<string, string>;
          isolation?: 'fresh' | 'warm';
          limits?: Record<string, number>;
          fetch?: { allow: string[] };
        };
      }>;
    };
  };
  /** Announce a complete manifest; the answer lists the missing files. */
  'deployments.create': {
    input: {
      app: string;
      /** The live version that the plan is based on; null: none */
      baseVersion: string | null;
      /** Complete: functions that are not in it will not be live */
      manifest: Array<{
        path: string;
        type: 'custom-flow-node' | 'server-side-method' | 'custom-view' | 'ai-tool' | 'cron-job' | 'custom-app-setup' | 'ai-agent' | 'flow';
        config: Record<string, unknown>;
        sha256: string;
        bytes: number;
        sourceMapSha256?: string | undefined;
        sourceMapBytes?: number | undefined;
        /** Style sheet of a Custom View */
        cssSha256?: string | undefined;
        cssBytes?: number | undefined;
        /** Files that belong to a JSON file: its instructions, its scripts */
        files?: Array<{ path: string; sha256: string; bytes: number }> | undefined;
        /** Settings from the app’s fn.config.json for all its functions */
        settings?: {
          env?: Record<string, string> | undefined;
          isolation?: 'fresh' | 'warm' | undefined;
          limits?: Record<string, number> | undefined;
          fetch?: { allow: string[] } | undefined;
        } | undefined;
      }>;
      message?: string | undefined;
      commit?: {
        sha: string;
        /** RFC 3339 in UTC */
        committedAt: string;
        ancestors?: string[] | undefined;
      } | undefined;
      /** Names of secrets that must have a value */
      secrets?: string[] | undefined;
      allowOlder?: boolean | undefined;
    };
    output: {
      /** null: the live version already has this manifest */
      id: string | null;
      fingerprint: string;
      missing: string[];
      unchanged: boolean;
    };
  };
  /** Upload one missing file under its hash. */
  'deployments.putFile': {
    input: { app: string; id: string; sha256: string };
    output: { sha256: string; bytes: number };
  };
  /** Download a file of a deployment. */
  'deployments.getFile': {
    input: { app: string; id: string; sha256: string };
    output: any;
  };
  /** Switch all functions of an app to a deployment at once. */
  'deployments.activate': {
    input: { app: string; id: string; allowOlder?: boolean | undefined };
    output: Deployment;
  };
  /** Make an older deployment live again. */
  'deployments.rollback': {
    input: {
      app: string;
      /** Default: the one before the live one */
      to?: string | undefined;
    };
    output: Deployment;
  };
  /** List apps and whether they are installed. */
  'apps.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<{
      app: string;
      installed: boolean;
      builtIn: boolean;
      version: string | null;
      functions: number;
      settings: Record<string, Json>;
      /** RFC 3339 in UTC */
      installedAt: string | null;
    }>;
  };
  /** Install an app (runs its Custom App Setup), or update its settings. */
  'apps.install': {
    input: { app: string; settings?: Record<string, unknown> | undefined };
    output: { app: string; installed: boolean; version: string | null; setup: InvokeResult | null };
  };
  /** Uninstall an app (runs its Custom App Setup). */
  'apps.uninstall': {
    input: { app: string };
    output: { app: string; installed: boolean; setup: InvokeResult | null };
  };
  /** List the names of an app’s secrets. */
  'secrets.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app: string;
    };
    output: Page<{
      name: string;
      /** RFC 3339 in UTC */
      updatedAt: string;
    }>;
  };
  /** Set a secret; its value is never returned. */
  'secrets.set': {
    input: { app: string; name: string; value: string };
    output: {
      name: string;
      /** RFC 3339 in UTC */
      updatedAt: string;
    };
  };
  /** Delete a secret. */
  'secrets.delete': {
    input: { app: string; name: string };
    output: {};
  };
  /** Read a secret of this app. */
  'secrets.get': {
    input: { name: string };
    output: { value: string | null };
  };
  /** List an app’s variables. */
  'vars.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app: string;
    };
    output: Page<{
      name: string;
      value: Json;
      /** RFC 3339 in UTC */
      updatedAt: string;
    }>;
  };
  /** Read a variable of an app. */
  'vars.get': {
    input: { app: string; name: string };
    output: {
      name: string;
      value: Json;
      /** RFC 3339 in UTC */
      updatedAt: string;
    };
  };
  /** Set a variable of an app. */
  'vars.set': {
    input: { app: string; name: string; value: unknown };
    output: {
      name: string;
      value: Json;
      /** RFC 3339 in UTC */
      updatedAt: string;
    };
  };
  /** Delete a variable of an app. */
  'vars.delete': {
    input: { app: string; name: string };
    output: {};
  };
  /** Read a value of this app’s store. */
  'store.get': {
    input: { key: string };
    output: { value: Json | null };
  };
  /** List keys and values of this app’s store. */
  'store.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      prefix?: string | undefined;
    };
    output: Page<{
      key: string;
      value: Json | null;
      /** RFC 3339 in UTC */
      expiresAt: string | null;
    }>;
  };
  /** Keep a value in this app’s store, for a limited time or indefinitely. */
  'store.set': {
    input: { key: string; value: unknown; ttlSeconds?: number | undefined };
    output: {
      key: string;
      value: Json | null;
      /** RFC 3339 in UTC */
      expiresAt: string | null;
    };
  };
  /** Delete a value of this app’s store. */
  'store.delete': {
    input: { key: string };
    output: { deleted: boolean };
  };
  /** Add to a number in this app’s store, atomically. */
  'store.increment': {
    input: { key: string; by?: number | undefined };
    output: { value: number };
  };
  /** List API tokens, never their values. */
  'tokens.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<{
      /** Id, tok_… */
      id: string;
      name: string;
      scopes: string[];
      /** The person as whom it acts */
      agentId?: string | null;
      /** RFC 3339 in UTC */
      createdAt: string;
      /** RFC 3339 in UTC */
      lastUsedAt: string | null;
      /** RFC 3339 in UTC */
      revokedAt: string | null;
    }>;
  };
  /** Create an API token; its value is shown once. */
  'tokens.create': {
    input: {
      name: string;
      /** Default: read, write, send */
      scopes?: Array<'read' | 'write' | 'send' | 'deploy' | 'admin'> | undefined;
      /** The person as whom it always acts */
      agentId?: string | undefined;
    };
    output: {
      /** Id, tok_… */
      id: string;
      name: string;
      /** Shown once */
      token: string;
      scopes: string[];
      /** The person as whom it acts */
      agentId?: string | null;
    };
  };
  /** Revoke an API token at once. */
  'tokens.revoke': {
    input: { id: string };
    output: {
      /** Id, tok_… */
      id: string;
      name: string;
      scopes: string[];
      /** The person as whom it acts */
      agentId?: string | null;
      /** RFC 3339 in UTC */
      createdAt: string;
      /** RFC 3339 in UTC */
      lastUsedAt: string | null;
      /** RFC 3339 in UTC */
      revokedAt: string | null;
    };
  };
  /** List Development Packs. */
  'packs.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<{
      /** Id, pck_… */
      id: string;
      name: string;
      days: number;
      daysLeft: number;
      /** RFC 3339 in UTC */
      createdAt: string;
    }>;
  };
  /** Show the total of days left in all packs. */
  'packs.balance': {
    input: {};
    output: { days: number; used: number; left: number };
  };
  /** List added packs and used days, newest first. */
  'packs.history': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<{
      id: string;
      kind: 'added' | 'used';
      days: number;
      note: string | null;
      packs: Array<{ id: string; days: number }>;
      balanceAfter: number;
      /** RFC 3339 in UTC */
      at: string;
    }>;
  };
  /** Add a pack of prepaid days. */
  'packs.add': {
    input: { days: number; name?: string | undefined };
    output: {
      /** Id, pck_… */
      id: string;
      name: string;
      days: number;
      daysLeft: number;
      /** RFC 3339 in UTC */
      createdAt: string;
    };
  };
  /** Book days of work, taken from the oldest pack first. */
  'packs.use': {
    input: { days: number; note?: string | undefined };
    output: {
      id: string;
      days: number;
      note: string | null;
      packs: Array<{ id: string; days: number }>;
      left: number;
    };
  };
  /** Show the workspace clock. */
  'clock.show': {
    input: {};
    output: {
      /** RFC 3339 in UTC */
      now: string;
      offsetMs: number;
    };
  };
  /** Set the workspace clock. */
  'clock.set': {
    input: { now: string | 'system' };
    output: {
      /** RFC 3339 in UTC */
      now: string;
      offsetMs: number;
      fired: number;
      stillRunning?: boolean;
    };
  };
  /** Move the workspace clock forward; each job that falls due fires once. */
  'clock.advance': {
    input: { ms: number };
    output: {
      /** RFC 3339 in UTC */
      now: string;
      offsetMs: number;
      fired: number;
      stillRunning?: boolean;
    };
  };
  /** List events, oldest first; filter by kind and conversation. */
  'events.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Kinds, separated by commas: `message.received`, `message.*`, `*`; all if left out */
      type?: string | undefined;
      /** Only events of this conversation */
      conversationId?: string | undefined;
      /** Only events from this time on */
      since?: string | undefined;
      order?: 'asc' | 'desc' | undefined;
    };
    output: Page<Event> & {
      /** Where this page ends: pass it as `cursor` later, to this list or the stream */
      resumeCursor: string;
    };
  };
  /** Show an event with what it carries. */
  'events.show': {
    input: { id: string };
    output: Event;
  };
  /** Follow the events as they happen, from a cursor on, as an event stream. */
  'events.stream': {
    input: {
      /** Kinds, separated by commas: `message.received`, `message.*`, `*`; all if left out */
      type?: string | undefined;
      /** Only events of this conversation */
      conversationId?: string | undefined;
      /** Only events from this time on */
      since?: string | undefined;
      /** Frames of what is going on besides, without an id: they are not kept */
      live?: string | undefined;
      /** Where to begin; from now on if left out. `Last-Event-ID` means the same */
      cursor?: string | undefined;
    };
    output: {};
  };
  /** Write an example of an event, marked `synthetic`, to try out what receives it. */
  'events.trigger': {
    input: {
      /** A kind of event */
      type: string;
      /** What is to differ from the example of this kind; objects are merged */
      data?: Record<string, unknown> | undefined;
    };
    output: Event;
  };
  /** List webhook endpoints, never their secrets. */
  'webhooks.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<WebhookEndpoint>;
  };
  /** Show a webhook endpoint. */
  'webhooks.show': {
    input: { id: string };
    output: WebhookEndpoint;
  };
  /** Add a webhook endpoint: an address, or a function; its signing secret is shown once. */
  'webhooks.add': {
    input: {
      url?: string | undefined;
      /** App and path of a Server Side Method: `order-desk/api/on-message` */
      function?: string | undefined;
      /** Kinds of events, groups such as `message.*`, or `*` */
      events: string[];
      description?: string | undefined;
      /** Signing secret: `whsec_` and the base64 of 24 to 64 bytes */
      secret?: string | undefined;
    };
    output: WebhookEndpoint & {
      /** Shown once; null for a function, which gets unsigned events */
      secret: string | null;
    };
  };
  /** Change a webhook endpoint, enable it or disable it. */
  'webhooks.update': {
    input: {
      id: string;
      url?: string | undefined;
      /** Kinds of events, groups such as `message.*`, or `*` */
      events?: string[] | undefined;
      description?: string | null | undefined;
      state?: 'enabled' | 'disabled' | undefined;
    };
    output: WebhookEndpoint & {
      /** After enabling: how many events it has missed; `webhooks.recover` delivers them */
      missed: {
        count: number;
        /** RFC 3339 in UTC */
        since: string;
      } | null;
    };
  };
  /** Remove a webhook endpoint and what was delivered to it; nothing more is sent there. */
  'webhooks.remove': {
    input: { id: string };
    output: {};
  };
  /** Replace the signing secret; for 24 hours both sign. The new one is shown once. */
  'webhooks.rotateSecret': {
    input: {
      id: string;
      /** Signing secret: `whsec_` and the base64 of 24 to 64 bytes */
      secret?: string | undefined;
    };
    output: {
      /** Id, whk_… */
      id: string;
      /** Shown once */
      secret: string;
      /** RFC 3339 in UTC */
      oldSecretUntil: string | null;
    };
  };
  /** Send a webhook.ping to this endpoint only. */
  'webhooks.ping': {
    input: { id: string };
    output: {
      /** Id, evt_… */
      eventId: string;
      /** Id, dlv_… */
      deliveryId: string;
    };
  };
  /** Deliver what an endpoint has missed since a time: what failed, and what happened while it was disabled. */
  'webhooks.recover': {
    input: {
      id: string;
      /** Default: when it was last disabled, or the last 24 hours */
      since?: string | undefined;
      /** How many a second; at once if left out */
      perSecond?: number | undefined;
    };
    output: {
      /** How many are delivered now; at most 1000 at once */
      count: number;
      /** true: call again for the rest */
      more: boolean;
    };
  };
  /** List deliveries of events, newest first; filter by endpoint, event and state. */
  'deliveries.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** whk_… of an endpoint, lsn_… of a listener */
      endpointId?: string | undefined;
      eventId?: string | undefined;
      state?: 'waiting' | 'delivered' | 'failed' | 'aborted' | undefined;
    };
    output: Page<Delivery>;
  };
  /** Show a delivery with the bytes that were signed and every attempt. */
  'deliveries.show': {
    input: { id: string };
    output: Delivery & {
      /** The exact text that is signed and sent, as UTF-8 */
      body: string;
      attempts: Array<{
        /** Counted from 1 */
        number: number;
        /** By the machine’s clock, like `webhook-timestamp` */
        startedAt: string;
        ms: number;
        /** The address, or the function */
        target: string;
        requestHeaders: Record<string, string>;
        status: number | null;
        /** At most the first 4 KiB of its body */
        answer: { headers: Record<string, string>; body: string; truncated: boolean } | null;
        /** Why there is no answer */
        error: { code: string; message: string } | null;
        reason: string;
        /** For a function */
        invocationId: string | null;
      }>;
    };
  };
  /** Deliver again, with the same webhook-id: one delivery, an event, or all that failed since a time. */
  'deliveries.resend': {
    input: {
      id?: string | undefined;
      eventId?: string | undefined;
      /** Only to this endpoint or listener */
      endpointId?: string | undefined;
      /** All that failed and were made at this time or later */
      failedSince?: string | undefined;
      /** How many a second; at once if left out */
      perSecond?: number | undefined;
    };
    output: {
      /** How many are delivered again */
      count: number;
      /** true: call again for the rest */
      more: boolean;
      deliveryIds: string[];
    };
  };
  /** List listeners. */
  'listeners.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<Listener>;
  };
  /** Open a listener by its name, new or where it stopped, and say what it has missed. */
  'listeners.open': {
    input: {
      /** The same name goes on where it stopped */
      name: string;
      /** Default: those of the last time; `*` for a new one */
      events?: string[] | undefined;
      /** Begin at this time, wherever it stopped */
      since?: string | undefined;
      /** Begin now, wherever it stopped */
      fromNow?: boolean | undefined;
    };
    output: Listener & {
      created: boolean;
      missed: {
        /** Events since it stopped; 10 000 stands for as many or more */
        count: number;
        /** The time of the first one */
        since: string | null;
      };
    };
  };
  /** Follow a listener’s events from its cursor on, and what is sent to it again, as an event stream. */
  'listeners.stream': {
    input: { id: string };
    output: {};
  };
  /** Move a listener’s cursor on, and record what became of its events. */
  'listeners.ack': {
    input: {
      id: string;
      /** The `id:` of the last event that is done; it never goes back */
      cursor?: string | undefined;
      attempts?: Array<{
        eventId: string;
        /** For what is sent again: the delivery that the stream named */
        deliveryId?: string | undefined;
        /** Where it was forwarded to */
        target?: string | undefined;
        status?: number | null | undefined;
        ms: number;
        /** Why there was no answer */
        error?: string | null | undefined;
        requestHeaders?: Record<string, string> | undefined;
        answer?: { headers: Record<string, string>; body: string; truncated: boolean } | null | undefined;
        /** When it is tried again; null if it is not */
        nextAttemptInMs?: number | null | undefined;
        reason?: string | undefined;
      }> | undefined;
    };
    output: Listener;
  };
  /** Remove a listener and its cursor. */
  'listeners.remove': {
    input: { id: string };
    output: {};
  };
  /** Call a Server Side Method of the app later, in the background, with retries. */
  'methods.enqueue': {
    input: {
      /** The app; for a function its own */
      app?: string | undefined;
      /** The method, by its path below functions/ */
      path: string;
      /** What the method gets; at most 64 KiB */
      body?: unknown;
      delayMs?: number | undefined;
      /** A moment of the workspace clock, instead of delayMs */
      runAt?: string | undefined;
      /** What may exist once: until 24 h after its end, it answers for every repeat */
      key?: string | undefined;
      /** Tries; default 6 */
      attempts?: number | undefined;
    };
    output: {
      /** Id, job_… */
      id: string;
      /** false: a job with this key was there */
      created: boolean;
    };
  };
  /** List what runs later, newest first: background calls, deliveries, schedules, waits. */
  'jobs.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      kind?: 'cron' | 'delivery' | 'invocation' | 'flow-step' | 'agent-run' | 'tool-call' | 'expiry' | undefined;
      /** `blocked`: another one of its lane comes first */
      state?: 'blocked' | 'waiting' | 'running' | 'done' | 'failed' | 'aborted' | undefined;
      app?: string | undefined;
      /** Only what has this first cause */
      traceId?: string | undefined;
    };
    output: Page<Job>;
  };
  /** Show a job with what it carries and how its last try ended. */
  'jobs.show': {
    input: { id: string };
    output: Job & { payload: Json };
  };
  /** Cancel a background call that has not begun, or waits to be tried again. */
  'jobs.cancel': {
    input: { id: string };
    output: Job;
  };
  /** List AI harnesses, never their keys and secrets. */
  'harnesses.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<Harness>;
  };
  /** Show an AI harness. */
  'harnesses.show': {
    input: {
      /** Id or name */
      id: string;
    };
    output: Harness;
  };
  /** Register an AI harness; a signing secret that is made for it is shown once. */
  'harnesses.add': {
    input: {
      name: string;
      kind: 'builtin' | 'claude-agent-sdk' | 'openai-agents-sdk' | 'agent-framework' | 'openai-agents-api' | 'claude-managed-agents' | 'custom';
      /** Of the kinds builtin and openai-agents-sdk: how models are spoken to */
      provider?: 'scripted' | 'openai' | 'openai-compatible' | 'anthropic' | undefined;
      /** Of kinds with models: the address of their API, if it is not the usual one */
      baseUrl?: string | undefined;
      /** Of the custom kind: the address of the agent’s server */
      endpoint?: string | undefined;
      /** Of the kind agent-framework: the file of the app that exports the agent. Only the token of this machine may name one */
      module?: string | undefined;
      /** For agents that name none */
      models?: {
        main?: string | undefined;
        /** Answers when the main one cannot */
        fallback?: string | undefined;
        /** For what is asked often and is simple */
        fast?: string | undefined;
      } | undefined;
      /** Of the custom kind: replies without a signature are refused */
      requireSignedReplies?: boolean | undefined;
      /** Key of the models; no operation shows it again */
      apiKey?: string | undefined;
      /** Of the custom kind; made and shown once if left out */
      secret?: string | undefined;
      /** Of the custom kind: requests are not signed */
      unsigned?: boolean | undefined;
    };
    output: Harness & {
      /** Shown once, if it was made here; null otherwise */
      secret: string | null;
    };
  };
  /** Change an AI harness, or give it another key. */
  'harnesses.update': {
    input: {
      /** Id or name */
      id: string;
      name?: string | undefined;
      /** Of the kinds builtin and openai-agents-sdk: how models are spoken to */
      provider?: 'scripted' | 'openai' | 'openai-compatible' | 'anthropic' | undefined;
      /** Of kinds with models: the address of their API, if it is not the usual one */
      baseUrl?: string | undefined;
      /** Of the custom kind: the address of the agent’s server */
      endpoint?: string | undefined;
      /** Of the kind agent-framework: the file of the app that exports the agent. Only the token of this machine may name one */
      module?: string | undefined;
      /** For agents that name none */
      models?: {
        main?: string | undefined;
        /** Answers when the main one cannot */
        fallback?: string | undefined;
        /** For what is asked often and is simple */
        fast?: string | undefined;
      } | undefined;
      /** Of the custom kind: replies without a signature are refused */
      requireSignedReplies?: boolean | undefined;
      /** null: none any more */
      apiKey?: string | null | undefined;
    };
    output: Harness;
  };
  /** Remove an AI harness with its key and secret. */
  'harnesses.remove': {
    input: {
      /** Id or name */
      id: string;
    };
    output: {};
  };
  /** Replace the signing secret; for 24 hours both sign. The new one is shown once. */
  'harnesses.rotateSecret': {
    input: {
      /** Id or name */
      id: string;
      /** Signing secret: `whsec_` and the base64 of 24 to 64 bytes */
      secret?: string | undefined;
    };
    output: {
      /** Id, har_… */
      id: string;
      /** Shown once */
      secret: string;
      /** RFC 3339 in UTC */
      oldSecretUntil: string | null;
    };
  };
  /** Check that a harness can work: its key, its address, its endpoint; of the kind custom also how its server behaves. */
  'harnesses.check': {
    input: {
      /** Id or name */
      id: string;
      /** Of the kind custom: plays this scenario with its server, signed with its secret; it asks the agent */
      scenario?: string | undefined;
    };
    output: {
      ok: boolean;
      /** What must be known of its kind: `not verified against the live service`, or null */
      note: string | null;
      problems: Array<{ code: string; message: string; fix: string }>;
      scenario: {
        name: string;
        /** What a server must do */
        rule: string;
        status: 'passed' | 'failed' | 'skipped';
        /** What it did, or why the scenario was left out */
        message: string | null;
        ms: number;
      } | null;
    };
  };
  /** List the AI agents of the apps. */
  'aiAgents.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      app?: string | undefined;
    };
    output: Page<{
      /** Id, aia_… */
      id: string;
      app: string;
      /** `nora`, of agents/nora.json */
      name: string;
      title: string | null;
      /** Counts up when changed content goes live */
      version: number;
      /** dpl_…, or `local` */
      deployment: string;
      harness: string;
      models: { main: string | null; fallback: string | null; fast: string | null };
      tools: string[];
      /** Why it cannot run now: its file is wrong */
      problem: string | null;
    }>;
  };
  /** Show an AI agent with its instructions. */
  'aiAgents.show': {
    input: {
      /** Id, name, or app and name: order-desk/nora */
      id: string;
    };
    output: {
      /** Id, aia_… */
      id: string;
      app: string;
      /** `nora`, of agents/nora.json */
      name: string;
      title: string | null;
      /** Counts up when changed content goes live */
      version: number;
      /** dpl_…, or `local` */
      deployment: string;
      harness: string;
      models: { main: string | null; fallback: string | null; fast: string | null };
      tools: string[];
      /** Why it cannot run now: its file is wrong */
      problem: string | null;
      instructions: string;
      budget: {
        /** US dollars; without it, money is not limited */
        maxCostUsd?: number;
        /** Default 50,000 */
        maxTokens?: number;
        /** Default 12 */
        maxModelCalls?: number;
        /** Default 20 */
        maxToolCalls?: number;
        /** Working time; default 120 */
        maxSeconds?: number;
        /** With maxCostUsd: also models whose price is unknown */
        allowUnknownPrice?: boolean;
      } | null;
      mcp: Array<{
        /** Name of an MCP client */
        client: string;
        /** All of its tools if left out */
        tools?: string[];
        /** A run without it does not start */
        required?: boolean;
      }>;
      history: {
        /** Messages of the conversation; default 40 */
        maxMessages?: number;
        /** Tokens of these messages, as estimated */
        maxTokens?: number;
        /** Whether the fast model sums up what was left out; default none */
        summary?: 'fast' | 'none';
      } | null;
      reply: {
        /** Most messages of one answer; default 3 */
        maxMessages?: number;
      } | null;
    };
  };
  /** Start a run of an AI agent, or of a harness alone. */
  'aiAgentRuns.create': {
    input: {
      /** Name of an AI agent: `nora`, or `app/nora` */
      agent?: string | undefined;
      /** Name of a harness, for a run without an agent */
      harness?: string | undefined;
      /** Instead of those of the agent */
      instructions?: string | undefined;
      /** Instead of those of agent and harness */
      models?: {
        main?: string | undefined;
        /** Answers when the main one cannot */
        fallback?: string | undefined;
        /** For what is asked often and is simple */
        fast?: string | undefined;
      } | undefined;
      /** What the agent is asked: a text, or messages. May be left out in a conversation, whose last message it answers then */
      input?: string | Array<{ role: 'user' | 'assistant'; content: string }> | undefined;
      /** Its history comes first, and the answer is sent there */
      conversationId?: string | undefined;
      /** Instead of those of the agent */
      tools?: string[] | undefined;
      mcp?: Array<{
        /** Name of an MCP client */
        client: string;
        /** All of its tools if left out */
        tools?: string[] | undefined;
        /** A run without it does not start */
        required?: boolean | undefined;
      }> | undefined;
      /** Overrides that of the agent, field by field */
      budget?: {
        /** US dollars; without it, money is not limited */
        maxCostUsd?: number | undefined;
        /** Default 50,000 */
        maxTokens?: number | undefined;
        /** Default 12 */
        maxModelCalls?: number | undefined;
        /** Default 20 */
        maxToolCalls?: number | undefined;
        /** Working time; default 120 */
        maxSeconds?: number | undefined;
        /** With maxCostUsd: also models whose price is unknown */
        allowUnknownPrice?: boolean | undefined;
      } | undefined;
      /** Kept with the run */
      metadata?: Record<string, unknown> | undefined;
    };
    output: AiAgentRun;
  };
  /** Show a run with its model calls, tool calls and use of the budget; or follow it as it goes. */
  'aiAgentRuns.show': {
    input: {
      id: string;
      /** As an event stream: only events behind this one */
      after?: number | undefined;
    };
    output: AiAgentRun;
  };
  /** Show what a model was asked in one call, and what it answered. */
  'aiAgentRuns.showModelCall': {
    input: { id: string; modelCallId: string };
    output: {
      /** Id, mdc_… */
      id: string;
      /** One counter over model and tool calls */
      seq: number;
      role: 'main' | 'fallback' | 'fast';
      provider: string;
      model: string;
      /** RFC 3339 in UTC */
      startedAt: string;
      /** RFC 3339 in UTC */
      endedAt: string | null;
      finishReason: 'stop' | 'toolCalls' | 'length' | 'filter' | 'error' | 'aborted' | null;
      /** Null when nothing was spent, or nobody knows */
      usage: {
        inputTokens: number;
        outputTokens: number;
        /** Part of the input */
        cachedInputTokens: number;
        /** Part of the output */
        reasoningTokens: number;
      } | null;
      costUsd: number | null;
      error: { code: string; message: string; hint?: string } | null;
      instructions: string;
      /** What the model was asked, oldest first */
      messages: Json[];
      tools: string[];
      /** Null if there is none */
      answer: Json;
    };
  };
  /** List runs of AI agents, newest first. */
  'aiAgentRuns.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** `waiting`: for the answer of a person */
      status?: 'queued' | 'running' | 'waiting' | 'completed' | 'handedOver' | 'failed' | 'cancelled' | undefined;
      /** App and name: order-desk/nora; or its id */
      agent?: string | undefined;
      conversationId?: string | undefined;
    };
    output: Page<AiAgentRunInList>;
  };
  /** Cancel a run; one that has ended stays as it is. */
  'aiAgentRuns.cancel': {
    input: { id: string };
    output: AiAgentRun;
  };
  /** Answer a question of the agent itself, for which a run waits; with the last answer it goes on. */
  'aiAgentRuns.answer': {
    input: {
      id: string;
      /** Id of the question; may be left out if there is one */
      interruptId?: string | undefined;
      /** `cancelled`: nobody will answer it; default: resolved */
      status?: 'resolved' | 'cancelled' | undefined;
      /** The answer, as its responseSchema asks for it; at most 64 KiB */
      payload?: unknown;
    };
    output: AiAgentRun;
  };
  /** Run again: what came before a call is taken from the record, the rest is live. */
  'aiAgentRuns.rerun': {
    input: {
      id: string;
      /** The model call from which on it is live; default: the first one */
      from?: string | undefined;
      models?: {
        main?: string | undefined;
        /** Answers when the main one cannot */
        fallback?: string | undefined;
        /** For what is asked often and is simple */
        fast?: string | undefined;
      } | undefined;
      instructions?: string | undefined;
      /** Instead of what was asked; only without `from` */
      input?: string | undefined;
      budget?: {
        /** US dollars; without it, money is not limited */
        maxCostUsd?: number | undefined;
        /** Default 50,000 */
        maxTokens?: number | undefined;
        /** Default 12 */
        maxModelCalls?: number | undefined;
        /** Default 20 */
        maxToolCalls?: number | undefined;
        /** Working time; default 120 */
        maxSeconds?: number | undefined;
        /** With maxCostUsd: also models whose price is unknown */
        allowUnknownPrice?: boolean | undefined;
      } | undefined;
      /** Whether the answer is sent to the conversation again; default no */
      send?: boolean | undefined;
    };
    output: AiAgentRun;
  };
  /** Show everything that has the same first cause as an event, message, invocation, run, job or delivery, as spans. */
  'traces.show': {
    input: {
      /** Id of an event, a message, an invocation, a run, a job or a delivery, or a trace id */
      id: string;
    };
    output: {
      traceId: string;
      /** Oldest first; at most 5,000 */
      spans: Span[];
      /** true: there are more spans */
      truncated: boolean;
    };
  };
  /** List MCP clients, never their secrets. */
  'mcpClients.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    };
    output: Page<McpClient>;
  };
  /** Show an MCP client and the state of its connection. */
  'mcpClients.show': {
    input: {
      /** Id or name */
      id: string;
    };
    output: McpClient;
  };
  /** Add an MCP client: the endpoint of a server, without authentication, with Basic or Bearer. */
  'mcpClients.add': {
    input: {
      name: string;
      /** Endpoint of the server */
      url: string;
      /** Without it: no authentication. No operation shows the secret again */
      auth?: { kind: 'none' } | {
        kind: 'basic';
        user: string;
        /** The password */
        secret: string;
      } | {
        kind: 'bearer';
        /** The token */
        secret: string;
      } | undefined;
      code?: boolean | undefined;
    };
    output: McpClient;
  };
  /** Change an MCP client: its endpoint, its authentication, who may call its tools, and what they may do. */
  'mcpClients.update': {
    input: {
      /** Id or name */
      id: string;
      name?: string | undefined;
      /** Endpoint of the server */
      url?: string | undefined;
      /** Without it: no authentication. No operation shows the secret again */
      auth?: { kind: 'none' } | {
        kind: 'basic';
        user: string;
        /** The password */
        secret: string;
      } | {
        kind: 'bearer';
        /** The token */
        secret: string;
      } | undefined;
      code?: boolean | undefined;
      /** By name; null: as at first */
      tools?: Record<string, {
        /** Default: `human` if the server calls the tool destructive, otherwise `never` */
        confirm?: 'never' | 'human' | 'customer' | undefined;
        /** Default: 30 s, 20 calls a run, 60 a minute */
        limits?: {
          timeoutMs?: number | undefined;
          maxCallsPerRun?: number | undefined;
          perMinute?: number | undefined;
        } | undefined;
        /** What the log of calls keeps of arguments and results */
        log?: 'full' | 'redacted' | 'none' | undefined;
      } | null> | undefined;
    };
    output: McpClient;
  };
  /** Remove an MCP client, its secret and the tools accepted from it. */
  'mcpClients.remove': {
    input: {
      /** Id or name */
      id: string;
    };
    output: {};
  };
  /** List the tools of an MCP client; connects if they are not known yet, or if asked to. */
  'mcpClients.tools': {
    input: {
      /** Id or name */
      id: string;
      /** true: ask the server now */
      refresh?: boolean | undefined;
    };
    output: {
      items: McpTool[];
      /** Hashes of accepted tools that the server no longer lists, by name */
      gone: Record<string, string>;
    };
  };
  /** Call a tool of an MCP client; what is refused and what fails is part of the answer. */
  'mcpClients.call': {
    input: {
      /** Id or name */
      id: string;
      tool: string;
      /** What the tool gets; {} if left out */
      arguments?: unknown;
    };
    output: {
      status: 'ok' | 'error';
      /** Id, tlc_… */
      callId: string;
      result?: Json;
      error?: ToolError;
      /** With `tool_confirmation_required`: what has to be answered first */
      confirmationId?: string;
    };
  };
  /** Connect to an MCP client or to any endpoint, list its tools and report what is wrong with them. */
  'mcpClients.check': {
    input: {
      /** Id or name */
      id?: string | undefined;
      /** Endpoint of the server */
      url?: string | undefined;
      /** Without it: no authentication. No operation shows the secret again */
      auth?: { kind: 'none' } | {
        kind: 'basic';
        user: string;
        /** The password */
        secret: string;
      } | {
        kind: 'bearer';
        /** The token */
        secret: string;
      } | undefined;
    };
    output: {
      ok: boolean;
      transport: 'sse' | 'streamable-http' | null;
      protocolVersion: string | null;
      server: { name: string; version: string } | null;
      tools: number;
      problems: Array<{
        code: string;
        tool: string | null;
        message: string;
        fix: string;
        level: 'error' | 'warning';
      }>;
    };
  };
  /** Accept tools as they are now: those that are new or have changed are withheld from models until then. */
  'mcpClients.accept': {
    input: {
      /** Id or name */
      id: string;
      /** Hashes by name, as they were shown; all tools as they were last listed if left out */
      tools?: Record<string, string> | undefined;
      /** true: accept these hashes and no others, listed or not: what a lock file says */
      exactly?: boolean | undefined;
    };
    output: {
      /** Names of the tools that were withheld before */
      accepted: string[];
      client: McpClient;
    };
  };
  /** List the AI Tools, with what each permits. */
  'tools.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Only tools of this app or MCP client */
      source?: string | undefined;
    };
    output: Page<Tool>;
  };
  /** Show an AI Tool. */
  'tools.show': {
    input: {
      /** Name of the tool; where two have it, with its app or client: app/NAME */
      name: string;
    };
    output: Tool;
  };
  /** Call an AI Tool; what the gate refuses and what fails is part of the answer. */
  'tools.call': {
    input: {
      /** Name of the tool; where two have it, with its app or client: app/NAME */
      name: string;
      /** What the tool gets; {} if left out */
      arguments?: unknown;
      /** The conversation that it works in */
      conversationId?: string | undefined;
    };
    output: {
      status: 'ok' | 'error';
      /** Id, tlc_… */
      callId: string;
      result?: Json;
      error?: ToolError;
      /** With `tool_confirmation_required`: what has to be answered first */
      confirmationId?: string;
    };
  };
  /** List the calls of AI Tools, newest first. */
  'tools.logs': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      id?: string | undefined;
      /** Name of the tool; where two have it, with its app or client: app/NAME */
      tool?: string | undefined;
      runId?: string | undefined;
      conversationId?: string | undefined;
      /** true: only calls without a result; false: only those with one */
      failed?: boolean | undefined;
    };
    output: Page<ToolCall>;
  };
  /** List the confirmations that were asked for, newest first. */
  'confirmations.list': {
    input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** true: only those that wait for an answer */
      open?: boolean | undefined;
      conversationId?: string | undefined;
      runId?: string | undefined;
    };
    output: Page<Confirmation>;
  };
  /** Show a confirmation: while it is open, with all arguments; afterwards, with what came of the call. */
  'confirmations.show': {
    input: { id: string };
    output: Confirmation & {
      /** What came of the call; null before */
      outcome: {
        status: 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled';
        result?: Json;
        error?: ToolError;
      } | null;
    };
  };
  /** Allow or deny a call of a tool that waits for a person. */
  'confirmations.answer': {
    input: {
      id: string;
      answer: 'allow' | 'deny';
      /** Why not; the model reads it */
      reason?: string | undefined;
      /** With `allow`: other arguments than those asked for */
      arguments?: unknown;
    };
    output: Confirmation;
  };
}
