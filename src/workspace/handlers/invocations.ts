import { type Selectable, sql } from 'kysely';
import { type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { StoredCalls } from '../invocations/rows.ts';
import { pageBy, pageOf } from '../lists/page.ts';
import type { Json } from '../types.ts';
import { requireApp } from './apps.ts';
import type { HandlersOf } from './index.ts';

type Invocation = Output<'invocations.list'>['items'][number];
type Summary = Omit<Selectable<Tables['invocation']>, 'input' | 'result' | 'calls'>;

function callsOf(text: string): Pick<Output<'invocations.show'>, 'calls' | 'callsLeftOut'> {
  const stored = fromJson<StoredCalls>(text);
  return 'callsLeftOut' in stored
    ? { calls: [...stored.calls], callsLeftOut: stored.callsLeftOut }
    : { calls: [...stored] };
}

const summaryColumns = [
  'id',
  'app',
  'function',
  'type',
  'version',
  'trigger_kind',
  'caller_type',
  'caller_id',
  'status',
  'started_at',
  'wall_ms',
  'cpu_ms',
  'peak_memory_bytes',
  'error',
  'trace_id',
  'cause_id',
] as const;

export const invocationHandlers: HandlersOf<'invocations' | 'functions'> = {
  async 'invocations.list'(input, tx) {
    const page = await pageBy(
      tx,
      'invocations.list',
      input,
      tx.db
        .selectFrom('invocation')
        .select(summaryColumns)
        // The `+` makes SQLite walk back from the newest instead of sorting all invocations of an app.
        .$if(input.app !== undefined, (query) =>
          query.where(sql`${sql.raw(input.function === undefined ? '+' : '')}app`, '=', input.app ?? ''),
        )
        .$if(input.function !== undefined, (query) => query.where('function', '=', input.function ?? ''))
        .$if(input.status !== undefined, (query) => query.where('status', '=', input.status ?? '')),
      { by: 'started_at', desc: true },
    );
    return { items: page.rows.map(invocationOf), nextCursor: page.nextCursor };
  },

  async 'invocations.show'({ id }, tx) {
    const row = await tx.db.selectFrom('invocation').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw refusal('invocation_not_found', `There is no invocation ${id}`);
    return {
      ...invocationOf(row),
      input: fromJson<Json>(row.input),
      result: row.result === null ? null : fromJson<Json>(row.result),
      ...callsOf(row.calls),
      logs: await logsOf(tx, id),
    };
  },

  async 'functions.logs'(input, tx) {
    await requireApp(tx, input.app);
    const since = input.since === undefined ? undefined : Date.parse(input.since);
    const page = await pageOf(
      tx,
      'functions.logs',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('log_line')
          .selectAll()
          .where('app', '=', input.app)
          .$if(after !== undefined, (query) => query.where('seq', '>', Number(after?.key)))
          .$if(input.function !== undefined, (query) => query.where('function', '=', input.function ?? ''))
          .$if(since !== undefined, (query) => query.where('at', '>=', since ?? 0))
          .orderBy('seq')
          .limit(limit)
          .execute(),
      (row) => ({ key: row.seq, id: '' }),
    );
    const items = page.rows.map((row) => ({ ...lineOf(row), function: row.function, invocationId: row.invocation_id }));
    return { items, nextCursor: page.nextCursor, resumeCursor: page.resumeCursor };
  },
};

async function logsOf(tx: Tx, invocationId: string): Promise<Output<'invocations.show'>['logs']> {
  const rows = await tx.db
    .selectFrom('log_line')
    .selectAll()
    .where('invocation_id', '=', invocationId)
    .orderBy('seq')
    .execute();
  return rows.map(lineOf);
}

function lineOf(row: { at: number; level: string; text: string }): Output<'invocations.show'>['logs'][number] {
  return { at: toTimestamp(row.at), level: row.level as 'debug' | 'info' | 'warn' | 'error', text: row.text };
}

function invocationOf(row: Summary): Invocation {
  return {
    id: row.id,
    app: row.app,
    function: row.function,
    type: row.type as Invocation['type'],
    version: row.version,
    trigger: row.trigger_kind as Invocation['trigger'],
    caller: { type: row.caller_type, id: row.caller_id },
    traceId: row.trace_id,
    causeId: row.cause_id,
    status: row.status as Invocation['status'],
    startedAt: toTimestamp(row.started_at),
    wallMs: row.wall_ms,
    cpuMs: row.cpu_ms,
    peakMemoryBytes: row.peak_memory_bytes,
    error: row.error === null ? null : fromJson<NonNullable<Invocation['error']>>(row.error),
  };
}
