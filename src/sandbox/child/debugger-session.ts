import type { InspectorSession } from 'isolated-vm';
import { retireGraceCpuMs } from '../limits.ts';
import { ownId } from '../protocol.ts';
import type { Cell } from './cell.ts';
import { Guard } from './watchdog.ts';

/** What one isolate says to one client. */
export interface Hearing {
  response(message: string): void;
  notification(message: string): void;
}

/**
 * Sessions that are not freed. An isolate that ran out of memory takes a lock of its session with it: collecting that session as garbage would
 * hang this process.
 */
const open = new Set<DebuggerSession>();

const nudgeMs = 50;
/** Answered last of all. */
const farewellId = ownId - 1;
const farewells = [
  'Debugger.resume',
  'Debugger.disable',
  'Runtime.disable',
  'Profiler.disable',
  'HeapProfiler.disable',
];

/**
 * One client's session with one isolate, around what isolated-vm 7.0.1 leaves open: it tells of a stop before it listens, so that a word
 * said in between lies there until the next one; and it frees a session that the isolate may still speak through, which ends the process.
 */
export class DebuggerSession {
  readonly #cell: Cell;
  readonly #inspector: InspectorSession;
  /** What was asked and not answered, by number. */
  readonly #unanswered = new Set<number>();
  #nudging: NodeJS.Timeout | undefined;
  #hearing: Hearing | undefined;
  /** From the client's leaving until the isolate has forgotten the session. */
  #leaving: Guard | undefined;

  constructor(cell: Cell, hearing: Hearing) {
    this.#cell = cell;
    this.#hearing = hearing;
    this.#inspector = cell.isolate.createInspectorSession();
    cell.sessions.add(this);
    open.add(this);
    this.#inspector.onResponse = (id, message) => {
      this.#unanswered.delete(id);
      if (id === farewellId) void this.#freeSoon();
      else if (id !== ownId) this.#hearing?.response(message);
    };
    this.#inspector.onNotification = (message) => this.#hearing?.notification(message);
  }

  /** The isolate may still be at what the client asked for. */
  get isBusy(): boolean {
    return this.#unanswered.size > 0 || this.#leaving !== undefined;
  }

  say(message: string): void {
    if (this.#cell.death) return;
    const id = numberOf(message);
    if (Number.isInteger(id)) this.#unanswered.add(id);
    this.#inspector.dispatchProtocolMessage(message);
    this.#nudging ??= setInterval(() => this.#nudge(), nudgeMs).unref();
  }

  /** The client has gone: the isolate falls silent and goes on, and then the session is freed. */
  leave(): void {
    this.#hearing = undefined;
    this.#unanswered.clear();
    if (this.#cell.death) return;
    const limits = { cpuMs: retireGraceCpuMs, wallMs: Number.POSITIVE_INFINITY };
    this.#leaving = new Guard(this.#cell.isolate, limits, () => this.#endEvaluation());
    for (const method of farewells) this.say(JSON.stringify({ id: ownId, method }));
    this.say(JSON.stringify({ id: farewellId, method: 'Runtime.getIsolateId' }));
  }

  /** Nobody hears any more what the client had evaluated. Where a function runs, or waits behind it, that one's own limits end it. */
  #endEvaluation(): void {
    if (this.#cell.death) this.#leaving?.stop();
    else if (this.#cell.isIdle) void this.#cell.destroy('retired');
  }

  /** Ends what runs in the isolate, paused or not, and leaves it able to forget its sessions, as disposal does not. */
  stopIsolate(): void {
    for (const method of [...farewells, 'Runtime.terminateExecution'])
      this.#inspector.dispatchProtocolMessage(JSON.stringify({ id: ownId, method }));
  }

  /** For an isolate that is given up and has nothing to do. Resolves when it has forgotten the session. */
  async free(): Promise<void> {
    clearInterval(this.#nudging);
    await this.#turn();
    this.#dispose();
    await this.#turn();
  }

  #nudge(): void {
    const isOver = this.#cell.death !== undefined || this.#unanswered.size === 0;
    if (!isOver)
      return this.#inspector.dispatchProtocolMessage(JSON.stringify({ id: ownId, method: 'Runtime.getIsolateId' }));
    clearInterval(this.#nudging);
    this.#nudging = undefined;
  }

  async #freeSoon(): Promise<void> {
    clearInterval(this.#nudging);
    await this.#turn();
    if (!this.#cell.death) this.#dispose();
  }

  /** Asked behind the last answer: when this comes, the isolate has left the session's code. */
  async #turn(): Promise<void> {
    await this.#cell.isolate.getHeapStatistics().catch(() => {});
  }

  #dispose(): void {
    this.#leaving?.stop();
    this.#leaving = undefined;
    if (this.#cell.isolate.isDisposed || !this.#cell.sessions.delete(this)) return;
    open.delete(this);
    this.#inspector.dispose();
  }
}

function numberOf(message: string): number {
  try {
    return Number((JSON.parse(message) as { id?: unknown } | null)?.id);
  } catch {
    return Number.NaN;
  }
}
