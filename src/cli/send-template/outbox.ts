import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../../project/access.ts';
import {
  type Clock,
  type Environment,
  isRunning,
  MachineError,
  makeFolders,
  messageOf,
  syncFolder,
} from '../../std/index.ts';

/** What is known of a send. `sending` of a process that is gone, and `unknown`: it may or may not have happened. */
export type SendState = 'sending' | 'done' | 'refused' | 'not_done' | 'unknown';

export interface SendEntry {
  readonly key: string;
  /** Hash of workspace and message: the same for the same command. */
  readonly hash: string;
  readonly state: SendState;
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** When it may have been sent for the first time: from then on the workspace counts the day for which it knows the key. */
  readonly since?: string;
  readonly pid: number;
  readonly workspace: string;
  readonly template: string;
  /** Media ids by placeholder: a repeat under the same key has to be the same message to the letter. */
  readonly media?: Readonly<Record<string, string>>;
}

const keptDays = 30;
const repeatableHours = 24;
const mostReadBytes = 4 * 1024 * 1024;

/**
 * The journal of sends. An entry is on the disk before the first byte of its send leaves, so that after a lost answer, a kill or a
 * power cut the same command can repeat with the same key, and nothing is sent twice.
 */
export class Outbox {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(env: Environment, clock: Clock) {
    this.#folder = join(stateFolder(env), 'outbox');
    this.#clock = clock;
  }

  /** An earlier send of the same message whose outcome nobody knows, at most 24 h old. */
  unresolved(hash: string): SendEntry | undefined {
    const last = new Map<string, SendEntry>();
    for (const entry of this.#recent(hash)) if (entry.hash === hash) last.set(entry.key, entry);
    return [...last.values()].findLast(isOpen);
  }

  /** What was last written under a key. */
  find(key: string): SendEntry | undefined {
    return this.#recent(key).findLast((entry) => entry.key === key);
  }

  /** On the disk when this returns. @throws MachineError outbox_unwritable; then nothing may be sent */
  begin(entry: Omit<SendEntry, 'state' | 'at' | 'pid'>): void {
    this.#append(entry, 'sending', true);
  }

  /** A lost `done` only means that a repeat asks again under the same key, so this does not wait for the disk. */
  end(entry: Omit<SendEntry, 'state' | 'at' | 'pid'>, state: Exclude<SendState, 'sending'>): void {
    try {
      this.#append(entry, state, state === 'unknown');
    } catch {
      // The send has happened; a full disk must not turn its report into an error.
    }
  }

  #append(entry: Omit<SendEntry, 'state' | 'at' | 'pid'>, state: SendState, onDisk: boolean): void {
    const at = new Date(this.#clock.now()).toISOString();
    const file = join(this.#folder, `${at.slice(0, 10)}.jsonl`);
    try {
      const isNew = !existsSync(file);
      if (isNew) makeFolders(this.#folder);
      const descriptor = openSync(file, 'a', 0o600);
      try {
        // Unlike writeSync, goes on until everything is written.
        writeFileSync(descriptor, `${JSON.stringify({ ...entry, state, at, pid: process.pid })}\n`);
        if (onDisk) fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      if (isNew) {
        syncFolder(this.#folder);
        this.#dropOld(at);
      }
    } catch (cause) {
      throw new MachineError('outbox_unwritable', `The journal of sends cannot be written: ${messageOf(cause)}`, {
        hint: `Nothing was sent. Check ${this.#folder}, or set XDG_STATE_HOME to a writable folder.`,
        cause,
      });
    }
  }

  /** Entries of the last day whose line holds the text: of the thousands that a loop writes, only those are taken apart. */
  #recent(text: string): SendEntry[] {
    const now = this.#clock.now();
    const days = [now - 86_400_000, now].map((ms) => new Date(ms).toISOString().slice(0, 10));
    const since = new Date(now - repeatableHours * 3_600_000).toISOString();
    const written = JSON.stringify(text).slice(1, -1);
    return days
      .flatMap((day) => readEntries(join(this.#folder, `${day}.jsonl`), written))
      .filter((entry) => firstAt(entry) >= since);
  }

  #dropOld(at: string): void {
    const oldest = new Date(Date.parse(at) - keptDays * 86_400_000).toISOString().slice(0, 10);
    for (const name of readdirSync(this.#folder)) {
      if (/^\d{4}-\d\d-\d\d\.jsonl$/.test(name) && name < oldest) rmSync(join(this.#folder, name), { force: true });
    }
  }
}

/** When it may have been sent for the first time. */
export function firstAt({ since, at }: SendEntry): string {
  return since ?? at;
}

/** Whether nobody knows if it was sent. */
export function isOpen({ state, pid }: SendEntry): boolean {
  return state === 'unknown' || (state === 'sending' && !isSending(pid));
}

function readEntries(file: string, holding: string): SendEntry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const entries: SendEntry[] = [];
  for (const line of linesHolding(text.slice(-mostReadBytes), holding)) {
    // The last line may be cut by a kill, the first by the limit.
    try {
      const entry: SendEntry = JSON.parse(line);
      if (typeof entry.key === 'string' && typeof entry.state === 'string' && typeof entry.at === 'string')
        entries.push(entry);
    } catch {}
  }
  return entries;
}

function* linesHolding(text: string, holding: string): Generator<string> {
  if (holding === '') return;
  for (let at = text.indexOf(holding); at >= 0; ) {
    const end = text.indexOf('\n', at);
    yield text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
    at = end < 0 ? -1 : text.indexOf(holding, end);
  }
}

/** What stands there under our own number is of an earlier process: we have not begun yet. */
function isSending(pid: number): boolean {
  return pid !== process.pid && isRunning(pid);
}
