import type ivm from 'isolated-vm';
import { logEnds } from '../limit-words.ts';
import { loadLogLimits } from '../limits.ts';
import type { Asked, Left, WireLine } from '../protocol.ts';
import { type Conditions, setupText } from '../setup.ts';
import type { Limits, LogLevel } from '../types.ts';
import type { Cell, Death } from './cell.ts';
import type { Room } from './room.ts';
import { Guard } from './watchdog.ts';

/** How a run in a room ended. */
export type End =
  | { status: 'ok'; json: string; bytes: Uint8Array | undefined }
  | { status: 'error'; json: string }
  | { status: 'too-large'; bytes: number }
  | { status: 'no-default' }
  | { status: 'died'; death: Death };

/** Handles the operations that need the parent. A loading module has none. */
export interface Outside {
  ask(id: number, name: Asked, json: string, bytes: Uint8Array | undefined, atMs: number): void;
  unask(id: number): void;
  log(line: WireLine): void;
}

type LogLimits = Pick<Limits, 'logLines' | 'logBytes'>;

const levels: ReadonlySet<unknown> = new Set<LogLevel>(['debug', 'info', 'warn', 'error']);

/**
 * One use of a room: loading its program (id 0), an invocation, or a description. It has its own clocks and operations.
 * Once it has ended, anything it left behind is ignored.
 */
export class Session {
  readonly id: number;
  readonly ended: Promise<End>;
  readonly logs: WireLine[] = [];
  /** For a load: log lines about unhandled rejections. */
  readonly rejections: WireLine[] = [];
  readonly guard: Guard;
  readonly #room: Room;
  readonly #outside: Outside | undefined;
  readonly #clockOffsetMs: number;
  readonly #logLimits: LogLimits;
  #logLines = 0;
  #logBytes = 0;
  readonly #timers = new Map<number, NodeJS.Timeout | NodeJS.Immediate>();
  /** Ids of open `web.*` operations and of open requests to the parent. */
  readonly #open = new Map<number, 'web' | 'asked'>();
  #resolve: (end: End) => void = () => {};
  #end: End | undefined;
  #entries = 0;
  #over = false;
  /** Operations were still open in the context at the end: a warm context has to cancel them. */
  leftOpen = false;
  left: Left | undefined;

  constructor(
    room: Room,
    id: number,
    limits: Pick<Limits, 'cpuMs' | 'wallMs'> & Partial<LogLimits>,
    clockOffsetMs: number,
    outside?: Outside,
  ) {
    this.id = id;
    this.#room = room;
    this.#outside = outside;
    this.#clockOffsetMs = clockOffsetMs;
    this.#logLimits = { ...loadLogLimits, ...limits };
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.guard = new Guard(room.cell.isolate, limits, (limit) => this.stop(limit));
    room.session = this;
  }

  get cell(): Cell {
    return this.#room.cell;
  }

  load(script: ivm.Script): void {
    this.#entry(() => this.#room.begin(script));
  }

  /** @param setup JSON of a `Setup` */
  invoke(setup: string, argument: string, body: Uint8Array | undefined): void {
    this.#entry(() => this.#room.enter('invoke', [this.id, setup, argument, body]));
  }

  describe(conditions: Conditions): void {
    this.#entry(() => this.#room.enter('describe', [this.id, setupText(conditions)]));
  }

