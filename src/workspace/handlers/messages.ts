import type { Selectable } from 'kysely';
import { type Caller, type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { pageBy } from '../page.ts';
import { fromJson, type Tx } from '../tx.ts';
import { channelRow } from './channels.ts';
import { type ConversationRow, conversationRow, reach, reopened } from './conversations.ts';
import type { HandlersOf } from './index.ts';
import { uploadedMedia } from './media.ts';
import { sendTemplate } from './send-template.ts';

type MessageRow = Selectable<Tables['message']>;
type Message = Output<'messages.send'>;

export const messageHandlers: HandlersOf<'messages'> = {
  async 'messages.list'(input, tx) {
    await conversationRow(tx, input.conversationId);
    const page = await pageBy(
      tx,
      'messages.list',
      input,
      tx.db.selectFrom('message').selectAll().where('conversation_id', '=', input.conversationId),
      { by: 'created_at', desc: input.order === 'desc' },
    );
    return { items: page.rows.map(messageOf), nextCursor: page.nextCursor };
  },

  async 'messages.send'(input, tx, caller) {
    const conversation = await conversationRow(tx, input.conversationId);
    if (conversation.status === 'closed') {
      throw refusal('conversation_closed', undefined, { hint: 'Reopen it first: conversations.reopen.' });
    }
    await requireConnected(tx, conversation);
    const media = input.media === undefined ? null : await mediaOf(tx, input.media);
    const message = await storeMessage(tx, conversation, {
      direction: 'out',
      author: authorOf(caller),
      text: input.text ?? null,
      media,
      quickReplies: input.quickReplies ?? [],
    });
    await tx.announce({ type: 'message.sent', conversationId: conversation.id, data: { message } });
    return message;
  },

  'messages.sendTemplate': sendTemplate,

  async 'messages.receive'(input, tx) {
    const found = await receivingConversation(tx, input);
    // When the customer replies, the conversation appears in the inbox (spec 4.1).
    const conversation = { ...(await reopened(tx, found)), inbox: 1 };
    const message = await storeMessage(tx, conversation, {
      direction: 'in',
      author: { type: 'customer', id: conversation.customer_id },
      text: input.text,
      status: 'received',
    });
    await tx.announce({ type: 'message.received', conversationId: conversation.id, data: { message } });
    return message;
  },
};

/** A message as a rule of the workspace writes it. */
export interface NewMessage {
  readonly direction: Message['direction'];
  readonly author: Message['author'];
  readonly text: string | null;
  readonly media?: Message['media'];
  readonly template?: Message['template'];
  readonly quickReplies?: Message['quickReplies'];
  readonly status?: Message['status'];
}

/** Writes a message and what it changes of its conversation (`inbox` as in the row given). */
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
    created_at: tx.now,
  };
  await tx.db.insertInto('message').values(row).execute();
  await tx.db
    .updateTable('conversation')
    .set({ inbox: conversation.inbox, last_message_at: tx.now, activity_at: tx.now, updated_at: tx.now })
    .where('id', '=', conversation.id)
    .execute();
  return messageOf(row);
}

/** Who speaks for the workspace when this caller sends. */
export function authorOf(caller: Caller): Message['author'] {
  const types: Record<Caller['type'], Message['author']['type']> = {
    token: 'api',
    local: 'api',
    function: 'function',
    agent: 'agent',
    customer: 'customer',
    system: 'system',
  };
  return { type: types[caller.type], id: caller.id };
}

async function requireConnected(tx: Tx, conversation: ConversationRow): Promise<void> {
  const channel = await channelRow(tx, conversation.channel_id);
  if (channel.connected === 0) throw refusal('channel_disconnected', `The channel ${channel.name} is not connected`);
}

async function receivingConversation(
  tx: Tx,
  input: {
    conversationId?: string | undefined;
    phone?: string | undefined;
    email?: string | undefined;
    channel?: string | undefined;
    name?: string | undefined;
  },
): Promise<ConversationRow> {
  if (input.conversationId === undefined) return (await reach(tx, input)).conversation;
  const conversation = await conversationRow(tx, input.conversationId);
  await requireConnected(tx, conversation);
  return conversation;
}

async function mediaOf(
  tx: Tx,
  given: { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined },
): Promise<NonNullable<Message['media']>> {
  const named = given.fileName === undefined ? {} : { fileName: given.fileName };
  if (given.mediaId === undefined) return { url: given.url ?? '', type: 'link', ...named };
  const media = await uploadedMedia(tx, given.mediaId);
  return { mediaId: media.id, type: media.content_type, fileName: given.fileName ?? media.file_name };
}

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
    createdAt: toTimestamp(row.created_at),
  };
}
