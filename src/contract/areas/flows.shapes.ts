import { z } from 'zod';
import { flowRunStatuses } from '../run-statuses.ts';
import { appName, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { flowTriggers } from '../shapes/flow-file.ts';
import { json } from '../shapes/json.ts';

const flowId = text(200).describe('Id, or name: `support`, or `app/support` where several apps have one');

export const Flow = z.object({
  id: id('flw'),
  app: z.string(),
  name: z.string().describe('Name of its file below flows/, without the ending'),
  title: z.string().nullable(),
  version: z.number().int().describe('Counts up when changed content goes live'),
  state: z.enum(['enabled', 'disabled', 'removed']).describe('`removed`: its file is gone; runs under way go on'),
  trigger: z.object({
    on: z.enum(flowTriggers),
    filtered: z.boolean().describe('Whether it has a filter'),
    priority: z.number().int(),
    also: z.boolean(),
    schedule: z.string().nullable(),
    timezone: z.string().nullable(),
  }),
  publishedAt: timestamp.describe('When its version went live'),
});

const status = z.enum(flowRunStatuses);
const error = z.object({ code: z.string(), message: z.string() });

export const FlowRun = z.object({
  id: id('flr'),
  flowId: id('flw'),
  app: z.string(),
  flow: z.string().describe('Name of the flow'),
  version: z.number().int(),
  status,
  trigger: z.string().describe('What started it'),
  conversationId: z.string().nullable(),
  customerId: z.string().nullable(),
  node: z.string().describe('Where it is, or where it ended'),
  waitingFor: z
    .object({ type: z.enum(['message', 'time', 'run']), until: timestamp.nullable(), runId: z.string().nullable() })
    .nullable(),
  stepCount: z.number().int(),
  missedMessages: z
    .number()
    .int()
    .describe('Messages that came while too many others waited for it, or that its AI agent refused'),
  error: error.nullable(),
  reason: z.string().nullable().describe('Why it was cancelled'),
  rerunOf: z.string().nullable(),
  traceId: z.string(),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
});

export const FlowStep = z.object({
  seq: z.number().int().describe('Counts from 0; `RUN:SEQ` is the key of whatever the step did'),
  node: z.string(),
  type: z.string(),
  outcome: z.string().describe('The way that it took out of the node'),
  output: json.describe('What the node answered; null if nothing'),
  error: error.nullable(),
  ref: z.string().nullable().describe('The invocation, message or run of an AI agent that it made'),
  at: timestamp,
  ms: z.number().int(),
});

export const flowShapes = {
  'flows.list': { input: z.strictObject({ ...page, app: appName.optional() }), output: listOf(Flow) },
  'flows.check': {
    input: z.strictObject({ app: appName.optional() }),
    output: z.object({
      items: z.array(
        z.object({
          app: z.string(),
          name: z.string(),
          file: z.string(),
          problems: z.array(
            z.object({
              code: z.string(),
              path: z.string().describe('Where in the file: nodes.greet.next'),
              message: z.string().describe('Completes the path to a sentence'),
            }),
          ),
          behind: z
            .string()
            .nullable()
            .describe('A flow that comes first on the same trigger and has no filter: this one never starts'),
        }),
      ),
    }),
  },
  'flows.show': {
    input: z.strictObject({ id: flowId }),
    output: Flow.extend({ definition: json.describe('The flow as it is written') }),
  },
  'flows.run': {
    input: z.strictObject({
      id: flowId,
      conversationId: id('cnv').optional(),
      input: json.optional().describe('What the flow gets as `input`; at most 64 KiB'),
    }),
    output: FlowRun,
  },
  'flows.enable': { input: z.strictObject({ id: flowId }), output: Flow },
  'flows.disable': { input: z.strictObject({ id: flowId }), output: Flow },
  'flowRuns.list': {
    input: z.strictObject({
      ...page,
      flow: flowId.optional(),
      conversationId: id('cnv').optional(),
      status: status.optional(),
    }),
    output: listOf(FlowRun),
  },
  'flowRuns.show': {
    input: z.strictObject({ id: id('flr') }),
    output: FlowRun.extend({
      input: json,
      variables: z.record(z.string(), json),
      steps: z.array(FlowStep),
    }),
  },
  'flowRuns.cancel': {
    input: z.strictObject({ id: id('flr'), reason: text(500).optional() }),
    output: FlowRun,
  },
  'flowRuns.rerun': {
    input: z.strictObject({
      id: id('flr'),
      from: text(50).optional().describe('A node that the run passed: what came before is taken from its record'),
    }),
    output: FlowRun,
  },
} as const;
