import { languageOf, type ParsedInput } from '../../contract/index.ts';
import { type FieldProblem, newId } from '../../std/index.ts';
import { seedInvalid } from '../door/problems.ts';
import type { Tx } from '../door/tx.ts';
import { connectChannel, nameKey } from '../handlers/channels.ts';
import { nobody } from '../handlers/conversations.ts';
import { addPack, packName, useDays } from '../handlers/packs.ts';
import { saveTemplate } from '../handlers/templates.ts';
import { emailOf, tryEmail, tryPhone } from '../identity.ts';
import { setName } from '../settings.ts';
import { definitionProblems, type TemplateDefinition } from '../templates/index.ts';
import { addEndpoints, type NamedSecrets } from './endpoints.ts';
import { addHarnesses } from './harnesses.ts';
import { addMcpClients } from './mcp-clients.ts';

type Seed = ParsedInput<'workspace.import'>['seed'];
type Customer = NonNullable<Seed['customers']>[number];
type Conversation = NonNullable<Customer['conversations']>[number];
type Message = NonNullable<Conversation['messages']>[number];

/** How many of each kind were created; existing ones are not counted. */
export type Created = Record<
  | 'channels'
  | 'workgroups'
  | 'agents'
  | 'templates'
  | 'customers'
  | 'conversations'
  | 'messages'
  | 'notes'
  | 'harnesses'
  | 'mcpClients'
  | 'packs'
  | 'webhooks'
  | 'vars',
  number
>;

/** Messages without a time are placed this far apart, the last one now. */
const messageGapMs = 60_000;

/**
 * Adds what a seed describes and the workspace does not have. Things are identified by what people call them: names of channels,
 * workgroups and packs, e-mail of agents, name and language of templates, phone or e-mail of customers, channel of
 * a customer's conversation, names of harnesses and MCP clients, address or function of webhook endpoints. Applying twice changes nothing; a template or variable that differs is replaced.
 * @param secrets values of the secrets that it names
 * @throws WorkspaceError seed_invalid with every problem and its path; then nothing was added
 */
export async function applySeed(outer: Tx, seed: Seed, secrets: NamedSecrets = {}): Promise<Created> {
  // A seed describes a state, not events, so it announces nothing.
  const tx: Tx = { ...outer, announce: async () => undefined };
  const created: Created = {
    channels: 0,
    workgroups: 0,
    agents: 0,
    templates: 0,
    customers: 0,
    conversations: 0,
    messages: 0,
    harnesses: 0,
    mcpClients: 0,
    notes: 0,
    packs: 0,
    webhooks: 0,
    vars: 0,
  };
  const problems: FieldProblem[] = [];
  if (seed.workspace?.name !== undefined) await setName(tx, seed.workspace.name);
  await addChannels(tx, seed, created);
  const workgroups = await addWorkgroups(tx, seed, created);
  await addAgents(tx, seed, workgroups, created, problems);
  await addTemplates(tx, seed, created, problems);
  await addCustomers(tx, seed, { workgroups, created, problems });
  created.harnesses = await addHarnesses(tx, seed.harnesses ?? [], secrets, problems);
  created.mcpClients = await addMcpClients(tx, seed.mcpClients ?? [], secrets, problems);
  await addPacks(tx, seed, created, problems);
  created.webhooks = await addEndpoints(tx, seed.webhooks ?? [], secrets, problems);
  await addVars(tx, seed, created);
  if (problems.length > 0) throw seedInvalid(problems);
  return created;
}

async function addChannels(tx: Tx, seed: Seed, created: Created): Promise<void> {
  for (const channel of seed.channels ?? []) {
    const known = await tx.db
      .selectFrom('channel')
      .select('id')
      .where('name_key', '=', nameKey(channel.name))
      .executeTakeFirst();
    if (known !== undefined) continue;
    await connectChannel(tx, channel);
    created.channels++;
  }
}

