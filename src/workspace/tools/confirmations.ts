import type { Selectable } from 'kysely';
import { type ActorType, type Caller, refusal, toolCodes } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { channelRow } from '../handlers/channels.ts';
import { type ConversationRow, conversationRow } from '../handlers/conversations.ts';
import { setMessageStatus, storeMessage } from '../handlers/store-message.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { removeJob } from '../jobs/remove.ts';
import type { JobSpec } from '../jobs/types.ts';
import type { Json } from '../types.ts';
import {
  endCall,
  insertCall,
  outcomeOf,
  refuseCall,
  requireCall,
  sealed,
  type ToolCallRow,
  traceOf,
  unsealed,
} from './calls.ts';
import type { BegunToolCall, ConfirmationRecord, NewConfirmation, NewToolCall, ToolOutcome } from './types.ts';

export type ConfirmationRow = Selectable<Tables['confirmation']>;

/** What the customer taps. Their titles, typed out, answer as well. */
const replies = { allow: 'Yes', deny: 'No' } as const;

/** Asks whether a call may be made: writes both down, and sends the question if the customer has to answer. */
export async function ask(tx: Tx, call: NewToolCall, question: NewConfirmation): Promise<BegunToolCall> {
  const before = question.sameAs === undefined ? undefined : await findSame(tx, question.sameAs);
  if (before !== undefined) return before;
  const unreachable = question.by === 'customer' ? await whyUnreachable(tx, call) : undefined;
  if (unreachable !== undefined) return refuseCall(tx, call, 'tool_denied', unreachable);
  const id = newId('cfm', tx.now);
  const expiresAt = tx.now + question.expiresAfterMs;
  await insertCall(tx, call, { status: 'waiting', decision: 'asked', confirmationId: id });
  const job = await enqueueJob(tx, {
    kind: 'expiry',
    due: expiresAt,
    payload: { of: 'confirmation', id },
    trace: { ...call.trace, causeId: id },
  });
  const messageId = question.by === 'customer' ? await sendQuestion(tx, id, call, question.text) : null;
  const row: Omit<ConfirmationRow, 'seq'> = {
    id,
    call_id: call.id,
    answers: question.by,
    state: 'open',
    title: question.title,
    text: question.text,
    on_expire: question.onExpire,
    request: sealed(tx, question.request),
    fingerprint: question.fingerprint,
    same_as: question.sameAs ?? null,
    wake: question.wake === undefined ? null : JSON.stringify(question.wake),
    job_id: job.id,
    message_id: messageId,
    conversation_id: call.conversationId,
    run_id: call.runId,
    answer: null,
    asked_at: tx.now,
    expires_at: expiresAt,
    answered_at: null,
  };
  const { seq } = await tx.db.insertInto('confirmation').values(row).returning('seq').executeTakeFirstOrThrow();
  await announce(tx, 'confirmation.requested', { seq, ...row }, await requireCall(tx, call.id));
  return { state: 'asked', confirmationId: id, callId: call.id };
}

/** What became of the same call by the same caller, as long as its confirmation has not expired. */
async function findSame(tx: Tx, sameAs: string): Promise<BegunToolCall | undefined> {
  const row = await tx.db
    .selectFrom('confirmation')
    .selectAll()
    .where('same_as', '=', sameAs)
    .where('expires_at', '>', tx.now)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const outcome = outcomeOf(tx, await requireCall(tx, row.call_id));
  if (outcome !== null) return { state: 'over', callId: row.call_id, outcome };
  if (row.state !== 'open') return { state: 'allowed', callId: row.call_id };
  return { state: 'asked', confirmationId: row.id, callId: row.call_id };
}

/** Why the customer cannot be asked now: what no message reaches, no question does. */
async function whyUnreachable(tx: Tx, { conversationId }: NewToolCall): Promise<string | undefined> {
  if (conversationId === null) return undefined;
  const { status, channel_id } = await conversationRow(tx, conversationId);
  const why = 'The customer has to confirm this call, and cannot be asked:';
  if (status === 'closed') return `${why} the conversation is closed`;
  const { connected, name } = await channelRow(tx, channel_id);
  return connected === 0 ? `${why} the channel ${name} is not connected` : undefined;
}

