import { z } from 'zod';
import { limits } from '../limits.ts';
import { appName, count, done, functionName, id, listOf, page, text, timestamp } from '../shapes/common.ts';

const { maxPatterns, maxAtOnce } = limits.webhooks;

export const patterns = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(maxPatterns)
  .describe('Kinds of events, groups such as `message.*`, or `*`');
/** `app/path` of a Server Side Method. */
export const functionPath = z
  .string()
  .max(300)
  .refine(
    (value) => {
      const slash = value.indexOf('/');
      const fits = (shape: z.ZodType, part: string) => shape.safeParse(part).success;
      return slash > 0 && fits(appName, value.slice(0, slash)) && fits(functionName, value.slice(slash + 1));
    },
    { message: 'a function is named by its app and its path: order-desk/api/on-message' },
  )
  .describe('App and path of a Server Side Method: `order-desk/api/on-message`');
const secret = z.string().max(200).describe('Signing secret: `whsec_` and the base64 of 24 to 64 bytes');

export const Endpoint = z.object({
  id: id('whk'),
  kind: z.enum(['url', 'function']),
  source: z.enum(['api', 'app']).describe('`app`: the `config.events` of a function; it changes with the app'),
  url: z.string().nullable().describe('Where events are posted to; null for a function'),
  function: z.string().nullable().describe('App and path of a Server Side Method; null for an address'),
  events: z.array(z.string()).describe('Kinds of events, groups such as `message.*`, or `*`'),
  description: z.string().nullable(),
  state: z.enum(['enabled', 'disabled', 'needsSecret']).describe('`needsSecret`: the seed names one without a value'),
  reason: z.string().nullable().describe('Why it is disabled'),
  disabledAt: timestamp.nullable(),
  failingSince: timestamp
    .nullable()
    .describe('The first failure since the last success; null if the last one succeeded'),
  oldSecretUntil: timestamp.nullable().describe('How long the secret before the last rotation still signs'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** What events say of an endpoint: its address may hold something secret. */
export const EndpointInEvent = Endpoint.pick({ id: true, kind: true, events: true, state: true, reason: true }).extend({
  target: z.string().describe('The origin of its address, or its function'),
});

const rate = count(1, 1_000).optional().describe('How many a second; at once if left out');

export const webhookShapes = {
  'webhooks.list': { input: z.strictObject(page), output: listOf(Endpoint) },
  'webhooks.show': { input: z.strictObject({ id: id('whk') }), output: Endpoint },
  'webhooks.add': {
    input: z
      .strictObject({
        url: z.string().min(1).max(2_100).optional(),
        function: functionPath.optional(),
        events: patterns,
        description: text(500).optional(),
        secret: secret.optional(),
      })
      .refine((value) => (value.url === undefined) !== (value.function === undefined), {
        message: 'give url or function',
      })
      .refine((value) => value.function === undefined || value.secret === undefined, {
        message: 'is of no use: what a function gets is not signed',
        path: ['secret'],
      })
      .describe('Give either url or function, but not both'),
    output: Endpoint.extend({
      secret: z.string().nullable().describe('Shown once; null for a function, which gets unsigned events'),
    }),
  },
  'webhooks.update': {
    input: z.strictObject({
      id: id('whk'),
      url: z.string().min(1).max(2_100).optional(),
      events: patterns.optional(),
      description: text(500).nullable().optional(),
      state: z.enum(['enabled', 'disabled']).optional(),
    }),
    output: Endpoint.extend({
      missed: z
        .object({ count: z.number().int(), since: timestamp })
        .nullable()
        .describe('After enabling: how many events it has missed; `webhooks.recover` delivers them'),
    }),
  },
  'webhooks.remove': { input: z.strictObject({ id: id('whk') }), output: done },
  'webhooks.rotateSecret': {
    input: z.strictObject({ id: id('whk'), secret: secret.optional() }),
    output: z.object({
      id: id('whk'),
      secret: z.string().describe('Shown once'),
      oldSecretUntil: timestamp.nullable(),
    }),
  },
  'webhooks.ping': {
    input: z.strictObject({ id: id('whk') }),
    output: z.object({ eventId: id('evt'), deliveryId: id('dlv') }),
  },
  'webhooks.recover': {
    input: z.strictObject({
      id: id('whk'),
      since: timestamp.optional().describe('Default: when it was last disabled, or the last 24 hours'),
      perSecond: rate,
    }),
    output: z.object({
      count: z.number().int().describe(`How many are delivered now; at most ${maxAtOnce} at once`),
      more: z.boolean().describe('true: call again for the rest'),
    }),
  },
} as const;
