import type { JsonSchema } from '../../contract/function-config/index.ts';
import type { Output, ToolCode, Trace } from '../../contract/index.ts';
import type { JobSpec, Json } from '../../workspace/index.ts';
import type { ConfirmRule } from './confirm-rule.ts';
import type { Hidden, ToolLogRule } from './hidden.ts';

/** Who calls a tool. */
export type ToolCaller =
  | { readonly kind: 'aiAgent'; readonly app: string; readonly name: string; readonly id?: string | undefined }
  | { readonly kind: 'aiNode'; readonly app: string; readonly flow: string; readonly node: string }
  /** A run with a harness and no agent. */
  | { readonly kind: 'harness'; readonly name: string }
  | { readonly kind: 'mcp'; readonly name?: string | undefined }
  /** A function, or `tools.call` by a token. */
  | {
      readonly kind: 'code';
      readonly type: 'function' | 'api';
      readonly app?: string | undefined;
      readonly id: string | null;
    }
  /** A person of the team, or at this machine. */
  | { readonly kind: 'person'; readonly agentId: string | null };

export interface CallToolRequest {
  /** The tool's name; `app/NAME` or `client/NAME` where two have it. */
  readonly name: string;
  readonly arguments: unknown;
  /** The arguments as the model wrote them, when they are no JSON. */
  readonly rawArguments?: string | undefined;
  readonly caller: ToolCaller;
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  readonly modelCallId?: string | undefined;
  /**
   * `tlc_…`. A call that is made again with its id is not done twice: it answers what came of it, goes on after its confirmation, or says
   * that nobody knows.
   */
  readonly toolCallId?: string | undefined;
  /** For a run: the job that goes on when the confirmation of this call is answered or expires; enqueued in the same transaction. */
  readonly wake?: JobSpec | undefined;
  /** Counts the call against a budget. Returns why it has no room for it. */
  readonly budget?: (() => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the call comes from; without one it begins a new trace. */
  readonly trace?: Trace | undefined;
  /** How many functions have called each other to get here. */
  readonly depth?: number | undefined;
}

export interface ToolError {
  readonly code: ToolCode;
  readonly message: string;
  readonly retryable: boolean;
}

/** What a call comes to. Failures are values. */
export interface ToolAnswer {
  /** `awaitingConfirmation`: with a run only; it is made again with the same id after `wake`. */
  readonly status: 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled' | 'awaitingConfirmation';
  readonly callId: string;
  readonly result?: Json;
  readonly error?: ToolError;
  /** With `awaitingConfirmation`, and with the code `tool_confirmation_required`. */
  readonly confirmationId?: string;
  /** Nobody answered in time, and a person is to take over. */
  readonly handover?: boolean;
  /** What a model reads: the result as JSON, or the error. */
  readonly content: string;
}

export type ToolDescription = Output<'tools.show'>;

/** What is left of a call when it comes to the tool itself. */
export interface ToolRun {
  readonly callId: string;
  readonly arguments: Json;
  readonly caller: ToolCaller;
  readonly conversationId: string | null;
  readonly runId: string | null;
  /** With the call as the cause. */
  readonly trace: Trace;
  readonly depth: number;
  readonly signal: AbortSignal | undefined;
  /** What no record may show. */
  readonly hidden: Hidden;
}

export type ToolRunEnd =
  | { readonly ok: true; readonly json: string; readonly invocationId: string | null }
  | {
      readonly ok: false;
      readonly code: ToolCode;
      /** For the model: without stacks. */
      readonly message: string;
      readonly invocationId: string | null;
    };

/** A tool as the gate sees it, wherever it comes from. */
export interface GateTool {
  readonly name: string;
  readonly source: { readonly kind: 'app' | 'mcp'; readonly name: string };
  readonly title: string | null;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema | undefined;
  readonly annotations: ToolDescription['annotations'];
  /** As `tools.show` shows them; what counts is `permits`. */
  readonly callers: ToolDescription['callers'];
  readonly conversation: ToolDescription['conversation'];
  readonly confirm: ConfirmRule;
  readonly limits: ToolDescription['limits'];
  readonly log: ToolLogRule;
  readonly function: string | null;
  readonly version: string | null;
  /** Why it cannot be called. */
  readonly problem: string | null;
  /** What a call comes to then; default `tool_failed`. */
  readonly problemCode?: ToolCode;
  /** Changes with everything that whoever confirms a call relies on. */
  readonly fingerprint: string;
  permits(caller: ToolCaller): boolean;
  run(call: ToolRun): Promise<ToolRunEnd>;
}

/** Where tools come from: an app, an MCP client. */
export interface ToolSource {
  readonly kind: 'app' | 'mcp';
  readonly name: string;
  /** @param isNamed whether the source itself was named: then it may connect, and throws if it cannot */
  list(isNamed?: boolean): Promise<readonly GateTool[]>;
  /**
   * @param isNamed whether the source itself was named: `client/NAME`
   * @param isFresh nothing that is known from before counts: a tool may have been added a moment ago
   */
  find(name: string, isNamed?: boolean, isFresh?: boolean): Promise<GateTool | undefined>;
}
