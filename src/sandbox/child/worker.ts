import type ivm from 'isolated-vm';
import { monotonicMs } from '../../std/index.ts';
import {
  contextsPerIsolate,
  loadCpuMs,
  loadWallMs,
  readyContexts,
  renewHeapShare,
  sampledWallMs,
  sampleEveryMs,
} from '../limits.ts';
import type { FromChildDone, ToChildInvoke, WireLine } from '../protocol.ts';
import type { Setup } from '../setup.ts';
import type { Limits } from '../types.ts';
import { ownFile } from './base.ts';
import type { Cell } from './cell.ts';
import { failureOf, resultBytesOf } from './failure.ts';
import { Habits } from './habits.ts';
import type { Nursery } from './nursery.ts';
import type { Room } from './room.ts';
import { type End, type Outside, Session } from './session.ts';
import { Guard } from './watchdog.ts';

export interface ChildProgram {
  readonly id: string;
  /** File name of the script inside the isolate; stack frames are mapped by it. */
  readonly url: string;
  /** Calls the bridge's `__begin` with the program. */
  readonly script: string;
}

export interface WorkerEvents {
  outside(invocation: number): Outside;
  /** The first room is ready, or could not be created. */
  opened(): void;
  /** The child must be killed. `session` is what runs in the isolate that does not stop; undefined if that was given up before. */
  stuck(reason: 'timeout' | 'memory', session: Session | undefined): void;
  /** A cell came into use, or was given up. For the debugger. */
  cell(cell: Cell | undefined): void;
  session(session: Session | undefined): void;
}

type Loaded = { room: Room } | { end: End; logs: WireLine[] };

/** An invocation that arrived while another one was running. */
interface Waiting {
  readonly invocation: number;
  begin(): void;
  /** Leaves the queue without running. */
  leave(): void;
}

/** How long a described program waits for its first invocation before it prepares rooms for more. */
const afterDescribingMs = 15;

const cancelled: End = { status: 'died', death: 'retired' };

/** Runs one program in one isolate, one invocation at a time. Replaces the isolate when it is worn out or broken. */
export class Worker {
  readonly program: ChildProgram;
  readonly #nursery: Nursery;
  readonly #events: WorkerEvents;
  #memoryMb: number;
  #cell: Cell | undefined;
  #script: ivm.Script | undefined;
  readonly #ready: Room[] = [];
  #warm: Room | undefined;
  /** A room in which nothing has run yet. */
  #unused: Room | undefined;
  /** The room that is being created. Rooms are created one after another. */
  #making: Promise<void> | undefined;
  #session: Session | undefined;
  #draining: Promise<void> | undefined;
  #busy = false;
  readonly #line: Waiting[] = [];
  /** An invocation that is waiting for its room, and whether it has been cancelled. */
  #beginning: { readonly invocation: number; cancelled: boolean } | undefined;
  #setup: { readonly text: string; readonly setup: Setup } | undefined;
  #opened = false;
  #closed = false;
  /** Number of invocations that followed each other closely. */
  #rapid = 0;
  #lastEnd = 0;
  #lastWarm = false;
  #sampledAt = 0;
  #lastHeapBytes = 0;
  readonly #habits = new Habits();
  #refillDue = false;
  #refillTimer: NodeJS.Immediate | undefined;
  #restTimer: NodeJS.Timeout | undefined;

  readonly #inspected: boolean;

  constructor(program: ChildProgram, memoryMb: number, nursery: Nursery, inspected: boolean, events: WorkerEvents) {
    this.program = program;
    this.#inspected = inspected;
    this.#memoryMb = memoryMb;
    this.#nursery = nursery;
    this.#events = events;
  }

  /** What runs now: an invocation, or the loading of a room. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Runs an invocation after the earlier ones. @returns undefined if it was recalled before it began */
  async invoke(
    message: ToChildInvoke,
    body: Uint8Array | undefined,
    started: (session: Session) => void,
  ): Promise<FromChildDone | undefined> {
    if (this.#busy && !(await this.#turn(message.invocation))) return undefined;
    this.#busy = true;
    try {
      return await this.#invoke(message, body, started);
    } finally {
      this.#free();
    }
  }

  /** Whether more than one invocation is waiting. */
  get hasLine(): boolean {
    return this.#line.length > 1;
  }

  /** Lets the next waiting invocation begin. */
  #free(): void {
    const next = this.#line.shift();
    if (next) next.begin();
    else this.#busy = false;
  }

