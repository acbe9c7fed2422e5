import { z } from 'zod';
import {
  assignee,
  fields,
  fieldsInput,
  flag,
  id,
  identity,
  identityMissing,
  identityRule,
  listOf,
  needsIdentity,
  page,
  text,
  timestamp,
} from '../shapes/common.ts';

export const Assignment = z.object({ agentId: id('agt').nullable(), workgroupId: id('wgr').nullable() });

export const Conversation = z.object({
  id: id('cnv'),
  url: z.string().describe('Direct link'),
  customerId: id('cus'),
  channelId: id('chn'),
  status: z.enum(['open', 'closed']),
  inbox: z.boolean().describe('Whether it is listed in the inbox; false until the customer writes'),
  assignee: Assignment.describe('Who is responsible for it'),
  ai: z
    .object({
      state: z.enum(['active', 'paused']),
      by: z.object({ type: z.string(), id: z.string().nullable() }).nullable().describe('Who paused it'),
      since: timestamp.nullable(),
      reason: z.string().nullable(),
    })
    .describe('Whether AI agents answer here'),
  fields,
  createdAt: timestamp,
  updatedAt: timestamp,
  lastMessageAt: timestamp.nullable().describe('RFC 3339 in UTC; null without messages'),
});

export const conversationShapes = {
  'conversations.list': {
    input: z.strictObject({
      ...page,
      inbox: z
        .union([flag, z.literal('all')])
        .optional()
        .describe('Default true: conversations in which the customer has written'),
      status: z.enum(['open', 'closed']).optional(),
      customerId: id('cus').optional(),
      channelId: id('chn').optional(),
      agentId: id('agt').optional(),
      workgroupId: id('wgr').optional(),
    }),
    output: listOf(Conversation),
  },
  'conversations.get': { input: z.strictObject({ id: id('cnv') }), output: Conversation },
  'conversations.update': {
    input: z.strictObject({ id: id('cnv'), fields: fieldsInput.describe('A field that is null is removed') }),
    output: Conversation,
  },
  'conversations.assign': {
    input: z.strictObject({ id: id('cnv'), assign: assignee.nullable().describe('null: nobody') }),
    output: Conversation,
  },
  'conversations.close': { input: z.strictObject({ id: id('cnv') }), output: Conversation },
  'conversations.reopen': { input: z.strictObject({ id: id('cnv') }), output: Conversation },
  'conversations.pauseAi': {
    input: z.strictObject({ id: id('cnv'), reason: text(500).optional() }),
    output: Conversation,
  },
  'conversations.resumeAi': {
    input: z.strictObject({
      id: id('cnv'),
      answer: flag
        .optional()
        .describe('true: the AI answers the last message now; default: if the customer spoke last'),
    }),
    output: Conversation,
  },
  'conversations.link': {
    input: z
      .strictObject({
        ...identity,
        channel: text(100).optional(),
        name: text(200).optional(),
        assign: assignee.optional(),
      })
      .refine(needsIdentity, identityMissing)
      .describe(identityRule),
    output: z.object({
      conversationId: id('cnv'),
      url: z.string(),
      customerId: id('cus'),
      created: z.object({ customer: z.boolean(), conversation: z.boolean() }),
    }),
  },
} as const;
