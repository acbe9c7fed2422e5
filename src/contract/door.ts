import { newTraceId } from '../std/index.ts';
import type { OperationName } from './operations.ts';
import type { Scope } from './scopes.ts';
import type { Input, Output } from './shapes/index.ts';

/** The caller of an operation and its rights. Handlers and the journal see it; no input can change it. */
export interface Caller {
  readonly type: 'token' | 'function' | 'agent' | 'aiAgent' | 'customer' | 'local' | 'system';
  /** Token id, function name, agent id; null for the machine itself. */
  readonly id: string | null;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  /** The app whose function calls. */
  readonly app?: string;
  /** The invocation that calls. */
  readonly invocationId?: string;
  /** The deployment that the calling function belongs to, or `local`. */
  readonly version?: string;
  readonly requestId?: string;
  /** The number of nested function calls that led here. */
  readonly depth?: number;
  /** It has the token of this machine, which only whoever works at it knows. */
  readonly isMachine?: boolean;
  /** What an AI Tool may change, for its function and what that calls. */
  readonly grant?: ToolGrant;
  /** The trace that the call belongs to; without one the call begins a new trace. */
  readonly trace?: Trace;
}

/**
 * Where something comes from. Events, jobs, invocations, messages, deliveries, tool calls and runs with the same first cause
 * share one trace.
 */
export interface Trace {
  /** 32 hex digits, as in a W3C `traceparent`. */
  readonly traceId: string;
  /** The id of what caused it directly: an event, a job, an invocation, a run; null where the trace begins. */
  readonly causeId: string | null;
  /** How many deliveries and background invocations led here; more than `limits.trace.maxDepth` are refused as `loop_detected`. */
  readonly depth: number;
}

/** What an AI Tool may change of the conversation it works in, and of its customer; elsewhere it has the rights of its app. */
export interface ToolGrant {
  readonly conversationId: string;
  readonly customerId: string;
  /** Paths: `fields.orderId`, `assignee`, `status`, `messages`, `notes`, `customer.name`. */
  readonly write: readonly string[];
}

/** The trace of what a caller does; a caller without one begins it. */
export function traceOf(caller: Caller): Trace {
  return caller.trace ?? { traceId: newTraceId(), causeId: caller.invocationId ?? null, depth: 0 };
}

export interface CallOptions {
  /** The same key and input within 24 h return the first answer; the same key with another input: 422 `idempotency_key_reused`. */
  readonly idempotencyKey?: string;
  /** The version that must still be current, otherwise 412 `version_conflict`. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal | undefined;
  /** Called if the answer is that of an earlier request with this key, because nothing is done now. */
  readonly onReplay?: () => void;
}

/**
 * The one door of a workspace. Its callers cannot tell whether the workspace is in this process or behind HTTP.
 * @throws WorkspaceError when the workspace refuses
 */
export type Door = <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Output<N>>;
