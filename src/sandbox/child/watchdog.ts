import type { Isolate } from 'isolated-vm';
import { watchdogMs } from '../limits.ts';

/**
 * Watches the clocks of what runs. isolated-vm's own `timeout` covers one entry only, and not what follows an await;
 * so CPU and wall clock are polled from outside.
 */
export class Guard {
  readonly #isolate: Isolate;
  readonly #cpuMs: number;
  readonly #wallMs: number;
  readonly #startedAt = performance.now();
  readonly #cpuAtStart: bigint;
  readonly #broken: (limit: 'cpu' | 'wall') => void;
  #pausedAt: number | undefined;
  #pausedMs = 0;

  constructor(isolate: Isolate, limits: { cpuMs: number; wallMs: number }, broken: (limit: 'cpu' | 'wall') => void) {
    this.#isolate = isolate;
    this.#cpuMs = limits.cpuMs;
    this.#wallMs = limits.wallMs;
    this.#cpuAtStart = isolate.cpuTime;
    this.#broken = broken;
    guards.add(this);
    interval ??= setInterval(checkAll, watchdogMs);
  }

  /** Time spent, without the time that a debugger held it. */
  get wallMs(): number {
    const now = this.#pausedAt ?? performance.now();
    return now - this.#startedAt - this.#pausedMs;
  }

  get cpuMs(): number {
    return this.#isolate.isDisposed ? this.#lastCpuMs : Number(this.#isolate.cpuTime - this.#cpuAtStart) / 1e6;
  }
  #lastCpuMs = 0;

  get remainingWallMs(): number {
    return Math.max(1, Math.ceil(this.#wallMs - this.wallMs));
  }

  /** A debugger stopped it: its clock stands still until `resume`. */
  pause(): void {
    this.#pausedAt ??= performance.now();
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#pausedMs += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  stop(): void {
    this.#lastCpuMs = this.cpuMs;
    guards.delete(this);
    if (guards.size === 0) {
      clearInterval(interval);
      interval = undefined;
    }
  }

  check(): void {
    if (this.#isolate.isDisposed) return;
    this.#lastCpuMs = this.cpuMs;
    if (this.#lastCpuMs > this.#cpuMs) this.#broken('cpu');
    else if (this.wallMs > this.#wallMs) this.#broken('wall');
  }
}

const guards = new Set<Guard>();
let interval: NodeJS.Timeout | undefined;

function checkAll(): void {
  for (const guard of guards) guard.check();
}
