import type { Input } from '../../contract/index.ts';
import { FnError, wait } from '../../std/index.ts';

type Attempt = NonNullable<Input<'listeners.ack'>['attempts']>[number];
/** What a listener tells its workspace: how far it has got, and what became of events. */
type Ack = Pick<Input<'listeners.ack'>, 'cursor' | 'attempts'>;

const maxAtOnce = 50;
const retryMs = 1_000;

/**
 * Tells a workspace what a listener has done, in order, and again if it cannot be reached. What was told is not repeated; what was not, is known
 * to the workspace as not done.
 */
export class Acknowledger {
  readonly #send: (ack: Ack, signal: AbortSignal) => Promise<unknown>;
  readonly #onProblem: (error: unknown) => void;
  readonly #stop = new AbortController();
  #attempts: Attempt[] = [];
  #cursor: string | undefined;
  #running: Promise<void> | undefined;

  /** @param onProblem the workspace refuses something, so that telling it again is of no use */
  constructor(send: (ack: Ack, signal: AbortSignal) => Promise<unknown>, onProblem: (error: unknown) => void) {
    this.#send = send;
    this.#onProblem = onProblem;
  }

  add(attempts: readonly Attempt[], cursor: string | undefined): void {
    this.#attempts.push(...attempts);
    this.#cursor = cursor ?? this.#cursor;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Tells what is left, for at most so long. */
  async close(maxMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), maxMs);
    await this.#running;
    clearTimeout(timer);
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted && (this.#attempts.length > 0 || this.#cursor !== undefined)) {
      const attempts = this.#attempts.slice(0, maxAtOnce);
      // The cursor stands behind all attempts, so it goes with the last of them.
      const cursor = attempts.length === this.#attempts.length ? this.#cursor : undefined;
      try {
        await this.#send({ attempts, ...(cursor !== undefined && { cursor }) }, signal);
        if (this.#cursor === cursor) this.#cursor = undefined;
      } catch (error) {
        if (signal.aborted) return;
        if (isPassing(error)) {
          await wait(retryMs, signal);
          continue;
        }
        this.#onProblem(error);
        // The cursor is told once more, without these attempts.
        if (attempts.length === 0) this.#cursor = undefined;
      }
      this.#attempts.splice(0, attempts.length);
    }
  }
}

/** The workspace is away or busy, or nobody knows whether it was told: an attempt that is recorded twice does no harm. */
function isPassing(error: unknown): boolean {
  return error instanceof FnError && (error.exitCode === 7 || error.exitCode === 8);
}
