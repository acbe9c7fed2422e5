import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { messageOf } from '../std/index.ts';
import { Channel } from './channel.ts';
import { childEntry, emptyFolder, madeFolder, permissionFlags } from './entry.ts';
import { inheritedDescriptors } from './inherited.ts';
import type { FromChild, ToChild, ToChildInit } from './protocol.ts';

const pageBytes = 4096;
/**
 * Each isolate would take up to 32 MiB for young objects before it looks for garbage among them. Measured with 2 MiB: a fifth less
 * memory under load, and the same speed. (Node reads this flag itself; one for V8 alone belongs into child/isolate.ts.)
 */
const memoryFlags = ['--max-semi-space-size=2'];
const living = new Set<ChildProcess>();
let exitHooked = false;

export interface ChildEvents {
  message(message: FromChild): void;
  /** It ended without having been told to. */
  exit(how: string): void;
}

/** The last output of a process: V8's own sentence before it aborts, without the native stack around it; otherwise all of it. */
export function lastWordsIn(text: string): string {
  return /^(?:# )?((?:Fatal (?!error in)|FATAL ERROR).*)$/m.exec(text)?.[1] ?? text.trim();
}

/** Whether they are about a full heap, or an array with more elements than V8 can ever make. */
function tellsOfMemory(lastWords: string): boolean {
  return /^Fatal JavaScript invalid size error|\bout of memory\b|heap limit/.test(lastWords);
}

/** Starts a child with its error output and one pipe. What it would inherit besides is replaced by nothing. */
function withOwnDescriptors<Started>(start: (stdio: StdioOptions) => Started): Started {
  const stdio: (number | 'ignore' | 'pipe')[] = ['ignore', 'ignore', 'pipe', 'pipe'];
  const inherited = inheritedDescriptors();
  if (inherited.length === 0) return start(stdio);
  const nothing = openSync('/dev/null', 'r+');
  try {
    for (const fd of inherited) {
      while (stdio.length < fd) stdio.push('ignore');
      stdio[fd] = nothing;
    }
    return start(stdio);
  } finally {
    closeSync(nothing);
  }
}

/** One child process: an empty environment, an empty folder, one pipe to talk through. It is ended by SIGKILL only. */
export class Child {
  readonly process: ChildProcess;
  /** It has said something since this was last set to false. */
  heard = true;
  readonly #channel: Channel<ToChild, FromChild>;
  readonly #pipe: Socket;
  #events: ChildEvents | undefined;
  #early: FromChild[] = [];
  #earlyExit: string | undefined;
  #beforeHello: ToChild[] | undefined = [];
  #keepCode: ((code: Uint8Array) => void) | undefined;
  #reportedBytes = 0;
  #killed = false;
  #busy = false;
  #lastWords = '';

  /** @param permissions whether it runs under Node's permission model */
  constructor(flags: readonly string[] = [], permissions = true) {
    const entry = childEntry();
    hookExit();
    // Never the parent's own flags: a debugger or a test runner of the parent is not the child's.
    const nodeFlags = ['--no-warnings', ...memoryFlags, ...(permissions ? permissionFlags(entry) : []), ...flags];
    this.process = withOwnDescriptors((stdio) =>
      spawn(process.execPath, [...nodeFlags, entry], { cwd: emptyFolder(), env: {}, stdio, windowsHide: true }),
    );
    living.add(this.process);
    // Before anything else: where no more files may be opened this is all that comes, and there are no pipes.
    this.process.on('error', (error) => this.#ended(`it could not be started: ${messageOf(error)}`));
    const pipes: ChildProcess['stdio'] | undefined = this.process.stdio;
    this.#pipe = (pipes?.[3] as Socket | undefined) ?? new (process.getBuiltinModule('node:net').Socket)();
    // The end of the process tells more than the end of its pipe.
    this.#pipe.on('error', () => {});
    this.#channel = new Channel(
      this.#pipe,
      (messages) => this.#receive(messages),
      (why) => {
        this.process.kill('SIGKILL');
        this.#ended(`it sent something that is not a message: ${why}`);
      },
    );
    this.process.on('exit', (code, signal) => this.#ended(signal ?? `code ${code}`));
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-4_096);
    });
    this.process.unref();
    this.#pipe.unref();
    (this.process.stderr as unknown as { unref?(): void } | null)?.unref?.();
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Whether there is, or was, such a process at all. */
  get started(): boolean {
    return this.process.pid !== undefined;
  }

  /** What it wrote to its error output before it ended. */
  get lastWords(): string {
    return lastWordsIn(this.#lastWords);
  }

  /** Whether V8 aborted it because something did not fit. */
  get ranOutOfMemory(): boolean {
    return tellsOfMemory(this.lastWords);
  }

  /** Sets the listener, which at once receives everything the process has said so far. */
  listen(events: ChildEvents): void {
    this.#events = events;
    for (const message of this.#early.splice(0)) events.message(message);
    if (this.#earlyExit !== undefined) events.exit(this.#earlyExit);
  }

  /**
   * The first thing that is said to it; what is posted meanwhile waits behind.
   * @param keepCode what to do with the code that `first` asks for. Until that has come nothing else is said: no program of anybody's can
   * have had a hand in it then.
   */
  hello(first: Promise<ToChildInit>, keepCode?: (code: Uint8Array) => void): void {
    void first.then((message) => {
      this.#channel.post(message);
      if (message.wantsCode) this.#keepCode = keepCode;
      else this.#sayWaiting();
    });
  }

  #sayWaiting(): void {
    const waiting = this.#beforeHello ?? [];
    this.#beforeHello = undefined;
    for (const later of waiting) this.#channel.post(later);
  }

  post(message: ToChild): void {
    if (this.#beforeHello) this.#beforeHello.push(message);
    else this.#channel.post(message);
  }

  /** See `Channel`. */
  get drained(): Promise<void> | undefined {
    return this.#channel.drained;
  }

  /** While something runs in it, it keeps the parent alive; an idle child never does. */
  hold(busy: boolean): void {
    if (busy === this.#busy) return;
    this.#busy = busy;
    // The pipe alone would not do: it closes before the end of a child is told.
    if (busy) {
      this.process.ref();
      this.#pipe.ref();
    } else {
      this.process.unref();
      this.#pipe.unref();
    }
  }

  /** Resident memory in bytes: from the system where it tells, else what the child last said. */
  residentBytes(): number {
    if (process.platform !== 'linux') return this.#reportedBytes;
    try {
      return Number(readFileSync(`/proc/${this.pid}/statm`, 'latin1').split(' ')[1]) * pageBytes;
    } catch {
      return 0;
    }
  }

  /** CPU that its main thread has used, in milliseconds; undefined where the system does not tell. */
  mainThreadCpuMs(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const stat = readFileSync(`/proc/${this.pid}/task/${this.pid}/stat`, 'latin1');
      // After the name, which may hold anything: fields 3 and on; 14 and 15 are user and system time in ticks of 10 ms.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return undefined;
    }
  }

  kill(): void {
    if (this.#killed) return;
    this.#killed = true;
    this.hold(false);
    this.process.kill('SIGKILL');
  }

  #receive(messages: FromChild[]): void {
    if (this.#killed) return;
    this.heard = true;
    for (const message of messages) {
      if (message.t === 'resident') this.#reportedBytes = message.bytes;
      else if (message.t === 'code') this.#hearCode(message.bytes);
      else if (this.#events) this.#events.message(message);
      else this.#early.push(message);
    }
  }

  #hearCode(bytes: Uint8Array | undefined): void {
    const keep = this.#keepCode;
    if (!keep) return;
    this.#keepCode = undefined;
    this.#sayWaiting();
    // Not before it: what waits was asked for by somebody.
    if (bytes) setImmediate(keep, bytes.slice()).unref();
  }

  #ended(how: string): void {
    living.delete(this.process);
    if (this.#killed) return;
    this.#killed = true;
    if (this.#events) this.#events.exit(how);
    else this.#earlyExit = how;
  }
}

/** Children never outlive the parent: their pipe closes, and on a regular end they are killed at once. */
function hookExit(): void {
  if (exitHooked) return;
  exitHooked = true;
  process.once('exit', () => {
    for (const child of living) child.kill('SIGKILL');
    const folder = madeFolder();
    try {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    } catch {
      // An empty folder among temporary files: no reason to end otherwise than the command did.
    }
  });
}
