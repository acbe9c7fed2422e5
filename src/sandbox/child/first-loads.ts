import { availableParallelism } from 'node:os';
import { firstLoadMs } from '../limits.ts';

const atOnce = availableParallelism();

/**
 * The first loads of programs, in order and a few at a time: compiling and evaluating a program fills a core, so more at once would all end
 * late. One that takes long probably waits for something, so it no longer counts.
 */
export class FirstLoads {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #settled: (() => void)[] = [];

  /** Waits for its turn. @returns to be called at the end of the load */
  async turn(): Promise<() => void> {
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      this.#next();
    };
    const timer = setTimeout(end, firstLoadMs);
    return end;
  }

  /** Calls back when no first load is running or waiting: what only later invocations need should not slow them down. */
  whenSettled(then: () => void): void {
    if (this.#running === 0) then();
    else this.#settled.push(then);
  }

  /** Hands the place on, or frees it. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#running--;
    if (this.#running > 0) return;
    const settled = this.#settled;
    this.#settled = [];
    for (const then of settled) then();
  }
}
