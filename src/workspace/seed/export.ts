import type { Output } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { definitionOf } from '../handlers/templates.ts';
import { nameOf } from '../settings.ts';
import type { Json } from '../types.ts';
import { exportEndpoints } from './endpoints.ts';
import { exportHarnesses } from './harnesses.ts';
import { exportMcpClients } from './mcp-clients.ts';

type Exported = Output<'workspace.export'>;
type Customer = NonNullable<Exported['customers']>[number];
type Conversation = NonNullable<Customer['conversations']>[number];
type Message = NonNullable<Conversation['messages']>[number];
type Note = NonNullable<Conversation['notes']>[number];

/** Exports the workspace as a seed: everything but tokens, values of secrets, deployments, media and the journal. */
export async function exportSeed(tx: Tx): Promise<Exported> {
  const webhooks = await exportEndpoints(tx);
  return {
    version: 1,
    workspace: { name: await nameOf(tx) },
    channels: await channels(tx),
    workgroups: await tx.db.selectFrom('workgroup').select('name').orderBy('id').execute(),
    agents: await agents(tx),
    templates: (await tx.db.selectFrom('template').selectAll().orderBy('created_at').orderBy('id').execute()).map(
      definitionOf,
    ),
    customers: await customers(tx),
    ...(await exportHarnesses(tx)),
    ...(await exportMcpClients(tx)),
    packs: await packs(tx),
    ...(webhooks.length === 0 ? {} : { webhooks }),
    vars: await vars(tx),
  };
}

async function channels(tx: Tx): Promise<NonNullable<Exported['channels']>> {
  const rows = await tx.db.selectFrom('channel').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => ({
    kind: row.kind as NonNullable<Exported['channels']>[number]['kind'],
    name: row.name,
    ...(row.connected === 1 ? {} : { connected: false }),
  }));
}

async function agents(tx: Tx): Promise<NonNullable<Exported['agents']>> {
  const rows = await tx.db.selectFrom('agent').selectAll().orderBy('id').execute();
  const groups = await tx.db
    .selectFrom('agent_workgroup')
    .innerJoin('workgroup', 'workgroup.id', 'agent_workgroup.workgroup_id')
    .select(['agent_workgroup.agent_id', 'workgroup.name'])
    .orderBy('workgroup.id')
    .execute();
  const byAgent = Map.groupBy(groups, (row) => row.agent_id);
  return rows.map(({ id, name, email }) => {
    const workgroups = (byAgent.get(id) ?? []).map((row) => row.name);
    return { name, email, ...(workgroups.length === 0 ? {} : { workgroups }) };
  });
}

async function customers(tx: Tx): Promise<Customer[]> {
  const rows = await tx.db.selectFrom('customer').selectAll().orderBy('created_at').orderBy('id').execute();
  const conversations = Map.groupBy(await allConversations(tx), (row) => row.customerId);
  return rows.map((row) => {
    const fields = fromJson<Record<string, Json>>(row.fields);
    const talks = (conversations.get(row.id) ?? []).map(({ customerId: _, ...conversation }) => conversation);
    return {
      ...(row.name === null ? {} : { name: row.name }),
      ...(row.phone === null ? {} : { phone: row.phone }),
      ...(row.email === null ? {} : { email: row.email }),
      ...(row.language === null ? {} : { language: row.language }),
      ...(Object.keys(fields).length === 0 ? {} : { fields }),
      ...(talks.length === 0 ? {} : { conversations: talks }),
    };
  });
}

async function allConversations(tx: Tx): Promise<(Conversation & { customerId: string })[]> {
  const rows = await tx.db
    .selectFrom('conversation')
    .innerJoin('channel', 'channel.id', 'conversation.channel_id')
    .leftJoin('agent', 'agent.id', 'conversation.agent_id')
    .leftJoin('workgroup', 'workgroup.id', 'conversation.workgroup_id')
    .select([
      'conversation.id',
      'conversation.customer_id as customerId',
      'conversation.status',
      'channel.name as channel',
      'agent.email as agentEmail',
      'workgroup.name as workgroup',
    ])
    .orderBy('conversation.created_at')
    .orderBy('conversation.id')
    .execute();
  const messages = Map.groupBy(await allMessages(tx), (row) => row.conversationId);
  const notes = Map.groupBy(await allNotes(tx), (row) => row.conversationId);
  return rows.map((row) => {
    const said = (messages.get(row.id) ?? []).map(({ conversationId: _, ...message }) => message);
    const noted = (notes.get(row.id) ?? []).map(({ conversationId: _, ...note }) => note);
    return {
      customerId: row.customerId,
      channel: row.channel,
      ...(row.status === 'closed' ? { status: 'closed' as const } : {}),
      ...(row.agentEmail === null ? {} : { assign: { agentEmail: row.agentEmail } }),
      ...(row.workgroup === null ? {} : { assign: { workgroup: row.workgroup } }),
      ...(said.length === 0 ? {} : { messages: said }),
      ...(noted.length === 0 ? {} : { notes: noted }),
    };
  });
}

async function allMessages(tx: Tx): Promise<(Message & { conversationId: string })[]> {
  const rows = await tx.db.selectFrom('message').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    from: row.direction === 'in' ? 'customer' : row.author_type === 'agent' ? 'agent' : 'system',
    text: row.text ?? `[${mediaName(row.media)}]`,
    at: toTimestamp(row.created_at),
  }));
}

async function allNotes(tx: Tx): Promise<(Note & { conversationId: string })[]> {
  const rows = await tx.db
    .selectFrom('note')
    .leftJoin('agent', 'agent.id', 'note.author_id')
    .select(['note.conversation_id', 'note.text', 'note.created_at', 'agent.email'])
    .orderBy('note.created_at')
    .orderBy('note.id')
    .execute();
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    text: row.text,
    ...(row.email === null ? {} : { agentEmail: row.email }),
    at: toTimestamp(row.created_at),
  }));
}

/** A seed contains only text, so media is named. */
function mediaName(media: string | null): string {
  if (media === null) return 'empty';
  const { type, fileName, url } = fromJson<{ type: string; fileName?: string; url?: string }>(media);
  return fileName ?? url ?? type;
}

async function packs(tx: Tx): Promise<NonNullable<Exported['packs']>> {
  const rows = await tx.db.selectFrom('pack').selectAll().orderBy('position').execute();
  return rows.map((row) => ({
    days: row.quarters / 4,
    name: row.name,
    ...(row.quarters === row.quarters_left ? {} : { used: (row.quarters - row.quarters_left) / 4 }),
  }));
}

async function vars(tx: Tx): Promise<Record<string, Record<string, Json>>> {
  const rows = await tx.db.selectFrom('variable').selectAll().orderBy('app').orderBy('name').execute();
  const all = new Map<string, Record<string, Json>>();
  for (const { app, name, value } of rows) all.set(app, { ...all.get(app), [name]: fromJson<Json>(value) });
  return Object.fromEntries(all);
}
