import type { z } from 'zod';
import { Agent, Workgroup } from '../areas/agents.shapes.ts';
import { Build } from '../areas/builds.shapes.ts';
import { Channel } from '../areas/channels.shapes.ts';
import { Confirmation } from '../areas/confirmations.shapes.ts';
import { Assignment, Conversation } from '../areas/conversations.shapes.ts';
import { Customer } from '../areas/customers.shapes.ts';
import { Delivery } from '../areas/deliveries.shapes.ts';
import { Deployment } from '../areas/deployments.shapes.ts';
import { Event } from '../areas/events.shapes.ts';
import { InvokeResult, LiveFunction } from '../areas/functions.shapes.ts';
import { Harness } from '../areas/harnesses.shapes.ts';
import { Invocation, LogLine } from '../areas/invocations.shapes.ts';
import { Job } from '../areas/jobs.shapes.ts';
import { Listener } from '../areas/listeners.shapes.ts';
import { McpClient, McpTool } from '../areas/mcp-clients.shapes.ts';
import { Message } from '../areas/messages.shapes.ts';
import { Note } from '../areas/notes.shapes.ts';
import { Run, RunInList } from '../areas/runs.shapes.ts';
import {
  SentTemplate,
  Template,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  templateVariables,
} from '../areas/templates.shapes.ts';
import { Tool, ToolCall, ToolError } from '../areas/tools.shapes.ts';
import { Span } from '../areas/traces.shapes.ts';
import { Endpoint } from '../areas/webhooks.shapes.ts';
import { seed } from './seed.ts';

/** Answer shapes that have a name of their own in the types, the reference and the OpenAPI document. */
export const entities = {
  Customer,
  Conversation,
  Assignment,
  Message,
  Note,
  Agent,
  Workgroup,
  Channel,
  Template,
  TemplateHeader,
  TemplateButton,
  TemplateCard,
  SentTemplate,
  Invocation,
  LogLine,
  InvokeResult,
  LiveFunction,
  Build,
  Deployment,
  Event,
  WebhookEndpoint: Endpoint,
  Delivery,
  Listener,
  Job,
  Span,
  Harness,
  AiAgentRun: Run,
  AiAgentRunInList: RunInList,
  McpClient,
  McpTool,
  Tool,
  ToolCall,
  ToolError,
  Confirmation,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Input shapes that have a name of their own. */
export const inputEntities = {
  TemplateVariables: templateVariables,
  Seed: seed,
} as const satisfies Readonly<Record<string, z.ZodType>>;
