import { z } from 'zod';
import { flag, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { ToolError, toolCaller, toolSource } from './tools.shapes.ts';

const state = z.enum(['open', 'allowed', 'denied', 'expired']);

export const Confirmation = z.object({
  id: id('cfm'),
  state,
  by: z.enum(['human', 'customer']).describe('Who has to answer'),
  tool: z.string(),
  source: toolSource,
  title: z.string().nullable().describe('Of the tool'),
  text: z.string().describe('The question'),
  arguments: json.nullable().describe('As the tool’s `log` says'),
  callId: id('tlc'),
  caller: toolCaller,
  runId: z.string().nullable(),
  conversationId: z.string().nullable(),
  askedAt: timestamp,
  expiresAt: timestamp.describe('By the workspace clock'),
  onExpire: z.enum(['deny', 'handover']),
  answer: z
    .object({
      actor: toolCaller.describe('Who answered'),
      at: timestamp,
      reason: z.string().nullable(),
      edited: z.boolean().describe('Whether the arguments were changed'),
    })
    .nullable(),
});

export const confirmationShapes = {
  'confirmations.list': {
    input: z.strictObject({
      ...page,
      open: flag.optional().describe('true: only those that wait for an answer'),
      conversationId: id('cnv').optional(),
      runId: text(100).optional(),
    }),
    output: listOf(Confirmation),
  },
  'confirmations.show': {
    input: z.strictObject({ id: id('cfm') }),
    output: Confirmation.extend({
      outcome: z
        .object({
          status: z.enum(['ok', 'error', 'denied', 'timeout', 'cancelled']),
          result: json.optional(),
          error: ToolError.optional(),
        })
        .nullable()
        .describe('What came of the call; null before'),
    }),
  },
  'confirmations.answer': {
    input: z.strictObject({
      id: id('cfm'),
      answer: z.enum(['allow', 'deny']),
      reason: text(1000).optional().describe('Why not; the model reads it'),
      arguments: json.optional().describe('With `allow`: other arguments than those asked for'),
    }),
    output: Confirmation,
  },
} as const;
