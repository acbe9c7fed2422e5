import { z } from 'zod';
import { appName, functionType, listOf, page } from '../shapes/common.ts';

export const Build = z.object({
  app: z.string(),
  function: z.string(),
  type: functionType.nullable().describe('null: it has never loaded'),
  file: z.string().nullable().describe('Relative to the app’s folder; null for a function that is deployed'),
  state: z
    .enum(['ready', 'stale', 'failed'])
    .describe('`stale`: it does not build or load now, and its last good version is served'),
  problem: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().nullable(),
      file: z.string().nullable(),
      line: z.number().int().nullable(),
      column: z.number().int().nullable(),
      text: z.string().nullable().describe('The line itself'),
    })
    .nullable(),
});

export const buildShapes = {
  'builds.list': {
    input: z.strictObject({ ...page, app: appName.optional().describe('Default: every app') }),
    output: listOf(Build),
  },
} as const;
