import type { TokenUsage } from '../budget/budget.ts';
import type { RunInput } from '../types.ts';

/**
 * An agent that a vendor runs: its loop and its conversation are there, in a session, and our tools are called by us in the middle of a
 * turn. Each method that yields begins when its first event is asked for, and ends when the session waits for us or the turn is over.
 */
export interface HostedService {
  /** For the record. */
  readonly provider: string;
  /** What of a run a session cannot change later: another one needs another session. JSON. */
  readonly fixed: unknown;
  /** Begins a session with its first input; its first event is `session`. */
  start(texts: readonly string[], signal: AbortSignal): AsyncGenerator<HostedEvent, void>;
  /** Begins another turn in an idle session. */
  send(session: HostedSession, texts: readonly string[], signal: AbortSignal): AsyncGenerator<HostedEvent, void>;
  /** Goes on with the results of the calls for which the session waits. */
  answer(
    session: HostedSession,
    results: readonly CallResult[],
    signal: AbortSignal,
  ): AsyncGenerator<HostedEvent, void>;
  /** What a session waits for. Undefined: it is gone. */
  look(session: HostedSession, signal: AbortSignal): Promise<SessionView | undefined>;
  /** Stops what goes on in a session: to close the connection would not. */
  cancel(session: HostedSession, signal: AbortSignal): Promise<void>;
}

/** Opens a service for one run. @throws RunFailure if it cannot be asked at all */
export type OpenHosted = (input: RunInput) => Promise<HostedService>;

/** JSON: kept with the conversation. */
export interface HostedSession {
  readonly id: string;
  /** Of the turn that waits, where the vendor wants it back. */
  readonly turnId?: string | undefined;
}

export interface SessionView {
  readonly status: 'idle' | 'working' | 'waiting';
  /** The vendor's ids of calls that have no result. */
  readonly pending: readonly string[];
}

export interface CallResult {
  /** The vendor's id of the call. */
  readonly externalId: string;
  readonly isError: boolean;
  readonly content: string;
}

export type HostedEvent =
  | { readonly type: 'session'; readonly session: HostedSession }
  | { readonly type: 'text.delta'; readonly itemId: string; readonly text: string }
  | { readonly type: 'text'; readonly itemId: string; readonly text: string }
  | { readonly type: 'modelCall.started' }
  | { readonly type: 'modelCall.ended'; readonly usage: TokenUsage | undefined; readonly failed: boolean }
  /** Of the whole session up to now, where model calls are not told of. */
  | { readonly type: 'usage'; readonly sum: TokenUsage }
  | { readonly type: 'call'; readonly externalId: string; readonly name: string; readonly arguments: unknown };
