import { monotonicMs } from '../../std/index.ts';

/** At most this much of a pause counts: a suspended machine, or this process being busy, is not the delay of the thing that is waited for. */
const tickMs = 500;
const mostTickMs = 2 * tickMs;

/** Waits for several things at once, with the same time limit for each. Does not keep the process alive. */
export class Patience<Thing> {
  readonly #ms: number;
  readonly #over: (thing: Thing) => void;
  /** How long each has been waited for, in milliseconds. */
  readonly #waited = new Map<Thing, number>();
  #interval: NodeJS.Timeout | undefined;
  #lastTick = 0;

  /** @param over called once for each thing that did not come in time, after it has been removed */
  constructor(ms: number, over: (thing: Thing) => void) {
    this.#ms = ms;
    this.#over = over;
  }

  with(thing: Thing): void {
    this.#waited.set(thing, 0);
    if (this.#interval) return;
    this.#lastTick = monotonicMs();
    this.#interval = setInterval(() => this.#tick(), Math.min(tickMs, this.#ms)).unref();
  }

  forget(thing: Thing): void {
    this.#waited.delete(thing);
    if (this.#waited.size === 0) this.end();
  }

  end(): void {
    clearInterval(this.#interval);
    this.#interval = undefined;
    this.#waited.clear();
  }

  #tick(): void {
    const now = monotonicMs();
    const passed = Math.min(now - this.#lastTick, mostTickMs);
    this.#lastTick = now;
    for (const [thing, before] of [...this.#waited]) {
      const waited = before + passed;
      if (waited < this.#ms) this.#waited.set(thing, waited);
      else {
        this.forget(thing);
        this.#over(thing);
      }
    }
  }
}