async function addWorkgroups(tx: Tx, seed: Seed, created: Created): Promise<Map<string, string>> {
  const rows = await tx.db.selectFrom('workgroup').select(['id', 'name_key']).execute();
  const ids = new Map(rows.map((row) => [row.name_key, row.id]));
  for (const { name } of seed.workgroups ?? []) {
    if (ids.has(nameKey(name))) continue;
    const id = newId('wgr', tx.now);
    await tx.db
      .insertInto('workgroup')
      .values({ id, name, name_key: nameKey(name) })
      .execute();
    ids.set(nameKey(name), id);
    created.workgroups++;
  }
  return ids;
}

async function addAgents(
  tx: Tx,
  seed: Seed,
  workgroups: ReadonlyMap<string, string>,
  created: Created,
  problems: FieldProblem[],
): Promise<void> {
  for (const [index, agent] of (seed.agents ?? []).entries()) {
    const path = `agents[${index}]`;
    const email = tryEmail(agent.email);
    if (email === undefined) problems.push({ path: `${path}.email`, message: 'is not an e-mail address' });
    const groups = (agent.workgroups ?? []).map((name, at) => {
      const id = workgroups.get(nameKey(name));
      if (id === undefined)
        problems.push({ path: `${path}.workgroups[${at}]`, message: `is not the name of a workgroup: ${name}` });
      return id ?? '';
    });
    if (email === undefined || groups.includes('')) continue;
    const known = await tx.db.selectFrom('agent').select('id').where('email', '=', email).executeTakeFirst();
    const id = known?.id ?? newId('agt', tx.now);
    if (known === undefined) {
      await tx.db.insertInto('agent').values({ id, name: agent.name, email }).execute();
      created.agents++;
    }
    for (const workgroup_id of groups) {
      await tx.db
        .insertInto('agent_workgroup')
        .values({ agent_id: id, workgroup_id })
        .onConflict((conflict) => conflict.columns(['agent_id', 'workgroup_id']).doNothing())
        .execute();
    }
  }
}

async function addTemplates(tx: Tx, seed: Seed, created: Created, problems: FieldProblem[]): Promise<void> {
  const seen = new Set<string>();
  for (const [index, { status = 'approved', ...rest }] of (seed.templates ?? []).entries()) {
    const definition: TemplateDefinition = { ...rest, status };
    const path = `templates[${index}]`;
    const found = definitionProblems(definition).map((problem) => ({ ...problem, path: `${path}.${problem.path}` }));
    const key = `${definition.name} ${languageOf(definition.language)}`;
    if (seen.has(key)) found.push({ path, message: `is a duplicate: ${definition.name} in ${definition.language}` });
    seen.add(key);
    problems.push(...found);
    if (found.length === 0 && (await saveTemplate(tx, definition)) === 'created') created.templates++;
  }
}

interface Around {
  readonly workgroups: ReadonlyMap<string, string>;
  readonly created: Created;
  readonly problems: FieldProblem[];
}

async function addCustomers(tx: Tx, seed: Seed, around: Around): Promise<void> {
  const channels = await tx.db.selectFrom('channel').selectAll().orderBy('created_at').orderBy('id').execute();
  const agents = await tx.db.selectFrom('agent').select(['id', 'email']).execute();
  for (const [index, customer] of (seed.customers ?? []).entries()) {
    const path = `customers[${index}]`;
    const id = await customerFor(tx, customer, path, around);
    for (const [at, conversation] of (customer.conversations ?? []).entries()) {
      const where = `${path}.conversations[${at}]`;
      const channel =
        channels.find((row) => row.name_key === nameKey(conversation.channel)) ??
        channels.find((row) => row.kind === conversation.channel);
      if (channel === undefined) {
        around.problems.push({
          path: `${where}.channel`,
          message: `is not the name or kind of a channel: ${conversation.channel}`,
        });
      }
      const assignee = assigneeFor(conversation, agents, where, around);
      if (id === undefined || channel === undefined || assignee === undefined) continue;
      const authors = noteAuthors(conversation, agents, where, around);
      await addConversation(tx, { id, channelId: channel.id, assignee, conversation, authors }, around.created);
    }
  }
}

