import {
  describersRenewAfter,
  loadCpuMs,
  loadWallMs,
  renewHeapShare,
  sampleEvery,
  sharedLoadCpuMs,
  sharedLoadWallMs,
} from '../limits.ts';
import type { FromChildDone } from '../protocol.ts';
import type { Cell } from './cell.ts';
import type { Nursery } from './nursery.ts';
import type { Room } from './room.ts';
import { type End, Session } from './session.ts';
import type { ChildProgram } from './worker.ts';

export interface DescriberEvents {
  /** The first room is ready, or could not be created. */
  opened(): void;
  /** The child must be killed. */
  stuck(reason: 'timeout' | 'memory'): void;
}

const memoryMb = 128;

/**
 * Describes many programs in one isolate, one after another, each in its own context. No program is invoked here. Only
 * success counts: an earlier program may have left work or garbage in the isolate, so the caller describes a program that
 * fails here again in a separate isolate.
 */
export class Describer {
  readonly #nursery: Nursery;
  readonly #events: DescriberEvents;
  #cell: Cell | undefined;
  /** The room for the next program, created while the parent receives the previous description. */
  #next: Promise<Room> | undefined;
  #session: Session | undefined;
  #described = 0;
  #closed = false;

  constructor(nursery: Nursery, events: DescriberEvents) {
    this.#nursery = nursery;
    this.#events = events;
    this.#prepare().then(events.opened, events.opened);
  }

  /** What runs now. */
  get session(): Session | undefined {
    return this.#session;
  }

  async describe(invocation: number, program: ChildProgram): Promise<FromChildDone> {
    let room: Room | undefined;
    try {
      const next = this.#prepare();
      this.#next = undefined;
      room = await next;
      return await this.#describe(invocation, program, room);
    } finally {
      room?.close();
      this.#renew();
      // If the room cannot be created, whoever needs it reports that.
      if (!this.#closed) this.#prepare().catch(() => {});
    }
  }

  close(): void {
    this.#closed = true;
    this.#discard();
    // This may have used the spare isolate; the next program should find one.
    this.#nursery.prepare();
  }

  async #describe(invocation: number, program: ChildProgram, room: Room): Promise<FromChildDone> {
    const { cell } = room;
    const script = await cell.entry(cell.isolate.compileScript(program.script, { filename: program.url }));
    const limits = { cpuMs: Math.min(sharedLoadCpuMs, loadCpuMs), wallMs: Math.min(sharedLoadWallMs, loadWallMs) };
    const loading = new Session(room, 0, limits, 0);
    const loaded = await this.#run(loading, () => loading.load(script));
    room.loadLogs = loading.logs;
    if (!cell.isolate.isDisposed) script.release();
    if (loaded.status !== 'ok') return this.#done(invocation, loading, loaded);
    const looking = new Session(room, invocation, limits, 0);
    const setup = { ...limits, memoryMb, resultBytes: 1024 * 1024, bodyBytes: 0, logLines: 0, logBytes: 0 };
    const end = await this.#run(looking, () =>
      looking.describe({ limits: { ...setup, pendingCalls: 0 }, clockOffsetMs: 0 }),
    );
    return { ...this.#done(invocation, looking, end), loadLogs: room.loadLogs };
  }

  async #run(session: Session, start: () => void): Promise<End> {
    this.#session = session;
    start();
    const end = await session.ended;
    this.#session = undefined;
    return end;
  }

  #done(invocation: number, { guard }: Session, end: End): FromChildDone {
    const used = { cpuMs: guard.cpuMs, wallMs: guard.wallMs, heapBytes: this.#cell?.heapBytes ?? 0 };
    return end.status === 'ok'
      ? { t: 'done', invocation, status: 'ok', json: end.json, ...used }
      : { t: 'done', invocation, status: 'error', ...used }; // why, is found out where nobody else can be the cause
  }

  #prepare(): Promise<Room> {
    this.#next ??= this.#make();
    return this.#next;
  }

  async #make(): Promise<Room> {
    if (this.#cell) return await this.#cell.room();
    const { cell, room } = await this.#nursery.take(memoryMb);
    cell.onStuck = (reason) => this.#events.stuck(reason);
    this.#cell = cell;
    if (this.#closed) this.#discard();
    return room ?? (await cell.room());
  }

  /** Replaces the isolate after an exceeded limit, and now and then: even a fully released context leaves traces. */
  #renew(): void {
    const cell = this.#cell;
    if (!cell) return;
    const { death, contexts, heapBytes } = cell;
    if (death || contexts >= describersRenewAfter || heapBytes > renewHeapShare * memoryMb * 1024 * 1024)
      this.#discard();
    else if (++this.#described % sampleEvery === 0) cell.sampleHeap().catch(() => {});
  }

  #discard(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    this.#next?.catch(() => {});
    this.#next = undefined;
    void cell?.destroy('retired');
  }
}
