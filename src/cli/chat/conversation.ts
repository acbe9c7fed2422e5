import type { Door, Output } from '../../contract/index.ts';
import { everyPage, LimitError, UsageError, WorkspaceError, wait } from '../../std/index.ts';
import { longestCollectMs, openJobs } from '../workspaces/wait-for-trace.ts';

export type Message = Output<'messages.receive'>;
export type Conversation = Output<'conversations.get'>;
export type Confirmation = Output<'confirmations.list'>['items'][number];
type Person = Output<'agents.list'>['items'][number];

/** What a line of a chat is: words, the tap of a quick reply, or what a person at the desk does. */
export type Act =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'tap'; readonly quickReplyId: string }
  | { readonly type: 'answer'; readonly answer: 'allow' | 'deny'; readonly reason?: string }
  | { readonly type: 'back' | 'take' | 'pause' | 'close' };

/** Who writes: a customer, or a person at the desk. */
export type Side =
  | { readonly type: 'customer'; readonly who: string; readonly channel: string | undefined }
  | { readonly type: 'desk'; readonly person: Person };

/** A customer is named by a phone number or an e-mail address. */
export const identityOf = (who: string) => (who.includes('@') ? { email: who } : { phone: who });

/** The conversation of a customer, on a channel if one is named; the one with the latest message. @returns undefined if there is none yet */
export async function findConversation(
  door: Door,
  who: string,
  channel: string | undefined,
): Promise<Conversation | undefined> {
  const customer = await found(door('customers.find', identityOf(who)));
  if (customer === undefined) return undefined;
  const { items } = await door('conversations.list', { customerId: customer.id, inbox: 'all', limit: 200 });
  if (channel === undefined) return items.toSorted(byLatest)[0];
  const channels = await door('channels.list', { limit: 200 });
  const named = channels.items.filter(({ id, kind, name }) => [id, kind, name].includes(channel));
  return items.toSorted(byLatest).find(({ channelId }) => named.some(({ id }) => id === channelId));
}

const byLatest = (a: Conversation, b: Conversation) => (b.lastMessageAt ?? '').localeCompare(a.lastMessageAt ?? '');

/** The conversation in which somebody wrote last. @throws WorkspaceError conversation_not_found */
export async function latestConversation(door: Door): Promise<Conversation> {
  const { items } = await door('conversations.list', { limit: 200 });
  const [latest] = items.toSorted(byLatest);
  if (latest !== undefined) return latest;
  throw new WorkspaceError('conversation_not_found', 404, 'No customer has written yet', {
    hint: 'Write as one: fn chat',
  });
}

/** Whoever sits at the desk: by e-mail address, or the first of the team. @throws UsageError agent_unknown, agent_missing */
export async function findPerson(door: Door, email: string | undefined): Promise<Person> {
  const people = await everyPage((page) => door('agents.list', page));
  const person = email === undefined ? people[0] : people.find((one) => one.email === email);
  if (person !== undefined) return person;
  if (email !== undefined) {
    const known = people.slice(0, 10).map((one) => one.email);
    throw new UsageError('agent_unknown', `There is no person with the e-mail address ${email}`, {
      hint: known.length === 0 ? 'Nobody is in the team: see seed.json.' : `There are: ${known.join(', ')}`,
    });
  }
  throw new UsageError('agent_missing', 'Nobody is in the team of this workspace', {
    hint: 'Add a person to "agents" in seed.json, then: fn workspace reset',
  });
}

/** A number that no customer has yet. */
export async function newCustomer(door: Door): Promise<string> {
  for (let last = 0; last < 1_000; last++) {
    // Numbers that are kept free for films and examples.
    const phone = `+493023125${String(last).padStart(3, '0')}`;
    if ((await found(door('customers.find', { phone }))) === undefined) return phone;
  }
  throw new UsageError('customer_missing', 'All numbers for examples are taken', { hint: 'Name one: --as +49…' });
}

async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WorkspaceError && error.status === 404) return undefined;
    throw error;
  }
}

/** The quick replies that the customer can choose from now. */
export async function openQuickReplies(door: Door, conversationId: string): Promise<Message['quickReplies']> {
  const { items } = await door('messages.list', { conversationId, order: 'desc', limit: 1 });
  return items[0]?.direction === 'out' ? items[0].quickReplies : [];
}

/**
 * Does what a line says. @returns the conversation that it was done in
 * @throws WorkspaceError also confirmation_not_found if nothing waits for an answer
 */
