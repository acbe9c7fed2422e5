import { type Caller, toolCodes } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { channelRow } from '../handlers/channels.ts';
import { conversationOf, conversationRow } from '../handlers/conversations.ts';
import { customerOf, customerRow } from '../handlers/customers.ts';
import { finishJob, LeaseLost } from '../jobs/finish.ts';
import type { Job } from '../jobs/types.ts';
import { actorOf } from '../journal/journal.ts';
import type { Json } from '../types.ts';
import {
  endCall,
  findCall,
  insertCall,
  limitReached,
  newCallOf,
  outcomeOf,
  refuseCall,
  requireCall,
  unsealed,
} from './calls.ts';
import { answerConfirmation, ask, expireConfirmation, requireConfirmation, requireOpen } from './confirmations.ts';
import type {
  BegunToolCall,
  ConfirmationRecord,
  EarlierToolCall,
  EndedToolCall,
  NewConfirmation,
  NewToolCall,
  ToolCallLimits,
  ToolSubject,
  ToolsDoor,
} from './types.ts';

type Work<T> = (tx: Tx) => Promise<T>;

/** Runs work in one transaction: as part of an operation, whose events it may write, or reading alone. */
export interface Transactions {
  calling<T>(work: Work<T>): Promise<T>;
  answering<T>(caller: Caller, work: Work<T>): Promise<T>;
  expiring<T>(work: Work<T>): Promise<T>;
  read<T>(work: Work<T>): Promise<T>;
}

/** What a confirmation that expires is recorded as. */
export const expiryOrigin = { name: 'confirmations.expire', emits: ['confirmation.expired', 'aiTool.failed'] } as const;

/** What the gate keeps in the workspace. */
export class Tools implements Omit<ToolsDoor, 'digest'> {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  refuse(call: NewToolCall, ended: EndedToolCall): Promise<void> {
    return this.#transactions.calling(async (tx) => {
      await endCall(tx, await insertCall(tx, call, { status: 'running', decision: 'refused' }), ended);
    });
  }

  begin(call: NewToolCall, limits: ToolCallLimits, question?: NewConfirmation): Promise<BegunToolCall> {
    return this.#transactions.calling(async (tx): Promise<BegunToolCall> => {
      const message = await limitReached(tx, call, limits);
      if (message !== undefined) return refuseCall(tx, call, 'tool_limit', message);
      if (question !== undefined) return ask(tx, call, question);
      await insertCall(tx, call, { status: 'running', decision: 'permitted' });
      return { state: 'begun' };
    });
  }

  end(callId: string, ended: EndedToolCall): Promise<void> {
    return this.#transactions.calling(async (tx) => {
      const row = await requireCall(tx, callId);
      await endCall(tx, row, ended);
      // What carrying it out needed is no longer needed.
      if (row.confirmation_id === null) return;
      await tx.db.updateTable('confirmation').set({ request: null }).where('id', '=', row.confirmation_id).execute();
    });
  }

  async endAbandoned(isOurs: (callId: string) => boolean): Promise<void> {
    const abandoned = async ({ db }: Tx) => {
      const rows = await db
        .selectFrom('tool_call')
        .selectAll()
        .where('status', '=', 'running')
        .where('run_id', 'is', null)
        .where('confirmation_id', 'is', null)
        .execute();
      return rows.filter(({ id }) => !isOurs(id));
    };
    if ((await this.#transactions.read(abandoned)).length === 0) return;
    const code = 'tool_outcome_unknown';
    const message = 'The workspace was stopped during the call, and nobody knows whether it was done';
    const error = { code, message, retryable: toolCodes[code].retryable } as const;
    const outcome = { status: 'error', error } as const;
    await this.#transactions.calling(async (tx) => {
      for (const row of await abandoned(tx))
        await endCall(tx, row, { outcome, ms: 0, resultBytes: null, result: undefined, message, invocationId: null });
    });
  }

  earlier(callId: string): Promise<EarlierToolCall | undefined> {
    return this.#transactions.read(async (tx): Promise<EarlierToolCall | undefined> => {
      const row = await findCall(tx, callId);
      if (row === undefined) return undefined;
      const outcome = outcomeOf(tx, row);
      if (outcome !== null) return { state: 'over', outcome };
      const call = newCallOf(row);
      if (row.confirmation_id === null) return { state: 'running', call, request: null };
      const { id, state, fingerprint, ...confirmation } = await requireConfirmation(tx, row.confirmation_id);
      if (state === 'open') return { state: 'open', call, confirmationId: id, text: confirmation.text };
      const request = confirmation.request === null ? null : unsealed<Json>(tx, confirmation.request);
      if (row.status === 'running' || request === null) return { state: 'running', call, request };
      return { state: 'allowed', call, request, fingerprint };
    });
  }

  take(callId: string): Promise<boolean> {
    return this.#transactions.calling(async ({ db }) => {
      const { numUpdatedRows } = await db
        .updateTable('tool_call')
        .set({ status: 'running' })
        .where('id', '=', callId)
        .where('status', '=', 'waiting')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  asked(confirmationId: string): Promise<{ callId: string; state: ConfirmationRecord['state']; request: Json | null }> {
    return this.#transactions.read(async (tx) => {
      const row = await requireConfirmation(tx, confirmationId);
      return {
        callId: row.call_id,
        state: row.state as ConfirmationRecord['state'],
        request: row.request === null ? null : unsealed<Json>(tx, row.request),
      };
    });
  }

  answer(
    { id, answer, reason }: { id: string; answer: 'allow' | 'deny'; reason?: string | undefined },
    caller: Caller,
    request?: Json,
  ): Promise<ConfirmationRecord> {
    return this.#transactions.answering(caller, async (tx) => {
      const row = await requireOpen(tx, id, caller);
      return answerConfirmation(tx, row, { answer, by: actorOf(caller), reason, request });
    });
  }

  subject(conversationId: string): Promise<ToolSubject> {
    return this.#transactions.read(async (tx) => {
      const row = await conversationRow(tx, conversationId);
      const channel = await channelRow(tx, row.channel_id);
      const customer = await customerRow(tx, row.customer_id);
      return { conversation: conversationOf(row, tx.facts), channel: channel.kind, customer: customerOf(customer) };
    });
  }

  async expire(job: Job, confirmationId: string): Promise<boolean> {
    try {
      await this.#transactions.expiring(async (tx) => {
        await finishJob(tx, job, { state: 'done' });
        await expireConfirmation(tx, confirmationId);
      });
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }
}
