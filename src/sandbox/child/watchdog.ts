import type { Isolate } from 'isolated-vm';
import { monotonicMs } from '../../std/index.ts';
import { watchdogMs } from '../limits.ts';

/**
 * Enforces the time limits from outside. isolated-vm's own `timeout` covers a single entry only, and on a busy machine it
 * mistakes a thread that has not run yet for one that cannot be stopped.
 *
 * The wall clock starts with the isolate and skips time in which this process did not run, so that only the function can
 * exceed a limit, never the machine.
 */
export class Guard {
  readonly #isolate: Isolate;
  readonly #cpuMs: number;
  readonly #wallMs: number;
  #cpuAtStart: bigint;
  /** The isolate's `wallTime` at the start; undefined once the isolate has been entered. */
  #enteredBefore: bigint | undefined;
  readonly #broken: (limit: 'cpu' | 'wall') => void;
  #startedAt = monotonicMs();
  #pausedAt: number | undefined;
  #cpuWhenPaused = 0n;
  #pausedMs = 0;
  #lastCpuMs = 0;
  /** Whether the last check read more CPU time than allowed. */
  #overCpu = false;
  /** Time that this process's own thread spent on synchronous calls for it. */
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

  /** Elapsed time, without pauses by a debugger or time in which the machine did not run it. */
  get wallMs(): number {
    const now = this.#pausedAt ?? monotonicMs();
    return Math.max(0, now - this.#startedAt - this.#pausedMs);
  }

  get cpuMs(): number {
    if (this.#isolate.isDisposed) return this.#lastCpuMs;
    const used = this.#pausedAt === undefined ? this.#isolate.cpuTime : this.#cpuWhenPaused;
    return Number(used - this.#cpuAtStart) / 1e6 + this.#servedMs;
  }

  /** Adds the time of a synchronous call that ran on this thread. */
  served(ms: number): void {
    this.#servedMs += ms;
  }

  /** Stops the clocks until `resume`: a debugger has paused it, or something else has the isolate. */
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

  /** @param lateMs how much of the time since the last check does not count */
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
    // A single reading can be wrong: the counter belongs to another thread, which may just enter or leave the isolate.
    const confirmed = this.#overCpu;
    this.#overCpu = this.#lastCpuMs > this.#cpuMs;
    if (this.#overCpu && confirmed) this.#broken('cpu');
    else if (this.wallMs > this.#wallMs) this.#broken('wall');
  }
}

const guards = new Set<Guard>();
let interval: NodeJS.Timeout | undefined;
let lastCheck = 0;
/** Consecutive checks without anything running. After a number of them checking stops; until then another invocation is likely to follow. */
let idleChecks = 0;
const mostIdleChecks = 50;

let held = false;

/** While a debugger has a program paused, its callers are waiting for a person, so all wall clocks stop. */
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
