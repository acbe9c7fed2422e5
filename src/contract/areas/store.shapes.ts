import { z } from 'zod';
import { limits } from '../limits.ts';
import { listOf, page, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';

const key = z.string().min(1).max(limits.store.keyLength);

const Entry = z.object({ key: z.string(), value: json.nullable(), expiresAt: timestamp.nullable() });

export const storeShapes = {
  'store.get': { input: z.strictObject({ key }), output: z.object({ value: json.nullable() }) },
  'store.list': {
    input: z.strictObject({ ...page, prefix: z.string().max(limits.store.keyLength).optional() }),
    output: listOf(Entry),
  },
  'store.set': {
    input: z.strictObject({
      key,
      value: json,
      ttlSeconds: z
        .number()
        .positive()
        .max(10 * 365 * 86_400)
        .optional(),
    }),
    output: Entry,
  },
  'store.delete': { input: z.strictObject({ key }), output: z.object({ deleted: z.boolean() }) },
  'store.increment': {
    input: z.strictObject({ key, by: z.number().optional() }),
    output: z.object({ value: z.number() }),
  },
} as const;
