import type { Reservation, TokenUsage } from '../budget/budget.ts';
import type { AssistantMessage, FinishReason, RunEvent, RunHost, RunInput, RunMessage } from '../types.ts';

/** A model as the loop asks it, whatever library speaks to it. */
export interface AskableModel {
  /** For the record. */
  readonly provider: string;
  /** Brings a conversation into the form of its library. */
  prepare(messages: readonly RunMessage[]): PreparedCall;
}

export interface PreparedCall {
  /** Of everything that is sent, for the estimate of its tokens. */
  readonly characters: number;
  /** One try: text as it comes, and the whole answer at the end. Never throws. */
  call(options: CallOptions): AsyncGenerator<RunEvent, ModelOutcome>;
}

export interface CallOptions {
  readonly modelCallId: string;
  readonly reserved: Reservation;
  readonly signal: AbortSignal;
}

/** Opens a model by its name. @throws RunFailure if it cannot be asked at all */
export type OpenModel = (name: string, input: RunInput, host: RunHost) => Promise<AskableModel>;

/** What came of one try. */
export interface ModelOutcome {
  readonly answer: AssistantMessage | undefined;
  readonly finishReason: FinishReason;
  /** As reported; where nothing was reported, as counted. Undefined when nothing was spent. */
  readonly usage: TokenUsage | undefined;
  /** As the provider reports it. */
  readonly model: string;
  /** What was thrown. */
  readonly error: unknown;
  /** After the first output no other model may begin again. */
  readonly hasOutput: boolean;
  /** Whether the answer was cut because it grew beyond what was put aside. */
  readonly overran: boolean;
}
