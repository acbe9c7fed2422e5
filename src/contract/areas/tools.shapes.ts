import { z } from 'zod';
import { actorTypes } from '../actor-types.ts';
import { flag, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { type ToolCode, toolCodes } from '../tool-codes.ts';

const callers = z.union([z.enum(['all', 'none']), z.array(z.string())]);

export const ToolError = z.object({
  code: z.enum(Object.keys(toolCodes) as [ToolCode, ...ToolCode[]]),
  message: z.string(),
  retryable: z.boolean().describe('Whether another try, with other arguments or later, may succeed'),
});

export const toolCaller = z.object({
  type: z.enum(actorTypes).describe('`agent`: a person of the team, or at this machine'),
  id: z.string().nullable(),
});

export const toolSource = z.object({
  kind: z.enum(['app', 'mcp']),
  name: z.string().describe('Name of the app or the MCP client'),
});

export const Tool = z.object({
  name: z.string(),
  source: toolSource,
  title: z.string().nullable(),
  description: z.string(),
  input: json.describe('JSON Schema of the arguments'),
  output: json.nullable().describe('JSON Schema of the result'),
  annotations: z.object({
    readOnly: z.boolean(),
    destructive: z.boolean(),
    idempotent: z.boolean(),
    openWorld: z.boolean(),
  }),
  callers: z
    .object({ aiAgents: callers, aiNodes: callers, harnesses: callers, code: z.boolean(), mcp: z.boolean() })
    .describe('Who may call it, besides people'),
  conversation: z
    .object({ read: z.array(z.string()), write: z.array(z.string()) })
    .describe('The fields of the conversation that it sees and may change'),
  confirm: z.object({
    by: z.enum(['never', 'human', 'customer']),
    expiresAfterMs: z.number().int(),
    onExpire: z.enum(['deny', 'handover']).nullable().describe('null: handover in a conversation, otherwise deny'),
    conditional: z.boolean().describe('Whether only some calls need it: see `confirm.when` of the tool'),
  }),
  limits: z.object({
    timeoutMs: z.number().int().nullable(),
    maxCallsPerRun: z.number().int().nullable(),
    perMinute: z.number().int().nullable(),
    maxResultBytes: z.number().int(),
  }),
  function: z.string().nullable().describe('The function behind it'),
  version: z.string().nullable().describe('Deployment id, or `local` during development'),
  problem: z.string().nullable().describe('Why it cannot be called at the moment'),
});

export const ToolCall = z.object({
  id: id('tlc'),
  at: timestamp,
  tool: z.string(),
  source: toolSource.nullable().describe('null: there was no such tool'),
  version: z.string().nullable(),
  caller: toolCaller,
  runId: z.string().nullable(),
  modelCallId: z.string().nullable(),
  conversationId: z.string().nullable(),
  arguments: json.nullable().describe('As the tool’s `log` says; null if it says none'),
  decision: z
    .enum(['permitted', 'refused', 'confirmed', 'denied', 'asked'])
    .describe('Of the gate; `asked`: a confirmation is open'),
  confirmationId: z.string().nullable(),
  status: z.enum(['running', 'waiting', 'ok', 'error', 'denied', 'timeout', 'cancelled']),
  error: ToolError.nullable(),
  ms: z.number().nullable().describe('Time that the tool took'),
  resultBytes: z.number().int().nullable(),
  result: json.nullable().describe('As the tool’s `log` says; null if it says none'),
  invocationId: z.string().nullable(),
  traceId: z.string(),
  causeId: z.string().nullable(),
});

export const toolCallAnswer = z.object({
  status: z.enum(['ok', 'error']),
  callId: id('tlc'),
  result: json.optional(),
  error: ToolError.optional(),
  confirmationId: z.string().optional().describe('With `tool_confirmation_required`: what has to be answered first'),
});

export const toolName = text(200).describe('Name of the tool; where two have it, with its app or client: app/NAME');

export const toolShapes = {
  'tools.list': {
    input: z.strictObject({
      ...page,
      source: text(100).optional().describe('Only tools of this app or MCP client'),
    }),
    output: listOf(Tool),
  },
  'tools.show': { input: z.strictObject({ name: toolName }), output: Tool },
  'tools.call': {
    input: z.strictObject({
      name: toolName,
      arguments: json.optional().describe('What the tool gets; {} if left out'),
      conversationId: id('cnv').optional().describe('The conversation that it works in'),
    }),
    output: toolCallAnswer,
  },
  'tools.logs': {
    input: z.strictObject({
      ...page,
      id: id('tlc').optional(),
      tool: toolName.optional(),
      runId: text(100).optional(),
      conversationId: id('cnv').optional(),
      failed: flag.optional().describe('true: only calls without a result; false: only those with one'),
    }),
    output: listOf(ToolCall),
  },
} as const;
