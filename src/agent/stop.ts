import type { Budget } from './budget/budget.ts';
import { RunFailure } from './run-error.ts';

/**
 * What ends a run from outside: its signal, or the time of its budget. The signal of this object aborts for both.
 */
export class Stop implements Disposable {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #budget: Budget;
  readonly #timer: NodeJS.Timeout;
  readonly #abort = () => this.#controller.abort();

  constructor(outer: AbortSignal, budget: Budget) {
    this.#outer = outer;
    this.#budget = budget;
    this.signal = this.#controller.signal;
    budget.startClock();
    // Timers count up to 24 days.
    this.#timer = setTimeout(this.#abort, Math.min(budget.left.seconds * 1_000, 2 ** 31 - 1));
    if (outer.aborted) this.#abort();
    else outer.addEventListener('abort', this.#abort, { once: true });
  }

  get cancelled(): boolean {
    return this.#outer.aborted;
  }

  /** @throws RunFailure `budget_time` when the time is over */
  check(): void {
    if (this.signal.aborted && !this.cancelled) {
      throw new RunFailure('budget_time', `The budget of ${this.#budget.limits.maxSeconds} seconds is used up`);
    }
  }

  /** Waits for a promise, but not longer than the run goes on. */
  async race<T>(promise: Promise<T>): Promise<T | 'stopped'> {
    const { promise: stopped, resolve } = Promise.withResolvers<'stopped'>();
    const stop = () => resolve('stopped');
    if (this.signal.aborted) stop();
    this.signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([promise, stopped]);
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#abort);
    this.#budget.stopClock();
  }
}
