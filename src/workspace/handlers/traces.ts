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
    const traceId = await traceOfId(tx, id);
    const readers = Object.values(sources).flatMap((source) => ('read' in source ? [source.read] : []));
    const found = (await Promise.all(readers.map((read) => read(tx, traceId)))).flat();
    found.sort((a, b) => a.atMs - b.atMs);
    const shown = found.slice(0, maxSpans);
    const ids = new Set(shown.map((span) => span.id));
    const causes = await causesOfJobs(tx, traceId);
    const within = new Map([
      ...(await attemptsOfDeliveries(tx, traceId)),
      ...(await worksOfNodes(tx, traceId)),
      ...(await messagesOfEvents(tx, traceId)),
    ]);
    const spans = shown.map(({ causeId, atMs, ...span }) => {
      const led = [within.get(span.id), causeId === null ? undefined : (causes.get(causeId) ?? causeId)];
      // What caused it may not be kept any longer, or belong to another trace.
      const parentId = led.find((id) => id !== undefined && id !== null && ids.has(id)) ?? null;
      return { ...span, parentId, startedAt: toTimestamp(atMs) };
    });
    return { traceId, spans, truncated: found.length > maxSpans };
  },
};

/** @throws WorkspaceError trace_not_found */
async function traceOfId(tx: Tx, id: string): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(id)) return id;
  const prefix = id.slice(0, 3);
  const table = prefix === 'job' ? 'job' : tables.get(prefix);
  const row =
    table && (await tx.db.selectFrom(table).select('trace_id').where('id', '=', id).limit(1).executeTakeFirst());
  if (row?.trace_id == null) throw refusal('trace_not_found', `Nothing is kept of a trace with ${id}`);
  return row.trace_id;
}

type Reader = (tx: Tx, traceId: string) => Promise<Caused[]>;

const events: Reader = async ({ db }, traceId) => {
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

const messages: Reader = async ({ db }, traceId) => {
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
const invocations: Reader = async ({ db }, traceId) => {
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

/** Attempts at endpoints and functions, and what listeners told. Addresses may hold something secret, so only their origin is shown. */
const attempts: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('delivery_attempt')
    .innerJoin('delivery', 'delivery.id', 'delivery_attempt.delivery_id')
    .select(['delivery.id', 'delivery.event_type', 'delivery.cause_id', 'number', 'target', 'delivery_attempt.status'])
    .select(['created_at', 'started_at', 'at', 'ms', 'error'])
    .where('delivery.trace_id', '=', traceId)
    .orderBy('delivery.seq')
    .orderBy('number')
    .limit(maxSpans + 1)
    .execute();
  return rows.map((row) => ({
    id: attemptId(row.id, row.number),
    kind: 'delivery-attempt',
    name: `${row.event_type} to ${URL.canParse(row.target) ? new URL(row.target).origin : row.target}`,
    // While the clock stands still, an attempt ends when it begins.
    atMs: Math.max(row.created_at, row.at ?? row.started_at),
    ms: row.ms,
    status: row.status === null ? errorCodeOf(row.error) : row.status < 300 ? 'ok' : String(row.status),
    ref: row.id,
    causeId: row.cause_id,
  }));
};

const toolCalls: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('tool_call')
    .select(['id', 'tool', 'at', 'ms', 'status', 'code', 'cause_id'])
    .where('trace_id', '=', traceId)
    .orderBy('seq')
    .limit(maxSpans + 1)
    .execute();
  return rows.map(({ id, tool, at, ms, status, code, cause_id }) => {
    const own = { id, kind: 'tool-call', name: tool, atMs: at, ms: ms ?? 0, ref: id, causeId: cause_id } as const;
    return { ...own, status: code ?? status };
  });
};

/** From the question to the answer. */
const confirmations: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('confirmation')
    .innerJoin('tool_call', 'tool_call.id', 'confirmation.call_id')
    .select(['confirmation.id', 'call_id', 'tool', 'state', 'asked_at', 'answered_at'])
    .where('trace_id', '=', traceId)
    .orderBy('confirmation.seq')
    .limit(maxSpans + 1)
    .execute();
  return rows.map(({ id, call_id, tool, state, asked_at, answered_at }) => ({
    id,
    kind: 'confirmation',
    name: tool,
    atMs: asked_at,
    ms: Math.max(0, (answered_at ?? asked_at) - asked_at),
    status: state,
    ref: id,
    causeId: call_id,
  }));
};

