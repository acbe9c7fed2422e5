import { toTimestamp } from '../../std/index.ts';
import type { HandlersOf } from './index.ts';

export const clockHandlers: HandlersOf<'clock'> = {
  async 'clock.show'(_input, tx) {
    return { now: toTimestamp(tx.now), offsetMs: tx.facts.clockOffsetMs() };
  },
};