async function customerFor(tx: Tx, customer: Customer, path: string, around: Around): Promise<string | undefined> {
  const phone = customer.phone === undefined ? null : ((await tryPhone(customer.phone)) ?? undefined);
  const email = customer.email === undefined ? null : tryEmail(customer.email);
  const problems: FieldProblem[] = [];
  if (phone === undefined)
    problems.push({ path: `${path}.phone`, message: `is not a phone number: ${customer.phone}` });
  if (email === undefined)
    problems.push({ path: `${path}.email`, message: `is not an e-mail address: ${customer.email}` });
  if (phone === null && email === null) problems.push({ path, message: 'has neither phone nor email' });
  around.problems.push(...problems);
  if (phone === undefined || email === undefined || problems.length > 0) return undefined;
  const known = await tx.db
    .selectFrom('customer')
    .select('id')
    .where((eb) => eb.or([eb('phone', '=', phone), eb('email', '=', email)]))
    .execute();
  if (known.length > 1)
    around.problems.push({ path, message: 'has the phone of one customer and the email of another' });
  if (known.length > 0) return known[0]?.id;
  const id = newId('cus', tx.now);
  const since = Math.min(
    tx.now,
    ...(customer.conversations ?? []).flatMap((talk) => timesOf(talk.messages ?? [], tx.now)),
  );
  await tx.db
    .insertInto('customer')
    .values({
      id,
      name: customer.name ?? null,
      phone,
      email,
      language: customer.language ?? null,
      fields: JSON.stringify(customer.fields ?? {}),
      created_at: since,
      updated_at: since,
    })
    .execute();
  around.created.customers++;
  return id;
}

type SeedAssignee = { agentId: string | null; workgroupId: string | null };

function assigneeFor(
  { assign }: Conversation,
  agents: readonly { id: string; email: string }[],
  path: string,
  { workgroups, problems }: Around,
): SeedAssignee | undefined {
  if (assign === undefined) return nobody;
  if ('workgroup' in assign) {
    const id = workgroups.get(nameKey(assign.workgroup));
    if (id !== undefined) return { agentId: null, workgroupId: id };
  } else if (assign.workgroupId !== undefined) {
    if ([...workgroups.values()].includes(assign.workgroupId))
      return { agentId: null, workgroupId: assign.workgroupId };
  } else {
    const email =
      assign.agentEmail === undefined || tryEmail(assign.agentEmail) === undefined ? '' : emailOf(assign.agentEmail);
    const agent = agents.find((row) => row.id === assign.agentId || row.email === email);
    if (agent !== undefined) return { agentId: agent.id, workgroupId: null };
  }
  problems.push({ path: `${path}.assign`, message: 'matches nobody in this workspace' });
  return undefined;
}

/** Ids of the agents who wrote the notes of a conversation; null for a note of nobody. */
function noteAuthors(
  { notes = [] }: Conversation,
  agents: readonly { id: string; email: string }[],
  path: string,
  { problems }: Around,
): (string | null)[] {
  return notes.map(({ agentEmail }, at) => {
    if (agentEmail === undefined) return null;
    const email = tryEmail(agentEmail);
    const agent = agents.find((row) => row.email === email);
    if (agent === undefined)
      problems.push({ path: `${path}.notes[${at}].agentEmail`, message: 'matches nobody in this workspace' });
    return agent?.id ?? null;
  });
}

