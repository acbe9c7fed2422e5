import type { Caller, Output } from '../../../contract/index.ts';
import type { EmulatorDoor } from '../../door.ts';
import { conversationPage, workspacePage } from '../../pages/index.ts';
import type { Exchange } from '../exchange.ts';
import { follow } from '../follow-events.ts';
import type { HttpParts } from '../parts.ts';
import { sendMedia } from '../send-media.ts';
import { atMostOften } from './at-most-often.ts';
import { formOf } from './form.ts';
import { sendPage } from './send-page.ts';

type Conversation = Output<'conversations.get'>;

const shownConversations = 50;
const shownMessages = 200;
/** The longest allowed text with every character escaped. */
const mostFormBytes = 64 * 1024;

/** `/tenants/<slug>` */
export async function serveInbox(parts: HttpParts, exchange: Exchange, caller: Caller): Promise<void> {
  const door = parts.door(caller);
  const workspace = await door('workspace.show', {});
  const cursor = new URLSearchParams(exchange.query).get('cursor');
  const { items, nextCursor } = await door('conversations.list', {
    limit: shownConversations,
    ...(cursor !== null && { cursor }),
  });
  const channels = await channelNames(door);
  const conversations = [];
  for (const conversation of items) {
    const customer = await door('customers.get', { id: conversation.customerId });
    const { messages } = await lastMessages(door, conversation.id, 1);
    conversations.push({
      conversation,
      customer,
      channel: channels.get(conversation.channelId) ?? '',
      last: messages[0],
    });
  }
  sendPage(exchange, workspacePage({ workspace, conversations, nextCursor }));
}

/** `/tenants/<slug>/conversations/<id>`: the direct link. */
export async function serveConversation(
  parts: HttpParts,
  exchange: Exchange,
  id: string,
  caller: Caller,
): Promise<void> {
  const door = parts.door(caller);
  const workspace = await door('workspace.show', {});
  const conversation = await door('conversations.get', { id });
  const customer = await door('customers.get', { id: conversation.customerId });
  const channel = (await channelNames(door)).get(conversation.channelId) ?? '';
  const assignee = await assigneeNames(door, conversation);
  const shown = await lastMessages(door, id, shownMessages);
  sendPage(exchange, conversationPage({ workspace, conversation, customer, channel, assignee, ...shown }));
}

/** A form submitted to the direct link: a message from the customer. */
export async function writeAsCustomer(
  parts: HttpParts,
  exchange: Exchange,
  conversationId: string,
  caller: Caller,
): Promise<void> {
  const text = (await formOf(exchange, mostFormBytes)).get('text') ?? '';
  await parts.door(caller)('messages.receive', { conversationId, text });
  // The fragment moves the focus back to the field, so that one can continue to write.
  exchange.send(303, ['Location', `${exchange.path}#text`, 'Cache-Control', 'no-store']);
}

/** `/tenants/<slug>/events`: `changed` when the content of a page has changed. It follows what `events.stream` shows, and nothing else. */
export async function servePageEvents(parts: HttpParts, exchange: Exchange): Promise<void> {
  await follow(parts, exchange, { live: ['build', 'seed'] }, (stream) => {
    const { changed, stop } = atMostOften(() => stream.send('changed', {}));
    return { event: changed, frame: changed, end: stop };
  });
}

/** `/tenants/<slug>/media/<id>`: uploads, for the pictures in a conversation. */
export async function serveMedia(parts: HttpParts, exchange: Exchange, mediaId: string, caller: Caller): Promise<void> {
  await parts.workspace.check('media.get', { mediaId }, caller);
  const media = await parts.workspace.media.read(mediaId);
  sendMedia(exchange, media, /^image\/(?:jpeg|png|webp)$/.test(media.contentType) ? 'inline' : 'attachment');
}

async function channelNames(door: EmulatorDoor): Promise<ReadonlyMap<string, string>> {
  const { items } = await door('channels.list', { limit: 200 });
  return new Map(items.map(({ id, name }) => [id, name]));
}

async function assigneeNames(door: EmulatorDoor, { assignee }: Conversation) {
  const { agentId, workgroupId } = assignee;
  const agents = agentId === null ? [] : (await door('agents.list', { limit: 200 })).items;
  const groups = workgroupId === null ? [] : (await door('workgroups.list', { limit: 200 })).items;
  return {
    agent: agents.find(({ id }) => id === agentId)?.name ?? agentId,
    workgroup: groups.find(({ id }) => id === workgroupId)?.name ?? workgroupId,
  };
}

/** The last messages of a conversation, oldest first. Nothing else is read, however long it is. */
async function lastMessages(door: EmulatorDoor, conversationId: string, limit: number) {
  const { items, nextCursor } = await door('messages.list', { conversationId, order: 'desc', limit });
  return { messages: items.reverse(), cutOff: nextCursor !== null };
}
