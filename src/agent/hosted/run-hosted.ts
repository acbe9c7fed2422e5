import { messageOf, shortened, wait } from '../../std/index.ts';
import { readModelFailure } from '../loop/model-failure.ts';
import { ProgressKeeper } from '../progress.ts';
import { RunFailure } from '../run-error.ts';
import { runTools } from '../run-tools.ts';
import { Stop } from '../stop.ts';
import { type RunEvent, type RunHost, type RunInput, type RunLimits, type RunStatus, runLimits } from '../types.ts';
import { type ConversationState, hashOf, lastIdsOf, noTokens, readState, unseenOf } from './conversation-state.ts';
import { LegReader } from './leg-reader.ts';
import type { HostedEvent, HostedService, HostedSession, OpenHosted } from './service.ts';
import { lastResults, toTranscript, unseenTexts } from './transcript.ts';

/** How long a session is told to stop. The run must end within 5 s. */
const cancelMs = 3_000;

/**
 * Runs an agent that a vendor hosts, in legs: an input, and what comes of it until the session waits for results of our tools or its turn
 * is over. A conversation has one session; another one begins where the first cannot go on, and is told the conversation as a text.
 */
export async function* runHosted(input: RunInput, host: RunHost, open: OpenHosted): AsyncGenerator<RunEvent, void> {
  using stop = new Stop(input.signal, input.budget);
  let status: RunStatus = 'failed';
  try {
    const run = new HostedRun(input, host, await open(input), stop);
    status = yield* run.carryOut();
  } catch (error) {
    if (!stop.cancelled) yield { type: 'error', ...toFailure(error, input).problem };
  }
  yield { type: 'done', status: stop.cancelled ? 'cancelled' : status };
}

function toFailure(error: unknown, { harness, models }: RunInput): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof TypeError) return new RunFailure('internal', shortened(messageOf(error), 500));
  return readModelFailure(error, models.main, [harness.apiKey]).failure;
}

class HostedRun {
  readonly #input: RunInput;
  readonly #host: RunHost;
  readonly #service: HostedService;
  readonly #stop: Stop;
  readonly #limits: RunLimits;
  readonly #hash: string;
  readonly #progress: ProgressKeeper;
  /** Undefined: the next leg begins a session. */
  #state: ConversationState | undefined;
  /** Whether the session belongs to this process: what it waits for is known. */
  #isOwn = false;
  /** Whether something goes on in the session, or waits there for us. */
  #isOpen = false;

  constructor(input: RunInput, host: RunHost, service: HostedService, stop: Stop) {
    this.#input = input;
    this.#host = host;
    this.#service = service;
    this.#stop = stop;
    this.#limits = { ...runLimits, ...input.limits };
    this.#hash = hashOf(service);
    this.#progress = new ProgressKeeper(input.progress);
    const { state = input.state, legs, ending } = this.#progress.now;
    this.#state = readState(state, this.#hash);
    this.#isOpen = legs > 0 && ending === null;
  }

