import { type Door, type Output, refusal } from '../../contract/index.ts';
import { isRecord } from '../../std/index.ts';

export type Event = Output<'events.list'>['items'][number];
export type FlowRun = Output<'flowRuns.show'>;

/** What happened in a conversation, with all that a test of it has to know. */
export interface Happened {
  /** Oldest first, from the customer's first words that were not planted. */
  readonly events: readonly Event[];
  readonly customer: Output<'customers.get'>;
  readonly channel: string;
  readonly flowRuns: readonly FlowRun[];
  readonly emailOf: ReadonlyMap<string, string>;
  readonly workgroupOf: ReadonlyMap<string, string>;
  /** By the id of a confirmation: the arguments that a person changed. */
  readonly changedArguments: ReadonlyMap<string, unknown>;
}

const maxEvents = 2_000;
const page = 200;

/**
 * Reads what happened in a conversation.
 * @throws WorkspaceError conversation_not_found; test_unsavable if a test could not do the same, saying why
 */
export async function readWhatHappened(call: Door, conversationId: string): Promise<Happened> {
  const conversation = await call('conversations.get', { id: conversationId });
  const events = await readEvents(call, conversationId);
  const first = events.findIndex(({ type }) => type === 'message.received');
  if (first === -1)
    throw refuse('The customer has written nothing in it since the workspace was planted', 'Write as the customer.');
  if (events[0]?.sequence !== 1) throw refuse('What happened at its beginning is not kept any more');
  await requireScripts(call, conversationId);
  const channels = await call('channels.list', { limit: page });
  const agents = await call('agents.list', { limit: page });
  const groups = await call('workgroups.list', { limit: page });
  return {
    events: events.slice(first),
    customer: await call('customers.get', { id: conversation.customerId }),
    channel: channels.items.find(({ id }) => id === conversation.channelId)?.name ?? conversation.channelId,
    flowRuns: await readFlowRuns(call, conversationId),
    emailOf: new Map(agents.items.map(({ id, email }) => [id, email])),
    workgroupOf: new Map(groups.items.map(({ id, name }) => [id, name])),
    changedArguments: await readChangedArguments(call, events),
  };
}

export const refuse = (message: string, hint?: string) =>
  refusal('test_unsavable', message, hint === undefined ? {} : { hint });

async function readEvents(call: Door, conversationId: string): Promise<Event[]> {
  const events: Event[] = [];
  let cursor: string | undefined;
  do {
    const read = await call('events.list', { conversationId, limit: page, ...(cursor !== undefined && { cursor }) });
    events.push(...read.items);
    if (events.length > maxEvents) throw refuse(`It is too long: more than ${maxEvents} events`);
    cursor = read.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return events;
}

async function readFlowRuns(call: Door, conversationId: string): Promise<FlowRun[]> {
  const { items } = await call('flowRuns.list', { conversationId, limit: page });
  const runs: FlowRun[] = [];
  for (const { id } of items.reverse()) runs.push(await call('flowRuns.show', { id }));
  return runs;
}

/** A test needs no key and no network: it can only repeat what scripts have answered. */
async function requireScripts(call: Door, conversationId: string): Promise<void> {
  const { items } = await call('aiAgentRuns.list', { conversationId, limit: page });
  for (const { agent, models, usage } of items) {
    const real = [models.main ?? '', ...usage.byModel.map(({ model }) => model)].find(
      (model) => !model.startsWith('script:'),
    );
    if (real === undefined) continue;
    throw refuse(
      `${agent ?? 'An AI'} answered with the model ${real}, which a test does not ask`,
      'Let the agent answer by a script (models.main: script:NAME), and have the conversation again.',
    );
  }
}

async function readChangedArguments(call: Door, events: readonly Event[]): Promise<Map<string, unknown>> {
  const changed = new Map<string, unknown>();
  for (const { type, data } of events) {
    const confirmation = objectOf(data, 'confirmation');
    if (type !== 'confirmation.answered' || !isRecord(confirmation['answer'])) continue;
    if (confirmation['answer']['edited'] !== true) continue;
    const made = events
      .map((event) => objectOf(event.data, 'toolCall'))
      .find(({ id, invocationId }) => id === confirmation['callId'] && typeof invocationId === 'string');
    if (made === undefined) throw refuse('The arguments that a person changed are not known any more');
    const { input } = await call('invocations.show', { id: String(made['invocationId']) });
    changed.set(String(confirmation['id']), input);
  }
  return changed;
}

/** An object that an event carries. */
export function objectOf(data: Event['data'], name: string): Readonly<Record<string, unknown>> {
  const value = data[name];
  return isRecord(value) ? value : {};
}
