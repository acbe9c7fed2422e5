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

/** Number of cells that are running something now. They share the CPU time of this process. */
let entered = 0;

export interface CellOptions {
  memoryMb: number;
  inspect: boolean;
  /** Whether to record which code runs. */
  coverage: boolean;
  /** V8 lost control of the isolate, or the isolate does not stop: the process has to be killed. */
  onStuck(reason: 'timeout' | 'memory'): void;
}

/** One isolate. It belongs to one program and is never used again once a limit has been exceeded. */
export class Cell {
  readonly isolate: ivm.Isolate;
  readonly memoryMb: number;
  readonly inspect: boolean;
  /** Inspector sessions, of debuggers and of `Coverage`. */
  readonly sessions = new Set<DebuggerSession>();
  /** Set when coverage is recorded. */
  readonly coverage: Coverage | undefined;
  /** Number of contexts created so far. */
  contexts = 0;
  /** Heap and array buffers at the last sample, in bytes. */
  heapBytes = 0;
  onStuck: (reason: 'timeout' | 'memory') => void;
  #base: Promise<ivm.Script>;
  #death: Death | undefined;
  #entries = 0;
  /** Of an isolate with inspector sessions: ends the waiting for each open entry. */
  readonly #waiting = new Set<(error: Error) => void>();
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

  /** Why the cell can no longer be used. An isolate that was disposed of by itself ran into its memory limit. */
  get death(): Death | undefined {
    if (this.#death === undefined && this.isolate.isDisposed) {
      this.#death = 'memory';
      for (const giveUp of this.#waiting) giveUp(new Error('The isolate is gone'));
    }
    return this.#death;
  }

  /** Creates a context with layer, prelude and bridge. @param begin loads the program; without it, the caller does that later */
  async room(preload = '', begin?: (room: Room) => void): Promise<Room> {
    const script = await this.#base;
    this.contexts++;
    // No function code runs during this. If some has found a way to hold the isolate, the isolate is destroyed.
    const guard = new Guard(this.isolate, { cpuMs: loadCpuMs, wallMs: loadWallMs }, () => void this.destroy('cpu'));
    try {
      return await this.ahead(guard, this.entry(Room.open(this, script, preload, begin)));
    } finally {
      guard.stop();
    }
  }

  /** Runs work ahead of invocations. The clocks of its guard stop while an invocation has the isolate. */
  async ahead<T>(guard: Guard, work: Promise<T>): Promise<T> {
    this.#ahead.add(guard);
    if (this.#invoked) guard.pause();
    try {
      return await work;
    } finally {
      this.#ahead.delete(guard);
    }
  }

  /** Whether an invocation has the isolate. */
  set invoked(isInvoked: boolean) {
    this.#invoked = isInvoked;
    for (const guard of this.#ahead) isInvoked ? guard.pause() : guard.resume();
  }

  /** Whether no program code is running. A debugger's evaluation may be. */
  get isIdle(): boolean {
    return this.#entries === 0 && !this.#invoked && this.#ahead.size === 0;
  }

  /** Counts the entries into the isolate, so that `destroy` knows when everything has stopped. */
  async entry<T>(work: Promise<T>): Promise<T> {
    if (this.#entries++ === 0) entered++;
    try {
      return await (this.inspect || this.coverage ? this.#unlessGone(work) : work);
    } finally {
      if (--this.#entries === 0) {
        entered--;
        if (this.#death !== undefined) this.#stopped();
      }
    }
  }

  /**
   * In isolated-vm 7.0.1 the thread of an isolate that runs out of memory locks itself if there is an inspector session, and what was queued
   * behind the task that ran out is never settled.
   */
  #unlessGone<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  async sampleHeap(): Promise<number> {
    const { used_heap_size, externally_allocated_size } = await this.entry(this.isolate.getHeapStatistics());
    this.heapBytes = used_heap_size + externally_allocated_size;
    return this.heapBytes;
  }

  /** Stops whatever runs inside. Resolves when it has stopped; calls `onStuck` if it does not. */
  destroy(death: Death): Promise<void> {
    if (this.#death === undefined) {
      this.#death = death;
      if (!this.isolate.isDisposed) this.#dispose();
      if (this.#entries > 0) this.#awaitStop(death);
    }
    return this.#quiet();
  }

  /**
   * Disposing of an isolate that still has an inspector session deadlocks in isolated-vm 7.0.1: the thread and its memory would be lost, and the
   * next use of the session would hang this process. So running code is stopped first, then the sessions are freed, then the isolate is disposed of.
   */
  #dispose(): void {
    if (this.sessions.size === 0) return this.isolate.dispose();
    // A debugger's evaluation may loop forever. The sample is queued behind it, so that `destroy` notices and stops it.
    if ([...this.sessions].some(({ isBusy }) => isBusy)) void this.sampleHeap().catch(() => {});
    void this.#quiet()
      .then(() => Promise.all([...this.sessions].map((session) => session.free())))
      .then(() => {
        if (!this.isolate.isDisposed) this.isolate.dispose();
      });
  }

  /** Resolves when nothing runs inside. */
  #quiet(): Promise<void> {
    if (this.#entries === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onStopped.push(resolve));
  }

  /**
   * Measures the wait in CPU time: a thread that is waiting for a processor cannot stop, and does no harm. Under a debugger this process's own
   * thread passes on all that the isolate has reported until now, which is CPU time, too.
   */
  #awaitStop(death: Death): void {
    const before = process.cpuUsage();
    const until = monotonicMs() + disposeWaitMs;
    const graceMs = death === 'retired' || this.sessions.size > 0 ? retireGraceCpuMs : disposeGraceCpuMs;
    this.#stopSessions();
    this.#stuckTimer = setInterval(() => {
      this.#stopSessions();
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1_000 < graceMs * entered && monotonicMs() < until) return;
      clearInterval(this.#stuckTimer);
      this.onStuck(death === 'memory' ? 'memory' : 'timeout');
    }, watchdogMs);
  }

  /** Called repeatedly: queued code behind the code that was stopped may loop forever, too. */
  #stopSessions(): void {
    if (this.isolate.isDisposed) return;
    for (const session of this.sessions) session.stopIsolate();
  }

  #stopped(): void {
    clearInterval(this.#stuckTimer);
    for (const resolve of this.#onStopped.splice(0)) resolve();
  }
}