async function sendQuestion(
  tx: Tx,
  id: string,
  { conversationId, caller }: NewToolCall,
  text: string,
): Promise<string> {
  if (conversationId === null) throw new Error('a question to the customer needs a conversation');
  const conversation = await conversationRow(tx, conversationId);
  const message = await storeMessage(tx, conversation, {
    direction: 'out',
    author: { type: caller.type, id: caller.id },
    text,
    quickReplies: [
      { id: replyId(id, 'allow'), title: replies.allow },
      { id: replyId(id, 'deny'), title: replies.deny },
    ],
  });
  await tx.announce({ type: 'message.sent', conversationId, data: { message }, actor: message.author });
  await setMessageStatus(tx, message, 'delivered');
  return message.id;
}

const replyId = (id: string, answer: 'allow' | 'deny') => `${id}:${answer}`;

/** The open question that a customer's message answers, and how. */
export async function findAnswer(
  tx: Tx,
  conversation: ConversationRow,
  message: { readonly text: string | null; readonly quickReplyId: string | null },
): Promise<(Answer & { readonly to: ConfirmationRow }) | undefined> {
  const rows = await tx.db
    .selectFrom('confirmation')
    .selectAll()
    .where('conversation_id', '=', conversation.id)
    .where('state', '=', 'open')
    .where('answers', '=', 'customer')
    .orderBy('seq', 'desc')
    .execute();
  for (const row of rows) {
    const answer = (['allow', 'deny'] as const).find((one) =>
      message.quickReplyId === null
        ? message.text?.trim() === replies[one]
        : message.quickReplyId === replyId(row.id, one),
    );
    if (answer === undefined || row.expires_at <= tx.now) continue;
    return { to: row, answer, by: { type: 'customer', id: conversation.customer_id } };
  }
  return undefined;
}

export interface Answer {
  readonly answer: 'allow' | 'deny';
  readonly by: { readonly type: ActorType; readonly id: string | null };
  readonly reason?: string | undefined;
  /** Replaces what carrying out the call needs: other arguments. */
  readonly request?: Json | undefined;
}

/**
 * Answers a confirmation with everything that follows, in one transaction: a run is woken, a call without one is carried out, and what was
 * denied has ended.
 */
export async function answerConfirmation(
  tx: Tx,
  row: ConfirmationRow,
  { answer, by, reason, request }: Answer,
): Promise<ConfirmationRecord> {
  const call = await requireCall(tx, row.call_id);
  const changes = {
    state: answer === 'allow' ? 'allowed' : 'denied',
    answered_at: tx.now,
    answer: JSON.stringify({
      actor: by,
      at: toTimestamp(tx.now),
      reason: reason ?? null,
      edited: request !== undefined,
    }),
    request: answer === 'deny' ? null : request === undefined ? row.request : sealed(tx, request),
  };
  await tx.db.updateTable('confirmation').set(changes).where('seq', '=', row.seq).execute();
  if (row.job_id !== null) await removeJob(tx, row.job_id);
  const after = { ...row, ...changes };
  if (answer === 'deny') await endUnanswered(tx, call, deniedBy(by.type, reason), false);
  else await tx.db.updateTable('tool_call').set({ decision: 'confirmed' }).where('seq', '=', call.seq).execute();
  await goOn(tx, after, call);
  return announce(tx, 'confirmation.answered', after, call, by);
}

function deniedBy(type: ActorType, reason: string | undefined): string {
  const who = type === 'customer' ? 'The customer' : 'A person';
  return `${who} did not allow this call${reason === undefined ? '' : `: ${reason}`}`;
}

/** @throws WorkspaceError confirmation_not_found, confirmation_answered, confirmation_expired, operation_not_allowed */
export async function requireOpen(tx: Tx, id: string, caller: Caller): Promise<ConfirmationRow> {
  const row = await requireConfirmation(tx, id);
  if (row.state === 'expired' || (row.state === 'open' && row.expires_at <= tx.now)) {
    throw refusal('confirmation_expired', `${id} expired at ${toTimestamp(row.expires_at)}; nothing was done`);
  }
  if (row.state !== 'open') throw refusal('confirmation_answered', `${id} was ${row.state} already`);
  if (row.answers === 'customer' && caller.type !== 'customer') {
    throw refusal('operation_not_allowed', `${id} is for the customer to answer, in the conversation`);
  }
  return row;
}