async function addConversation(
  tx: Tx,
  given: {
    id: string;
    channelId: string;
    assignee: SeedAssignee;
    conversation: Conversation;
    authors: readonly (string | null)[];
  },
  created: Created,
): Promise<void> {
  const { conversation, assignee } = given;
  const known = await tx.db
    .selectFrom('conversation')
    .select('id')
    .where('customer_id', '=', given.id)
    .where('channel_id', '=', given.channelId)
    .executeTakeFirst();
  if (known !== undefined) return;
  const messages = conversation.messages ?? [];
  const times = timesOf(messages, tx.now);
  const id = newId('cnv', tx.now);
  await tx.db
    .insertInto('conversation')
    .values({
      id,
      customer_id: given.id,
      channel_id: given.channelId,
      status: conversation.status ?? 'open',
      inbox: messages.some((message) => message.from === 'customer') ? 1 : 0,
      agent_id: assignee.agentId,
      workgroup_id: assignee.workgroupId,
      fields: '{}',
      created_at: times[0] ?? tx.now,
      updated_at: times.at(-1) ?? tx.now,
      last_message_at: times.at(-1) ?? null,
      activity_at: times.at(-1) ?? tx.now,
      event_count: 0,
      ai: null,
    })
    .execute();
  created.conversations++;
  for (const [index, message] of messages.entries()) {
    await addMessage(tx, {
      conversationId: id,
      customerId: given.id,
      agentId: assignee.agentId,
      at: times[index] ?? tx.now,
      message,
    });
    created.messages++;
  }
  const { notes = [] } = conversation;
  const notedAt = timesOf(notes, tx.now);
  for (const [index, { text }] of notes.entries()) {
    const author = given.authors[index] ?? null;
    await tx.db
      .insertInto('note')
      .values({
        id: newId('nte', tx.now),
        conversation_id: id,
        author_type: author === null ? 'system' : 'agent',
        author_id: author,
        text,
        created_at: notedAt[index] ?? tx.now,
      })
      .execute();
    created.notes++;
  }
}

async function addMessage(
  tx: Tx,
  given: { conversationId: string; customerId: string; agentId: string | null; at: number; message: Message },
): Promise<void> {
  const { from, text } = given.message;
  await tx.db
    .insertInto('message')
    .values({
      id: newId('msg', tx.now),
      conversation_id: given.conversationId,
      direction: from === 'customer' ? 'in' : 'out',
      author_type: from,
      author_id: from === 'customer' ? given.customerId : from === 'agent' ? given.agentId : null,
      text,
      media: null,
      template: null,
      quick_replies: '[]',
      status: from === 'customer' ? 'received' : 'delivered',
      created_at: given.at,
    })
    .execute();
}

/** The time of each message: as written, or a minute apart, and never before the previous one. */
function timesOf(messages: readonly { at?: string | undefined }[], now: number): number[] {
  let last = Number.NEGATIVE_INFINITY;
  return messages.map(({ at }, index) => {
    const said = at === undefined ? now - (messages.length - 1 - index) * messageGapMs : momentOf(at, now);
    last = Math.max(last, said);
    return last;
  });
}

/** `2026-11-20T09:00:00Z`, or how long ago: `-90s`, `-5m`, `-2h`, `-3d`. */
function momentOf(at: string, now: number): number {
  const ago = /^-(\d+)([smhd])$/.exec(at);
  if (ago === null) return Date.parse(at);
  const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return now - Number(ago[1]) * (units[ago[2] ?? ''] ?? 0);
}

async function addPacks(tx: Tx, seed: Seed, created: Created, problems: FieldProblem[]): Promise<void> {
  const rows = await tx.db.selectFrom('pack').select('name').execute();
  const before = new Set(rows.map((row) => row.name));
  let used = 0;
  for (const [index, pack] of (seed.packs ?? []).entries()) {
    const name = pack.name ?? packName(pack.days);
    if (before.has(name)) continue;
    if ((pack.used ?? 0) > pack.days)
      problems.push({ path: `packs[${index}].used`, message: 'is more than the pack holds' });
    await addPack(tx, pack.days, name);
    used += pack.used ?? 0;
    created.packs++;
  }
  if (used > 0 && problems.length === 0) await useDays(tx, used, 'Used before');
}

async function addVars(tx: Tx, seed: Seed, created: Created): Promise<void> {
  for (const [app, values] of Object.entries(seed.vars ?? {})) {
    for (const [name, given] of Object.entries(values)) {
      const value = JSON.stringify(given);
      const known = await tx.db
        .selectFrom('variable')
        .select('value')
        .where('app', '=', app)
        .where('name', '=', name)
        .executeTakeFirst();
      if (known?.value === value) continue;
      if (known === undefined) created.vars++;
      await tx.db
        .insertInto('variable')
        .values({ app, name, value, updated_at: tx.now })
        .onConflict((conflict) => conflict.columns(['app', 'name']).doUpdateSet({ value, updated_at: tx.now }))
        .execute();
    }
  }
}
