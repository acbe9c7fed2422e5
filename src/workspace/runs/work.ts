import type { Selectable } from 'kysely';
import type { Output } from '../../contract/index.ts';
import { toTimestamp, WorkspaceError } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { nameKey } from '../handlers/channels.ts';
import {
  assignConversation,
  type ConversationRow,
  conversationOf,
  conversationRow,
} from '../handlers/conversations.ts';
import { customerOf, customerRow } from '../handlers/customers.ts';
import { addNote } from '../handlers/notes.ts';
import { authorOf, setMessageStatus, storeMessage } from '../handlers/store-message.ts';
import { loadHarness } from '../harnesses/harnesses.ts';
import { finishJob, LeaseLost } from '../jobs/finish.ts';
import type { Job } from '../jobs/types.ts';
import type { LoadedHarness, LoadedRun, RunChange, RunEnd, RunInputMessage, RunSpec, RunUsage } from '../types.ts';
import { enqueueExpiry, withExpiry } from './answer.ts';
import { eventsOf, insertEvents } from './events.ts';
import { followRun } from './follow.ts';
import { pauseAi, takeResumed } from './pause.ts';
import { isOpen, type RunRow, runInListOf } from './rows.ts';
import { splitReply } from './split-reply.ts';

type MessageRow = Selectable<Tables['message']>;
const charactersPerToken = 4;
/** Messages that a summary is made of. */
const maxSummedUp = 200;

/** Begins a run, or takes one over from a process that has ended. */
export async function beginRun(tx: Tx, job: Job, runId: string): Promise<LoadedRun | undefined> {
  const row = await tx.db.selectFrom('run').selectAll().where('id', '=', runId).executeTakeFirst();
  if (row === undefined || !isOpen(row)) {
    await finishJob(tx, job, { state: 'done' });
    return undefined;
  }
  await requireLease(tx, job);
  const conversation = row.conversation_id === null ? null : await conversationRow(tx, row.conversation_id);
  const begun = await begin(tx, row, conversation);
  const channel =
    conversation &&
    (await tx.db.selectFrom('channel').select('kind').where('id', '=', conversation.channel_id).executeTakeFirst());
  return {
    id: row.id,
    status: 'running',
    spec: fromJson<RunSpec & object>(row.spec),
    agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent ?? '' },
    harness: await tryHarness(tx, row.harness_id),
    messages: fromJson<RunInputMessage[]>(begun.messages ?? '[]'),
    leftOut: await leftOutOf(tx, begun),
    events: await eventsOf(tx, row.id),
    usage: fromJson<RunUsage>(row.usage),
    state: await stateFor(tx, row),
    conversation: conversation && conversationOf(conversation, tx.facts),
    channel: channel?.kind ?? null,
    customer: conversation && customerOf(await customerRow(tx, conversation.customer_id)),
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  };
}

