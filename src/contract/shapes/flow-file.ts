import { z } from 'zod';
import { isNestedDeeper } from '../../std/index.ts';
import { limits } from '../limits.ts';
import { type Checked, checkShape } from './check.ts';
import { json } from './json.ts';

/** What can start a flow. */
const flowTriggers = [
  'message.received',
  'conversation.created',
  'conversation.assigned',
  'template.replied',
  'schedule',
  'manual',
  'code',
] as const;

/** How the two sides of a comparison are compared. */
const flowOperators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'startsWith',
  'in',
  'exists',
  'matches',
] as const;

const nodeName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,49}$/, 'a node is named by letters, digits, _ and -, beginning with a letter');
const next = nodeName.describe('The node that comes next');
const template = (most: number) =>
  z.string().min(1).max(most).describe('Text; {{message.text}} and other paths are filled in');
const duration = z
  .string()
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'a duration is a number and a unit: 30s, 15m, 2h, 7d')
  .describe('A number and a unit: 30s, 15m, 2h, 7d');
const schema = z.record(z.string(), json).describe('A JSON Schema');
const position = z
  .strictObject({ x: z.number(), y: z.number() })
  .optional()
  .describe('Where an editor shows it; it means nothing to the flow');

const comparison = z.strictObject({
  field: z.string().min(1).max(500).describe('A path: message.text, customer.fields.tier, steps.NODE.output.status'),
  op: z.enum(flowOperators),
  value: json.optional().describe('What it is compared with; none for `exists`'),
});

export type FlowCondition =
  | z.infer<typeof comparison>
  | { readonly all: readonly FlowCondition[] }
  | { readonly any: readonly FlowCondition[] }
  | { readonly not: FlowCondition };

const condition: z.ZodType<FlowCondition> = z
  .lazy(() =>
    z.union([
      comparison,
      z.strictObject({ all: z.array(condition).min(1).max(50) }),
      z.strictObject({ any: z.array(condition).min(1).max(50) }),
      z.strictObject({ not: condition }),
    ]),
  )
  .meta({ id: 'flowCondition' });

const common = {
  title: z.string().min(1).max(100).optional().describe('What people read instead of the name of the node'),
  position,
};
const failing = { onError: nodeName.optional().describe('The node that comes next if this one fails') };

const trigger = z.strictObject({
  type: z.literal('trigger'),
  ...common,
  on: z.enum(flowTriggers).describe('What starts the flow'),
  filter: condition.optional().describe('It starts only if this holds'),
  input: schema.optional().describe('For `manual` and `code`: what `input` must be'),
  schedule: z.string().max(200).optional().describe('For `schedule`: five or six fields, or @hourly'),
  timezone: z.string().max(100).optional().describe('For `schedule`: such as Europe/Berlin; UTC if left out'),
  priority: z.number().int().min(-1000).max(1000).optional().describe('Of several flows the highest is asked first'),
  also: z.boolean().optional().describe('Start it although another flow has started for the same message'),
  next,
});

const branching = z.strictObject({
  type: z.literal('condition'),
  ...common,
  branches: z
    .array(z.strictObject({ title: z.string().min(1).max(100).optional(), if: condition, next }))
    .min(1)
    .max(20)
    .describe('The first one that holds is taken'),
  else: nodeName.describe('The node that comes next if none holds'),
});

const media = z
  .strictObject({
    mediaId: z.string().max(200).optional(),
    url: template(2048).optional(),
    fileName: z.string().min(1).max(255).optional(),
  })
  .refine((value) => (value.mediaId === undefined) !== (value.url === undefined), { message: 'give mediaId or url' });

const message = z
  .strictObject({
    type: z.literal('message'),
    ...common,
    text: template(4096).optional(),
    template: z
      .strictObject({
        name: z.string().min(1).max(512),
        language: z.string().min(1).max(35).optional(),
        variables: json.optional().describe('As for templates.send; paths in texts are filled in'),
      })
      .optional(),
    media: media.optional(),
    quickReplies: z
      .array(z.strictObject({ id: z.string().min(1).max(100), title: template(25) }))
      .max(10)
      .optional(),
    next,
    ...failing,
  })
  .refine((value) => value.text !== undefined || value.template !== undefined || value.media !== undefined, {
    message: 'give a text, media or a template',
  })
  .refine(
    (value) =>
      value.template === undefined ||
      (value.text === undefined && value.media === undefined && value.quickReplies === undefined),
    { message: 'a template stands alone: it has its own text, media and buttons' },
  );

const functionNode = z.strictObject({
  type: z.literal('custom-flow-node'),
  ...common,
  function: z.string().min(1).max(300).describe('A Custom Flow Node: its path below functions/, or app/path'),
  input: json.optional().describe('What it gets; a text that is only {{path}} becomes the value itself'),
  outcomes: z.record(z.string().min(1).max(100), nodeName).describe('The node that follows each of its outcomes'),
  timeout: duration.optional(),
  ...failing,
});

const budget = z
  .strictObject({
    maxTokens: z.number().int().min(1).optional(),
    maxModelCalls: z.number().int().min(1).optional(),
    maxToolCalls: z.number().int().min(0).optional(),
    maxSeconds: z.number().min(0.1).optional(),
    maxCostUsd: z.number().min(0).optional(),
  })
  .describe('Overrides the budget of the agent field by field');
