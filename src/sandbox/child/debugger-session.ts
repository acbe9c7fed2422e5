import type { InspectorSession } from 'isolated-vm';
import { retireGraceCpuMs } from '../limits.ts';
import { ownId } from '../protocol.ts';
import type { Cell } from './cell.ts';
import { Guard } from './watchdog.ts';

/** Receives the messages of one isolate for one client. */
export interface Hearing {
  response(message: string): void;
  notification(message: string): void;
}

/**
 * Keeps sessions from being garbage-collected before they are freed. An isolate that ran out of memory still holds a lock of its session, and
 * collecting that session would hang this process.
 */
const open = new Set<DebuggerSession>();

const nudgeMs = 50;
/** Id of the last request of a session. */
const farewellId = ownId - 1;
const farewells = [
  'Debugger.resume',
  'Debugger.disable',
  'Runtime.disable',
  'Profiler.disable',
  'HeapProfiler.disable',
];

/**
 * One client's session with one isolate. It works around two flaws of isolated-vm 7.0.1: a pause is reported before messages are received, so
 * a message sent in between is not read until the next one; and a session is freed while the isolate may still use it, which crashes the process.
 */
export class DebuggerSession {
  readonly #cell: Cell;
  readonly #inspector: InspectorSession;
  /** Ids of requests without a response yet. */
  readonly #unanswered = new Set<number>();
  #nudging: NodeJS.Timeout | undefined;
  #hearing: Hearing | undefined;
  /** Guards the time from the client's leaving until the session is freed. */
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

  /** Whether the isolate may still be working on a request of the client. */
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

  /** The client has disconnected: resumes the isolate, turns its domains off, and then frees the session. */
  leave(): void {
    this.#hearing = undefined;
    this.#unanswered.clear();
    if (this.#cell.death) return;
    const limits = { cpuMs: retireGraceCpuMs, wallMs: Number.POSITIVE_INFINITY };
    this.#leaving = new Guard(this.#cell.isolate, limits, () => this.#endEvaluation());
    for (const method of farewells) this.say(JSON.stringify({ id: ownId, method }));
    this.say(JSON.stringify({ id: farewellId, method: 'Runtime.getIsolateId' }));
  }

  /** Ends an evaluation of a client that has left. If a function runs, or waits behind it, the limits of that function end it. */
  #endEvaluation(): void {
    if (this.#cell.death) this.#leaving?.stop();
    else if (this.#cell.isIdle) void this.#cell.destroy('retired');
  }

  /** Terminates the code that runs in the isolate, paused or not. Unlike disposal, this leaves the isolate able to free its sessions. */
  stopIsolate(): void {
    for (const method of [...farewells, 'Runtime.terminateExecution'])
      this.#inspector.dispatchProtocolMessage(JSON.stringify({ id: ownId, method }));
  }

  /** Frees the session of an idle isolate that will not be used again. Resolves when the isolate has dropped it. */
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

  /** Runs a task behind the last response: once it is done, the isolate has left the session's code. */
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
