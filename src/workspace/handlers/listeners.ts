import { limits, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { makeEventCursor, readEventCursor } from '../journal/cursor.ts';
import { eventsAfter, latestSeq, requireEvent, seqAt } from '../journal/read-events.ts';
import { pageBy } from '../lists/page.ts';
import { requirePatterns } from '../webhooks/endpoints.ts';
import { deliveryTo, type ListenerRow, requireListener } from '../webhooks/listeners.ts';
import { writeAttempt } from '../webhooks/record-attempts.ts';
import type { HandlersOf } from './index.ts';

const { maxListeners } = limits.webhooks;
/** Missed events are counted up to here. */
const maxCounted = 10_000;

export const listenerHandlers: HandlersOf<'listeners'> = {
  async 'listeners.list'(input, tx) {
    const page = await pageBy(tx, 'listeners.list', input, tx.db.selectFrom('listener').selectAll(), {
      by: 'created_at',
    });
    return { items: page.rows.map((row) => listenerOf(row, tx)), nextCursor: page.nextCursor };
  },

  async 'listeners.open'({ name, events, since, fromNow }, tx) {
    const known = await tx.db.selectFrom('listener').selectAll().where('name', '=', name).executeTakeFirst();
    const patterns = events === undefined ? undefined : requirePatterns(events);
    const now = fromNow || (known === undefined && since === undefined);
    const begin = now
      ? await latestSeq(tx.db)
      : since === undefined
        ? undefined
        : await seqAt(tx.db, Date.parse(since));
    const row = known === undefined ? await insert(tx, name, patterns ?? ['*'], begin ?? 0) : known;
    const opened = {
      ...row,
      patterns: patterns === undefined ? row.patterns : JSON.stringify(patterns),
      seq: begin ?? row.seq,
      seen_at: tx.now,
    };
    const { id, ...columns } = opened;
    await tx.db.updateTable('listener').set(columns).where('id', '=', id).execute();
    const missed = await eventsAfter(tx.db, opened.seq, maxCounted, {
      type: fromJson<string[]>(opened.patterns).join(),
    });
    return {
      ...listenerOf(opened, tx),
      created: known === undefined,
      missed: { count: missed.length, since: missed[0]?.timestamp ?? null },
    };
  },

  async 'listeners.ack'({ id, cursor, attempts = [] }, tx) {
    const row = await requireListener(tx, id);
    for (const attempt of attempts) await recordAttempt(tx, row, attempt);
    const seq = cursor === undefined ? row.seq : Math.max(row.seq, readEventCursor(cursor, tx.facts.secret));
    const acked = { ...row, seq, seen_at: tx.now };
    await tx.db.updateTable('listener').set({ seq, seen_at: tx.now }).where('id', '=', id).execute();
    return listenerOf(acked, tx);
  },

  async 'listeners.remove'({ id }, tx) {
    await requireListener(tx, id);
    await tx.db.deleteFrom('delivery').where('receiver_id', '=', id).execute();
    await tx.db.deleteFrom('listener').where('id', '=', id).execute();
    tx.afterCommit(tx.facts.listenersChanged);
    return {};
  },
};

/** @throws WorkspaceError webhook_limit */
async function insert(tx: Tx, name: string, patterns: readonly string[], seq: number): Promise<ListenerRow> {
  const { count } = await tx.db
    .selectFrom('listener')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= maxListeners) {
    throw refusal('webhook_limit', `A workspace has at most ${maxListeners} listeners`, {
      hint: 'Remove those that are not used any more: fn api listeners.list, fn api listeners.remove -f id=…',
    });
  }
  const row: ListenerRow = {
    id: newId('lsn', tx.now),
    name,
    patterns: JSON.stringify(patterns),
    seq,
    created_at: tx.now,
    seen_at: tx.now,
  };
  await tx.db.insertInto('listener').values(row).execute();
  return row;
}

function listenerOf(row: ListenerRow, tx: Tx): Output<'listeners.ack'> {
  return {
    id: row.id,
    name: row.name,
    events: fromJson<string[]>(row.patterns),
    cursor: makeEventCursor(row.seq, tx.facts.secret),
    createdAt: toTimestamp(row.created_at),
    lastSeenAt: toTimestamp(row.seen_at),
  };
}

type Attempt = NonNullable<ParsedInput<'listeners.ack'>['attempts']>[number];

/** Records what a listener has made of an event in the same log as attempts at endpoints. */
async function recordAttempt(tx: Tx, listener: ListenerRow, attempt: Attempt): Promise<void> {
  const { eventId, status = null, ms, error = null, nextAttemptInMs = null } = attempt;
  const delivery = await deliveryTo(tx, listener.id, await requireEvent(tx, eventId));
  const succeeded = status !== null && status >= 200 && status < 300;
  const reason = attempt.reason ?? (status === null ? (error ?? 'there was no answer') : `answered ${status}`);
  const number = delivery.attempts + 1;
  await writeAttempt(tx, {
    deliveryId: delivery.id,
    number,
    reason,
    attempt: {
      startedAtMs: Date.now() - ms,
      ms,
      target: attempt.target ?? listener.name,
      requestHeaders: attempt.requestHeaders ?? {},
      status: status ?? undefined,
      answer: attempt.answer ?? undefined,
      error: status === null && error !== null ? { code: 'listener', message: error } : undefined,
    },
  });
  const waits = !succeeded && nextAttemptInMs !== null;
  await tx.db
    .updateTable('delivery')
    .set({
      state: succeeded ? 'delivered' : waits ? 'waiting' : 'failed',
      attempts: number,
      next_due: waits ? tx.now + nextAttemptInMs : null,
      status,
      reason,
      ended_at: waits ? null : tx.now,
      resend_at: null,
    })
    .where('id', '=', delivery.id)
    .execute();
}
