import type { Selectable } from 'kysely';
import { limits, type ToolCode, toolCodes } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { seal, unseal } from '../door/idempotency.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { Json } from '../types.ts';
import type {
  BegunToolCall,
  EndedToolCall,
  NewToolCall,
  ToolCallLimits,
  ToolCallRecord,
  ToolOutcome,
} from './types.ts';

export type ToolCallRow = Selectable<Tables['tool_call']>;

/** Old calls are removed once in so many. */
const sweepEvery = 500;
const minuteMs = 60_000;

type Beginning = Pick<ToolCallRecord, 'status' | 'decision'> & { readonly confirmationId?: string };

export async function insertCall(tx: Tx, call: NewToolCall, begins: Beginning): Promise<ToolCallRow> {
  const row: Omit<ToolCallRow, 'seq'> = {
    id: call.id,
    at: tx.now,
    tool: call.tool,
    source_kind: call.source?.kind ?? null,
    source: call.source?.name ?? null,
    version: call.version,
    caller_type: call.caller.type,
    caller_id: call.caller.id,
    run_id: call.runId,
    model_call_id: call.modelCallId,
    conversation_id: call.conversationId,
    arguments: call.arguments === undefined ? null : JSON.stringify(call.arguments),
    decision: begins.decision,
    confirmation_id: begins.confirmationId ?? null,
    status: begins.status,
    code: null,
    message: null,
    ms: null,
    result_bytes: null,
    result: null,
    invocation_id: null,
    outcome: null,
    trace_id: call.trace.traceId,
    cause_id: call.trace.causeId,
    depth: call.trace.depth,
  };
  const { seq } = await tx.db.insertInto('tool_call').values(row).returning('seq').executeTakeFirstOrThrow();
  if (seq % sweepEvery === 0) await sweepCalls(tx);
  return { seq, ...row };
}

/** Writes down a call that is refused before it begins. */
export async function refuseCall(tx: Tx, call: NewToolCall, code: ToolCode, message: string): Promise<BegunToolCall> {
  const outcome = { status: 'error', error: { code, message, retryable: toolCodes[code].retryable } } as const;
  const row = await insertCall(tx, call, { status: 'running', decision: 'refused' });
  await endCall(tx, row, { outcome, ms: 0, resultBytes: null, result: undefined, message, invocationId: null });
  return { state: 'refused', outcome };
}

/** Writes the end of a call, with its event. */
export async function endCall(
  tx: Tx,
  row: ToolCallRow,
  ended: EndedToolCall,
  decision?: ToolCallRecord['decision'],
): Promise<void> {
  const { outcome, ms, resultBytes, result, message, invocationId } = ended;
  const changes = {
    status: outcome.status,
    code: outcome.error?.code ?? null,
    message: message ?? null,
    ms: Math.round(ms * 1000) / 1000,
    result_bytes: resultBytes,
    result: result === undefined ? null : JSON.stringify(result),
    invocation_id: invocationId,
    outcome: sealed(tx, outcome),
    ...(decision !== undefined && { decision }),
  };
  await tx.db.updateTable('tool_call').set(changes).where('seq', '=', row.seq).execute();
  const toolCall = toolCallOf({ ...row, ...changes });
  await tx.announce({
    type: outcome.status === 'ok' ? 'aiTool.called' : 'aiTool.failed',
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    data: { toolCall },
    actor: toolCall.caller,
    by: { caller: tx.caller, trace: traceOf(row) },
  });
}

