import type ivm from 'isolated-vm';
import { monotonicMs } from '../../std/index.ts';
import { disposeGraceCpuMs, disposeWaitMs, loadCpuMs, loadWallMs, retireGraceCpuMs, watchdogMs } from '../limits.ts';
import type { Base } from './base.ts';
import { Coverage } from './coverage.ts';
import type { DebuggerSession } from './debugger-session.ts';
import { newIsolate } from './isolate.ts';
import { Room } from './room.ts';
import { Guard } from './watchdog.ts';

export type Death = 'cpu' | 'wall' | 'memory' | 'retired';

/** Cells in which something is under way at this moment: they share what CPU this process gets. */
let entered = 0;

export interface CellOptions {
  memoryMb: number;
  inspect: boolean;
  /** What runs is counted. */
  coverage: boolean;
  /** V8 lost control of the isolate, or it does not stop: only the end of the process helps. */
  onStuck(reason: 'timeout' | 'memory'): void;
}

/** One isolate: made for one program, never used again after a limit was broken. */
export class Cell {
  readonly isolate: ivm.Isolate;
  readonly memoryMb: number;
  readonly inspect: boolean;
  /** Of debuggers and of what counts. */
  readonly sessions = new Set<DebuggerSession>();
  /** Where what runs is counted. */
  readonly coverage: Coverage | undefined;
  /** Contexts made so far. */
  contexts = 0;
  /** Of the last sample: heap and array buffers, in bytes. */
  heapBytes = 0;
  onStuck: (reason: 'timeout' | 'memory') => void;
  #base: Promise<ivm.Script>;
  #death: Death | undefined;
  #entries = 0;
  #stuckTimer: NodeJS.Timeout | undefined;
  #onStopped: (() => void)[] = [];
  readonly #ahead = new Set<Guard>();
  #invoked = false;

  constructor(base: Base, options: CellOptions) {
    this.memoryMb = options.memoryMb;
    this.inspect = options.inspect;
    this.onStuck = options.onStuck;
    this.isolate = newIsolate({
      memoryLimit: options.memoryMb,
      inspector: options.inspect || options.coverage,
      onCatastrophicError: (message) => this.onStuck(/memory/i.test(message) ? 'memory' : 'timeout'),
    });
    this.coverage = options.coverage ? new Coverage(this) : undefined;
    this.#base = base.compile(this.isolate);
    this.#base.catch(() => {});
  }

  /** Why it is of no more use. An isolate that died by itself ran into its memory limit. */
  get death(): Death | undefined {
    if (this.#death === undefined && this.isolate.isDisposed) this.#death = 'memory';
    return this.#death;
  }

  /** A context with layer, prelude and bridge. @param begin loads the program; without it that is done later */
  async room(preload = '', begin?: (room: Room) => void): Promise<Room> {
    const script = await this.#base;
    this.contexts++;
    // Nothing of a function runs meanwhile; should one have found a way to hold the isolate, it is given up.
    const guard = new Guard(this.isolate, { cpuMs: loadCpuMs, wallMs: loadWallMs }, () => void this.destroy('cpu'));
    try {
      return await this.ahead(guard, this.entry(Room.open(this, script, preload, begin)));
    } finally {
      guard.stop();
    }
  }

  /** Work that is done ahead of invocations, with its guard: whose clocks stand still while an invocation has the isolate. */
  async ahead<T>(guard: Guard, work: Promise<T>): Promise<T> {
    this.#ahead.add(guard);
    if (this.#invoked) guard.pause();
    try {
      return await work;
    } finally {
      this.#ahead.delete(guard);
    }
  }

  /** An invocation has the isolate from now on, or has had it. */
  set invoked(isInvoked: boolean) {
    this.#invoked = isInvoked;
    for (const guard of this.#ahead) isInvoked ? guard.pause() : guard.resume();
  }

  /** Nothing of a program is under way; what its debugger evaluates may be. */
  get isIdle(): boolean {
    return this.#entries === 0 && !this.#invoked && this.#ahead.size === 0;
  }

  /** Counts what is under way inside, so that `destroy` knows when it has stopped. */
  async entry<T>(work: Promise<T>): Promise<T> {
    if (this.#entries++ === 0) entered++;
    try {
      return await work;
    } finally {
      if (--this.#entries === 0) {
        entered--;
        if (this.#death !== undefined) this.#stopped();
      }
    }
  }

  async sampleHeap(): Promise<number> {
    const { used_heap_size, externally_allocated_size } = await this.entry(this.isolate.getHeapStatistics());
    this.heapBytes = used_heap_size + externally_allocated_size;
    return this.heapBytes;
  }

  /** Stops whatever runs inside; calls `onStuck` when it does not stop. Resolves when it stopped. */
  destroy(death: Death): Promise<void> {
    if (this.#death === undefined) {
      this.#death = death;
      if (!this.isolate.isDisposed) this.#dispose();
      if (this.#entries > 0) this.#awaitStop(death);
    }
    return this.#quiet();
  }

  /**
   * Disposing of an isolate that still has a session deadlocks isolated-vm 7.0.1: the thread, its memory and, at the session's next use, this
   * process would hang. So what runs is stopped first, then the sessions are freed, then the isolate goes.
   */
  #dispose(): void {
    if (this.sessions.size === 0) return this.isolate.dispose();
    // What a debugger evaluates may run without end, too: behind it this look waits, and so `destroy` stops it.
    if ([...this.sessions].some(({ isBusy }) => isBusy)) void this.sampleHeap().catch(() => {});
    void this.#quiet()
      .then(() => Promise.all([...this.sessions].map((session) => session.free())))
      .then(() => {
        if (!this.isolate.isDisposed) this.isolate.dispose();
      });
  }

  /** Resolves when nothing runs inside any more. */
  #quiet(): Promise<void> {
    if (this.#entries === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onStopped.push(resolve));
  }

  /** Judged by the CPU it could use: a thread that waits for a processor cannot stop, and does no harm. */
  #awaitStop(death: Death): void {
    const before = process.cpuUsage();
    const until = monotonicMs() + disposeWaitMs;
    const graceMs = death === 'retired' ? retireGraceCpuMs : disposeGraceCpuMs;
    this.#stopSessions();
    this.#stuckTimer = setInterval(() => {
      this.#stopSessions();
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1_000 < graceMs * entered && monotonicMs() < until) return;
      clearInterval(this.#stuckTimer);
      this.onStuck(death === 'memory' ? 'memory' : 'timeout');
    }, watchdogMs);
  }

  /** Again and again: what waited behind the first to be stopped may run without end, too. */
  #stopSessions(): void {
    if (this.isolate.isDisposed) return;
    for (const session of this.sessions) session.stopIsolate();
  }

  #stopped(): void {
    clearInterval(this.#stuckTimer);
    for (const resolve of this.#onStopped.splice(0)) resolve();
  }
}
