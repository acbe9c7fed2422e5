import { canonicalJson, isRecord, sha256Hex } from '../../std/index.ts';
import type { TokenUsage } from '../budget/budget.ts';
import type { RunInput, RunMessage } from '../types.ts';
import type { HostedService, HostedSession } from './service.ts';

/** What is kept with a conversation: its session, and what the session has seen. JSON. */
export interface ConversationState {
  readonly session: HostedSession;
  /** Of all that a session cannot change: instructions, tools, model. */
  readonly hash: string;
  /** Ids of the last messages that the session was told. */
  readonly seen: readonly string[];
  /** Tokens of the session that were counted. */
  readonly counted: TokenUsage;
}

export const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

export function hashOf({ fixed }: HostedService): string {
  return sha256Hex(canonicalJson(fixed)).slice(0, 32);
}

/** @returns undefined for a state of another kind, or of an agent with other instructions, tools or models */
export function readState(state: unknown, hash: string): ConversationState | undefined {
  if (!isRecord(state) || state['hash'] !== hash || !isRecord(state['session'])) return undefined;
  return typeof state['session']['id'] === 'string' && Array.isArray(state['seen'])
    ? (state as unknown as ConversationState)
    : undefined;
}

/** Messages that came after what a session has seen. Undefined: it cannot be known which ones. */
export function unseenOf({ messages }: Pick<RunInput, 'messages'>, seen: readonly string[]): RunMessage[] | undefined {
  const at = messages.findLastIndex((message) => seen.includes(idOf(message) ?? ''));
  return at === -1 ? undefined : messages.slice(at + 1);
}

/** The input of a run is no message of the conversation, so some before it are remembered, too. */
export function lastIdsOf({ messages }: Pick<RunInput, 'messages'>): string[] {
  return messages.slice(-maxSeen).flatMap((message) => idOf(message) ?? []);
}

const maxSeen = 5;
const idOf = (message: RunMessage): string | undefined => ('id' in message ? message.id : undefined);
