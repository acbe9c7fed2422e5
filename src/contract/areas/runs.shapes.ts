import { z } from 'zod';
import { runStatuses } from '../run-statuses.ts';
import { budget, history, mcpTools, reply, toolNames } from '../shapes/agent-file.ts';
import { appName, flag, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { harnessName, harnessNoteShape, models } from './harnesses.shapes.ts';

const status = z.enum(runStatuses).describe('`waiting`: for the answer of a person');

const AiAgent = z.object({
  id: id('aia'),
  app: z.string(),
  name: z.string().describe('`nora`, of agents/nora.json'),
  title: z.string().nullable(),
  version: z.number().int().describe('Counts up when changed content goes live'),
  deployment: z.string().describe('dpl_…, or `local`'),
  harness: z.string(),
  models: z.object({ main: z.string().nullable(), fallback: z.string().nullable(), fast: z.string().nullable() }),
  tools: z.array(z.string()),
  problem: z.string().nullable().describe('Why it cannot run now: its file is wrong'),
});

const Usage = z.object({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedInputTokens: z.number().int().describe('Part of the input'),
  reasoningTokens: z.number().int().describe('Part of the output'),
});

const Problem = z.object({ code: z.string(), message: z.string(), hint: z.string().optional() });

const ModelCall = z.object({
  id: id('mdc'),
  seq: z.number().int().describe('One counter over model and tool calls'),
  role: z.enum(['main', 'fallback', 'fast']),
  provider: z.string(),
  model: z.string(),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  finishReason: z.enum(['stop', 'toolCalls', 'length', 'filter', 'error', 'aborted']).nullable(),
  usage: Usage.nullable().describe('Null when nothing was spent, or nobody knows'),
  costUsd: z.number().nullable(),
  error: Problem.nullable(),
});

const ToolCall = z.object({
  id: id('tlc'),
  seq: z.number().int(),
  modelCallId: z.string().nullable(),
  name: z.string(),
  source: z.object({
    type: z.enum(['function', 'mcp', 'platform', 'agent']),
    function: z.string().nullable().describe('App and path of the AI Tool'),
    client: z.string().nullable().describe('Name of the MCP client'),
  }),
  arguments: json,
  status: z.enum(['requested', 'awaitingConfirmation', 'denied', 'running', 'ok', 'error', 'timeout', 'cancelled']),
  result: json,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  confirmation: z.string().nullable().describe('cfm_…, of the question to a person'),
});

const Message = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });

const Waiting = z.object({
  id: z.string().describe('cfm_… of a confirmation, or the agent’s own id'),
  kind: z
    .enum(['confirmation', 'agent'])
    .describe('`confirmation`: of a tool call; `agent`: a question of the agent itself'),
  message: z.string().nullable(),
  toolCallId: z.string().nullable(),
  responseSchema: json
    .optional()
    .describe('Of a question of the agent: JSON Schema of the answer, as the agent gave it'),
  expiresAt: timestamp.nullable().describe('Of a question of the agent: when it counts as cancelled'),
});