const tools = z.array(z.string().min(1).max(200)).max(100).describe('Names of AI Tools');
const mcp = z
  .array(z.strictObject({ client: z.string().min(1).max(100), tools: z.array(z.string().min(1).max(200)).optional() }))
  .max(20)
  .describe('Tools of MCP clients; all of a client if none are named');
const model = z.string().min(1).max(200);
const harness = z.string().min(1).max(100).describe('The name of an AI harness; `builtin` if left out');

const ai = z.strictObject({
  type: z.literal('ai'),
  ...common,
  prompt: template(32_000),
  output: schema.optional().describe('The JSON Schema of its answer; without one the answer is {text}'),
  harness: harness.optional(),
  model: model.optional().describe('The fast model of the harness if left out'),
  tools: tools.optional(),
  mcp: mcp.optional(),
  budget: budget.optional(),
  next,
  ...failing,
});

const aiAgent = z
  .strictObject({
    type: z.literal('ai-agent'),
    ...common,
    agent: z.string().min(1).max(300).optional().describe('An AI agent: NAME of agents/NAME.json, or app/NAME'),
    instructions: template(100_000).optional().describe('Without `agent`: what it is told to do'),
    harness: harness.optional(),
    models: z.strictObject({ main: model.optional(), fallback: model.optional(), fast: model.optional() }).optional(),
    tools: tools.optional(),
    mcp: mcp.optional(),
    budget: budget.optional(),
    mode: z
      .enum(['turn', 'conversation'])
      .optional()
      .describe('`turn`, the default: it answers once; `conversation`: it waits for the customer after each answer'),
    onNewMessage: z
      .enum(['collect', 'queue', 'interrupt', 'reject'])
      .optional()
      .describe('What a message does that comes while it works; `collect` if left out'),
    collectMs: z.number().int().min(0).max(60_000).optional(),
    next,
    onHandover: nodeName.optional().describe('The node that comes next if it hands over; `next` if left out'),
    onBudget: nodeName.optional().describe('The node that comes next if its budget is used up; onError if left out'),
    ...failing,
  })
  .refine((value) => (value.agent === undefined) !== (value.instructions === undefined), {
    message: 'give agent or instructions',
  });

const to = z
  .strictObject({
    workgroup: z.string().min(1).max(200).optional().describe('The name of a workgroup'),
    agent: z.string().min(1).max(254).optional().describe('The e-mail address of a person of the team'),
  })
  .refine((value) => (value.workgroup === undefined) !== (value.agent === undefined), {
    message: 'give workgroup or agent',
  });

const assigning = {
  ...common,
  to,
  note: template(10_000).optional().describe('A note that the team sees in the conversation'),
  summary: z.boolean().optional().describe('Add to the note which way the flow has taken'),
  next,
  ...failing,
};
const handover = z.strictObject({ type: z.literal('handover'), ...assigning });
const assign = z.strictObject({ type: z.literal('assign'), ...assigning });

const wait = z
  .strictObject({
    type: z.literal('wait'),
    ...common,
    for: z.enum(['message.received', 'time']),
    duration: duration.optional().describe('For `time`: how long'),
    timeout: duration.optional().describe('For `message.received`: until it goes on without one; 7d if left out'),
    next,
    onTimeout: nodeName.optional().describe('The node that comes next if no message came in time; `next` if left out'),
  })
  .refine((value) => (value.for === 'time') === (value.duration !== undefined), {
    message: 'give a duration with `time`, and only there',
    path: ['duration'],
  })
  .refine((value) => value.for !== 'time' || (value.timeout === undefined && value.onTimeout === undefined), {
    message: '`time` has no timeout: it ends by itself',
    path: ['timeout'],
  });

const end = z.strictObject({
  type: z.literal('end'),
  ...common,
  close: z.boolean().optional().describe('Close the conversation'),
});

const node = z.discriminatedUnion('type', [
  trigger,
  branching,
  message,
  functionNode,
  ai,
  aiAgent,
  handover,
  assign,
  wait,
  end,
]);

/** A flow: `flows/NAME.json`. */
export const flowFile = z.strictObject({
  $schema: z.string().optional(),
  title: z.string().min(1).max(100).optional(),
  description: z.string().max(1000).optional(),
  nodes: z.record(nodeName, node).describe('The nodes by name; exactly one is of type trigger'),
});

/** A flow as it is written: `flows/NAME.json`. */
export type Flow = z.infer<typeof flowFile>;
export type FlowNode = z.infer<typeof node>;
export type FlowNodeType = FlowNode['type'];
export type FlowTrigger = (typeof flowTriggers)[number];

/** Checks a flow's shape. How its nodes fit together is checked by room `flow`. */
export function checkFlowShape(given: unknown): Checked<Flow> {
  if (!isNestedDeeper(given, limits.request.jsonDepth)) return checkShape(flowFile, given);
  return {
    fits: false,
    problems: [{ path: '', message: `is nested more than ${limits.request.jsonDepth} levels deep` }],
  };
}
