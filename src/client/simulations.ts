import type { Door, Input, OperationName, OperationsWhere, Output, ParsedInput } from '../contract/index.ts';
import { newId, WorkspaceError } from '../std/index.ts';

/** What the workspace would have answered to a write, and whether the write would have changed anything. */
interface Simulated<N extends OperationName> {
  readonly changed: boolean;
  readonly output: Output<N>;
}

type Simulation<N extends OperationName> = (input: ParsedInput<N>, remote: Door, now: string) => Promise<Simulated<N>>;
type SimulatedOperation = OperationsWhere<'relay', 'simulated'>;

/**
 * Imitates the workspace's answer to a write as far as its current state allows.
 * @param input as the operation's shape gives it
 * @param remote only reads are sent there
 * @returns undefined if the operation's row names no simulation
 */
export async function simulate(
  name: OperationName,
  input: unknown,
  remote: Door,
): Promise<{ readonly changed: boolean; readonly output: unknown } | undefined> {
  if (!Object.hasOwn(simulations, name)) return undefined;
  const simulation = simulations[name as SimulatedOperation] as Simulation<OperationName>;
  return await simulation(input as never, remote, new Date().toISOString());
}

/** One for every row that says `simulated`; the compiler names a missing one. */
const simulations: { readonly [N in SimulatedOperation]: Simulation<N> } = {
  async 'customers.findOrCreate'({ phone, email, name = null, language = null, fields = {} }, remote, now) {
    const identity = { ...(phone === undefined ? {} : { phone }), ...(email === undefined ? {} : { email }) };
    const found = await findCustomer(remote, identity);
    if (found !== undefined) return { changed: false, output: { ...found, created: false } };
    const customer = { phone: null, email: null, ...identity, name, language, fields };
    return { changed: true, output: { id: newId('cus'), ...customer, createdAt: now, updatedAt: now, created: true } };
  },
  async 'customers.update'({ id, ...changes }, remote, now) {
    const known = await remote('customers.get', { id });
    const { name = known.name, phone = known.phone, email = known.email, language = known.language } = changes;
    const fields = { ...known.fields, ...changes.fields };
    return { changed: true, output: { ...known, name, phone, email, language, fields, updatedAt: now } };
  },
  async 'conversations.assign'({ id, assign }, remote, now) {
    const conversation = await remote('conversations.get', { id });
    const assignee = { agentId: assign?.agentId ?? null, workgroupId: assign?.workgroupId ?? null };
    return { changed: true, output: { ...conversation, assignee, updatedAt: now } };
  },
  'conversations.close': ({ id }, remote, now) => withStatus(remote, id, 'closed', now),
  'conversations.reopen': ({ id }, remote, now) => withStatus(remote, id, 'open', now),
  async 'messages.send'({ conversationId, text, quickReplies }, remote, now) {
    await remote('conversations.get', { id: conversationId });
    return {
      changed: true,
      output: {
        id: newId('msg'),
        conversationId,
        direction: 'out',
        author: { type: 'function', id: null },
        text: text ?? null,
        media: null,
        template: null,
        quickReplies: quickReplies ?? [],
        quickReplyId: null,
        status: 'sent',
        error: null,
        createdAt: now,
      },
    };
  },
  async 'templates.send'({ to }, remote) {
    const customer = await findCustomer(remote, { phone: to });
    const conversationId = newId('cnv');
    return {
      changed: true,
      output: {
        conversationId,
        conversationUrl: await conversationUrl(remote, conversationId),
        messageId: newId('msg'),
        customerId: customer?.id ?? newId('cus'),
        created: { customer: customer === undefined, conversation: true },
      },
    };
  },
  async 'sessions.link'({ phone, email, assign }, remote) {
    const customer = await findCustomer(remote, phone === undefined ? { ...(email && { email }) } : { phone });
    const known = customer && (await remote('conversations.list', { customerId: customer.id, inbox: 'all', limit: 1 }));
    const conversation = known?.items[0];
    const conversationId = conversation?.id ?? newId('cnv');
    return {
      changed: conversation === undefined || assign !== undefined,
      output: {
        conversationId,
        url: conversation?.url ?? (await conversationUrl(remote, conversationId)),
        customerId: customer?.id ?? newId('cus'),
        created: { customer: customer === undefined, conversation: conversation === undefined },
      },
    };
  },
};

async function withStatus(remote: Door, id: string, status: 'open' | 'closed', now: string) {
  const conversation = await remote('conversations.get', { id });
  return { changed: conversation.status !== status, output: { ...conversation, status, updatedAt: now } };
}

async function findCustomer(remote: Door, identity: Input<'customers.find'>) {
  try {
    return await remote('customers.find', identity);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'customer_not_found') return undefined;
    throw error;
  }
}

async function conversationUrl(remote: Door, id: string): Promise<string> {
  const { url } = await remote('workspace.show', {});
  return `${url}/conversations/${id}`;
}
