import { type Output, refusal } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { answerConfirmation, findAnswer } from '../tools/confirmations.ts';
import { channelRow } from './channels.ts';
import { type ConversationRow, conversationRow, pauseForPerson, reach, reopened } from './conversations.ts';
import type { HandlersOf } from './index.ts';
import { uploadedMedia } from './media.ts';
import { sendTemplate } from './send-template.ts';
import { authorOf, messageOf, setMessageStatus, storeMessage } from './store-message.ts';

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
    const found = await conversationRow(tx, input.conversationId);
    if (found.status === 'closed') {
      throw refusal('conversation_closed', undefined, { hint: 'Reopen it first: conversations.reopen.' });
    }
    await requireConnected(tx, found);
    const conversation = await pauseForPerson(tx, found);
    const media = input.media === undefined ? null : await mediaOf(tx, input.media);
    const message = await storeMessage(tx, conversation, {
      direction: 'out',
      author: authorOf(caller),
      text: input.text ?? null,
      media,
      quickReplies: input.quickReplies ?? [],
    });
    await tx.announce({ type: 'message.sent', conversationId: conversation.id, data: { message } });
    await setMessageStatus(tx, message, 'delivered');
    return message;
  },

  'messages.sendTemplate': sendTemplate,

  async 'messages.receive'(input, tx) {
    const found = await receivingConversation(tx, input);
    // When the customer replies, the conversation appears in the inbox (spec 4.1).
    const conversation = { ...(await reopened(tx, found)), inbox: 1 };
    const reply = input.quickReplyId === undefined ? null : await quickReplyOf(tx, conversation, input.quickReplyId);
    const message = await storeMessage(tx, conversation, {
      direction: 'in',
      author: { type: 'customer', id: conversation.customer_id },
      text: input.text ?? reply?.title ?? null,
      media: input.media === undefined ? null : await mediaOf(tx, input.media),
      quickReplyId: reply?.id ?? null,
      status: 'received',
    });
    const answer = await findAnswer(tx, conversation, message);
    // What answers a tool's question is told to nobody else: a flow would take it for the customer's next wish.
    const skipsFlows = answer !== undefined;
    await tx.announce({ type: 'message.received', conversationId: conversation.id, data: { message }, skipsFlows });
    if (answer !== undefined) await answerConfirmation(tx, answer.to, answer);
    return message;
  },

  async 'messages.updateStatus'({ id, status, error }, tx) {
    const row = await tx.db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw refusal('message_not_found', `There is no message ${id}`);
    const message = messageOf(row);
    if (message.status === status) return message;
    if (!follows(message.status, status)) {
      throw refusal('message_status_invalid', `A message that is ${message.status} cannot become ${status}`);
    }
    return setMessageStatus(tx, message, status, error ?? null);
  },
};

/** What a message that was sent can become. Channels may leave out a step, and what is read has arrived. */
function follows(before: Message['status'], after: 'delivered' | 'read' | 'failed'): boolean {
  if (before === 'sent') return true;
  return before === 'delivered' && after !== 'delivered';
}

/** The quick reply that a customer taps: of the last message that offers some. */
async function quickReplyOf(
  tx: Tx,
  conversation: ConversationRow,
  id: string,
): Promise<Message['quickReplies'][number]> {
  const last = await tx.db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversation.id)
    .where('quick_replies', '!=', '[]')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const found = last && messageOf(last).quickReplies.find((reply) => reply.id === id);
  if (found) return found;
  throw refusal('quick_reply_unknown', `The last message with quick replies offers none with the id ${id}`);
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