  /** Takes an invocation back. @returns whether it had not begun, and now will not */
  recall(invocation: number): boolean {
    const at = this.#line.findIndex((waiting) => waiting.invocation === invocation);
    const [waiting] = at < 0 ? [] : this.#line.splice(at, 1);
    waiting?.leave();
    return waiting !== undefined;
  }

  /** Cancels the preparation of an invocation. @returns false if it runs already: then its session has to be stopped */
  cancel(invocation: number): boolean {
    if (this.#beginning?.invocation !== invocation) return false;
    this.#beginning.cancelled = true;
    this.#session?.stop('retired');
    return true;
  }

  #setupOf({ setup: text }: ToChildInvoke): Setup {
    if (this.#setup?.text !== text) this.#setup = { text, setup: JSON.parse(text) };
    return this.#setup.setup;
  }

  #turn(invocation: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#line.push({ invocation, begin: () => resolve(true), leave: () => resolve(false) });
    });
  }

  async #invoke(
    message: ToChildInvoke,
    body: Uint8Array | undefined,
    started: (session: Session) => void,
  ): Promise<FromChildDone> {
    const { invocation, warm } = message;
    const { limits, clockOffsetMs } = this.#setupOf(message);
    if (limits.memoryMb !== this.#memoryMb) {
      this.#memoryMb = limits.memoryMb;
      this.#discard();
    }
    const beginning = { invocation, cancelled: false };
    this.#beginning = beginning;
    const loaded = await this.#take(warm, limits.wallMs);
    this.#beginning = undefined;
    if ('end' in loaded) return { ...this.#done(invocation, loaded.end), loadLogs: loaded.logs };
    const { room } = loaded;
    if (beginning.cancelled) {
      if (!warm) this.#ready.push(room);
      return this.#done(invocation, cancelled);
    }
    const outside = this.#events.outside(invocation);
    const session = new Session(room, invocation, limits, clockOffsetMs, outside);
    this.#serve(session);
    started(session);
    // The room was loaded for this invocation, even if in advance, so unhandled rejections of the load are reported with it.
    for (const line of room.loadRejections.splice(0)) outside.log(line);
    room.cell.invoked = true;
    session.invoke(message.setup, message.argument, body);
    const end = await session.ended;
    room.cell.invoked = false;
    this.#serve(undefined);
    if (!warm) this.#habits.learn(room.used);
    if (end.status === 'ok') this.#nursery.learn(room.cell, room.used);
    await this.#sample(session);
    const coverage = await room.cell.coverage?.take(this.program.url);
    this.#after(room, warm, session);
    return { ...this.#done(invocation, end, session, limits), ...(coverage && { coverage }) };
  }

  /** Loads the program and reads its exports. The room is kept for the first invocation. */
  async describe(invocation: number): Promise<FromChildDone> {
    this.#busy = true;
    try {
      return await this.#describe(invocation);
    } finally {
      this.#free();
      // An invocation is likely to follow at once; it must not wait for rooms that only later ones need.
      this.#restTimer = setTimeout(() => this.prepare(), afterDescribingMs);
    }
  }

  async #describe(invocation: number): Promise<FromChildDone> {
    const loaded = await this.#take(false, loadWallMs);
    if ('end' in loaded) return { ...this.#done(invocation, loaded.end), loadLogs: loaded.logs };
    const { room } = loaded;
    const limits = {
      wallMs: loadWallMs,
      cpuMs: loadCpuMs,
      memoryMb: this.#memoryMb,
      resultBytes: 1024 * 1024,
      bodyBytes: 0,
      logLines: 0,
      logBytes: 0,
      pendingCalls: 0,
    };
    const session = new Session(room, invocation, limits, 0);
    this.#serve(session);
    session.describe({ limits, clockOffsetMs: 0 });
    const end = await session.ended;
    this.#serve(undefined);
    // Now, not with the first invocation: if that has another memory limit, this room is discarded unused.
    const coverage = await room.cell.coverage?.take(this.program.url);
    if (end.status === 'ok') this.#ready.unshift(room);
    else this.#after(room, false, session);
    return { ...this.#done(invocation, end, session), loadLogs: room.loadLogs, ...(coverage && { coverage }) };
  }

  /** Creates rooms ahead of invocations. */
  prepare(): void {
    clearTimeout(this.#restTimer);
    if (this.#refillDue) return;
    this.#refillDue = true;
    const refill = () => {
      this.#refillDue = false;
      void this.#refill();
    };
    // Rooms for later invocations do not slow down the first ones of other programs.
    this.#refillTimer = setImmediate(() => (this.#cell ? this.#nursery.firstLoads.whenSettled(refill) : refill()));
  }

  #serve(session: Session | undefined): void {
    this.#session = session;
    this.#events.session(session);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#restTimer);
    clearImmediate(this.#refillTimer);
    this.#discard();
  }

  async #take(warm: boolean, wallMs: number): Promise<Loaded> {
    await this.#draining;
    for (;;) {
      if (this.#cell?.death) this.#discard();
      const room = (warm ? this.#warm : undefined) ?? this.#ready.pop();
      if (room) return this.#taken(room, warm);
      if (this.#beginning?.cancelled) return { end: cancelled, logs: [] };
      // Waits for a room that is being created: two at once would take longer than one after the other.
      if (this.#making) await this.#making;
      else break;
    }
    const loaded = await this.#make(wallMs);
    return 'room' in loaded ? this.#taken(loaded.room, warm) : loaded;
  }

  #taken(room: Room, warm: boolean): Loaded {
    if (warm) this.#warm = room;
    return { room };
  }

  async #make(wallMs: number): Promise<Loaded> {
    if (this.#cell) return await this.#makeRoom(wallMs);
    const end = await this.#nursery.firstLoads.turn();
    try {
      if (this.#closed || this.#beginning?.cancelled) return { end: cancelled, logs: [] };
      return await this.#makeRoom(wallMs);
    } finally {
      end();
    }
  }

  async #makeRoom(wallMs: number): Promise<Loaded> {
    const allowedMs = Math.min(loadWallMs, Math.max(wallMs, 2_000));
    const limits = { cpuMs: Math.min(loadCpuMs, allowedMs), wallMs: allowedMs };
    let loading: { room: Room; session: Session };
    try {
      loading = await this.#load(limits);
    } catch (error) {
      const death = this.#cell?.death;
      this.#serve(undefined);
      this.#discard();
      return { end: death ? { status: 'died', death } : { status: 'error', json: notCompiled(error) }, logs: [] };
    }
    const { room, session } = loading;
    const end = await room.cell.ahead(session.guard, session.ended);
    this.#serve(undefined);
    room.loadLogs = session.logs;
    room.loadRejections = session.rejections;
    if (end.status === 'ok' && !room.cell.death) return { room };
    if (end.status === 'died') this.#discard();
    else room.close();
    return { end, logs: session.logs };
  }

  /** Starts loading the program into the unused room, or into a new one. */
  async #load(limits: { cpuMs: number; wallMs: number }): Promise<{ room: Room; session: Session }> {
    const { cell, script, blank } = await this.#blank();
    const begin = (room: Room) => {
      const session = new Session(room, 0, limits, 0);
      this.#serve(session);
      session.load(script);
      return session;
    };
    if (blank) return { room: blank, session: begin(blank) };
    let session: Session | undefined;
    const room = await cell.room(this.#habits.parts, (opened) => {
      session = begin(opened);
    });
    if (!session) throw new Error('a room in which nothing began');
    return { room, session };
  }

  /** A cell with the program's script and, if there is one, a room in which nothing has run yet. */
  async #blank(): Promise<{ cell: Cell; script: ivm.Script; blank: Room | undefined }> {
    let blank = this.#unused;
    this.#unused = undefined;
    if (!this.#cell) {
      const newborn = await this.#nursery.take(this.#memoryMb);
      blank = newborn.room;
      this.#cell = newborn.cell;
      await newborn.cell.coverage?.begun;
      newborn.cell.onStuck = (reason) =>
        this.#events.stuck(reason, this.#session?.cell === newborn.cell ? this.#session : undefined);
      this.#script = await newborn.cell.entry(
        newborn.cell.isolate.compileScript(this.program.script, { filename: this.program.url }),
      );
      this.#events.cell(newborn.cell);
    }
    const script = this.#script;
    if (!script) throw new Error('a cell without its script');
    return { cell: this.#cell, script, blank };
  }

  async #refill(): Promise<void> {
    if (this.#inspected) {
      await this.#showScript();
      return;
    }
    const want = this.#warm && this.#lastWarm ? 0 : this.#rapid > 4 ? readyContexts.busy : readyContexts.idle;
    if (this.#closed || this.#making || this.#busy || this.#ready.length >= want) return;
    if (this.#cell?.death) this.#discard();
    this.#making = this.#makeReady();
    await this.#making;
    this.#making = undefined;
    if (!this.#opened) this.#events.opened();
    this.#opened = true;
    this.#nursery.prepare();
  }

  /**
   * A debugger has to see the script before it runs, to set breakpoints. But nothing may run ahead of an invocation: a
   * breakpoint would stop it with nobody waiting.
   */
  async #showScript(): Promise<void> {
    if (this.#closed || this.#making || this.#busy || this.#cell) return;
    this.#making = this.#blank()
      .then(async ({ cell, script, blank }) => {
        this.#unused = blank ?? (await cell.room());
        // V8 reports a script once it has run in an inspected context; here it runs without calling the program.
        const scratch = await cell.isolate.createContext({ inspector: true });
        await scratch.eval('globalThis.__begin = () => {};0', { filename: ownFile });
        await script.run(scratch);
      })
      .catch(() => this.#discard());
    await this.#making;
    this.#making = undefined;
  }

  /** Prepares one more room. A failed load is not reported: the next invocation loads the program again and says why. */
  async #makeReady(): Promise<void> {
    const loaded = await this.#make(loadWallMs).catch(() => undefined);
    if (!loaded || 'end' in loaded) return;
    if (this.#closed) return loaded.room.close();
    this.#ready.push(loaded.room);
    this.prepare();
  }

  /**
   * Samples the heap after the first and after longer invocations. After short ones it is sampled now and then, and none of them waits for the
   * figure.
   */
  async #sample(session: Session): Promise<void> {
    const cell = this.#cell;
    if (!cell || cell.death) return;
    const waits = session.guard.wallMs >= sampledWallMs || cell.heapBytes === 0;
    const now = monotonicMs();
    if (!waits && now - this.#sampledAt < sampleEveryMs) return;
    this.#sampledAt = now;
    const sampling = cell.sampleHeap().catch(() => 0);
    if (waits) await sampling;
  }

  #after(room: Room, warm: boolean, session: Session): void {
    const now = monotonicMs();
    this.#rapid = now - this.#lastEnd < 50 ? this.#rapid + 1 : 0;
    this.#lastEnd = now;
    this.#lastWarm = warm;
    const { cell } = room;
    if (
      cell.death ||
      cell.contexts >= contextsPerIsolate ||
      cell.heapBytes > renewHeapShare * cell.memoryMb * 1024 * 1024
    ) {
      if (!this.#inspected || cell.death) this.#discard();
    } else if (!warm) room.close();
    else if (session.leftOpen) this.#draining = this.#drain(room);
    this.prepare();
  }

  /** Rejects, in a warm context, the operations that a finished invocation left open, before the next one begins. */
  async #drain(room: Room): Promise<void> {
    const guard = new Guard(room.cell.isolate, { cpuMs: 500, wallMs: 5_000 }, () => {
      if (this.#cell === room.cell) this.#discard();
    });
    // Rejections of the function's own handlers are ignored by now.
    await room.enter('drain', []).catch(() => {});
    guard.stop();
  }

  #discard(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    this.#script = undefined;
    for (const room of this.#ready.splice(0)) room.close();
    this.#warm?.close();
    this.#warm = undefined;
    this.#unused = undefined;
    if (!cell) return;
    this.#events.cell(undefined);
    void cell.destroy('retired');
  }

  #done(invocation: number, end: End, session?: Session, limits?: Limits): FromChildDone {
    const used = {
      cpuMs: session?.guard.cpuMs ?? 0,
      wallMs: session?.guard.wallMs ?? 0,
      heapBytes: this.#heapBytes(end),
      ...(session?.left && { left: session.left }),
    };
    const resultBytes = limits?.resultBytes ?? Number.POSITIVE_INFINITY;
    if (end.status === 'ok' && resultBytesOf(end) <= resultBytes) {
      return { t: 'done', invocation, status: 'ok', json: end.json, bytes: end.bytes, ...used };
    }
    return { t: 'done', invocation, ...failureOf(end, limits), ...used };
  }

  #heapBytes(end: End): number {
    if (end.status === 'died' && end.death === 'memory') return this.#memoryMb * 1024 * 1024;
    this.#lastHeapBytes = this.#cell?.heapBytes ?? this.#lastHeapBytes;
    return this.#lastHeapBytes;
  }
}

/** Code that is not JavaScript never reaches a context; the error is isolated-vm's copy. */
function notCompiled(error: unknown): string {
  const { name, message, stack } = error instanceof Error ? error : new Error('The bundle cannot be compiled');
  return JSON.stringify({ name, message, stack: stack?.split('\n    at (<isolated-vm boundary>)')[0] });
}