/** What the run left, or what the run before it left for this conversation. */
async function stateFor({ db }: Tx, row: RunRow): Promise<unknown> {
  if (row.state !== null) return JSON.parse(row.state);
  if (row.conversation_id === null || row.rerun_of !== null) return undefined;
  const before = await db
    .selectFrom('run')
    .select('state')
    .where('conversation_id', '=', row.conversation_id)
    .where('created_at', '<=', row.created_at)
    .where('id', '<', row.id)
    .where('harness_id', '=', row.harness_id)
    // What a rerun left belongs to nobody: the customer heard nothing of it.
    .where('rerun_of', 'is', null)
    .where('agent_id', row.agent_id === null ? 'is' : '=', row.agent_id)
    .where('state', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return before === undefined || before.state === null ? undefined : JSON.parse(before.state);
}

/** A harness may have been removed since. */
async function tryHarness(tx: Tx, id: string): Promise<LoadedHarness | undefined> {
  try {
    return await loadHarness(tx, id);
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

/** What a run sees is settled when it first begins. */
async function begin(tx: Tx, row: RunRow, conversation: ConversationRow | null): Promise<RunRow> {
  const isNew = row.messages === null;
  const seen = isNew ? await messagesFor(tx, row, conversation) : undefined;
  const begun: RunRow = {
    ...row,
    status: 'running',
    started_at: row.started_at ?? tx.now,
    waiting_for: '[]',
    ...(seen && { messages: JSON.stringify(seen.messages), history: JSON.stringify(seen.history) }),
  };
  const { status, started_at, waiting_for, messages, history } = begun;
  await tx.db
    .updateTable('run')
    .set({ status, started_at, waiting_for, messages, history })
    .where('id', '=', row.id)
    .execute();
  if (row.started_at === null) {
    await tx.announce({
      type: 'aiAgentRun.started',
      ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
      data: { run: runInListOf(begun) },
      by: { caller: tx.caller, trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth } },
    });
  }
  return begun;
}

/** The conversation before the run, with what happened while the AI was paused, and the run's own input. */
async function messagesFor(
  tx: Tx,
  row: RunRow,
  conversation: ConversationRow | null,
): Promise<{ messages: RunInputMessage[]; history: Output<'aiAgentRuns.show'>['history'] }> {
  const spec = fromJson<RunSpec & object>(row.spec);
  const asked = spec.input.map(
    ({ role, content }, index): RunInputMessage => ({
      role,
      id: `${row.id}-${index + 1}`,
      content,
      author: role === 'user' ? 'customer' : 'aiAgent',
      sentAt: toTimestamp(tx.now),
    }),
  );
  if (conversation === null) return { messages: asked, history: { messages: 0, leftOut: 0 } };
  const { maxMessages, maxTokens = Number.POSITIVE_INFINITY } = spec.history;
  const rows = await tx.db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversation.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxMessages)
    .execute();
  const { count } = await tx.db
    .selectFrom('message')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('conversation_id', '=', conversation.id)
    .executeTakeFirstOrThrow();
  const shown: RunInputMessage[] = [];
  let tokens = 0;
  for (const message of rows) {
    const one = inputOf(message);
    tokens += Math.ceil(one.content.length / charactersPerToken);
    if (tokens > maxTokens && shown.length > 0) break;
    shown.unshift(one);
  }
  const resumed = await takeResumed(tx, conversation);
  if (resumed !== undefined) {
    const after = shown.findIndex(({ sentAt }) => Date.parse(sentAt) > resumed.resumedAt);
    // What the customer has last written is what the run answers: the note comes before it.
    let at = after === -1 ? shown.length : after;
    while (shown[at - 1]?.author === 'customer') at--;
    shown.splice(at, 0, {
      role: 'user',
      id: `${row.id}-resumed`,
      content: `[Note: a person of the team took this conversation over at ${toTimestamp(resumed.pausedAt)} and handed it back at ${toTimestamp(resumed.resumedAt)}. What the team wrote meanwhile is above.]`,
      author: 'system',
      sentAt: toTimestamp(resumed.resumedAt),
    });
  }
  const messages = [...shown, ...asked];
  return {
    messages,
    history: {
      messages: shown.length,
      leftOut:
        Math.max(0, count - rows.length) +
        rows.length -
        shown.filter(({ author }) => author !== 'system' || resumed === undefined).length,
    },
  };
}

/** Of the messages before those that a run sees, those that are summed up: the newest. */
async function leftOutOf(tx: Tx, row: RunRow): Promise<RunInputMessage[]> {
  const { history } = fromJson<RunSpec & object>(row.spec);
  const { leftOut } = fromJson<Output<'aiAgentRuns.show'>['history']>(row.history);
  if (history.summary !== 'fast' || leftOut === 0 || row.conversation_id === null) return [];
  const seen = fromJson<RunInputMessage[]>(row.messages ?? '[]').map(({ id }) => id);
  const first = await tx.db
    .selectFrom('message')
    .select(['id', 'created_at'])
    .where('id', 'in', seen)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const { id: firstId, created_at: firstAt } = first ?? { id: '', created_at: row.created_at };
  const rows = await tx.db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', row.conversation_id)
    .where((eb) =>
      eb.or([eb('created_at', '<', firstAt), eb.and([eb('created_at', '=', firstAt), eb('id', '<', firstId)])]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(Math.min(leftOut, maxSummedUp))
    .execute();
  return rows.map(inputOf).toReversed();
}

const inputAuthors: Readonly<Record<string, RunInputMessage['author']>> = {
  customer: 'customer',
  agent: 'agent',
  aiAgent: 'aiAgent',
  flow: 'flow',
};

/** A message of a conversation as a model reads it; what is no text is noted. */
function inputOf(row: MessageRow): RunInputMessage {
  const media = row.media === null ? undefined : fromJson<{ type: string; fileName?: string; url?: string }>(row.media);
  const noted = media && `[Attachment: ${media.fileName ?? media.url ?? media.type}]`;
  const template = row.template === null ? undefined : fromJson<{ name?: string }>(row.template);
  const content = [row.text ?? (template && `[Message template ${template.name ?? ''}]`), noted]
    .filter(Boolean)
    .join('\n');
  return {
    role: row.direction === 'in' ? 'user' : 'assistant',
    id: row.id,
    content: content === '' ? '[Empty message]' : content,
    author: inputAuthors[row.author_type] ?? (row.direction === 'in' ? 'customer' : 'flow'),
    sentAt: toTimestamp(row.created_at),
  };
}

/** @throws LeaseLost */
async function requireLease({ db }: Tx, job: Job): Promise<void> {
  const held = await db
    .selectFrom('job')
    .select('id')
    .where('id', '=', job.id)
    .where('epoch', '=', job.epoch)
    .where('state', '=', 'leased')
    .executeTakeFirst();
  if (held === undefined) throw new LeaseLost(`${job.id} is no longer leased with epoch ${job.epoch}`);
}

/** A run that somebody works on. @throws LeaseLost when it was cancelled, or belongs to somebody else */
async function workingRun(tx: Tx, runId: string): Promise<RunRow> {
  const row = await tx.db
    .selectFrom('run')
    .selectAll()
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (row === undefined) throw new LeaseLost(`${runId} is no longer running`);
  return row;
}

/** Writes down what happened in a run, before what comes next begins. @throws LeaseLost */
export async function recordRun(tx: Tx, job: Job, runId: string, { events, usage }: RunChange): Promise<void> {
  await requireLease(tx, job);
  await workingRun(tx, runId);
  await insertEvents(tx, runId, events);
  await tx.db
    .updateTable('run')
    .set({ usage: JSON.stringify(usage) })
    .where('id', '=', runId)
    .execute();
}

/** Counts what a run has still used after it was cancelled, and drops the rest. */
export async function recordLate(tx: Tx, runId: string, { events, usage }: RunChange): Promise<void> {
  const known = await tx.db.selectFrom('run').select('id').where('id', '=', runId).executeTakeFirst();
  // The workspace was emptied meanwhile.
  if (known === undefined) return;
  const ends = events.filter(({ event }) => event.type === 'modelCall.ended' || event.type === 'toolCall.ended');
  await insertEvents(tx, runId, ends);
  await tx.db
    .updateTable('run')
    .set((eb) => ({ usage: JSON.stringify(usage), late_events: eb('late_events', '+', events.length - ends.length) }))
    .where('id', '=', runId)
    .execute();
}

const eventOf = {
  completed: 'aiAgentRun.completed',
  handedOver: 'aiAgentRun.handedOver',
  waiting: 'aiAgentRun.waiting',
  failed: 'aiAgentRun.failed',
  cancelled: 'aiAgentRun.cancelled',
} as const;

/** Ends a run, or its work until a person has answered, with all its effects. @throws LeaseLost */
export async function endRun(tx: Tx, job: Job, runId: string, end: RunEnd): Promise<void> {
  const row = await workingRun(tx, runId);
  await finishJob(tx, job, { state: 'done' });
  await insertEvents(tx, runId, end.events);
  const known = fromJson<Warning[]>(row.warnings);
  const warnings = [...known, ...without(end.warnings, known)];
  const sent = await sayTexts(tx, row, end, warnings);
  const before = fromJson<Output<'aiAgentRuns.show'>['result']>(row.result);
  const messageIds = [...before.messageIds, ...sent.messageIds];
  const teamId = end.handover === null ? null : await handOver(tx, row, end.handover);
  const text = end.texts.join('\n\n');
  const waitingFor = end.waitingFor.map((one) => withExpiry(tx, one));
  const type = end.handover !== null ? 'handover' : text !== '' ? 'reply' : 'none';
  const result = {
    type,
    messageIds,
    teamId,
    reason: end.handover?.reason ?? null,
    summary: end.handover?.summary ?? null,
  };
  const changes = {
    status: end.status,
    usage: JSON.stringify(end.usage),
    said: sent.said,
    text: text === '' ? null : text,
    result: JSON.stringify(result),
    error: end.error === null ? null : JSON.stringify(end.error),
    warnings: JSON.stringify(warnings),
    waiting_for: JSON.stringify(waitingFor),
    state: end.state === undefined ? row.state : JSON.stringify(end.state),
    ended_at: end.status === 'waiting' ? null : tx.now,
    job_id: (await enqueueExpiry(tx, row, waitingFor)) ?? row.job_id,
  };
  await tx.db.updateTable('run').set(changes).where('id', '=', runId).execute();
  const ended = { ...row, ...changes };
  await tx.announce({
    type: eventOf[end.status],
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    data: { run: runInListOf(ended) },
    previous: { status: row.status },
  });
  if (end.status !== 'waiting') await followRun(tx, ended, end.status);
}

interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Whoever works on a run that goes on tells of its earlier warnings again. */
function without(told: readonly Warning[], known: readonly Warning[]): Warning[] {
  const left = [...known];
  return told.filter(({ code, message }) => {
    const at = left.findIndex((one) => one.code === code && one.message === message);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

/** Sends what was not yet said to the conversation. What failed says nothing more: it is in the record. */
async function sayTexts(
  tx: Tx,
  row: RunRow,
  end: RunEnd,
  warnings: { code: string; message: string }[],
): Promise<{ messageIds: string[]; said: number }> {
  const spec = fromJson<RunSpec & object>(row.spec);
  const isSaid = end.status === 'completed' || end.status === 'handedOver' || end.status === 'waiting';
  const texts = end.texts.slice(row.said);
  if (row.conversation_id === null || !spec.sends || !isSaid || texts.length === 0) {
    return { messageIds: [], said: row.said };
  }
  const conversation = await conversationRow(tx, row.conversation_id);
  const channel = await tx.db
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', conversation.channel_id)
    .executeTakeFirst();
  const unsent =
    conversation.status === 'closed'
      ? 'conversation_closed'
      : channel?.connected === 1
        ? undefined
        : 'channel_disconnected';
  if (unsent !== undefined) {
    warnings.push({ code: unsent, message: 'What it said was not sent' });
    return { messageIds: [], said: row.said };
  }
  const messageIds: string[] = [];
  for (const text of splitReply(texts.join('\n\n'), channel?.kind ?? '', spec.maxReplies)) {
    const message = await storeMessage(tx, conversation, { direction: 'out', author: authorOf(tx.caller), text });
    await tx.announce({ type: 'message.sent', conversationId: conversation.id, data: { message } });
    await setMessageStatus(tx, message, 'delivered');
    messageIds.push(message.id);
  }
  return { messageIds, said: end.texts.length };
}

/** Assigns the conversation to a team, pauses the AI there, and leaves the summary as a note. @returns the team */
async function handOver(tx: Tx, row: RunRow, handover: NonNullable<RunEnd['handover']>): Promise<string | null> {
  if (row.conversation_id === null || !fromJson<{ sends: boolean }>(row.spec).sends) return null;
  const { team, reason, summary } = handover;
  let conversation = await conversationRow(tx, row.conversation_id);
  const known =
    team === null
      ? undefined
      : await tx.db
          .selectFrom('workgroup')
          .select('id')
          .where((eb) => eb.or([eb('name_key', '=', nameKey(team)), eb('id', '=', team)]))
          .executeTakeFirst();
  if (known !== undefined) {
    conversation = await assignConversation(tx, conversation, { agentId: null, workgroupId: known.id });
  }
  const by = { type: tx.caller.type, id: tx.caller.id };
  const { row: paused, changed } = await pauseAi(tx, conversation, { by, reason, except: row.id });
  await tx.db.updateTable('conversation').set({ inbox: 1 }).where('id', '=', conversation.id).execute();
  if (changed) {
    const data = { conversation: conversationOf({ ...paused, inbox: 1 }, tx.facts) };
    await tx.announce({ type: 'conversation.aiPaused', conversationId: conversation.id, data });
  }
  if (summary !== null && summary.trim() !== '') await addNote(tx, conversation.id, authorOf(tx.caller), summary);
  return known?.id ?? null;
}
