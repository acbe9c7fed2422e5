import type { Isolate } from 'isolated-vm';
import { monotonicMs } from '../../std/index.ts';
import { watchdogMs } from '../limits.ts';

/**
 * Watches the clocks of what runs, from outside: isolated-vm's own `timeout` covers one entry only, and on a busy machine
 * it takes a thread that has not run yet for one that cannot be stopped.
 *
 * The wall clock starts when the isolate does, and counts no time in which this process did not run: a limit is broken by
 * the function, never by the machine.
 */
export class Guard {
  readonly #isolate: Isolate;
  readonly #cpuMs: number;
  readonly #wallMs: number;
  #cpuAtStart: bigint;
  /** How long the isolate had been entered when this began; undefined once it has been entered since. */
  #enteredBefore: bigint | undefined;
  readonly #broken: (limit: 'cpu' | 'wall') => void;
  #startedAt = monotonicMs();
  #pausedAt: number | undefined;
  #cpuWhenPaused = 0n;
  #pausedMs = 0;
  #lastCpuMs = 0;
  /** What this process's own thread did for it, at its call, while it waited. */
  #servedMs = 0;
  #servedBefore = 0;

  constructor(isolate: Isolate, limits: { cpuMs: number; wallMs: number }, broken: (limit: 'cpu' | 'wall') => void) {
    this.#isolate = isolate;
    this.#cpuMs = limits.cpuMs;
    this.#wallMs = limits.wallMs;
    this.#cpuAtStart = isolate.cpuTime;
    this.#enteredBefore = isolate.wallTime;
    this.#broken = broken;
    guards.add(this);
    idleChecks = 0;
    if (interval !== undefined) return;
    lastCheck = this.#startedAt;
    interval = setInterval(checkAll, watchdogMs);
  }

  /** Time spent, without the time that a debugger held it or the machine did not run it. */
  get wallMs(): number {
    const now = this.#pausedAt ?? monotonicMs();
    return Math.max(0, now - this.#startedAt - this.#pausedMs);
  }

  get cpuMs(): number {
    if (this.#isolate.isDisposed) return this.#lastCpuMs;
    const used = this.#pausedAt === undefined ? this.#isolate.cpuTime : this.#cpuWhenPaused;
    return Number(used - this.#cpuAtStart) / 1e6 + this.#servedMs;
  }

  /** A synchronous call of its own held this thread for so long. */
  served(ms: number): void {
    this.#servedMs += ms;
  }

  /** A debugger stopped it, or something else has the isolate: its clocks stand still until `resume`. */
  pause(): void {
    if (this.#pausedAt !== undefined || this.#isolate.isDisposed) return;
    this.#pausedAt = monotonicMs();
    this.#cpuWhenPaused = this.#isolate.cpuTime;
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#pausedMs += monotonicMs() - this.#pausedAt;
    this.#pausedAt = undefined;
    if (!this.#isolate.isDisposed) this.#cpuAtStart += this.#isolate.cpuTime - this.#cpuWhenPaused;
  }

  stop(): void {
    this.#lastCpuMs = this.cpuMs;
    guards.delete(this);
  }

  /** @param lateMs how much of the time since the last look is none of its own */
  check(now: number, lateMs: number): void {
    if (this.#isolate.isDisposed) return;
    if (this.#enteredBefore !== undefined) {
      if (this.#isolate.wallTime === this.#enteredBefore) this.#startedAt = now;
      else this.#enteredBefore = undefined;
    }
    const othersMs = Math.max(0, lateMs - (this.#servedMs - this.#servedBefore));
    this.#servedBefore = this.#servedMs;
    if (this.#pausedAt === undefined) this.#pausedMs += Math.min(othersMs, now - this.#startedAt);
    this.#lastCpuMs = this.cpuMs;
    if (this.#lastCpuMs > this.#cpuMs) this.#broken('cpu');
    else if (this.wallMs > this.#wallMs) this.#broken('wall');
  }
}

const guards = new Set<Guard>();
let interval: NodeJS.Timeout | undefined;
let lastCheck = 0;
/** Looks at which nothing ran: after so many they end, since most invocations follow another one closely. */
let idleChecks = 0;
const mostIdleChecks = 50;

let held = false;

/** While a debugger holds a program, those that called it wait for a person: no wall clock goes on. */
export function holdClocks(hold: boolean): void {
  held = hold;
}

function checkAll(): void {
  if (guards.size === 0 && ++idleChecks > mostIdleChecks) {
    clearInterval(interval);
    interval = undefined;
    return;
  }
  const now = monotonicMs();
  const lateMs = now - lastCheck - watchdogMs;
  const othersMs = held ? now - lastCheck : lateMs > watchdogMs ? lateMs : 0;
  lastCheck = now;
  for (const guard of guards) guard.check(now, othersMs);
}
