import type { IncomingHttpHeaders } from 'node:http';
import type { HarnessKind } from '../contract/index.ts';
import type { Budget, Reservation, TokenUsage } from './budget/budget.ts';
import type { RunErrorCode } from './run-error.ts';

/**
 * One kind of harness. Stateless: everything that a run needs is in its input, so a run goes on in another process with the messages
 * that its events left (`addEvent`).
 */
export interface HarnessAdapter {
  readonly kind: HarnessKind;
  /** Whether it sums up what a run does not see of a conversation, when an agent asks for that. */
  readonly sumsUp?: true;
  /** What keeps this harness from working: a missing key, an address that cannot be used, an endpoint that does not answer. */
  check(config: HarnessConfig, signal?: AbortSignal): Promise<HarnessCheck>;
  /**
   * Runs an agent. Nothing happens before the reader asks for the next event: what a `…started` or `…requested` event announces begins
   * when the reader comes back, so it can be written down before. Never throws: the last events are `error` (if it failed) and `done`.
   * When `input.signal` aborts, open connections are closed at once, and `done` with `cancelled` follows.
   */
  run(input: RunInput, host: RunHost): AsyncGenerator<RunEvent, void>;
}

/** How models are spoken to. `scripted` models need no key and no network. */
export type ModelProvider = 'scripted' | 'openai' | 'openai-compatible' | 'anthropic';

export interface HarnessConfig {
  readonly kind: HarnessKind;
  readonly name: string;
  /** Of the built-in kind, default `scripted`, and of `openai-agents-sdk`, default `openai`. A model named `script:NAME` is scripted with every provider. */
  readonly provider?: ModelProvider | undefined;
  /** Of the built-in kind: default the provider's own. Of the custom kind: the agent's endpoint. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Of the custom kind, newest first; while one is being rotated, both sign. `whsec_…` */
  readonly secrets?: readonly string[] | undefined;
  /** Of the custom kind: whether a JSON reply without a signature is refused. */
  readonly requireSignedReplies?: boolean | undefined;
  /** Of the kind agent-framework: the file of the app that exports the agent. */
  readonly module?: string | undefined;
  /** Of kinds made of an SDK: where the user's own copy of it is loaded from. Undefined outside an app. */
  readonly packages?: ProjectPackages | undefined;
}

/** The packages of an app. Their code runs outside the sandbox. */
export interface ProjectPackages {
  /** The app's folder. */
  readonly folder: string;
  /** Whether the user trusts it. */
  readonly trusted: boolean;
}

export interface HarnessCheck {
  readonly ok: boolean;
  readonly problems: readonly HarnessProblem[];
}

export interface HarnessProblem {
  readonly code: RunErrorCode | 'harness_address_invalid' | 'harness_secret_invalid' | 'harness_agent_without_tools';
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

export type ModelRole = 'main' | 'fallback' | 'fast';

export interface RunModels {
  readonly main: string;
  /** Answers when the main one cannot; see `mayFallBack`. */
  readonly fallback?: string | undefined;
  readonly fast?: string | undefined;
}

export interface Fact {
  /** Such as `customer.name` */
  readonly description: string;
  readonly value: string;
}

export interface RunInput {
  readonly runId: string;
  readonly harness: HarnessConfig;
  readonly instructions: string;
  /** What the agent is told of customer and conversation. Most kinds join it to the instructions, see `joinFacts`. */
  readonly facts?: readonly Fact[] | undefined;
  /** The conversation before the run, oldest first. */
  readonly messages: readonly RunMessage[];
  /** Messages before these, oldest first, which the run does not see: the fast model is to sum them up. */
  readonly leftOut?: readonly RunMessage[] | undefined;
  /** What the run has done, if it goes on: its events added up with `addEvent`. */
  readonly progress?: RunProgress | undefined;
  readonly tools: readonly ToolSpec[];
  readonly models: RunModels;
  /** Which model answers; default `main`, with `fallback` behind it. */
  readonly role?: 'main' | 'fast' | undefined;
  readonly budget: Budget;
  /** Most tokens of one answer; default 4,096. What is left of the budget may be less. */
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
  /** Of the custom kind: what the agent left for this conversation before the run. */
  readonly state?: unknown;
  /** Of the custom kind: answers to the interrupts with which the run stopped. */
  readonly resume?: readonly ResumeEntry[] | undefined;
  /** Of the custom kind: what is told of the surroundings. */
  readonly about?: RunSurroundings | undefined;
  /** Passed on to servers, as W3C Trace Context. */
  readonly trace?: { readonly traceId: string; readonly depth: number } | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
}

/**
 * Where a run stands: everything that it needs to go on, as JSON. Made of its events, so whoever writes down events can make it again.
 */
export interface RunProgress {
  /** What the run has added to the conversation. */
  readonly messages: readonly RunMessage[];
  /** What its models read of the messages that it does not see. */
  readonly summary?: string | undefined;
  /** Of the custom kind: how many legs were begun. */
  readonly legs: number;
  /** A leg that has not ended, and whether anything came of it that would come twice if it began again. */
  readonly openLeg: 'untouched' | 'effects' | null;
  /** Of the custom kind: as the last leg left it; undefined if it left none. */
  readonly state?: unknown;
  /** How the last leg ended, if not with calls of our tools. */
  readonly ending: LegEnding | null;
  /** Of the custom kind: answers to the questions with which the last leg ended, until the next one has ended. */
  readonly answers: readonly ResumeEntry[];
}

export type LegEnding =
  | { readonly type: 'completed' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'handedOver'; readonly handover: Handover }
  | { readonly type: 'waiting'; readonly interrupts: readonly Interrupt[] };

export interface Handover {
  readonly team: string | null;
  readonly reason: string | null;
  readonly summary: string | null;
  /** Null if it was no tool call. */
  readonly toolCallId: string | null;
}

/** A call that an answer asks for. */
export interface RequestedCall {
  /** The answer. */
  readonly messageId: string;
  /** The custom agent's own id of the answer. */
  readonly externalId?: string | undefined;
  readonly call: ToolCall;
}

export interface RunSurroundings {
  readonly environment?: string | undefined;
  readonly agent?: { readonly id: string; readonly name: string } | undefined;
  readonly conversation?: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly customer?: Readonly<Record<string, unknown>> & { readonly id: string };
  /** Facts for the model, each a text. */
  readonly context?: readonly Fact[] | undefined;
}

export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
}

