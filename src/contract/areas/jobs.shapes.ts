import { z } from 'zod';
import { jobKinds } from '../job-kinds.ts';
import { limits } from '../limits.ts';
import { appName, count, id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';

const state = z
  .enum(['blocked', 'waiting', 'running', 'done', 'failed', 'aborted'])
  .describe('`blocked`: another one of its lane comes first');

export const Job = z.object({
  id: id('job'),
  kind: z.enum(jobKinds),
  state,
  app: z.string().nullable().describe('For a background call or a schedule: the app'),
  function: z.string().nullable().describe('For a background call or a schedule: the function'),
  key: z.string().nullable(),
  dueAt: timestamp.describe('By the workspace clock'),
  attempt: z.number().int().describe('Tries that have ended'),
  maxAttempts: z.number().int().nullable().describe('For a background call'),
  outcome: json.describe('How the last try ended; null before'),
  traceId: z.string(),
  causeId: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});

export const jobShapes = {
  'methods.enqueue': {
    input: z
      .strictObject({
        app: appName.optional().describe('The app; for a function its own'),
        path: text(200).describe('The method, by its path below functions/'),
        body: json.optional().describe('What the method gets; at most 64 KiB'),
        delayMs: count(0, 365 * 86_400_000).optional(),
        runAt: timestamp.optional().describe('A moment of the workspace clock, instead of delayMs'),
        key: text(200)
          .optional()
          .describe('What may exist once: until 24 h after its end, it answers for every repeat'),
        attempts: count(1, limits.jobs.maxAttempts).optional().describe(`Tries; default ${limits.jobs.attempts}`),
      })
      .refine(({ delayMs, runAt }) => delayMs === undefined || runAt === undefined, {
        message: 'give delayMs or runAt, not both',
        path: ['runAt'],
      }),
    output: z.object({ id: id('job'), created: z.boolean().describe('false: a job with this key was there') }),
  },
  'jobs.list': {
    input: z.strictObject({
      ...page,
      kind: z.enum(jobKinds).optional(),
      state: state.optional(),
      app: appName.optional(),
      traceId: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .optional()
        .describe('Only what has this first cause'),
    }),
    output: listOf(Job),
  },
  'jobs.show': { input: z.strictObject({ id: id('job') }), output: Job.extend({ payload: json }) },
  'jobs.cancel': { input: z.strictObject({ id: id('job') }), output: Job },
} as const;
