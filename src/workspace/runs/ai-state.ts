import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson } from '../door/tx.ts';

/** Whether the AI answers in a conversation, as stored. */
export interface StoredAi {
  readonly state: 'active' | 'paused';
  readonly by: { readonly type: string; readonly id: string | null } | null;
  readonly since: number | null;
  readonly reason: string | null;
  /** When it was handed back: the next run has to be told what happened meanwhile. */
  readonly resumed?: { readonly pausedAt: number; readonly resumedAt: number } | undefined;
}

export const activeAi: StoredAi = { state: 'active', by: null, since: null, reason: null };

export const storedAi = ({ ai }: Pick<Tables['conversation'], 'ai'>): StoredAi =>
  ai === null ? activeAi : fromJson<StoredAi>(ai);

export const isPaused = (row: Pick<Tables['conversation'], 'ai'>): boolean => storedAi(row).state === 'paused';

/** `ai` of a conversation, as the API shows it. */
export function aiOf(row: Pick<Tables['conversation'], 'ai'>) {
  const { state, by, since, reason } = storedAi(row);
  return { state, by, since: since === null ? null : toTimestamp(since), reason };
}