/** What is handed in: the one gate through which all tools run, and the scripts of an app. */
export interface RunHost {
  /**
   * Calls a tool. A failure is a result, too; whatever is thrown ends the run as `internal`.
   * @param args what the model gave; undefined when it was no JSON: see `rawArguments`
   */
  callTool(name: string, args: unknown, options: ToolCallOptions): Promise<ToolResult>;
  /** @returns the content of `agents/NAME.model.json`, parsed; undefined when there is none */
  readScript?(name: string): Promise<unknown>;
  /** Of the custom kind: opens what the agent's server may ask for while the run works. Undefined where nothing listens. */
  openDoor?(door: RunDoor): OpenDoor | undefined;
  /** Waits between tries; tests hand in one that returns at once. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/** What an agent's server may ask of its run. */
export interface RunDoor {
  readonly tools: readonly ToolSpec[];
  readonly expiresAt: Date;
  /** A call inside the agent's own loop. A failure is a result, too. */
  callTool(name: string, args: unknown): Promise<ToolResult>;
  /** A signed batch of events of a leg that was answered with 202. */
  readonly takeBatch: TakeBatch;
}

export type TakeBatch = (batch: { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array }) => BatchAnswer;

/** What a batch is answered with. */
export interface BatchAnswer {
  readonly status: 200 | 400 | 401 | 409 | 410 | 413;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Where that is asked. After `close` no tool is called. */
export interface OpenDoor {
  /** An MCP server over streamable HTTP, and what it must be asked with. */
  readonly mcp: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** Where batches of events are posted to. */
  readonly callback: { readonly url: string };
  /** @param takeLast answers the next batch; without it, and after it, a batch hears that the run is over. It should hold little: it is kept. */
  close(takeLast?: TakeBatch): void;
}

export interface ToolCallOptions {
  /** Unique: `tlc_…`. The same when a run goes on and repeats the call. */
  readonly toolCallId: string;
  readonly modelCallId: string | null;
  readonly signal: AbortSignal;
  /** The arguments as the model wrote them, when they are no JSON. */
  readonly rawArguments?: string | undefined;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Told to custom agents. */
  readonly readOnly?: boolean | undefined;
  readonly confirm?: 'never' | 'human' | 'customer' | undefined;
  readonly source?: 'function' | 'mcp' | 'platform' | undefined;
  /** A call that succeeds ends the run. */
  readonly ends?: 'handover' | undefined;
}

export interface ToolResult {
  readonly status: 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled' | 'awaitingConfirmation';
  /** What the model reads. */
  readonly content: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable?: boolean } | undefined;
  /** With `awaitingConfirmation`. */
  readonly confirmationId?: string | undefined;
}

export type RunMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly id?: string | undefined;
  readonly content: string | readonly ContentPart[];
  /** Who wrote it; default the customer. `system`: a note about what happened. */
  readonly author?: 'customer' | 'agent' | 'system' | undefined;
  readonly sentAt?: string | undefined;
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string; readonly name?: string | undefined };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly id?: string | undefined;
  /** The custom agent's own id of it. */
  readonly externalId?: string | undefined;
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Who wrote it; default the AI agent. */
  readonly author?: 'aiAgent' | 'agent' | 'flow' | undefined;
  readonly sentAt?: string | undefined;
  /** The answer as its provider needs it back, opaque: a model that reasons continues from it. */
  readonly native?: { readonly provider: string; readonly content: unknown } | undefined;
}

export interface ToolCall {
  /** Ours, unique: `tlc_…` */
  readonly id: string;
  /** The model's or agent's own id of it. */
  readonly externalId: string;
  readonly modelCallId: string | null;
  readonly name: string;
  /** Undefined when the model's text is no JSON. */
  readonly arguments: unknown;
  readonly rawArguments?: string | undefined;
  /** A tool of the agent's own: it is recorded, not run. */
  readonly own?: boolean | undefined;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly name: string;
  readonly content: string;
  readonly errorCode?: string | undefined;
}

