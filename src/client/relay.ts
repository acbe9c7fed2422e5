import { type Door, type Input, type OperationName, type Output, operationOf, refusal } from '../contract/index.ts';
import { newId, WorkspaceError } from '../std/index.ts';

/** A write that a function asked for and that the workspace never saw. */
export interface HeldWrite {
  readonly operation: OperationName;
  readonly input: unknown;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

export interface RelayRules {
  readonly allow: readonly OperationName[];
  readonly onHeld: (write: HeldWrite) => void;
}

/**
 * A door that lets local code use the data of a remote workspace: reads go there, writes are held back and answered as the
 * workspace would have answered, unless their operation is allowed. Operations without a route (store, secrets, methods of the
 * same app) use the local workspace.
 * @param remote workspace whose data is read
 * @param own    the local door
 * @param allow  writes that may go through
 */
export function relayDoor(remote: Door, own: Door, rules: RelayRules): Door {
  return async <N extends OperationName>(name: N, input: Input<N>, options?: Parameters<Door>[2]) => {
    const row = operationOf(name);
    if (row.route === null || row.localOnly === true || ownApp(name)) return await own(name, input, options);
    if (row.effect === 'read' || rules.allow.includes(name)) return await remote(name, input, options);
    const answer = await pretend(remote, name, await checked(name, input));
    if (answer.changed) rules.onHeld({ operation: name, input, atMs: Date.now() });
    return answer.output as Output<N>;
  };
}

/** Checks the input, so that a write that the workspace would have refused does not look successful. */
async function checked(name: OperationName, input: unknown): Promise<unknown> {
  const { checkInput } = await import('../contract/shapes/index.ts');
  const result = checkInput(name, input ?? {});
  if (result.fits) return result.value;
  const [first] = result.problems;
  throw refusal('input_invalid', `${name}: ${first?.path || 'the input'} ${first?.message}`, {
    errors: [...result.problems],
  });
}

/** Variables and secrets belong to the running code, which is local. */
function ownApp(name: OperationName): boolean {
  return name.startsWith('vars.') || name.startsWith('secrets.');
}

type Pretended = { changed: boolean; output: unknown };

/** Imitates the workspace's answer as far as its current state allows. */
async function pretend(remote: Door, name: OperationName, input: unknown): Promise<Pretended> {
  const now = new Date().toISOString();
  const given = input as Record<string, unknown>;
  switch (name) {
    case 'customers.findOrCreate': {
      const { phone, email, ...rest } = input as Input<'customers.findOrCreate'>;
      const identity = { ...(phone === undefined ? {} : { phone }), ...(email === undefined ? {} : { email }) };
      const found = await findCustomer(remote, identity);
      if (found !== undefined) return { changed: false, output: { ...found, created: false } };
      const customer = { name: null, phone: null, email: null, language: null, fields: {}, ...identity, ...rest };
      return {
        changed: true,
        output: { id: newId('cus'), ...customer, createdAt: now, updatedAt: now, created: true },
      };
    }
    case 'customers.update': {
      const { id, fields, ...rest } = input as Input<'customers.update'>;
      const customer = await remote('customers.get', { id });
      return {
        changed: true,
        output: { ...customer, ...rest, fields: { ...customer.fields, ...fields }, updatedAt: now },
      };
    }
    case 'conversations.assign': {
      const { id, assign } = input as Input<'conversations.assign'>;
      const conversation = await remote('conversations.get', { id });
      const assignee = { agentId: assign?.agentId ?? null, workgroupId: assign?.workgroupId ?? null };
      return { changed: true, output: { ...conversation, assignee, updatedAt: now } };
    }
    case 'conversations.close':
    case 'conversations.reopen': {
      const conversation = await remote('conversations.get', { id: String(given['id']) });
      const status = name === 'conversations.close' ? 'closed' : 'open';
      return { changed: conversation.status !== status, output: { ...conversation, status, updatedAt: now } };
    }
    case 'messages.send': {
      const { conversationId, text, quickReplies } = input as Input<'messages.send'>;
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
          status: 'sent',
          createdAt: now,
        },
      };
    }
    case 'templates.send': {
      const { to } = input as Input<'templates.send'>;
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
    }
    case 'sessions.link': {
      const { phone, email } = input as Input<'sessions.link'>;
      const customer = await findCustomer(remote, phone === undefined ? { ...(email && { email }) } : { phone });
      const known =
        customer && (await remote('conversations.list', { customerId: customer.id, inbox: 'all', limit: 1 }));
      const conversation = known?.items[0];
      const conversationId = conversation?.id ?? newId('cnv');
      return {
        changed: conversation === undefined || given['assign'] !== undefined,
        output: {
          conversationId,
          url: conversation?.url ?? (await conversationUrl(remote, conversationId)),
          customerId: customer?.id ?? newId('cus'),
          created: { customer: customer === undefined, conversation: conversation === undefined },
        },
      };
    }
    default:
      throw new WorkspaceError('operation_not_allowed', 403, `${name} was held back, so its answer is unknown`, {
        hint: `To let it through, use --allow ${name}.`,
      });
  }
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