  async *carryOut(): AsyncGenerator<RunEvent, RunStatus> {
    let status: RunStatus = 'failed';
    try {
      if (this.#progress.now.openLeg === 'effects') {
        throw new RunFailure(
          'run_interrupted',
          'The run was interrupted in the middle of a turn that had said or done something',
        );
      }
      status = yield* this.#runLegs();
      return status;
    } finally {
      // A turn that waits for a person goes on with his answer; every other one is over for us.
      if (this.#isOpen && status !== 'waiting' && this.#state !== undefined) await this.#cancel(this.#state.session);
    }
  }

  async *#runLegs(): AsyncGenerator<RunEvent, RunStatus> {
    const { budget } = this.#input;
    for (;;) {
      const { ending, messages } = this.#progress.now;
      if (ending !== null) {
        if (!messages.some(({ role, content }) => role === 'assistant' && content !== '')) {
          yield { type: 'warning', code: 'harness_empty_answer', message: 'The agent said nothing' };
        }
        return 'completed';
      }
      const round = yield* this.#progress.follow(runTools(messages, this.#input, this.#host, this.#stop));
      this.#stop.check();
      if (round === 'stopped') return 'cancelled';
      if (round !== 'answered') return round;
      const { legs } = this.#progress.now;
      if (legs >= this.#limits.legs) throw new RunFailure('harness_legs', `The run has had ${this.#limits.legs} legs`);
      budget.checkBeforeLeg();
      yield* this.#progress.follow(this.#runLeg(legs + 1));
      this.#stop.check();
      if (this.#stop.cancelled) return 'cancelled';
    }
  }

  async *#runLeg(number: number): AsyncGenerator<RunEvent, void> {
    yield { type: 'leg.started', leg: number };
    const reader = new LegReader(number, this.#input, this.#service.provider);
    try {
      for await (const event of this.#openLeg()) {
        this.#isOpen = true;
        if (event.type === 'session') {
          const { session } = event;
          const isSame = this.#state?.session.id === session.id;
          const counted = isSame ? this.#counted : noTokens;
          this.#state = { session, hash: this.#hash, seen: lastIdsOf(this.#input), counted };
          continue;
        }
        yield* reader.read(event, this.#counted);
      }
    } catch (error) {
      yield* reader.breakOff();
      // Whatever broke because the connection was closed, it was us who closed it.
      if (this.#stop.signal.aborted) return;
      throw error;
    }
    this.#isOwn = true;
    this.#isOpen = reader.hasCalls;
    const state = this.#state && {
      ...this.#state,
      seen: lastIdsOf(this.#input),
      counted: reader.counted ?? this.#counted,
    };
    this.#state = state;
    yield* reader.end(state);
  }

  get #counted() {
    return this.#state?.counted ?? noTokens;
  }

  /** Opens a leg, with as many tries as a model call has. Once something came of it, it is not begun again. */
  async *#openLeg(): AsyncGenerator<HostedEvent, void> {
    const { retryMs, maxRetryAfterMs } = this.#limits;
    const { signal } = this.#stop;
    for (let retry = 0; ; retry++) {
      let hasBegun = false;
      try {
        for await (const event of await this.#begin()) {
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        const failed = readModelFailure(error, this.#input.models.main, [this.#input.harness.apiKey]);
        // Whether results have arrived is no longer known.
        this.#isOwn = false;
        const pauseMs = retryMs[retry];
        const askedMs = failed.retryAfterMs ?? 0;
        if (hasBegun || signal.aborted || !failed.mayRetry || pauseMs === undefined || askedMs > maxRetryAfterMs) {
          throw failed.failure;
        }
        const waitMs = Math.max(askedMs, pauseMs * (0.8 + 0.4 * Math.random()));
        await (this.#host.wait?.(waitMs, signal) ?? wait(waitMs, signal));
        if (signal.aborted) return;
      }
    }
  }

  /** Goes on with the session of the conversation where that is possible, else begins another one. */
  async #begin(): Promise<AsyncGenerator<HostedEvent, void>> {
    const { signal } = this.#stop;
    const { messages } = this.#progress.now;
    const results = lastResults(messages);
    const state = this.#state;
    if (state !== undefined) {
      const { session } = state;
      if (results !== undefined && (this.#isOwn || (await this.#waitsFor(session, results)))) {
        const given = results.map(({ externalId, result }) => {
          return { externalId, content: result.content, isError: result.errorCode !== undefined };
        });
        return this.#service.answer(session, given, signal);
      }
      const unseen = unseenOf(this.#input, state.seen);
      const view = await this.#service.look(session, signal);
      const isFirst = messages.length === 0 && (this.#input.progress?.legs ?? 0) === 0;
      if (isFirst && unseen !== undefined && view?.status === 'idle') {
        this.#isOpen = true;
        return this.#service.send(session, unseenTexts(unseen), signal);
      }
      if (view !== undefined && view.status !== 'idle') await this.#cancel(session);
      this.#state = undefined;
    }
    return this.#service.start([toTranscript([...this.#input.messages, ...messages], this.#input.facts)], signal);
  }

  async #waitsFor(session: HostedSession, results: readonly { readonly externalId: string }[]): Promise<boolean> {
    const view = await this.#service.look(session, this.#stop.signal);
    return results.every(({ externalId }) => view?.pending.includes(externalId));
  }

  async #cancel(session: HostedSession): Promise<void> {
    // Its own time: the run's signal has often aborted. What cannot be reached is not waited for.
    await this.#service.cancel(session, AbortSignal.timeout(cancelMs)).catch(() => {});
  }
}