/** Lets a confirmation expire that nobody has answered. */
export async function expireConfirmation(tx: Tx, id: string): Promise<void> {
  const row = await tx.db
    .selectFrom('confirmation')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  if (row === undefined) return;
  const call = await requireCall(tx, row.call_id);
  await tx.db
    .updateTable('confirmation')
    .set({ state: 'expired', request: null, answered_at: tx.now })
    .where('seq', '=', row.seq)
    .execute();
  const who = row.answers === 'customer' ? 'The customer' : 'Nobody';
  await endUnanswered(
    tx,
    call,
    row.answers === 'customer' ? `${who} did not confirm this call in time` : `${who} confirmed this call in time`,
    row.on_expire === 'handover',
  );
  const after = { ...row, state: 'expired' };
  await goOn(tx, after, call);
  await announce(tx, 'confirmation.expired', after, call);
}

async function endUnanswered(tx: Tx, call: ToolCallRow, message: string, handover: boolean): Promise<void> {
  const outcome: ToolOutcome = {
    status: 'denied',
    error: { code: 'tool_denied', message, retryable: toolCodes.tool_denied.retryable },
    ...(handover && { handover }),
  };
  await endCall(
    tx,
    call,
    { outcome, ms: 0, resultBytes: null, result: undefined, message, invocationId: null },
    'denied',
  );
}

/** A run is woken by what it left for that; a call without one that was allowed is carried out by a job of its own. */
async function goOn(tx: Tx, row: ConfirmationRow, call: ToolCallRow): Promise<void> {
  const trace = { ...traceOf(call), causeId: row.id };
  if (row.wake !== null) await enqueueJob(tx, { trace, ...fromJson<JobSpec>(row.wake) });
  else if (row.state === 'allowed' && row.run_id === null) {
    await enqueueJob(tx, { kind: 'tool-call', payload: { callId: row.call_id }, trace });
  }
}

export async function requireConfirmation({ db }: Tx, id: string): Promise<ConfirmationRow> {
  const row = await db.selectFrom('confirmation').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined)
    throw refusal('confirmation_not_found', `There is no confirmation ${id}, or it is no longer kept`);
  return row;
}

async function announce(
  tx: Tx,
  type: 'confirmation.requested' | 'confirmation.answered' | 'confirmation.expired',
  row: ConfirmationRow,
  call: ToolCallRow,
  actor: { readonly type: ActorType; readonly id: string | null } = { type: 'system', id: null },
): Promise<ConfirmationRecord> {
  const confirmation = confirmationOf(row, call);
  await tx.announce({
    type,
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    data: { confirmation },
    actor: type === 'confirmation.requested' ? confirmation.caller : actor,
    by: { caller: tx.caller, trace: { ...traceOf(call), causeId: call.id } },
  });
  return confirmation;
}

export function confirmationOf(row: ConfirmationRow, call: ToolCallRow): ConfirmationRecord {
  return {
    id: row.id,
    state: row.state as ConfirmationRecord['state'],
    by: row.answers as ConfirmationRecord['by'],
    tool: call.tool,
    source: { kind: call.source_kind as 'app' | 'mcp', name: call.source ?? '' },
    title: row.title,
    text: row.text,
    arguments: call.arguments === null ? null : fromJson<Json & {}>(call.arguments),
    callId: row.call_id,
    caller: { type: call.caller_type as ActorType, id: call.caller_id },
    runId: row.run_id,
    conversationId: row.conversation_id,
    askedAt: toTimestamp(row.asked_at),
    expiresAt: toTimestamp(row.expires_at),
    onExpire: row.on_expire as ConfirmationRecord['onExpire'],
    answer: row.answer === null ? null : fromJson<NonNullable<ConfirmationRecord['answer']>>(row.answer),
  };
}

/** The arguments that were asked for, while nobody has answered: whoever decides must know what about. */
export function askedArguments(tx: Tx, row: ConfirmationRow): Json | undefined {
  if (row.state !== 'open' || row.request === null) return undefined;
  return unsealed<{ arguments: Json }>(tx, row.request).arguments;
}