/** Which limit a further call would break. */
export async function limitReached(
  { db, now }: Tx,
  call: NewToolCall,
  { perMinute, maxCallsPerRun }: ToolCallLimits,
): Promise<string | undefined> {
  const counted = () =>
    db
      .selectFrom('tool_call')
      .select((eb) => eb.fn.countAll<number>().as('calls'))
      .where('source', '=', call.source?.name ?? '')
      .where('tool', '=', call.tool)
      // What was refused has not been done.
      .where('decision', '!=', 'refused');
  if (maxCallsPerRun !== undefined && call.runId !== null) {
    const { calls } = await counted().where('run_id', '=', call.runId).executeTakeFirstOrThrow();
    if (calls >= maxCallsPerRun) return `${call.tool} may be called ${times(maxCallsPerRun)} in a run`;
  }
  if (perMinute !== undefined) {
    // A call from a time that is yet to come is one from before the clock was turned back.
    const { calls } = await counted()
      .where('at', '>', now - minuteMs)
      .where('at', '<=', now)
      .executeTakeFirstOrThrow();
    if (calls >= perMinute) return `${call.tool} may be called ${times(perMinute)} in a minute`;
  }
  return undefined;
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

export async function findCall({ db }: Tx, id: string): Promise<ToolCallRow | undefined> {
  return db.selectFrom('tool_call').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function requireCall(tx: Tx, id: string): Promise<ToolCallRow> {
  const row = await findCall(tx, id);
  if (row === undefined) throw new Error(`there is no tool call ${id}`);
  return row;
}

export const traceOf = (row: Pick<ToolCallRow, 'trace_id' | 'cause_id' | 'depth'>) => ({
  traceId: row.trace_id,
  causeId: row.cause_id,
  depth: row.depth,
});

/** The call as the gate knew it when it began. */
export function newCallOf(row: ToolCallRow): NewToolCall {
  const { id, tool, source, version, caller, runId, modelCallId, conversationId, ...call } = toolCallOf(row);
  return {
    id,
    tool,
    source,
    version,
    caller,
    runId,
    modelCallId,
    conversationId,
    arguments: call.arguments ?? undefined,
    trace: traceOf(row),
  };
}

export function toolCallOf(row: ToolCallRow): ToolCallRecord {
  const code = row.code as ToolCode | null;
  return {
    id: row.id,
    at: toTimestamp(row.at),
    tool: row.tool,
    source: row.source === null ? null : { kind: row.source_kind as 'app' | 'mcp', name: row.source },
    version: row.version,
    caller: { type: row.caller_type as ToolCallRecord['caller']['type'], id: row.caller_id },
    runId: row.run_id,
    modelCallId: row.model_call_id,
    conversationId: row.conversation_id,
    arguments: row.arguments === null ? null : fromJson<Json & {}>(row.arguments),
    decision: row.decision as ToolCallRecord['decision'],
    confirmationId: row.confirmation_id,
    status: row.status as ToolCallRecord['status'],
    error:
      code === null
        ? null
        : { code, message: row.message ?? toolCodes[code].title, retryable: toolCodes[code].retryable },
    ms: row.ms,
    resultBytes: row.result_bytes,
    result: row.result === null ? null : fromJson<Json & {}>(row.result),
    invocationId: row.invocation_id,
    traceId: row.trace_id,
    causeId: row.cause_id,
  };
}

/** How a call ended, for its caller; null while it has not. */
export function outcomeOf(tx: Pick<Tx, 'facts'>, row: ToolCallRow): ToolOutcome | null {
  return row.outcome === null ? null : unsealed<ToolOutcome>(tx, row.outcome);
}

/** What no record may show is kept encrypted. */
export const sealed = ({ facts }: Pick<Tx, 'facts'>, value: unknown): string =>
  seal(JSON.stringify(value ?? null), facts.secret);

export const unsealed = <T>({ facts }: Pick<Tx, 'facts'>, text: string): T =>
  JSON.parse(unseal(text, facts.secret)) as T;

/** Removes calls beyond what is kept, with their confirmations; what is under way stays. */
async function sweepCalls({ db }: Tx): Promise<void> {
  const border = await db
    .selectFrom('tool_call')
    .select('seq')
    .orderBy('seq', 'desc')
    .offset(limits.tools.kept)
    .limit(1)
    .executeTakeFirst();
  if (border === undefined) return;
  await db
    .deleteFrom('tool_call')
    .where('seq', '<=', border.seq)
    .where('status', 'not in', ['running', 'waiting'])
    .execute();
  await db
    .deleteFrom('confirmation')
    .where('state', '!=', 'open')
    .where('call_id', 'not in', (eb) => eb.selectFrom('tool_call').select('tool_call.id'))
    .execute();
}