  /** The parent's answer to `ask`. */
  answer(id: number, error: string | undefined, json: string | undefined, bytes: Uint8Array | undefined): void {
    if (this.#open.get(id) === 'asked') this.#settle(id, error, json, bytes);
  }

  /** Ends the session now. Its isolate is not used again. */
  stop(death: Death): void {
    void this.#room.cell.destroy(death).then(() => this.#finish({ status: 'died', death }));
  }

  // What the bridge calls.

  loaded(error: string | undefined): void {
    if (this.id !== 0) return;
    this.#end ??= error === undefined ? { status: 'ok', json: '', bytes: undefined } : { status: 'error', json: error };
    this.#finishWhenQuiet();
  }

  /** @param unanswered ids, each followed by a space */
  done(
    status: string,
    json: string | undefined,
    bytes: Uint8Array | undefined,
    leftOpen: boolean,
    unanswered: string,
  ): void {
    this.leftOpen = leftOpen;
    const ids = unanswered.split(' ').slice(0, -1).map(Number);
    if (ids.length > 0) this.left = { ids, atMs: Date.now() + this.#clockOffsetMs };
    if (status === 'ok') this.#end ??= { status, json: json ?? 'null', bytes };
    else if (status === 'too-large') this.#end ??= { status, bytes: Number(json) };
    else if (status === 'no-default') this.#end ??= { status };
    else this.#end ??= { status: 'error', json: json ?? '{}' };
    this.#finishWhenQuiet();
  }

  /**
   * The bridge has counted the function's own lines; here those about unhandled rejections are counted as well.
   * @returns the line as it was logged; undefined if the log has ended before
   */
  log(level: unknown, text: string): WireLine | undefined {
    const { logLines, logBytes } = this.#logLimits;
    if (this.#logLines > logLines) return undefined;
    const ends = this.#logLines === logLines || this.#logBytes >= logBytes;
    this.#logLines = ends ? logLines + 1 : this.#logLines + 1;
    this.#logBytes += text.length;
    const line: WireLine = [
      ends ? 'warn' : levels.has(level) ? (level as LogLevel) : 'info',
      ends ? logEnds(this.#logLimits) : text,
      Date.now() + this.#clockOffsetMs,
    ];
    if (this.#outside) this.#outside.log(line);
    else this.logs.push(line);
    return line;
  }

  start(id: number, name: string, json: string, bytes: Uint8Array | undefined): void {
    if (this.#over) return;
    if (name === 'cancel') this.#cancel(id);
    else if (name === 'timer') this.#startTimer(id, json);
    else if (name === 'call' || name === 'fetch' || name === 'read') this.#ask(id, name, json, bytes);
    else void this.#startWeb(id, name, json, bytes);
  }

  #startTimer(id: number, json: string): void {
    const ms = Number(parsed(json)?.['ms']);
    const fire = () => this.#timers.delete(id) && this.#settle(id, undefined, undefined, undefined);
    // Packages yield with chains of setImmediate; a timer would take a millisecond each.
    this.#timers.set(id, ms > 0 ? setTimeout(fire, Math.min(ms, 2 ** 31 - 1)) : setImmediate(fire));
  }

  #ask(id: number, name: Asked, json: string, bytes: Uint8Array | undefined): void {
    this.#open.set(id, 'asked');
    if (this.#outside) this.#outside.ask(id, name, json, bytes, this.guard.wallMs);
    else
      this.#settle(
        id,
        errorJson(
          'TypeError',
          `${name === 'fetch' ? 'fetch()' : 'A call'} is not possible while the module loads; do it inside the function`,
        ),
        undefined,
        undefined,
      );
  }

  async #startWeb(id: number, name: string, json: string, bytes: Uint8Array | undefined): Promise<void> {
    const table = this.#room.native.async;
    if (!Object.hasOwn(table, name))
      return this.#settle(id, errorJson('TypeError', `No operation ${name}`), undefined, undefined);
    this.#open.set(id, 'web');
    try {
      const answer = await table[name]?.(json, bytes && exactBuffer(bytes));
      if (this.#open.has(id)) this.#settle(id, undefined, answer?.json, answer?.bytes && new Uint8Array(answer.bytes));
    } catch (error) {
      const { name: errorName, message } =
        error instanceof Error ? error : { name: 'Error', message: 'The operation failed' };
      if (this.#open.has(id)) this.#settle(id, errorJson(errorName, message), undefined, undefined);
    }
  }

  #cancel(id: number): void {
    stop(this.#timers.get(id));
    this.#timers.delete(id);
    if (this.#open.get(id) === 'asked') this.#outside?.unask(id);
    this.#open.delete(id);
  }

  #settle(id: number, error: string | undefined, json: string | undefined, bytes: Uint8Array | undefined): void {
    this.#open.delete(id);
    this.#entry(() => this.#room.enter('settle', [id, error, json, bytes]));
  }

  #entry(run: () => Promise<void>): void {
    if (this.#over) return;
    const { death: before } = this.#room.cell;
    if (before) {
      // Nothing of it is running, so no end of an entry would finish the session.
      if (this.#entries === 0) this.#finish(this.#end ?? { status: 'died', death: before });
      return;
    }
    this.#entries++;
    run().then(
      () => this.#left(),
      (error: unknown) => {
        const { death } = this.#room.cell;
        if (death) this.#finish({ status: 'died', death });
        else this.#unhandled(error);
        this.#left();
      },
    );
  }

  /** isolated-vm rejects an entry with any rejection that was not handled inside in that turn. The function continues. */
  #unhandled(error: unknown): void {
    const stack = error instanceof Error && !isStandIn(error) ? (error.stack ?? error.message) : told(error);
    const end = stack.indexOf('\n    at (<isolated-vm boundary>)');
    const line = this.log('error', `Unhandled rejection: ${end < 0 ? stack : stack.slice(0, end)}`.slice(0, 16_384));
    if (!this.#outside && line) this.rejections.push(line);
  }

  #left(): void {
    this.#entries--;
    this.#finishWhenQuiet();
  }

  /** Waits for the end of the turn: whatever it still rejects or logs belongs to this session. */
  #finishWhenQuiet(): void {
    if (this.#end && this.#entries === 0) this.#finish(this.#end);
  }

  #finish(end: End): void {
    if (this.#over) return;
    this.#over = true;
    this.guard.stop();
    if (this.#room.session === this) this.#room.session = undefined;
    for (const timer of this.#timers.values()) stop(timer);
    for (const [id, kind] of this.#open) if (kind === 'asked') this.#outside?.unask(id);
    this.#resolve(end);
  }
}

/** Each of the two ignores what belongs to the other. */
function stop(timer: NodeJS.Timeout | NodeJS.Immediate | undefined): void {
  clearTimeout(timer as NodeJS.Timeout);
  clearImmediate(timer as NodeJS.Immediate);
}

/** Whether isolated-vm made this error in place of a thrown object that is not an error. */
const isStandIn = ({ message }: Error) => message.includes(' from supplied code within isolated-vm, ');

function told(value: unknown): string {
  return typeof value === 'object' || typeof value === 'function' ? 'an object that is not an Error' : String(value);
}

function errorJson(name: string, message: string): string {
  return JSON.stringify({ name, message });
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? buffer
    : Uint8Array.prototype.slice.call(bytes).buffer; // a Buffer's own slice is a view
}
