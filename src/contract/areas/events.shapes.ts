import { z } from 'zod';
import { actorTypes } from '../actor-types.ts';
import { type EventKind, eventKinds, type LiveFrameKind, liveFrameKinds } from '../events.ts';
import { id, listOf, page, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { Channel } from './channels.shapes.ts';
import { Confirmation } from './confirmations.shapes.ts';
import { Assignment, Conversation } from './conversations.shapes.ts';
import { Customer } from './customers.shapes.ts';
import { Deployment } from './deployments.shapes.ts';
import { McpClientInEvent } from './mcp-clients.shapes.ts';
import { Message } from './messages.shapes.ts';
import { Note } from './notes.shapes.ts';
import { RunInList } from './runs.shapes.ts';
import { ToolCall } from './tools.shapes.ts';
import { EndpointInEvent } from './webhooks.shapes.ts';

/** A too large object in an event's data. */
const cutObject = z.object({ id: z.string().nullable(), truncated: z.literal(true) });
/** The full object as the API shows it; over 20 kB only its id. */
const full = <T extends z.ZodType>(shape: T) => z.union([shape, cutObject]);

const customer = z.object({ customer: full(Customer) });
const conversation = z.object({ conversation: full(Conversation) });
const assigned = z.object({ conversation: full(Conversation), assignee: full(Assignment) });
const message = z.object({ message: full(Message) });
const channel = z.object({ channel: full(Channel) });
const toolCall = z.object({ toolCall: full(ToolCall) });
const confirmation = z.object({ confirmation: full(Confirmation) });
const endpoint = z.object({ endpoint: full(EndpointInEvent) });
const run = z.object({ run: full(RunInList) });
const mcpClient = z.object({ mcpClient: full(McpClientInEvent) });
const invocation = z.object({
  invocation: full(
    z.object({
      id: id('inv'),
      app: z.string(),
      function: z.string(),
      trigger: z.string(),
      status: z.string(),
      wallMs: z.number(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
});

/** What each kind of event carries in `data`. */
export const eventData = {
  'customer.created': customer,
  'customer.updated': customer,
  'conversation.created': conversation,
  'conversation.updated': conversation,
  'conversation.assigned': assigned,
  'conversation.unassigned': assigned,
  'conversation.closed': conversation,
  'conversation.reopened': conversation,
  'message.received': message,
  'message.sent': message,
  'message.status': message,
  'conversation.aiPaused': conversation,
  'conversation.aiResumed': conversation,
  'note.created': z.object({ note: full(Note) }),
  'template.sent': z.object({
    message: full(Message),
    template: full(z.object({ id: id('tpl'), name: z.string(), language: z.string() })),
  }),
  'channel.connected': channel,
  'channel.disconnected': channel,
  'app.installed': z.object({ app: full(z.object({ app: z.string(), version: z.string().nullable() })) }),
  'app.uninstalled': z.object({ app: full(z.object({ app: z.string(), version: z.string().nullable() })) }),
  'app.settingsChanged': z.object({ app: full(z.object({ app: z.string(), version: z.string().nullable() })) }),
  'function.deployed': z.object({ deployment: full(Deployment) }),
  'function.invoked': invocation,
  'function.failed': invocation,
  'aiAgentRun.started': run,
  'aiAgentRun.waiting': run,
  'aiAgentRun.completed': run,
  'aiAgentRun.handedOver': run,
  'aiAgentRun.failed': run,
  'aiAgentRun.cancelled': run,
  'aiAgentRun.capNear': z.object({
    agent: z.object({
      id: id('aia'),
      name: z.string().describe('App and name'),
      cap: z.enum(['perDay', 'perConversation']),
      used: z.number().int(),
      max: z.number().int(),
    }),
  }),
  'mcpClient.connected': mcpClient,
  'mcpClient.toolsChanged': mcpClient,
  'mcpClient.failed': mcpClient,
  'aiTool.called': toolCall,
  'aiTool.failed': toolCall,
  'confirmation.requested': confirmation,
  'confirmation.answered': confirmation,
  'confirmation.expired': confirmation,
  'webhook.ping': endpoint,
  'webhookEndpoint.disabled': endpoint,
} as const satisfies Record<EventKind, z.ZodType>;

export const Event = z.object({
  id: id('evt').describe('Id, evt_…; also the `webhook-id` of its deliveries'),
  type: z.enum(eventKinds),
  timestamp: timestamp.describe('When it happened, by the workspace clock'),
  apiVersion: z.string().describe('Version of this format'),
  workspace: z.string().describe('Slug of the workspace'),
  environment: z.enum(['local', 'workspace']).describe('`local`: on a developer’s machine'),
  actor: z.object({ type: z.enum(actorTypes), id: z.string().nullable() }).describe('Who did it'),
  conversationId: z.string().nullable(),
  sequence: z.number().int().nullable().describe('Counts the events of one conversation from 1'),
  data: z
    .record(z.string(), json)
    .describe('The full objects as the API shows them; over 20 kB `{id, truncated: true}`'),
  previous: z.record(z.string(), json).nullable().describe('Old values of the fields that changed'),
  traceId: z.string().nullable().describe('The trace that it belongs to: 32 hex digits'),
  causeId: z.string().nullable().describe('What caused it: an event, a job, an invocation; null where a trace begins'),
  synthetic: z.literal(true).optional().describe('Made by `fn webhook trigger`: nothing happened in the workspace'),
});

const filters = {
  type: z
    .string()
    .max(1000)
    .optional()
    .describe('Kinds, separated by commas: `message.received`, `message.*`, `*`; all if left out'),
  conversationId: id('cnv').optional().describe('Only events of this conversation'),
  since: timestamp.optional().describe('Only events from this time on'),
};

export const eventShapes = {
  'events.list': {
    input: z.strictObject({ ...page, ...filters, order: z.enum(['asc', 'desc']).optional() }),
    output: listOf(Event).extend({
      resumeCursor: z.string().describe('Where this page ends: pass it as `cursor` later, to this list or the stream'),
    }),
  },
  'events.show': { input: z.strictObject({ id: id('evt') }), output: Event },
  'events.stream': {
    input: z.strictObject({
      ...filters,
      live: z
        .string()
        .max(100)
        .transform((text) => text.split(',') as LiveFrameKind[])
        .refine((kinds) => kinds.every((kind) => liveFrameKinds.includes(kind)), {
          message: `must be some of ${liveFrameKinds.join(', ')}, separated by commas`,
        })
        .optional()
        .describe('Frames of what is going on besides, without an id: they are not kept'),
      cursor: page.cursor.describe('Where to begin; from now on if left out. `Last-Event-ID` means the same'),
    }),
    output: z.object({}),
  },
  'events.trigger': {
    input: z.strictObject({
      type: z.string().min(1).max(100).describe('A kind of event'),
      data: z
        .record(z.string(), json)
        .optional()
        .describe('What is to differ from the example of this kind; objects are merged'),
    }),
    output: Event,
  },
} as const;
