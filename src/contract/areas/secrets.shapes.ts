import { z } from 'zod';
import { appName, done, listOf, page, secretName, timestamp } from '../shapes/common.ts';

export const secretShapes = {
  'secrets.list': {
    input: z.strictObject({ ...page, app: appName }),
    output: listOf(z.object({ name: z.string(), updatedAt: timestamp })),
  },
  'secrets.set': {
    input: z.strictObject({ app: appName, name: secretName, value: z.string().min(1).max(65_536) }),
    output: z.object({ name: z.string(), updatedAt: timestamp }),
  },
  'secrets.delete': { input: z.strictObject({ app: appName, name: secretName }), output: done },
  'secrets.get': { input: z.strictObject({ name: secretName }), output: z.object({ value: z.string().nullable() }) },
} as const;
