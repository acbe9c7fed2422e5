import { z } from 'zod';
import { count, done, flag, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { patterns } from './webhooks.shapes.ts';

export const Listener = z.object({
  id: id('lsn'),
  name: z.string(),
  events: z.array(z.string()).describe('Kinds of events, groups such as `message.*`, or `*`'),
  cursor: z.string().describe('Behind the last event that it has acknowledged'),
  createdAt: timestamp,
  lastSeenAt: timestamp,
});

const attempt = z.strictObject({
  eventId: id('evt'),
  deliveryId: id('dlv').optional().describe('For what is sent again: the delivery that the stream named'),
  target: text(2_100).optional().describe('Where it was forwarded to'),
  status: z.number().int().min(100).max(599).nullable().optional(),
  ms: z.number().min(0).max(86_400_000),
  error: text(1_000).nullable().optional().describe('Why there was no answer'),
  requestHeaders: z.record(z.string().max(256), z.string().max(8_192)).optional(),
  answer: z
    .strictObject({
      headers: z.record(z.string().max(256), z.string().max(8_192)),
      body: z.string().max(4_096),
      truncated: z.boolean(),
    })
    .nullable()
    .optional(),
  nextAttemptInMs: count(0, 86_400_000).nullable().optional().describe('When it is tried again; null if it is not'),
  reason: text(1_000).optional(),
});

export const listenerShapes = {
  'listeners.list': { input: z.strictObject(page), output: listOf(Listener) },
  'listeners.open': {
    input: z.strictObject({
      name: text(100).describe('The same name goes on where it stopped'),
      events: patterns.optional().describe('Default: those of the last time; `*` for a new one'),
      since: timestamp.optional().describe('Begin at this time, wherever it stopped'),
      fromNow: flag.optional().describe('Begin now, wherever it stopped'),
    }),
    output: Listener.extend({
      created: z.boolean(),
      missed: z.object({
        count: z.number().int().describe('Events since it stopped; 10 000 stands for as many or more'),
        since: timestamp.nullable().describe('The time of the first one'),
      }),
    }),
  },
  'listeners.stream': {
    input: z.strictObject({ id: id('lsn') }),
    output: z.object({}),
  },
  'listeners.ack': {
    input: z.strictObject({
      id: id('lsn'),
      cursor: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe('The `id:` of the last event that is done; it never goes back'),
      attempts: z.array(attempt).max(200).optional(),
    }),
    output: Listener,
  },
  'listeners.remove': { input: z.strictObject({ id: id('lsn') }), output: done },
} as const;
