import type { Insertable } from 'kysely';
import type { Tables } from '../database/index.ts';
import type { NewInvocation } from '../types.ts';

export type InvocationRow = Insertable<Tables['invocation']>;

export function rowOf(invocation: NewInvocation): InvocationRow {
  return {
    id: invocation.id,
    app: invocation.app,
    function: invocation.function,
    type: invocation.type,
    version: invocation.version,
    trigger_kind: invocation.trigger,
    caller_type: invocation.caller.type,
    caller_id: invocation.caller.id,
    status: invocation.status,
    started_at: Math.round(invocation.startedAt),
    wall_ms: invocation.wallMs,
    cpu_ms: invocation.cpuMs,
    peak_memory_bytes: Math.round(invocation.peakMemoryBytes),
    error: invocation.error === null ? null : JSON.stringify(invocation.error),
    input: invocation.inputJson,
    result: invocation.resultJson,
    calls: JSON.stringify(storedCalls(invocation)),
    trace_id: invocation.trace.traceId,
    cause_id: invocation.trace.causeId,
  };
}

export function linesOf({ id, app, function: name, logs }: NewInvocation): Insertable<Tables['log_line']>[] {
  return logs.map(({ at, level, text }) => ({
    invocation_id: id,
    app,
    function: name,
    at: Date.parse(at),
    level,
    text,
  }));
}

/** The calls as stored in their column: the list, or the list with the number of missing calls. */
export type StoredCalls = NewInvocation['calls'] | Required<Pick<NewInvocation, 'calls' | 'callsLeftOut'>>;

function storedCalls({ calls, callsLeftOut = 0 }: NewInvocation): StoredCalls {
  return callsLeftOut === 0 ? calls : { calls, callsLeftOut };
}
