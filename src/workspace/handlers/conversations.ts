import { type Selectable, sql } from 'kysely';
import { type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { etagOfContent } from '../door/etag.ts';
import { type Facts, fromJson, type Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { aiOf } from '../runs/ai-state.ts';
import { pauseAi, resumeAi } from '../runs/pause.ts';
import { type Assignee, assigneeOf } from './agents.ts';
import { chooseChannel } from './channels.ts';
import { findCustomer, findOrCreateCustomer, identityOf } from './customers.ts';
import type { HandlersOf } from './index.ts';
import { mergedFields } from './merged-fields.ts';
import { authorOf } from './store-message.ts';

export type ConversationRow = Selectable<Tables['conversation']>;
type Conversation = Output<'conversations.get'>;

export const conversationHandlers: HandlersOf<'conversations'> = {
  async 'conversations.list'(input, tx) {
    const inbox = input.inbox ?? true;
    const page = await pageBy(
      tx,
      'conversations.list',
      input,
      tx.db
        .selectFrom('conversation')
        .selectAll()
        // The `+` makes SQLite use the few conversations of a customer instead of scanning the inbox.
        .$if(inbox !== 'all', (query) =>
          query.where(sql`${sql.raw(input.customerId === undefined ? '' : '+')}inbox`, '=', inbox === true ? 1 : 0),
        )
        .$if(input.status !== undefined, (query) => query.where('status', '=', input.status ?? ''))
        .$if(input.customerId !== undefined, (query) => query.where('customer_id', '=', input.customerId ?? ''))
        .$if(input.channelId !== undefined, (query) => query.where('channel_id', '=', input.channelId ?? ''))
        .$if(input.agentId !== undefined, (query) => query.where('agent_id', '=', input.agentId ?? ''))
        .$if(input.workgroupId !== undefined, (query) => query.where('workgroup_id', '=', input.workgroupId ?? '')),
      { by: 'activity_at', desc: true },
    );
    return { items: page.rows.map((row) => conversationOf(row, tx.facts)), nextCursor: page.nextCursor };
  },

  async 'conversations.get'({ id }, tx) {
    return conversationOf(await conversationRow(tx, id), tx.facts);
  },

  async 'conversations.assign'({ id, assign }, tx) {
    const row = await versionedRow(tx, id);
    const assignee = assign === null ? nobody : await assigneeOf(tx, assign);
    const assigned = await assignConversation(tx, row, assignee);
    return conversationOf(assign === null ? assigned : await pauseForPerson(tx, assigned), tx.facts);
  },

  async 'conversations.pauseAi'({ id, reason = null }, tx) {
    return conversationOf(await announcePause(tx, await conversationRow(tx, id), reason), tx.facts);
  },

  async 'conversations.resumeAi'({ id }, tx) {
    const { row, changed } = await resumeAi(tx, await conversationRow(tx, id));
    const conversation = conversationOf(row, tx.facts);
    if (changed) await tx.announce({ type: 'conversation.aiResumed', conversationId: id, data: { conversation } });
    return conversation;
  },

  async 'conversations.update'({ id, fields }, tx) {
    const row = await versionedRow(tx, id);
    const before = conversationOf(row, tx.facts);
    const changes = { fields: mergedFields(row.fields, fields), updated_at: tx.now };
    if (changes.fields === row.fields) return before;
    await tx.db.updateTable('conversation').set(changes).where('id', '=', id).execute();
    const conversation = conversationOf({ ...row, ...changes }, tx.facts);
    await tx.announce({
      type: 'conversation.updated',
      conversationId: id,
      data: { conversation },
      previous: { fields: before.fields },
    });
    return conversation;
  },

  async 'conversations.close'({ id }, tx) {
    const row = await versionedRow(tx, id);
    if (row.status === 'closed') return conversationOf(row, tx.facts);
    return conversationOf(await setStatus(tx, row, 'closed'), tx.facts);
  },

  async 'conversations.reopen'({ id }, tx) {
    const row = await versionedRow(tx, id);
    return conversationOf(await reopened(tx, row), tx.facts);
  },

  async 'conversations.link'(input, tx) {
    const { conversation, customerId, created } = await reach(tx, input);
    const row =
      input.assign === undefined
        ? conversation
        : await assignConversation(tx, conversation, await assigneeOf(tx, input.assign));
    return { conversationId: row.id, url: conversationUrl(row.id, tx.facts), customerId, created };
  },
};

export const nobody: Assignee = { agentId: null, workgroupId: null };

/** Customer and conversation for a phone number or an e-mail address. */
export interface Reached {
  readonly conversation: ConversationRow;
  readonly customerId: string;
  readonly created: { readonly customer: boolean; readonly conversation: boolean };
}

/**
 * Finds or creates the customer and its one conversation on a channel; a closed conversation is reopened.
 * @throws WorkspaceError recipient_invalid, customer_ambiguous, channel_not_found, channel_disconnected, channel_unreachable
 */
export async function reach(
  tx: Tx,
  input: {
    phone?: string | undefined;
    email?: string | undefined;
    channel?: string | undefined;
    name?: string | undefined;
  },
): Promise<Reached> {
  const identity = await identityOf(input);
  const channel = await chooseChannel(tx, input.channel, identity, await findCustomer(tx, identity));
  const customer = await findOrCreateCustomer(tx, identity, { name: input.name });
  const { row, created } = await findOrCreateConversation(tx, customer.row.id, channel.id);
  return {
    conversation: await reopened(tx, row),
    customerId: customer.row.id,
    created: { customer: customer.created, conversation: created },
  };
}

/** The same customer on the same channel always has the same conversation, which a unique index guarantees. */
async function findOrCreateConversation(
  tx: Tx,
  customerId: string,
  channelId: string,
): Promise<{ row: ConversationRow; created: boolean }> {
  const found = await tx.db
    .selectFrom('conversation')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  if (found !== undefined) return { row: found, created: false };
  const row: ConversationRow = {
    id: newId('cnv', tx.now),
    customer_id: customerId,
    channel_id: channelId,
    status: 'open',
    // As long as the customer has not written, there is no work for the team.
    inbox: 0,
    agent_id: null,
    workgroup_id: null,
    fields: '{}',
    created_at: tx.now,
    updated_at: tx.now,
    last_message_at: null,
    activity_at: tx.now,
    event_count: 0,
    ai: null,
  };
  await tx.db.insertInto('conversation').values(row).execute();
  await tx.announce({
    type: 'conversation.created',
    conversationId: row.id,
    data: { conversation: conversationOf(row, tx.facts) },
  });
  return { row, created: true };
}

/** A person who takes part in a conversation takes it over from the AI. @returns the conversation as it is then */
export async function pauseForPerson(tx: Tx, row: ConversationRow): Promise<ConversationRow> {
  return tx.caller.type === 'agent' ? announcePause(tx, row, 'a person took over') : row;
}

async function announcePause(tx: Tx, row: ConversationRow, reason: string | null): Promise<ConversationRow> {
  const { type, id } = authorOf(tx.caller);
  const paused = await pauseAi(tx, row, { by: { type, id }, reason });
  if (paused.changed) {
    const data = { conversation: conversationOf(paused.row, tx.facts) };
    await tx.announce({ type: 'conversation.aiPaused', conversationId: row.id, data });
  }
  return paused.row;
}

export async function assignConversation(
  tx: Tx,
  row: ConversationRow,
  { agentId, workgroupId }: Assignee,
): Promise<ConversationRow> {
  if (row.agent_id === agentId && row.workgroup_id === workgroupId) return row;
  const changes = { agent_id: agentId, workgroup_id: workgroupId, updated_at: tx.now };
  await tx.db.updateTable('conversation').set(changes).where('id', '=', row.id).execute();
  const after = { ...row, ...changes };
  await tx.announce({
    type: agentId === null && workgroupId === null ? 'conversation.unassigned' : 'conversation.assigned',
    conversationId: row.id,
    data: { conversation: conversationOf(after, tx.facts), assignee: { agentId, workgroupId } },
    previous: { assignee: { agentId: row.agent_id, workgroupId: row.workgroup_id } },
  });
  return after;
}

/** Returns the conversation, open; announces the change only if it was closed. */
export async function reopened(tx: Tx, row: ConversationRow): Promise<ConversationRow> {
  return row.status === 'open' ? row : setStatus(tx, row, 'open');
}

async function setStatus(tx: Tx, row: ConversationRow, status: 'open' | 'closed'): Promise<ConversationRow> {
  const changes = { status, updated_at: tx.now };
  await tx.db.updateTable('conversation').set(changes).where('id', '=', row.id).execute();
  const after = { ...row, ...changes };
  await tx.announce({
    type: status === 'open' ? 'conversation.reopened' : 'conversation.closed',
    conversationId: row.id,
    data: { conversation: conversationOf(after, tx.facts) },
    previous: { status: row.status },
  });
  return after;
}

export async function conversationRow(tx: Tx, id: string): Promise<ConversationRow> {
  const row = await tx.db.selectFrom('conversation').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('conversation_not_found', `There is no conversation ${id}`);
  return row;
}

async function versionedRow(tx: Tx, id: string): Promise<ConversationRow> {
  const row = await conversationRow(tx, id);
  tx.requireVersion(etagOfContent(conversationOf(row, tx.facts)));
  return row;
}

/** A conversation as the API shows it. */
export function conversationOf(row: ConversationRow, facts: Facts): Conversation {
  return {
    id: row.id,
    url: conversationUrl(row.id, facts),
    customerId: row.customer_id,
    channelId: row.channel_id,
    status: row.status as Conversation['status'],
    inbox: row.inbox === 1,
    assignee: { agentId: row.agent_id, workgroupId: row.workgroup_id },
    ai: aiOf(row),
    fields: fromJson<Conversation['fields']>(row.fields),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
    lastMessageAt: row.last_message_at === null ? null : toTimestamp(row.last_message_at),
  };
}

/** The direct link (contract 4). */
export function conversationUrl(id: string, facts: Facts): string {
  return `${facts.baseUrl()}/tenants/${facts.slug}/conversations/${id}`;
}
