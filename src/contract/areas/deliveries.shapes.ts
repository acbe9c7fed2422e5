import { z } from 'zod';
import { count, id, listOf, page, timestamp } from '../shapes/common.ts';

const receiverId = z.string().min(1).max(100);

export const Delivery = z.object({
  id: id('dlv'),
  eventId: id('evt').describe('Also its `webhook-id`'),
  eventType: z.string(),
  endpointId: z.string().describe('whk_… of an endpoint, lsn_… of a listener'),
  conversationId: z.string().nullable(),
  state: z
    .enum(['waiting', 'delivered', 'failed', 'aborted'])
    .describe('`aborted`: the receiver asked to end it, or the endpoint went'),
  attemptCount: z.number().int(),
  nextAttemptAt: timestamp.nullable().describe('By the workspace clock; null when there is none to come'),
  status: z.number().int().nullable().describe('HTTP status of the last attempt'),
  reason: z.string().nullable().describe('What became of the last attempt, and whether another follows'),
  traceId: z.string(),
  causeId: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});

const DeliveryAttempt = z.object({
  number: z.number().int().describe('Counted from 1'),
  startedAt: timestamp.describe('By the machine’s clock, like `webhook-timestamp`'),
  ms: z.number().int(),
  target: z.string().describe('The address, or the function'),
  requestHeaders: z.record(z.string(), z.string()),
  status: z.number().int().nullable(),
  answer: z
    .object({ headers: z.record(z.string(), z.string()), body: z.string(), truncated: z.boolean() })
    .nullable()
    .describe('At most the first 4 KiB of its body'),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why there is no answer'),
  reason: z.string(),
  invocationId: z.string().nullable().describe('For a function'),
});

export const deliveryShapes = {
  'deliveries.list': {
    input: z.strictObject({
      ...page,
      endpointId: receiverId.optional().describe('whk_… of an endpoint, lsn_… of a listener'),
      eventId: id('evt').optional(),
      state: z.enum(['waiting', 'delivered', 'failed', 'aborted']).optional(),
    }),
    output: listOf(Delivery),
  },
  'deliveries.show': {
    input: z.strictObject({ id: id('dlv') }),
    output: Delivery.extend({
      body: z.string().describe('The exact text that is signed and sent, as UTF-8'),
      attempts: z.array(DeliveryAttempt),
    }),
  },
  'deliveries.resend': {
    input: z
      .strictObject({
        id: id('dlv').optional(),
        eventId: id('evt').optional(),
        endpointId: receiverId.optional().describe('Only to this endpoint or listener'),
        failedSince: timestamp.optional().describe('All that failed and were made at this time or later'),
        perSecond: count(1, 1_000).optional().describe('How many a second; at once if left out'),
      })
      .refine(
        ({ id: one, eventId, failedSince }) =>
          [one, eventId, failedSince].filter((part) => part !== undefined).length === 1,
        { message: 'give exactly one of id, eventId and failedSince' },
      )
      .describe('Exactly one of id, eventId and failedSince is given'),
    output: z.object({
      count: z.number().int().describe('How many are delivered again'),
      more: z.boolean().describe('true: call again for the rest'),
      deliveryIds: z.array(id('dlv')),
    }),
  },
} as const;
