import { z } from 'zod';
import { timestamp } from '../shapes/common.ts';

/** What a trace is made of. Each kind has its reader in `workspace/handlers/traces.ts`; the compiler names one that is missing. */
const spanKinds = [
  'message',
  'event',
  'flow-run',
  'node-run',
  'agent-run',
  'model-call',
  'tool-call',
  'confirmation',
  'invocation',
  'sdk',
  'fetch',
  'log',
  'delivery-attempt',
] as const;

export const Span = z.object({
  id: z.string(),
  parentId: z.string().nullable().describe('The span that caused it; null where the trace begins'),
  kind: z.enum(spanKinds),
  name: z.string(),
  startedAt: timestamp,
  ms: z.number(),
  status: z.string().describe('`ok`, what it failed with, or how it stands: `running`, `waiting`, `allowed`, `denied`'),
  ref: z.string().describe('The id by which its own operation shows it'),
});

export const traceShapes = {
  'traces.show': {
    input: z.strictObject({
      id: z
        .string()
        .min(1)
        .max(100)
        .describe('Id of an event, a message, an invocation, a run, a job or a delivery, or a trace id'),
    }),
    output: z.object({
      traceId: z.string(),
      spans: z.array(Span).describe('Oldest first; at most 5,000'),
      truncated: z.boolean().describe('true: there are more spans'),
    }),
  },
} as const;
