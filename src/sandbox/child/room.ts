import ivm from 'isolated-vm';
import { monotonicMs } from '../../std/index.ts';
import type { WireLine } from '../protocol.ts';
import { createNative, syncFunctions } from '../web/native.ts';
import type { HandedIn } from './bridge/handed-in.ts';
import type { Cell } from './cell.ts';
import type { Session } from './session.ts';

type Native = ReturnType<typeof createNative>;
type Enter = ivm.Reference<unknown>;

const settled = Promise.resolve();

/** One context of a cell, with its handles. Everything that enters or leaves the context passes through here. */
export class Room {
  readonly cell: Cell;
  readonly context: ivm.Context;
  /** The current session. Calls that arrive without one are dropped. */
  session: Session | undefined;
  /** Log lines of the program's top level. */
  loadLogs: WireLine[] = [];
  /** Late parts of the layer that the last run here used. */
  used = '';
  /** Unhandled rejections of the top level; also in `loadLogs`. */
  loadRejections: WireLine[] = [];
  #enter: Enter | undefined;
  #native: Native | undefined;

  private constructor(cell: Cell, context: ivm.Context) {
    this.cell = cell;
    this.context = context;
  }

  /**
   * @param preload late parts of the layer that the next run is likely to use
   * @param begin called as soon as work can be queued in the room; it runs right behind the set-up, without a round trip
   */
  static async open(cell: Cell, base: ivm.Script, preload: string, begin?: (room: Room) => void): Promise<Room> {
    const context = await cell.isolate.createContext({ inspector: cell.inspect });
    const room = new Room(cell, context);
    const { global } = context;
    // Not awaited: the isolate runs its tasks in order, so these are set when the script runs.
    const handedIn = { ...room.#callbacks(), preload, ...(cell.inspect && { inspected: true }) };
    for (const [name, value] of Object.entries(handedIn)) global.setIgnored(`__${name}`, value);
    const entrance = base.run(context, { reference: true });
    entrance.catch(() => {}); // of an isolate that is gone by now both fail
    begin?.(room);
    room.#enter = await entrance;
    return room;
  }

  /** Callbacks for the bridge. Each argument is a copy, and untrusted. */
  #callbacks(): Record<Extract<keyof HandedIn, 'sync' | 'tell'>, ivm.Callback> {
    return {
      sync: new ivm.Callback((...args: unknown[]) => this.#sync(args)),
      tell: new ivm.Callback((what: unknown, ...args: unknown[]) => this.#hear(what, args), { ignored: true }),
    };
  }

  #hear(what: unknown, args: unknown[]): void {
    if (what === 'loaded') {
      const [error] = args;
      this.session?.loaded(typeof error === 'string' ? error : undefined);
      return;
    }
    const session = this.#sessionOf(args.shift());
    if (what === 'start') {
      const [id, name, json, bytes] = args;
      if (typeof id === 'number') session?.start(id, String(name), String(json), bytesOf(bytes));
    } else if (what === 'log') {
      const [level, text] = args;
      if (typeof text === 'string') session?.log(level, text);
    } else if (what === 'done') {
      const [status, json, bytes, leftOpen, used, unanswered] = args;
      if (session && typeof used === 'string') this.used = used;
      session?.done(
        String(status),
        typeof json === 'string' ? json : undefined,
        bytesOf(bytes),
        leftOpen !== false,
        typeof unanswered === 'string' ? unanswered : '',
      );
    }
  }

  /** Created on first use: most functions need neither keys nor compression. */
  get native(): Native {
    this.#native ??= createNative();
    return this.#native;
  }

  #sessionOf(invocation: unknown): Session | undefined {
    return this.session?.id === invocation ? this.session : undefined;
  }

  /** An error thrown here would arrive inside with the host's stack, so only its name, message and code are returned. */
  #sync(args: unknown[]): [unknown, string?, string?, (string | undefined)?] {
    const startedAt = monotonicMs();
    try {
      const name = String(args.shift());
      if (!Object.hasOwn(syncFunctions, name)) return [undefined, 'TypeError', `No function ${name}`];
      if (!args.every(isPlain)) return [undefined, 'TypeError', `${name} takes text, numbers and bytes`];
      return [syncFunctions[name]?.(...args)];
    } catch (error) {
      return error instanceof Error || error instanceof DOMException
        ? [undefined, error.name, error.message, codeOf(error)]
        : [undefined, 'Error', 'The operation failed'];
    } finally {
      this.session?.guard.served(monotonicMs() - startedAt);
    }
  }

  /** Enters the context once and runs until it has nothing more to do in this turn. A `Guard` enforces the limits. */
  enter(kind: string, args: (string | number | Uint8Array | undefined)[]): Promise<void> {
    const enter = this.#enter;
    if (!enter) return Promise.resolve();
    // Called directly by the microtask queue: isolated-vm captures the caller's stack, which takes longer than the call itself.
    const call = enter.apply.bind(enter, undefined, [
      kind,
      ...args.map(transferable),
    ]) as unknown as () => Promise<void>;
    return this.cell.entry(settled.then(call));
  }

  /** Runs the program's script: it calls the bridge's `__begin`. */
  begin(script: ivm.Script): Promise<void> {
    return this.cell.entry(script.run(this.context) as Promise<unknown> as Promise<void>);
  }

  close(): void {
    this.session = undefined;
    this.#native?.dispose();
    if (this.cell.isolate.isDisposed) return;
    this.#enter?.release();
    this.#enter = undefined;
    this.context.release();
  }
}

function isPlain(value: unknown): boolean {
  return (
    (typeof value !== 'object' && typeof value !== 'function') ||
    value === null ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

/** Node's code of an error, by which packages recognise it. Of a DOMException it is a number that follows from the name. */
function codeOf(error: Error | DOMException): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return undefined;
}

/** Bytes are transferred, not copied again. Inside they arrive as an ArrayBuffer. */
function transferable(value: string | number | Uint8Array | undefined): ivm.Transferable {
  if (!(value instanceof Uint8Array)) return value;
  const whole =
    value.byteLength === value.buffer.byteLength && value.buffer instanceof ArrayBuffer
      ? value.buffer
      : Uint8Array.prototype.slice.call(value).buffer; // a Buffer's own slice is a view
  return new ivm.ExternalCopy(whole, { transferOut: true }).copyInto({
    release: true,
    transferIn: true,
  }) as unknown as ivm.Transferable;
}
