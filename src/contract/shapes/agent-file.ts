import { z } from 'zod';
import { harnessName, models } from '../areas/harnesses.shapes.ts';
import { text } from './common.ts';

const maxNames = 100;

/** Limits of one run. */
export const budget = z.strictObject({
  maxCostUsd: z.number().min(0).max(100_000).optional().describe('US dollars; without it, money is not limited'),
  maxTokens: z.int().min(1).max(100_000_000).optional().describe('Default 50,000'),
  maxModelCalls: z.int().min(1).max(10_000).optional().describe('Default 12'),
  maxToolCalls: z.int().min(0).max(10_000).optional().describe('Default 20'),
  maxSeconds: z.number().min(0.001).max(86_400).optional().describe('Working time; default 120'),
  allowUnknownPrice: z.boolean().optional().describe('With maxCostUsd: also models whose price is unknown'),
});

export const toolNames = z.array(text(200)).max(maxNames);

export const mcpTools = z
  .array(
    z.strictObject({
      client: text(100).describe('Name of an MCP client'),
      tools: z.array(text(200)).max(maxNames).optional().describe('All of its tools if left out'),
      required: z.boolean().optional().describe('A run without it does not start'),
    }),
  )
  .max(maxNames);

export const history = z.strictObject({
  maxMessages: z.int().min(0).max(1_000).optional().describe('Messages of the conversation; default 40'),
  maxTokens: z.int().min(1).max(10_000_000).optional().describe('Tokens of these messages, as estimated'),
  summary: z
    .enum(['fast', 'none'])
    .optional()
    .describe('Whether the fast model sums up what was left out; default none'),
});

export const reply = z.strictObject({
  maxMessages: z.int().min(1).max(20).optional().describe('Most messages of one answer; default 3'),
});

/** What a model is told of the surroundings: paths such as `name`, `fields.tier`. */
const context = z.strictObject({
  customer: z.array(text(200)).max(maxNames).optional(),
  conversation: z.array(text(200)).max(maxNames).optional(),
});

/** An AI agent: `agents/NAME.json`. */
export const agentFile = z.strictObject({
  $schema: z.string().optional(),
  title: text(200).optional().describe('Name for people'),
  instructions: text(100_000).describe('What the agent is to do; `@nora.md` reads them from a file beside this one'),
  harness: harnessName.optional().describe('Name of a harness; default `builtin`'),
  models: models
    .optional()
    .describe('Names of models; `script:NAME` is the script agents/NAME.model.json. Default: those of the harness'),
  budget: budget.optional().describe('Limits of each run'),
  tools: toolNames.optional().describe('Names of the tools that it may call: `refund`, `app/refund`'),
  mcp: mcpTools.optional().describe('Tools of MCP clients'),
  history: history.optional().describe('What it sees of the conversation'),
  onNewMessage: z
    .enum(['collect', 'queue', 'interrupt', 'reject'])
    .optional()
    .describe('What a message does that comes while it works; default collect'),
  collectMs: z.int().min(0).max(60_000).optional().describe('How long it waits for further messages; default 1,500'),
  reply: reply.optional(),
  caps: z
    .strictObject({
      perDay: z.int().min(1).max(1_000_000).optional().describe('Runs of this agent a day'),
      perConversation: z.int().min(1).max(1_000_000).optional().describe('Runs of this agent in one conversation'),
    })
    .optional()
    .describe('Limits above the single run'),
  context: context.optional().describe('What the model is told of customer and conversation'),
});
