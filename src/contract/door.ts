import type { OperationName, Scope } from './operations.ts';
import type { Input, Output } from './shapes/index.ts';

/** Who calls, with which rights. Handlers and the journal see it; nothing in an input can change it. */
export interface Caller {
  readonly type: 'token' | 'function' | 'agent' | 'customer' | 'local' | 'system';
  /** Token id, function name, agent id; null for the machine itself. */
  readonly id: string | null;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  /** The app whose function calls. */
  readonly app?: string;
  /** The invocation that calls. */
  readonly invocationId?: string;
  readonly requestId?: string;
  /** How many functions called each other to get here. */
  readonly depth?: number;
}

export interface CallOptions {
  /** Same key and input within 24 h: the first answer again; same key, other input: 422 `idempotency_key_reused`. */
  readonly idempotencyKey?: string;
  /** Version that must still be there, else 412 `version_conflict`. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one door of a workspace. Whoever holds it cannot tell whether the workspace is in this process or behind HTTP.
 * @throws WorkspaceError when the workspace says no
 */
export type Door = <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Output<N>>;
