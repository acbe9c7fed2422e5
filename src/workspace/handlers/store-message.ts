import type { Selectable } from 'kysely';
import type { Caller, Output } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { ConversationRow } from './conversations.ts';

type MessageRow = Selectable<Tables['message']>;
type Message = Output<'messages.send'>;

/** A message to store. */
export interface NewMessage {
  readonly direction: Message['direction'];
  readonly author: Message['author'];
  readonly text: string | null;
  readonly media?: Message['media'];
  readonly template?: Message['template'];
  readonly quickReplies?: Message['quickReplies'];
  readonly status?: Message['status'];
  readonly quickReplyId?: string | null;
}

/** Writes a message and updates its conversation (`inbox` as in the given row). */
export async function storeMessage(tx: Tx, conversation: ConversationRow, given: NewMessage): Promise<Message> {
  const row: MessageRow = {
    id: newId('msg', tx.now),
    conversation_id: conversation.id,
    direction: given.direction,
    author_type: given.author.type,
    author_id: given.author.id,
    text: given.text,
    media: given.media == null ? null : JSON.stringify(given.media),
    template: given.template == null ? null : JSON.stringify(given.template),
    quick_replies: JSON.stringify(given.quickReplies ?? []),
    status: given.status ?? 'sent',
    quick_reply_id: given.quickReplyId ?? null,
    error: null,
    created_at: tx.now,
    trace_id: tx.trace.traceId,
    cause_id: tx.trace.causeId,
  };
  await tx.db.insertInto('message').values(row).execute();
  await tx.db
    .updateTable('conversation')
    .set({ inbox: conversation.inbox, last_message_at: tx.now, activity_at: tx.now, updated_at: tx.now })
    .where('id', '=', conversation.id)
    .execute();
  return messageOf(row);
}

/** The author of messages that this caller sends. */
export function authorOf(caller: Caller): Message['author'] {
  const types: Record<Caller['type'], Message['author']['type']> = {
    token: 'api',
    local: 'api',
    function: 'function',
    agent: 'agent',
    aiAgent: 'aiAgent',
    customer: 'customer',
    system: 'system',
  };
  return { type: types[caller.type], id: caller.id };
}

/** Converts a stored message to its form in answers. */
export function messageOf(row: MessageRow): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    direction: row.direction as Message['direction'],
    author: { type: row.author_type as Message['author']['type'], id: row.author_id },
    text: row.text,
    media: row.media === null ? null : fromJson<NonNullable<Message['media']>>(row.media),
    template: row.template === null ? null : fromJson<NonNullable<Message['template']>>(row.template),
    quickReplies: fromJson<Message['quickReplies']>(row.quick_replies),
    status: row.status as Message['status'],
    quickReplyId: row.quick_reply_id,
    error: row.error,
    createdAt: toTimestamp(row.created_at),
  };
}

/**
 * Reports what became of a message. The channel of a local workspace marks what it was given as delivered at once.
 * @param error why it failed, in the words of the channel
 */
export async function setMessageStatus(
  tx: Tx,
  before: Message,
  status: Message['status'],
  error: string | null = null,
): Promise<Message> {
  const message = { ...before, status, error };
  await tx.db.updateTable('message').set({ status, error }).where('id', '=', before.id).execute();
  await tx.announce({
    type: 'message.status',
    conversationId: before.conversationId,
    data: { message },
    previous: { status: before.status },
  });
  return message;
}
