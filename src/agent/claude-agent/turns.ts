import type { AskableModel, CallOptions, ModelOutcome } from '../loop/askable-model.ts';
import type { AssistantMessage, RunEvent, RunInput, RunMessage, ToolMessage } from '../types.ts';
import { runLimits } from '../types.ts';
import type { ClaudeSdk } from './sdk.ts';
import { Session } from './session.ts';
import { transcriptHead } from './transcript.ts';
import { readTurn } from './turn.ts';

/** What the program adds of its own to the first request. */
const addedCharacters = 3_000;

/**
 * The model calls of a run. One process makes one after another, as long as it waits for the results of its last answer; else another one
 * begins with all that was said and done.
 */
export class Turns implements AsyncDisposable {
  readonly #input: RunInput;
  #session: Session | undefined;
  /** The answer whose results the process waits for. */
  #asked: AssistantMessage | undefined;

  constructor(input: RunInput) {
    this.#input = input;
  }

  open(sdk: ClaudeSdk, model: string, provider: string): AskableModel {
    const { instructions, tools } = this.#input;
    return {
      provider,
      prepare: (messages) => ({
        characters:
          addedCharacters + transcriptHead.length + instructions.length + JSON.stringify([messages, tools]).length,
        call: (options) => this.#ask(sdk, model, messages, options),
      }),
    };
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#asked = undefined;
    await session?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#ask(
    sdk: ClaudeSdk,
    model: string,
    messages: readonly RunMessage[],
    options: CallOptions,
  ): AsyncGenerator<RunEvent, ModelOutcome> {
    const { harness } = this.#input;
    const limits = { ...runLimits, ...this.#input.limits };
    let goesOn = false;
    try {
      const session = await this.#sessionFor(sdk, model, messages, options);
      const { outcome, isWaiting } = yield* readTurn(session, {
        ...options,
        harness,
        limits,
        tools: this.#input.tools,
      });
      goesOn = isWaiting;
      this.#asked = outcome.answer;
      return outcome;
    } finally {
      if (!goesOn) await this.close();
    }
  }

  async #sessionFor(
    sdk: ClaudeSdk,
    model: string,
    messages: readonly RunMessage[],
    { reserved: { outputTokens } }: CallOptions,
  ): Promise<Session> {
    const session = this.#session;
    const results = this.#resultsIn(messages);
    if (session?.model === model && session.maxOutputTokens <= outputTokens && results !== undefined) {
      for (const [id, result] of results) session.answer(id, result);
      return session;
    }
    await this.close();
    this.#session = await Session.start({ sdk, input: this.#input, model, maxOutputTokens: outputTokens, messages });
    return this.#session;
  }

  /** What the process waits for, by its own ids; undefined if that is not all that has happened. */
  #resultsIn(messages: readonly RunMessage[]): [string, ToolMessage][] | undefined {
    const asked = this.#asked;
    const last = messages.findLast((message) => message.role === 'assistant');
    if (asked === undefined || last?.id !== asked.id) return undefined;
    const calls = asked.toolCalls ?? [];
    const found = calls.flatMap(({ id, externalId }): [string, ToolMessage][] => {
      const result = messages.find((message) => message.role === 'tool' && message.toolCallId === id);
      return result?.role === 'tool' ? [[externalId, result]] : [];
    });
    return found.length === calls.length ? found : undefined;
  }
}
