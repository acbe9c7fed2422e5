import { z } from 'zod';
import { id, listOf, mostDays, nothing, numeric, page, text, timestamp } from '../shapes/common.ts';

const Pack = z.object({
  id: id('pck'),
  name: z.string(),
  days: z.number(),
  daysLeft: z.number(),
  createdAt: timestamp,
});

/** Days are booked in quarters. */
const days = numeric(z.number().positive().max(mostDays).multipleOf(0.25));

export const packShapes = {
  'packs.list': { input: z.strictObject(page), output: listOf(Pack) },
  'packs.balance': { input: nothing, output: z.object({ days: z.number(), used: z.number(), left: z.number() }) },
  'packs.history': {
    input: z.strictObject(page),
    output: listOf(
      z.object({
        id: z.string(),
        kind: z.enum(['added', 'used']),
        days: z.number(),
        note: z.string().nullable(),
        packs: z.array(z.object({ id: z.string(), days: z.number() })),
        balanceAfter: z.number(),
        at: timestamp,
      }),
    ),
  },
  'packs.add': { input: z.strictObject({ days, name: text(100).optional() }), output: Pack },
  'packs.use': {
    input: z.strictObject({ days, note: text(500).optional() }),
    output: z.object({
      id: z.string(),
      days: z.number(),
      note: z.string().nullable(),
      packs: z.array(z.object({ id: z.string(), days: z.number() })),
      left: z.number(),
    }),
  },
} as const;