export async function act(
  door: Door,
  side: Side,
  conversationId: string | undefined,
  given: Act,
): Promise<{ readonly conversationId: string; readonly message?: Message }> {
  if (side.type === 'customer') {
    const { who, channel } = side;
    const where =
      conversationId === undefined
        ? { ...identityOf(who), ...(channel !== undefined && { channel }) }
        : { conversationId };
    if (given.type !== 'say' && given.type !== 'tap') throw new Error(`a customer does not ${given.type}`);
    const said = given.type === 'tap' ? { quickReplyId: given.quickReplyId } : { text: given.text };
    const message = await door('messages.receive', { ...where, ...said });
    return { conversationId: message.conversationId, message };
  }
  const id = conversationId ?? '';
  switch (given.type) {
    case 'say':
      return { conversationId: id, message: await door('messages.send', { conversationId: id, text: given.text }) };
    case 'answer': {
      const { answer, reason } = given;
      const question = await openConfirmation(door, id);
      await door('confirmations.answer', { id: question.id, answer, ...(reason !== undefined && { reason }) });
      return { conversationId: id };
    }
    case 'take':
      await door('conversations.assign', { id, assign: { agentId: side.person.id } });
      return { conversationId: id };
    case 'back':
      await door('conversations.resumeAi', { id });
      return { conversationId: id };
    case 'pause':
      await door('conversations.pauseAi', { id });
      return { conversationId: id };
    case 'close':
      await door('conversations.close', { id });
      return { conversationId: id };
    case 'tap':
      throw new Error('only a customer taps a quick reply');
  }
}

async function openConfirmation(door: Door, conversationId: string): Promise<Confirmation> {
  const { items } = await door('confirmations.list', { conversationId, open: true, limit: 200 });
  // The one that has waited longest.
  const question = items.filter(({ by }) => by === 'human').at(-1);
  if (question !== undefined) return question;
  throw new WorkspaceError('confirmation_not_found', 404, 'Nothing waits for a confirmation in this conversation', {
    hint: 'See all of them: fn confirmation list',
  });
}

const firstPauseMs = 10;
const longestPauseMs = 200;
const workKinds: readonly string[] = ['flow-step', 'agent-run', 'tool-call', 'invocation'];

/**
 * Resolves when nothing is under way any more of what was caused in a conversation. What is due within the time is waited for, such as an
 * agent that collects messages first; a flow that waits for the customer is not.
 * @param caused the traces of what was said
 * @returns the traces, with those of the runs that were under way there
 * @throws LimitError chat_timeout
 */
export async function waitUntilQuiet(
  door: Door,
  conversationId: string,
  caused: Iterable<string>,
  withinMs: number,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const traces = new Set(caused);
  const until = performance.now() + withinMs;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const leftMs = Math.max(0, until - performance.now());
    if (!(await isAtWork(door, conversationId, traces, leftMs, signal))) break;
    if (performance.now() >= until) {
      throw new LimitError('chat_timeout', 'What the message has started has not ended in time', {
        hint: 'It goes on. Wait longer with --timeout, or see what hangs: fn job list',
      });
    }
    await wait(pauseMs, signal);
  }
  return traces;
}

/** Whether something is under way, or falls due within a time. Adds the traces of the runs that have not ended. */
async function isAtWork(
  door: Door,
  conversationId: string,
  traces: Set<string>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  // Runs before jobs: what a run leads to is enqueued with its end.
  const { flows, agents } = await openRuns(door, conversationId, signal);
  for (const { traceId } of [...flows, ...agents]) traces.add(traceId);
  const jobs = await Promise.all([...traces].map((traceId) => openJobs(door, traceId, signal)));
  // The time after the jobs: what was enqueued meanwhile is due, too.
  const { now } = await door('clock.show', {}, { signal });
  const isDue = (at: string, laterMs: number) => Date.parse(at) <= Date.parse(now) + laterMs;
  if (flows.some(({ waitingFor }) => waitingFor?.type === 'time' && isDue(waitingFor.until ?? now, withinMs)))
    return true;
  return jobs.flat().some(({ kind, state, dueAt }) => {
    if (!workKinds.includes(kind)) return false;
    // A step that is due later ends a wait, which its run tells of.
    const laterMs = kind === 'flow-step' ? 0 : kind === 'agent-run' ? longestCollectMs : withinMs;
    return state !== 'waiting' || isDue(dueAt, laterMs);
  });
}

/** The runs of a conversation that have not ended. */
export async function openRuns(door: Door, conversationId: string, signal?: AbortSignal) {
  const input = { conversationId, limit: 50 } as const;
  const options = signal && { signal };
  const [flows, agents] = await Promise.all([
    door('flowRuns.list', input, options),
    door('aiAgentRuns.list', input, options),
  ]);
  return {
    flows: flows.items.filter(({ endedAt }) => endedAt === null),
    agents: agents.items.filter(({ endedAt }) => endedAt === null),
  };
}