/** A run without its calls, as lists and events show it. */
export const RunInList = z.object({
  id: id('run'),
  object: z.literal('aiAgentRun'),
  status,
  source: z.object({
    type: z.enum(['api', 'function', 'flow', 'cli', 'rerun']),
    app: z.string().nullable(),
    function: z.string().nullable(),
    flowId: z.string().nullable(),
    flowVersion: z.number().int().nullable(),
    nodeId: z.string().nullable(),
    flowRunId: z.string().nullable(),
  }),
  aiAgentId: z.string().nullable(),
  agent: z.string().nullable().describe('App and name: order-desk/nora'),
  harness: z.object({ id: id('har'), kind: z.string(), name: z.string(), note: harnessNoteShape }),
  conversationId: z.string().nullable(),
  customerId: z.string().nullable(),
  models: z.object({ main: z.string().nullable(), fallback: z.string().nullable(), fast: z.string().nullable() }),
  budget: z.object({
    maxCostUsd: z.number().nullable(),
    maxTokens: z.number().int(),
    maxModelCalls: z.number().int(),
    maxToolCalls: z.number().int(),
    maxSeconds: z.number(),
  }),
  usage: Usage.extend({
    modelCalls: z.number().int(),
    toolCalls: z.number().int(),
    costUsd: z.number().describe('Of the models whose price is known'),
    costBasis: z.enum(['priced', 'reported', 'unknown']).describe('`unknown`: a model has no price'),
    seconds: z.number().describe('Working time'),
    byModel: z.array(
      z.object({
        model: z.string(),
        inputTokens: z.number().int(),
        outputTokens: z.number().int(),
        costUsd: z.number().nullable(),
      }),
    ),
  }),
  budgetExceeded: z
    .enum(['cost', 'tokens', 'modelCalls', 'toolCalls', 'time'])
    .nullable()
    .describe('The limit that ended the run'),
  text: z.string().nullable().describe('What was said to the customer'),
  result: z.object({
    type: z.enum(['reply', 'handover', 'none']),
    messageIds: z.array(z.string()),
    teamId: z.string().nullable(),
    reason: z.string().nullable(),
    summary: z.string().nullable(),
  }),
  error: Problem.nullable(),
  waitingFor: z.array(Waiting).describe('What a person has to answer'),
  metadata: z.record(z.string(), json),
  rerunOf: z.string().nullable(),
  traceId: z.string(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});

export const Run = RunInList.extend({
  input: z.array(Message),
  history: z.object({
    messages: z.number().int().describe('Messages of the conversation that it saw'),
    leftOut: z.number().int().describe('Earlier ones that it did not see'),
  }),
  modelCalls: z.array(ModelCall),
  toolCalls: z.array(ToolCall),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  lateEvents: z.number().int().describe('What came after it was cancelled, and was dropped'),
});

const inputText = text(256 * 1024);
const maxMessages = 1_000;
const maxAnswerCharacters = 64 * 1024;

export const runShapes = {
  'aiAgents.list': { input: z.strictObject({ ...page, app: appName.optional() }), output: listOf(AiAgent) },
  'aiAgents.show': {
    input: z.strictObject({ id: text(200).describe('Id, name, or app and name: order-desk/nora') }),
    output: AiAgent.extend({
      instructions: z.string(),
      budget: budget.nullable(),
      mcp: mcpTools,
      history: history.nullable(),
      reply: reply.nullable(),
    }),
  },
  'aiAgentRuns.create': {
    input: z
      .strictObject({
        agent: text(200).optional().describe('Name of an AI agent: `nora`, or `app/nora`'),
        harness: harnessName.optional().describe('Name of a harness, for a run without an agent'),
        instructions: text(100_000).optional().describe('Instead of those of the agent'),
        models: models.optional().describe('Instead of those of agent and harness'),
        input: z
          .union([
            inputText,
            z
              .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: inputText }))
              .min(1)
              .max(maxMessages),
          ])
          .optional()
          .describe(
            'What the agent is asked: a text, or messages. May be left out in a conversation, whose last message it answers then',
          ),
        conversationId: id('cnv').optional().describe('Its history comes first, and the answer is sent there'),
        tools: toolNames.optional().describe('Instead of those of the agent'),
        mcp: mcpTools.optional(),
        budget: budget.optional().describe('Overrides that of the agent, field by field'),
        metadata: z.record(z.string().min(1).max(100), json).optional().describe('Kept with the run'),
      })
      .refine(({ agent, harness }) => agent !== undefined || harness !== undefined, {
        message: 'is missing: name an agent or a harness',
        path: ['agent'],
      })
      .refine(
        ({ agent, harness, instructions }) =>
          agent !== undefined || harness === undefined || instructions !== undefined,
        {
          message: 'is missing: a harness alone needs instructions',
          path: ['instructions'],
        },
      )
      .refine(({ input, conversationId }) => input !== undefined || conversationId !== undefined, {
        message: 'is missing: say what the agent is asked, or name a conversation',
        path: ['input'],
      }),
    output: Run,
  },
  'aiAgentRuns.show': {
    input: z.strictObject({
      id: id('run'),
      after: z.coerce.number().int().min(0).optional().describe('As an event stream: only events behind this one'),
    }),
    output: Run,
  },
  'aiAgentRuns.showModelCall': {
    input: z.strictObject({ id: id('run'), modelCallId: id('mdc') }),
    output: ModelCall.extend({
      instructions: z.string(),
      messages: z.array(json).describe('What the model was asked, oldest first'),
      tools: z.array(z.string()),
      answer: json.describe('Null if there is none'),
    }),
  },
  'aiAgentRuns.list': {
    input: z.strictObject({
      ...page,
      status: status.optional(),
      agent: text(200).optional().describe('App and name: order-desk/nora; or its id'),
      conversationId: id('cnv').optional(),
    }),
    output: listOf(RunInList),
  },
  'aiAgentRuns.cancel': { input: z.strictObject({ id: id('run') }), output: Run },
  'aiAgentRuns.answer': {
    input: z.strictObject({
      id: id('run'),
      interruptId: text(200).optional().describe('Id of the question; may be left out if there is one'),
      status: z
        .enum(['resolved', 'cancelled'])
        .optional()
        .describe('`cancelled`: nobody will answer it; default: resolved'),
      payload: json
        .optional()
        .refine((payload) => payload === undefined || JSON.stringify(payload).length <= maxAnswerCharacters, {
          message: `is longer than ${maxAnswerCharacters / 1024} KiB as JSON`,
        })
        .describe('The answer, as its responseSchema asks for it; at most 64 KiB'),
    }),
    output: Run,
  },
  'aiAgentRuns.rerun': {
    input: z.strictObject({
      id: id('run'),
      from: id('mdc').optional().describe('The model call from which on it is live; default: the first one'),
      models: models.optional(),
      instructions: text(100_000).optional(),
      input: inputText.optional().describe('Instead of what was asked; only without `from`'),
      budget: budget.optional(),
      send: flag.optional().describe('Whether the answer is sent to the conversation again; default no'),
    }),
    output: Run,
  },
} as const;
