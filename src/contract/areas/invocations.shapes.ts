import { z } from 'zod';
import { appName, functionName, functionType, id, listOf, page, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';

export const LogLine = z.object({
  at: timestamp,
  level: z.enum(['debug', 'info', 'warn', 'error']),
  text: z.string(),
});

export const InvocationStatus = z.enum(['ok', 'error', 'timeout', 'memory', 'crashed', 'refused']);

export const Trigger = z.enum([
  'http',
  'flow',
  'agent',
  'tool',
  'mcp',
  'cron',
  'setup',
  'cli',
  'method',
  'view',
  'job',
  'event',
]);

export const Invocation = z.object({
  id: id('inv'),
  app: z.string(),
  function: z.string(),
  type: functionType,
  version: z.string(),
  trigger: Trigger.describe('What started it'),
  caller: z.object({ type: z.string(), id: z.string().nullable() }),
  traceId: z.string().nullable().describe('The trace that it belongs to: 32 hex digits'),
  causeId: z.string().nullable().describe('What caused it: an event, a job, another invocation'),
  status: InvocationStatus,
  startedAt: timestamp,
  wallMs: z.number().describe('Time it took'),
  cpuMs: z.number().describe('Processor time it used'),
  peakMemoryBytes: z.number().int().describe('Most memory it used'),
  error: z
    .object({ code: z.string(), name: z.string(), message: z.string(), stack: z.string().optional() })
    .nullable()
    .describe('With the stack in the author’s own sources'),
});

const InvocationRecord = Invocation.extend({
  input: json.describe('Cut at 64 KiB'),
  result: json.nullable().describe('Cut at 64 KiB'),
  logs: z.array(LogLine),
  calls: z.array(
    z.object({
      kind: z.enum(['sdk', 'fetch']),
      name: z.string(),
      startedMs: z.number(),
      ms: z.number(),
      status: z.string(),
      input: z.string().optional().describe('JSON of what was sent, redacted, cut at 4 KiB'),
      answer: z.string().optional().describe('JSON of what was answered, redacted, cut at 4 KiB'),
    }),
  ),
  callsLeftOut: z.number().int().optional().describe('Number of further calls that did not fit into 64 KiB'),
});

export const invocationShapes = {
  'invocations.list': {
    input: z.strictObject({
      ...page,
      app: appName.optional(),
      function: functionName.optional(),
      status: InvocationStatus.optional(),
    }),
    output: listOf(Invocation),
  },
  'invocations.show': { input: z.strictObject({ id: id('inv') }), output: InvocationRecord },
} as const;