export type FinishReason = 'stop' | 'toolCalls' | 'length' | 'filter' | 'error' | 'aborted';

/** Why something failed, without keys and secrets. */
export interface RunProblem {
  readonly code: RunErrorCode;
  readonly message: string;
  readonly hint: string;
}

export interface Interrupt {
  /** Answered by a resume entry with this id, or by the gate when `toolCallId` is of one of our tools. */
  readonly id: string;
  readonly kind: 'confirmation' | 'agent';
  readonly reason: string;
  readonly message?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly responseSchema?: unknown;
  readonly expiresAt?: string | undefined;
}

export type RunEvent =
  | { readonly type: 'leg.started'; readonly leg: number }
  /** `calls`: what is ours to do before the next leg. `state`: undefined if the agent left it as it was. */
  | {
      readonly type: 'leg.ended';
      readonly leg: number;
      readonly calls: readonly RequestedCall[];
      readonly ending: LegEnding | null;
      readonly state?: unknown;
    }
  | {
      readonly type: 'modelCall.started';
      readonly modelCallId: string;
      readonly role: ModelRole;
      readonly provider: string;
      readonly model: string;
      /** Counts from 1: tries of one call, with whatever model. */
      readonly attempt: number;
      /** What it is asked, if that is no turn of the conversation. */
      readonly asked?: { readonly instructions: string; readonly messages: readonly unknown[] } | undefined;
      /** What it may cost at most, if the estimate of its input is right; null where the agent makes the call. */
      readonly reserved: Reservation | null;
    }
  | {
      readonly type: 'modelCall.ended';
      readonly modelCallId: string;
      readonly role: ModelRole;
      readonly provider: string;
      /** As the provider reports it. */
      readonly model: string;
      readonly finishReason: FinishReason;
      /** Null when nothing was spent, or nobody knows. */
      readonly usage: TokenUsage | null;
      readonly costUsd: number | null;
      /** The complete answer: a run that goes on begins with its tool calls. Null where the agent keeps it to itself. */
      readonly answer: AssistantMessage | null;
      readonly error: RunProblem | null;
    }
  | { readonly type: 'text.delta'; readonly messageId: string; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  /** Text for the customer, whole. `partial`: the run was stopped in the middle of it. */
  | {
      readonly type: 'message';
      readonly messageId: string;
      readonly externalId?: string | undefined;
      readonly text: string;
      readonly partial: boolean;
    }
  | ({ readonly type: 'toolCall.requested' } & RequestedCall)
  | { readonly type: 'toolCall.ended'; readonly call: ToolCall; readonly result: ToolResult }
  | ({ readonly type: 'handover' } & Handover)
  | { readonly type: 'note'; readonly text: string }
  /** What the models of a run read of so many messages that it does not see. */
  | { readonly type: 'history.summary'; readonly messages: number; readonly note: string }
  | { readonly type: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  /** A person has answered a question with which the agent had stopped the run. */
  | ({
      readonly type: 'interrupt.answered';
      /** Who answered; `system`: nobody did in time. */
      readonly by: { readonly type: string; readonly id: string | null };
    } & ResumeEntry)
  | { readonly type: 'state'; readonly state: unknown }
  | { readonly type: 'step'; readonly name: string; readonly status: 'started' | 'finished' }
  /** Tokens that belong to no model call that was told of. */
  | {
      readonly type: 'usage';
      readonly provider: string;
      readonly model: string;
      readonly usage: TokenUsage;
      readonly costUsd: number | null;
    }
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | ({ readonly type: 'error' } & RunProblem)
  | { readonly type: 'done'; readonly status: RunStatus };

export type RunStatus = 'completed' | 'handedOver' | 'waiting' | 'failed' | 'cancelled';

/** Times in milliseconds, sizes in bytes. */
export interface RunLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  /** Between two parts of an answer. */
  readonly silenceMs: number;
  /** Of one leg of the custom kind. */
  readonly legMs: number;
  readonly legs: number;
  readonly replyBytes: number;
  readonly eventBytes: number;
  readonly requestBytes: number;
  readonly stateBytes: number;
  /** Pauses before the second, third … try. */
  readonly retryMs: readonly number[];
  readonly maxRetryAfterMs: number;
}

export const runLimits: RunLimits = {
  connectMs: 5_000,
  firstByteMs: 30_000,
  silenceMs: 60_000,
  legMs: 300_000,
  legs: 16,
  replyBytes: 5 * 1024 * 1024,
  eventBytes: 1024 * 1024,
  requestBytes: 1024 * 1024,
  stateBytes: 64 * 1024,
  retryMs: [500, 2_000],
  maxRetryAfterMs: 30_000,
};

/** Of agents that a vendor runs: a stream says nothing for as long as a model thinks. The time of the budget ends it. */
export const hostedLimits: RunLimits = { ...runLimits, silenceMs: 300_000 };
