import { type Output, refusal } from '../../contract/index.ts';
import { shortened, toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { StoredCalls } from '../invocations/rows.ts';
import type { HandlersOf } from './index.ts';

type Span = Output<'traces.show'>['spans'][number];
/** A span before its parent is looked up: `causeId` may name a job, which is no span. */
type Caused = Omit<Span, 'parentId' | 'startedAt'> & { readonly causeId: string | null; readonly atMs: number };

const maxSpans = 5_000;
const maxNameLength = 200;

export const traceHandlers: HandlersOf<'traces'> = {
  async 'traces.show'({ id }, tx) {
    const traceId = await traceOf(tx, id);
    const found = (await Promise.all(sources.map((read) => read(tx, traceId)))).flat();
    found.sort((a, b) => a.atMs - b.atMs);
    const shown = found.slice(0, maxSpans);
    const ids = new Set(shown.map((span) => span.id));
    const causes = await causesOfJobs(tx, traceId);
    const spans = shown.map(({ causeId, atMs, ...span }) => {
      const parent = causeId === null ? null : (causes.get(causeId) ?? causeId);
      // What caused it may not be kept any longer, or belong to another trace.
      return { ...span, parentId: parent !== null && ids.has(parent) ? parent : null, startedAt: toTimestamp(atMs) };
    });
    return { traceId, spans, truncated: found.length > maxSpans };
  },
};

/** Where a trace id is found, by the prefix of the id that is asked for. */
const tables = { evt: 'journal', msg: 'message', inv: 'invocation', job: 'job' } as const;

/** @throws WorkspaceError trace_not_found */
async function traceOf(tx: Tx, id: string): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(id)) return id;
  const prefix = id.slice(0, 3);
  const table = Object.hasOwn(tables, prefix) ? tables[prefix as keyof typeof tables] : undefined;
  const row =
    table && (await tx.db.selectFrom(table).select('trace_id').where('id', '=', id).limit(1).executeTakeFirst());
  if (row?.trace_id == null) throw refusal('trace_not_found', `Nothing is kept of a trace with ${id}`);
  return row.trace_id;
}

type Source = (tx: Tx, traceId: string) => Promise<Caused[]>;

const events: Source = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('journal')
    .select(['id', 'type', 'at', 'cause_id'])
    .where('trace_id', '=', traceId)
    .orderBy('seq')
    .limit(maxSpans + 1)
    .execute();
  return rows.map(({ id, type, at, cause_id }) => {
    return { id, kind: 'event', name: type, atMs: at, ms: 0, status: 'ok', ref: id, causeId: cause_id };
  });
};

const messages: Source = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('message')
    .select(['id', 'direction', 'author_type', 'created_at', 'status', 'cause_id'])
    .where('trace_id', '=', traceId)
    .orderBy('created_at')
    .limit(maxSpans + 1)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: 'message',
    name: row.direction === 'in' ? 'from the customer' : `to the customer, from ${row.author_type}`,
    atMs: row.created_at,
    ms: 0,
    status: row.status === 'failed' ? 'failed' : 'ok',
    ref: row.id,
    causeId: row.cause_id,
  }));
};

/** Invocations with their calls and log lines. */
const invocations: Source = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('invocation')
    .select(['id', 'app', 'function', 'started_at', 'wall_ms', 'status', 'calls', 'cause_id'])
    .where('trace_id', '=', traceId)
    .orderBy('started_at')
    .limit(maxSpans + 1)
    .execute();
  const lines = await db
    .selectFrom('log_line')
    .innerJoin('invocation', 'invocation.id', 'log_line.invocation_id')
    .select(['log_line.seq', 'log_line.invocation_id', 'log_line.at', 'log_line.level', 'log_line.text'])
    .where('invocation.trace_id', '=', traceId)
    .orderBy('log_line.seq')
    .limit(maxSpans + 1)
    .execute();
  const spans = rows.flatMap((row): Caused[] => {
    const own: Caused = {
      id: row.id,
      kind: 'invocation',
      name: `${row.app}/${row.function}`,
      atMs: row.started_at,
      ms: row.wall_ms,
      status: row.status,
      ref: row.id,
      causeId: row.cause_id,
    };
    const stored = fromJson<StoredCalls>(row.calls);
    const calls = 'callsLeftOut' in stored ? stored.calls : stored;
    return [
      own,
      ...calls.map((call, index) => ({
        id: `${row.id}#${index + 1}`,
        kind: call.kind,
        name: call.name,
        atMs: row.started_at + call.startedMs,
        ms: call.ms,
        status: call.status,
        ref: row.id,
        causeId: row.id,
      })),
    ];
  });
  const logs = lines.map(
    (line): Caused => ({
      id: `${line.invocation_id}#log${line.seq}`,
      kind: 'log',
      name: shortened(line.text, maxNameLength),
      atMs: line.at,
      ms: 0,
      status: line.level,
      ref: line.invocation_id,
      causeId: line.invocation_id,
    }),
  );
  return [...spans, ...logs];
};

/** Each kind of thing that has a trace, and how its spans are read. */
const sources: readonly Source[] = [messages, events, invocations];

/** What caused the jobs of a trace, as long as they are kept: a span between two jobs is caused by what caused the job. */
async function causesOfJobs({ db }: Tx, traceId: string): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('job')
    .select(['id', 'cause_id'])
    .where('trace_id', '=', traceId)
    .limit(maxSpans)
    .execute();
  const direct = new Map(rows.map(({ id, cause_id }) => [id, cause_id]));
  for (const [id, cause] of direct) {
    let first = cause;
    for (let hops = 0; first !== null && direct.has(first) && hops < maxSpans; hops++)
      first = direct.get(first) ?? null;
    direct.set(id, first);
  }
  return direct;
}
