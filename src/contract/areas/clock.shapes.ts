import { z } from 'zod';
import { count, nothing, timestamp } from '../shapes/common.ts';

const Clock = z.object({ now: timestamp, offsetMs: z.number() });

const TurnedClock = Clock.extend({
  fired: z.number().int(),
  /** true: something that fell due had not ended after 60 s. */
  stillRunning: z.boolean().optional(),
});

export const clockShapes = {
  'clock.show': { input: nothing, output: Clock },
  'clock.set': { input: z.strictObject({ now: timestamp.or(z.literal('system')) }), output: TurnedClock },
  'clock.advance': {
    input: z.strictObject({ ms: count(1, 366 * 86_400_000) }),
    output: TurnedClock,
  },
} as const;
