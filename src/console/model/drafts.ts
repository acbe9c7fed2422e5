import type { Change } from './follower.ts';
import { isRecord } from './problem.ts';

/** What an AI writes in a conversation and has not sent. */
export interface Draft {
  readonly runId: string;
  readonly text: string;
  /** Id of the message that it became; it is shown until the message is. */
  readonly sentAs?: string;
}

/** By the id of the conversation. */
export type Drafts = ReadonlyMap<string, Draft>;

/** The drafts after something happened: one is written, becomes a message, or its run ends without sending it. */
export function draftsAfter(drafts: Drafts, { type, data }: Change): Drafts {
  const { conversationId } = data;
  if (typeof conversationId !== 'string') return drafts;
  const known = drafts.get(conversationId);
  if (type === 'live.draft') {
    const { runId, text } = data;
    return withDraft(drafts, conversationId, { runId: String(runId), text: String(text) });
  }
  if (known === undefined) return drafts;
  if (type === 'message.sent') {
    const message = isRecord(data['data']) ? data['data']['message'] : undefined;
    return isRecord(message) && isRecord(data['actor']) && data['actor']['type'] === 'aiAgent'
      ? withDraft(drafts, conversationId, { ...known, sentAs: String(message['id']) })
      : drafts;
  }
  const isOver = type === 'conversation.aiPaused' || /^aiAgentRun\.(?!started|capNear)/.test(type);
  return isOver && known.sentAs === undefined ? withDraft(drafts, conversationId, undefined) : drafts;
}

function withDraft(drafts: Drafts, conversationId: string, draft: Draft | undefined): Drafts {
  const changed = new Map(drafts);
  if (draft) changed.set(conversationId, draft);
  else changed.delete(conversationId);
  return changed;
}
