import { z } from 'zod';
import { appName, listOf, page, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { InvokeResult } from './functions.shapes.ts';

export const appShapes = {
  'apps.list': {
    input: z.strictObject(page),
    output: listOf(
      z.object({
        app: z.string(),
        installed: z.boolean(),
        builtIn: z.boolean(),
        version: z.string().nullable(),
        functions: z.number().int(),
        settings: z.record(z.string(), json),
        installedAt: timestamp.nullable(),
      }),
    ),
  },
  'apps.install': {
    input: z.strictObject({ app: appName, settings: z.record(z.string(), json).optional() }),
    output: z.object({
      app: z.string(),
      installed: z.boolean(),
      version: z.string().nullable(),
      setup: InvokeResult.nullable(),
    }),
  },
  'apps.uninstall': {
    input: z.strictObject({ app: appName }),
    output: z.object({ app: z.string(), installed: z.boolean(), setup: InvokeResult.nullable() }),
  },
} as const;
