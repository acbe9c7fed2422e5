import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import { callOne, cancelledResult } from '../run-tools.ts';
import type { Stop } from '../stop.ts';
import type { RunEvent, RunHost, RunInput, ToolCall, ToolResult } from '../types.ts';

interface Asked {
  readonly call: ToolCall;
  readonly answer: (result: ToolResult) => void;
}

/** The gate's result, or that the gate itself failed. */
interface Made extends Asked {
  readonly result: ToolResult | RunFailure;
}

/**
 * Calls of tools that an agent makes inside its loop, while a leg runs: they go through the same gate, and into the record before and
 * after, among what the agent says. One that waits for a person is left for the end of the leg.
 */
export class InlineCalls {
  readonly #input: RunInput;
  readonly #host: RunHost;
  readonly #stop: Stop;
  #isOpen = false;
  #asked: Asked[] = [];
  #someAsked = Promise.withResolvers<void>();
  readonly #running = new Map<string, Promise<Made>>();
  /** Made, and not found in what the agent tells of its calls. */
  readonly #untold: ToolCall[] = [];

  constructor(input: RunInput, host: RunHost, stop: Stop) {
    this.#input = input;
    this.#host = host;
    this.#stop = stop;
  }

  call(name: string, args: unknown): Promise<ToolResult> {
    if (!this.#isOpen) return Promise.resolve(cancelledResult);
    const { promise, resolve: answer } = Promise.withResolvers<ToolResult>();
    const id = newId('tlc');
    this.#asked.push({ call: { id, externalId: id, modelCallId: null, name, arguments: args }, answer });
    this.#someAsked.resolve();
    return promise;
  }

  /** Whether a call of which the agent tells was made here; each is found once. */
  find({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>): boolean {
    const at = this.#untold.findIndex((call) => call.name === name && isDeepStrictEqual(call.arguments, given));
    if (at >= 0) this.#untold.splice(at, 1);
    return at >= 0;
  }

  /**
   * The events of a leg with those of the calls that are made meanwhile. However it ends, every call is answered; what was begun is made to its
   * end and told, because its effects stay.
   * @param close lets go of the agent's server; called when the leg breaks off, before anything is waited for
   * @throws RunFailure `budget_tool_calls`, and what the leg throws
   */
  async *among<T>(leg: AsyncGenerator<RunEvent, T>, close: () => void): AsyncGenerator<RunEvent, T> {
    this.#isOpen = true;
    const next = () => {
      const step = leg.next();
      // It is looked at in its turn.
      step.catch(() => {});
      return step;
    };
    let step: Promise<IteratorResult<RunEvent, T>> | undefined = next();
    let end: T | undefined;
    try {
      while (step !== undefined || this.#running.size > 0) {
        const happened = await Promise.race([
          this.#someAsked.promise.then(() => 'asked' as const),
          ...this.#running.values(),
          ...(step === undefined ? [] : [step]),
        ]);
        if (happened === 'asked') yield* this.#begin();
        else if ('call' in happened) {
          yield* this.#tell(happened);
          if (happened.result instanceof RunFailure) throw happened.result;
        } else if (happened.done) {
          step = undefined;
          end = happened.value;
        } else {
          yield happened.value;
          step = next();
        }
      }
      return end as T;
    } catch (error) {
      close();
      this.#refuseAsked();
      yield* this.#tellRunning();
      throw error;
    } finally {
      // A reader that leaves early ends it here: the read that is under way must not be waited for.
      close();
      this.#refuseAsked();
      for (const made of this.#running.values()) void made.then(answerCaller);
      this.#running.clear();
      await leg.return(undefined as T);
    }
  }

  *#begin(): Generator<RunEvent, void> {
    this.#someAsked = Promise.withResolvers();
    for (let asked = this.#asked[0]; asked !== undefined; asked = this.#asked[0]) {
      // The leg is about to end.
      if (this.#stop.signal.aborted) return;
      const { call, answer } = asked;
      yield { type: 'toolCall.requested', messageId: newId('ans'), call };
      this.#input.budget.takeToolCall();
      this.#asked.shift();
      this.#untold.push(call);
      this.#running.set(
        call.id,
        callOne(call, this.#host, this.#stop).then(
          ({ result }) => ({ call, answer, result }),
          (failure: RunFailure) => ({ call, answer, result: failure }),
        ),
      );
    }
  }

  *#tell(made: Made): Generator<RunEvent, void> {
    const { call, result } = made;
    this.#running.delete(call.id);
    try {
      const hasEnded = !(result instanceof RunFailure) && result.status !== 'awaitingConfirmation';
      if (hasEnded) yield { type: 'toolCall.ended', call, result };
    } finally {
      // Also when the reader wants no more after this.
      answerCaller(made);
    }
  }

  /** Waits for what is under way when the leg has broken off. */
  async *#tellRunning(): AsyncGenerator<RunEvent, void> {
    while (this.#running.size > 0) {
      yield* this.#tell(await Promise.race(this.#running.values()));
    }
  }

  #refuseAsked(): void {
    this.#isOpen = false;
    for (const { answer } of this.#asked.splice(0)) answer(cancelledResult);
  }
}

function answerCaller({ answer, result }: Made): void {
  if (result instanceof RunFailure) answer(failedResult(result));
  else answer(result.status === 'awaitingConfirmation' ? waitsForPerson(result) : result);
}

function failedResult({ problem: { code, message } }: RunFailure): ToolResult {
  const error = { code, message, retryable: false };
  return { status: 'error', content: JSON.stringify({ error }), error };
}

function waitsForPerson({ content }: ToolResult): ToolResult {
  const message = `${content} – this waits for a person. End your turn now: you are asked again with the result of this call.`;
  const error = { code: 'tool_confirmation_required', message, retryable: false };
  return { status: 'error', content: JSON.stringify({ error }), error };
}