const runs: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('run')
    .select(['id', 'agent', 'harness', 'status', 'error', 'created_at', 'started_at', 'ended_at', 'cause_id'])
    .where('trace_id', '=', traceId)
    .orderBy('created_at')
    .limit(maxSpans + 1)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: 'agent-run',
    name: row.agent ?? fromJson<{ name: string }>(row.harness).name,
    ...betweenTimes(row.started_at ?? row.created_at, row.ended_at),
    status: statusOfRun(row.status, row.error),
    ref: row.id,
    causeId: row.cause_id,
  }));
};

/** Calls of models, by the events of their runs. */
const modelCalls: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('run_event')
    .innerJoin('run', 'run.id', 'run_event.run_id')
    .select(['run_event.run_id', 'run_event.at', 'run_event.data'])
    .where('run.trace_id', '=', traceId)
    .where('run_event.type', 'in', ['modelCall.started', 'modelCall.ended'])
    .orderBy('run.created_at')
    .orderBy('run_event.seq')
    // Two events make a span.
    .limit(2 * maxSpans + 2)
    .execute();
  const spans = new Map<string, Caused>();
  for (const { run_id, at, data } of rows) {
    const event = fromJson<ModelCallEvent>(data);
    const begun = spans.get(event.modelCallId);
    const startedAt = begun?.atMs ?? at;
    spans.set(event.modelCallId, {
      id: event.modelCallId,
      kind: 'model-call',
      name: event.model,
      ...betweenTimes(startedAt, at),
      status: event.type === 'modelCall.started' ? 'running' : (event.error?.code ?? 'ok'),
      ref: run_id,
      causeId: run_id,
    });
  }
  return [...spans.values()];
};

interface ModelCallEvent {
  readonly type: 'modelCall.started' | 'modelCall.ended';
  readonly modelCallId: string;
  readonly model: string;
  readonly error?: { readonly code: string } | null;
}

const flowRuns: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('flow_run')
    .select(['id', 'app', 'flow', 'status', 'error', 'created_at', 'ended_at', 'cause_id'])
    .where('trace_id', '=', traceId)
    .orderBy('seq')
    .limit(maxSpans + 1)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: 'flow-run',
    name: `${row.app}/${row.flow}`,
    ...betweenTimes(row.created_at, row.ended_at),
    status: statusOfRun(row.status, row.error),
    ref: row.id,
    causeId: row.cause_id,
  }));
};

/** What the nodes of flows did. */
const nodeRuns: Reader = async ({ db }, traceId) => {
  const rows = await db
    .selectFrom('flow_step')
    .innerJoin('flow_run', 'flow_run.id', 'flow_step.run_id')
    // A node that asks an AI begins with that run.
    .leftJoin('run', 'run.id', 'flow_step.ref')
    .select(['run_id', 'flow_step.seq', 'flow_step.node', 'type', 'flow_step.error', 'at', 'ms'])
    .select(['flow_run.created_at as least', 'run.created_at as begun'])
    .where('flow_run.trace_id', '=', traceId)
    .orderBy('flow_run.seq')
    .orderBy('flow_step.seq')
    .limit(maxSpans + 1)
    .execute();
  return rows.map((row, i) => ({
    id: nodeRunId(row.run_id, row.seq),
    kind: 'node-run',
    name: `${row.node} (${row.type})`,
    // It is written down at its end, and begins when the node before it has ended: a clock that stands still may say otherwise.
    ...(row.begun === null
      ? { atMs: Math.max(row.least, row.at - row.ms, endOfNodeBefore(rows, i)), ms: row.ms }
      : betweenTimes(row.begun, row.at)),
    status: row.error === null ? 'ok' : errorCodeOf(row.error),
    ref: row.run_id,
    causeId: row.run_id,
  }));
};

