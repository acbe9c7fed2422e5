import type { RunInput, RunMessage } from '../types.ts';

/** A framework by which a user's agent is made. Its package is the user's; agents are recognised by their shape. */
export interface Framework {
  /** With its article, for sentences: `an AG-UI agent`. */
  readonly title: string;
  /** Whether an object is an agent of it. */
  recognises(agent: Readonly<Record<string, unknown>>): boolean;
  /** @param agent one that it recognises */
  adapt(agent: never): FrameworkAgent;
}

export interface FrameworkAgent {
  /** Why it cannot be given tools, as a sentence; undefined if it can. */
  readonly withoutTools?: string | undefined;
  /** Finds out whether there is an agent at all, where that is known only when it is made. @throws RunFailure */
  check?(): Promise<void>;
  /**
   * Answers one leg. Calls of our tools are told of and left without a result; the framework's own tools run in its own loop.
   * @returns events of AG-UI, from RUN_STARTED to RUN_FINISHED or RUN_ERROR
   * @throws RunFailure, or whatever the agent throws
   */
  answer(leg: FrameworkLeg): AsyncIterable<unknown>;
}

export interface FrameworkLeg {
  readonly runId: string;
  readonly threadId: string;
  /** `RunAgentInput` of AG-UI, as JSON. */
  readonly body: string;
  readonly input: RunInput;
  /** The conversation, and what the run has added to it. */
  readonly messages: readonly RunMessage[];
  /** Aborts when nobody wants the answer any more. */
  readonly signal: AbortSignal;
}
