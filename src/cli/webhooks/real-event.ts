import type { Door, EventKind, Output } from '../../contract/index.ts';
import { isRecord } from '../../std/index.ts';

type Conversation = Output<'conversations.list'>['items'][number];

/** What causes an event of one kind, by one step that somebody takes. */
interface Step {
  /** The fields of the event that the step takes from what is given: `message.text`. */
  readonly takes: readonly string[];
  /** @returns false if there is nothing that it could be done to */
  act(door: Door, given: (field: string) => string | undefined): Promise<boolean>;
}

/** Who writes where nobody has written yet. */
const stranger = { phone: '+4930901820', name: 'Ann Larsen' };

const steps: Partial<Record<EventKind, Step>> = {
  'customer.created': fromNobodyKnown(['customer.name', 'customer.phone']),
  'conversation.created': fromNobodyKnown([]),
  'message.received': {
    takes: ['message.text', 'message.conversationId'],
    async act(door, given) {
      const text = given('message.text') ?? 'Where is my order?';
      const id = given('message.conversationId') ?? (await newest(door, 'open'))?.id;
      await door('messages.receive', { text, ...(id === undefined ? stranger : { conversationId: id as never }) });
      return true;
    },
  },
  'message.sent': inConversation(['message.text'], 'message.conversationId', (door, conversationId, given) =>
    door('messages.send', { conversationId, text: given('message.text') ?? 'It is on its way.' }),
  ),
  'note.created': inConversation(['note.text'], 'note.conversationId', (door, conversationId, given) =>
    door('notes.add', { conversationId, text: given('note.text') ?? 'Called back, all is well.' }),
  ),
  'conversation.closed': inConversation([], 'conversation.id', (door, id) => door('conversations.close', { id })),
  'conversation.reopened': inConversation(
    [],
    'conversation.id',
    (door, id) => door('conversations.reopen', { id }),
    'closed',
  ),
  'conversation.aiPaused': inConversation([], 'conversation.id', (door, id) => door('conversations.pauseAi', { id })),
  'conversation.unassigned': inConversation([], 'conversation.id', (door, id) =>
    door('conversations.assign', { id, assign: null }),
  ),
  'conversation.assigned': {
    takes: ['conversation.id', 'assignee.agentId', 'assignee.workgroupId'],
    async act(door, given) {
      const conversation = await newest(door, 'open');
      const id = given('conversation.id') ?? conversation?.id;
      const workgroupId = given('assignee.workgroupId');
      const agents = (await door('agents.list', { limit: 200 })).items;
      const other = agents.find((agent) => agent.id !== conversation?.assignee.agentId);
      const agentId = given('assignee.agentId') ?? other?.id;
      if (id === undefined || (workgroupId ?? agentId) === undefined) return false;
      const assign = workgroupId === undefined ? { agentId } : { workgroupId };
      await door('conversations.assign', { id: id as never, assign: assign as never });
      return true;
    },
  },
};

/** Somebody writes for the first time. */
function fromNobodyKnown(takes: readonly string[]): Step {
  return {
    takes,
    async act(door, given) {
      const phone = `+4930${String(Math.trunc(Math.random() * 1e8)).padStart(8, '0')}`;
      await door('messages.receive', {
        phone: given('customer.phone') ?? phone,
        name: given('customer.name') ?? stranger.name,
        text: 'Hello',
      });
      return true;
    },
  };
}

/** A step in the conversation that is given, or in the newest. */
function inConversation(
  takes: readonly string[],
  idField: string,
  act: (door: Door, id: Conversation['id'], given: (field: string) => string | undefined) => Promise<unknown>,
  status: 'open' | 'closed' = 'open',
): Step {
  return {
    takes: [...takes, idField],
    async act(door, given) {
      const id = given(idField) ?? (await newest(door, status))?.id;
      if (id === undefined) return false;
      await act(door, id as Conversation['id'], given);
      return true;
    },
  };
}

async function newest(door: Door, status: 'open' | 'closed'): Promise<Conversation | undefined> {
  return (await door('conversations.list', { inbox: 'all', status, limit: 1 })).items[0];
}

/**
 * Makes an event really happen, by a step that somebody could take.
 * @param data what the event is to carry
 * @returns the event; undefined if no single step causes its kind, carries this data, or has anything that it could be done to
 */
export async function makeHappen(
  door: Door,
  kind: EventKind,
  data: Readonly<Record<string, unknown>>,
): Promise<Output<'events.list'>['items'][number] | undefined> {
  const step = steps[kind];
  const fields = fieldsOf(data);
  if (step === undefined || [...fields.keys()].some((field) => !step.takes.includes(field))) return undefined;
  const { resumeCursor: cursor } = await door('events.list', { order: 'desc', limit: 1 });
  if (!(await step.act(door, (field) => fields.get(field)))) return undefined;
  return (await door('events.list', { type: kind, cursor, limit: 1 })).items[0];
}

/** The texts in an object, each by its path: `message.text`. Anything else has a path, too, so that no step takes it. */
function fieldsOf(data: Readonly<Record<string, unknown>>, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(data)) {
    if (isRecord(value)) for (const [path, text] of fieldsOf(value, `${prefix}${name}.`)) found.set(path, text);
    else if (typeof value === 'string') found.set(`${prefix}${name}`, value);
    else found.set(`${prefix}${name} `, '');
  }
  return found;
}