type Step = { readonly run_id: string; readonly at: number };

function endOfNodeBefore(rows: readonly Step[], i: number): number {
  const before = rows[i - 1];
  return before !== undefined && before.run_id === rows[i]?.run_id ? before.at : 0;
}

const nodeRunId = (runId: string, seq: number) => `${runId}#${seq}`;

const betweenTimes = (atMs: number, end: number | null) => ({ atMs, ms: Math.max(0, (end ?? atMs) - atMs) });

/** How a run ended, or where it is. */
function statusOfRun(status: string, error: string | null): string {
  if (error !== null) return errorCodeOf(error);
  return status === 'completed' || status === 'handedOver' ? 'ok' : status;
}

const attemptId = (deliveryId: string, number: number) => `${deliveryId}#${number}`;

const errorCodeOf = (error: string | null): string =>
  error === null ? 'unanswered' : fromJson<{ code: string }>(error).code;

type TableOfTraces = 'journal' | 'message' | 'invocation' | 'delivery' | 'tool_call' | 'run' | 'flow_run';

interface Source {
  /** Prefix of the ids, and the table in which the trace of one is found. */
  readonly ids?: readonly [prefix: string, table: TableOfTraces];
  readonly read: Reader;
}

/** How the spans of each kind are read, or which other kind they are read with. */
const sources: { readonly [K in Span['kind']]: Source | { readonly comesWith: Span['kind'] } } = {
  message: { ids: ['msg', 'message'], read: messages },
  event: { ids: ['evt', 'journal'], read: events },
  'delivery-attempt': { ids: ['dlv', 'delivery'], read: attempts },
  'flow-run': { ids: ['flr', 'flow_run'], read: flowRuns },
  'node-run': { read: nodeRuns },
  'agent-run': { ids: ['run', 'run'], read: runs },
  'model-call': { read: modelCalls },
  'tool-call': { ids: ['tlc', 'tool_call'], read: toolCalls },
  confirmation: { read: confirmations },
  invocation: { ids: ['inv', 'invocation'], read: invocations },
  sdk: { comesWith: 'invocation' },
  fetch: { comesWith: 'invocation' },
  log: { comesWith: 'invocation' },
};

const tables = new Map(
  Object.values(sources).flatMap((source) => ('ids' in source && source.ids !== undefined ? [source.ids] : [])),
);

/** The attempts of deliveries to functions, by the invocation that each is: its record names the delivery as its cause. */
async function attemptsOfDeliveries({ db }: Tx, traceId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('delivery_attempt')
    .innerJoin('delivery', 'delivery.id', 'delivery_attempt.delivery_id')
    .select(['delivery.id', 'number', 'invocation_id'])
    .where('delivery.trace_id', '=', traceId)
    .where('invocation_id', 'is not', null)
    .limit(maxSpans)
    .execute();
  return new Map(rows.map(({ id, number, invocation_id }) => [invocation_id ?? '', attemptId(id, number)]));
}

/** The runs of nodes, by the message, invocation or run of an AI agent that each has made: the record of that names the flow run. */
async function worksOfNodes({ db }: Tx, traceId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('flow_step')
    .innerJoin('flow_run', 'flow_run.id', 'flow_step.run_id')
    .select(['run_id', 'flow_step.seq', 'ref'])
    .where('trace_id', '=', traceId)
    .where('ref', 'is not', null)
    .limit(maxSpans)
    .execute();
  return new Map(rows.map(({ run_id, seq, ref }) => [ref ?? '', nodeRunId(run_id, seq)]));
}

/** The messages, by the events that tell of each: what such an event leads to is led to by the message. */
async function messagesOfEvents({ db }: Tx, traceId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('journal')
    .select(['id', 'data'])
    .where('trace_id', '=', traceId)
    .where('type', 'in', ['message.received', 'message.sent'])
    .limit(maxSpans)
    .execute();
  return new Map(rows.map(({ id, data }) => [id, fromJson<{ message: { id: string } }>(data).message.id]));
}

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
