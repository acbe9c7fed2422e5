import { z } from 'zod';
import { appName, functionName, functionType, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { LogLine, Trigger } from './invocations.shapes.ts';

export const LiveFunction = z.object({
  app: z.string(),
  name: z.string(),
  type: functionType,
  path: z.string().describe('Below functions/, ending in .js'),
  url: z.string().nullable().describe('Endpoint of an exposed Server Side Method'),
  version: z.string().describe('Deployment id, or `local` during development'),
  config: z.record(z.string(), json),
});

export const InvokeResult = z.object({
  invocationId: id('inv'),
  result: json,
  logs: z.array(LogLine),
  wallMs: z.number(),
  cpuMs: z.number(),
  passedBy: z
    .array(z.string())
    .optional()
    .describe('For an AI Tool: the policies of its config that a call by `tools.call` would have met'),
  stale: z
    .boolean()
    .optional()
    .describe('True if the last good version ran, because what is in the folder does not build (`fn dev` only)'),
});

export const functionShapes = {
  'functions.list': { input: z.strictObject({ ...page, app: appName }), output: listOf(LiveFunction) },
  'functions.show': { input: z.strictObject({ app: appName, name: functionName }), output: LiveFunction },
  'functions.invoke': {
    input: z.strictObject({
      app: appName,
      name: functionName,
      input: json
        .optional()
        .describe(
          'The body for a Server Side Method, args for an AI Tool, input for a flow node, settings for a setup, …',
        ),
      request: z
        .strictObject({
          method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
          query: z
            .record(z.string(), z.string().or(z.array(z.string()).max(1_000)))
            .optional()
            .describe('For a list, the key is repeated for each value'),
          headers: z.record(z.string(), z.string()).optional(),
        })
        .optional()
        .describe(
          'For a Server Side Method: the HTTP method; default: POST if there is a body, otherwise the first method it exposes',
        ),
      conversationId: id('cnv').optional().describe('The conversation a flow node or an AI Tool works in'),
      variables: z
        .record(z.string().max(100), json)
        .optional()
        .describe('For a flow node: the variables that earlier nodes have set'),
      trigger: Trigger.optional(),
    }),
    output: InvokeResult,
  },
  'functions.logs': {
    input: z.strictObject({ ...page, app: appName, function: functionName.optional(), since: timestamp.optional() }),
    output: listOf(LogLine.extend({ function: z.string(), invocationId: id('inv') })).extend({
      resumeCursor: z
        .string()
        .describe('Pass it as `cursor` later, or to the event stream, to get what comes after this'),
    }),
  },
  'methods.call': {
    input: z.strictObject({
      path: text(200),
      body: json.optional(),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    }),
    output: z.unknown(),
  },
} as const;
