import { z } from 'zod';
import { done, nothing, timestamp } from '../shapes/common.ts';
import { seed } from '../shapes/seed.ts';

export const workspaceShapes = {
  'workspace.show': {
    input: nothing,
    output: z.object({
      slug: z.string(),
      name: z.string(),
      url: z.string().describe('The workspace’s own address'),
      apiUrl: z.string(),
      environment: z.enum(['local', 'workspace']),
      token: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()) }).nullable(),
      now: timestamp,
    }),
  },
  'workspace.openUrl': {
    // A path on this workspace, never an address elsewhere.
    input: z.strictObject({
      path: z
        .string()
        .max(1_000)
        .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/)
        .optional(),
    }),
    output: z.object({ url: z.string() }),
  },
  'workspace.reset': {
    input: z.strictObject({
      seed: seed.optional().describe('Default: the app’s `seed.json`, otherwise a small made-up company'),
    }),
    output: done,
  },
  'workspace.export': { input: nothing, output: seed },
  'workspace.import': {
    input: z.strictObject({ seed }),
    output: z.object({ created: z.record(z.string(), z.number().int()) }),
  },
} as const;
