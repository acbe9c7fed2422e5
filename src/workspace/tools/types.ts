import type { ActorType, Caller, Output, ToolCode, Trace } from '../../contract/index.ts';
import type { Job, JobSpec } from '../jobs/types.ts';
import type { Json } from '../types.ts';

export type ToolCallRecord = Output<'tools.logs'>['items'][number];
export type ConfirmationRecord = Output<'confirmations.list'>['items'][number];

/** How a call ended, as its caller is told: with what its log may leave out. */
export interface ToolOutcome {
  readonly status: 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled';
  readonly result?: Json;
  readonly error?: { readonly code: ToolCode; readonly message: string; readonly retryable: boolean };
  /** Nobody answered in time, and a person is to take over. */
  readonly handover?: boolean;
}

/** A call as the gate knows it before it begins; `arguments` as the tool's log says. */
export interface NewToolCall {
  /** `tlc_…` */
  readonly id: string;
  readonly tool: string;
  readonly source: { readonly kind: 'app' | 'mcp'; readonly name: string } | null;
  readonly version: string | null;
  readonly caller: { readonly type: ActorType; readonly id: string | null };
  readonly runId: string | null;
  readonly modelCallId: string | null;
  readonly conversationId: string | null;
  readonly arguments: Json | undefined;
  readonly trace: Trace;
}

/** How often a tool may be called; counted and taken in one transaction. */
export interface ToolCallLimits {
  readonly perMinute?: number | undefined;
  /** In the run of the call. */
  readonly maxCallsPerRun?: number | undefined;
}

/** A question that has to be answered before the call is made. */
export interface NewConfirmation {
  readonly by: 'human' | 'customer';
  readonly title: string | null;
  readonly text: string;
  readonly expiresAfterMs: number;
  readonly onExpire: 'deny' | 'handover';
  /** All that carrying out the call needs. Kept encrypted, until it was carried out. */
  readonly request: Json;
  /** Of the tool as it is now. */
  readonly fingerprint: string;
  /** Without a run: what the same call by the same caller has in common. */
  readonly sameAs?: string | undefined;
  /** With a run: enqueued when the confirmation is answered or expires, in the same transaction. */
  readonly wake?: JobSpec | undefined;
}

export type BegunToolCall =
  /** The call is written down as running. */
  | { readonly state: 'begun' }
  /** A limit is reached, or nobody can be asked. */
  | { readonly state: 'refused'; readonly outcome: ToolOutcome }
  /** Somebody has to answer first. `callId`: of the call that waits, if the same one was asked for before. */
  | { readonly state: 'asked'; readonly confirmationId: string; readonly callId: string }
  /** The same call was asked for before and is allowed: it is to be carried out, if that is not under way. */
  | { readonly state: 'allowed'; readonly callId: string }
  /** The same call was asked for before, and is over. */
  | { readonly state: 'over'; readonly callId: string; readonly outcome: ToolOutcome };

/** What is written at the end of a call. */
export interface EndedToolCall {
  readonly outcome: ToolOutcome;
  readonly ms: number;
  readonly resultBytes: number | null;
  /** As the tool's log says. */
  readonly result: Json | undefined;
  /** The message of the error, as the log says. */
  readonly message: string | undefined;
  readonly invocationId: string | null;
}

/** A call of a run that was asked for before, perhaps by a process that has ended. */
export type EarlierToolCall =
  /** It has begun and not ended: here, or in a process that has. */
  | { readonly state: 'running'; readonly call: NewToolCall; readonly request: Json | null }
  | { readonly state: 'open'; readonly call: NewToolCall; readonly confirmationId: string; readonly text: string }
  | {
      readonly state: 'allowed';
      readonly call: NewToolCall;
      readonly request: Json;
      readonly fingerprint: string;
    }
  | { readonly state: 'over'; readonly outcome: ToolOutcome };

/** The conversation that a tool works in, with its customer and the kind of its channel. */
export interface ToolSubject {
  readonly conversation: Output<'conversations.get'>;
  readonly channel: string;
  readonly customer: Output<'customers.get'>;
}

/** What the gate keeps in the workspace: calls of tools, and confirmations. */
export interface ToolsDoor {
  /** Writes down a call that is refused or cancelled before it begins. */
  refuse(call: NewToolCall, ended: EndedToolCall): Promise<void>;
  /** Counts against the limits, and writes the call down before it begins, or the question that comes first. */
  begin(call: NewToolCall, limits: ToolCallLimits, question?: NewConfirmation): Promise<BegunToolCall>;
  end(callId: string, ended: EndedToolCall): Promise<void>;
  /**
   * Ends the calls of a process that is gone which nobody takes up again: neither a run nor the answer to a question.
   * @param isOurs whether a call runs in this process
   */
  endAbandoned(isOurs: (callId: string) => boolean): Promise<void>;
  /** undefined: there is no call with this id. */
  earlier(callId: string): Promise<EarlierToolCall | undefined>;
  /** Takes a call that was allowed: it is running from now on. @returns false if it does not wait any more */
  take(callId: string): Promise<boolean>;
  /** The call that a confirmation is about, with the arguments that were asked for. @throws WorkspaceError confirmation_not_found */
  asked(confirmationId: string): Promise<{ callId: string; state: ConfirmationRecord['state']; request: Json | null }>;
  /**
   * Answers a confirmation.
   * @param request replaces what carrying out the call needs
   * @throws WorkspaceError confirmation_not_found, confirmation_answered, confirmation_expired, operation_not_allowed
   */
  answer(
    input: { id: string; answer: 'allow' | 'deny'; reason?: string | undefined },
    caller: Caller,
    request?: Json,
  ): Promise<ConfirmationRecord>;
  /** Ends the job that lets a confirmation expire. */
  expire(job: Job, confirmationId: string): Promise<boolean>;
  /** @throws WorkspaceError conversation_not_found */
  subject(conversationId: string): Promise<ToolSubject>;
  /** A digest that nobody without the workspace's secret can make. */
  digest(text: string): string;
}
