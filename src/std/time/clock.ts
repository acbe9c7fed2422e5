import { monotonicMs } from './monotonic.ts';

/** A source of time. Data, cron and expiry follow `now`; limits and retries follow `monotonic`. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, as the workspace sees them. */
  now(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => monotonicMs() };

/** A clock that can be set, for `fn clock` and for tests. */
export class TurnableClock implements Clock {
  #offsetMs = 0;
  #fixedMs: number | undefined;
  readonly #base: Clock;
  readonly #listeners = new Set<() => void>();

  constructor(base: Clock = systemClock) {
    this.#base = base;
  }

  now(): number {
    return (this.#fixedMs ?? this.#base.now()) + this.#offsetMs;
  }

  monotonic(): number {
    return this.#base.monotonic();
  }

  /** How far this clock is ahead of the machine's, in milliseconds; exactly 0 unless it was set. */
  get offsetMs(): number {
    // Not the difference of two readings: the machine's clock may tick between them.
    return this.#fixedMs === undefined ? this.#offsetMs : this.now() - this.#base.now();
  }

  /** The time at which this clock is stopped; undefined while it runs. */
  get stoppedAtMs(): number | undefined {
    return this.#fixedMs === undefined ? undefined : this.now();
  }

  /** Continues to run from `nowMs`. */
  set(nowMs: number): void {
    this.#fixedMs = undefined;
    this.#offsetMs = nowMs - this.#base.now();
    this.#turned();
  }

  /** Stops at `nowMs` until it is set or advanced. */
  stop(nowMs: number): void {
    this.#fixedMs = nowMs;
    this.#offsetMs = 0;
    this.#turned();
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
    this.#turned();
  }

  /** Calls the listener whenever the clock is set. Returns a function that unsubscribes. */
  onTurn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #turned(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** RFC 3339 in UTC with milliseconds, the only form of time on the wire. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
