import { monotonicMs } from './monotonic.ts';

/** Time as it is handed in. Data, cron and expiry follow `now`; limits and retries follow `monotonic`. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, as the workspace sees them. */
  now(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => monotonicMs() };

/** A clock that can be turned: for `fn clock`, and for tests. */
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

  /** How far this clock is ahead of the machine's, in milliseconds: exactly 0 while it was not turned. */
  get offsetMs(): number {
    // Not the difference of two readings: the machine's clock may tick between them.
    return this.#fixedMs === undefined ? this.#offsetMs : this.now() - this.#base.now();
  }

  /** Where this clock stands; undefined while it runs. */
  get stoppedAtMs(): number | undefined {
    return this.#fixedMs === undefined ? undefined : this.now();
  }

  /** Goes on running from `nowMs`. */
  set(nowMs: number): void {
    this.#fixedMs = undefined;
    this.#offsetMs = nowMs - this.#base.now();
    this.#turned();
  }

  /** Stands still at `nowMs` until it is set or advanced. */
  stop(nowMs: number): void {
    this.#fixedMs = nowMs;
    this.#offsetMs = 0;
    this.#turned();
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
    this.#turned();
  }

  /** Hears whenever the clock is turned. Gives back how to stop that. */
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
