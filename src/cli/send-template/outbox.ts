import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../../project/access.ts';
import {
  type Clock,
  type Environment,
  isRunning,
  MachineError,
  makeFolders,
  messageOf,
  startOf,
  syncFolder,
} from '../../std/index.ts';

/** State of a send. `unknown`, or `sending` of a process that has ended, means that it may or may not have happened. */
export type SendState = 'sending' | 'done' | 'refused' | 'not_done' | 'unknown';

export interface SendEntry {
  readonly key: string;
  /** Hash of workspace and message, equal for the same command. */
  readonly hash: string;
  readonly state: SendState;
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** When it may have been sent for the first time. The workspace remembers the key for a day from then on. */
  readonly since?: string;
  readonly pid: number;
  /** Start of that process: after a restart of the machine or of a container, another one may have its id. */
  readonly start?: string;
  readonly workspace: string;
  readonly template: string;
  /** Media ids by placeholder: a repeat with the same key has to be exactly the same message. */
  readonly media?: Readonly<Record<string, string>>;
}

/** What is known of a send before it is written down. */
type Sending = Omit<SendEntry, 'state' | 'at' | 'pid' | 'start'>;

const keptDays = 30;
const repeatableHours = 24;

/**
 * The journal of sends. An entry is synced to disk before the first byte is sent, so that after a lost answer, a kill or a power
 * cut the same command can be repeated with the same key, and nothing is sent twice.
 */
export class Outbox {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(env: Environment, clock: Clock) {
    this.#folder = join(stateFolder(env), 'outbox');
    this.#clock = clock;
  }

  /** An earlier send of the same message with an unknown outcome, at most 24 h old. */
  unresolved(hash: string): SendEntry | undefined {
    const last = new Map<string, SendEntry>();
    for (const entry of this.#recent(hash)) if (entry.hash === hash) last.set(entry.key, entry);
    return [...last.values()].findLast(isOpen);
  }

  /** The last entry for a key. */
  find(key: string): SendEntry | undefined {
    return this.#recent(key).findLast((entry) => entry.key === key);
  }

  /** Writes and syncs an entry. @throws MachineError outbox_unwritable; then nothing may be sent */
  begin(entry: Sending): void {
    this.#append(entry, 'sending', true);
  }

  /** Not synced: if a `done` is lost, a repeat just sends again with the same key. */
  end(entry: Sending, state: Exclude<SendState, 'sending'>): void {
    try {
      this.#append(entry, state, state === 'unknown');
    } catch {
      // The message was sent; a full disk must not make that an error.
    }
  }

  #append(entry: Sending, state: SendState, onDisk: boolean): void {
    const at = new Date(this.#clock.now()).toISOString();
    const file = join(this.#folder, `${at.slice(0, 10)}.jsonl`);
    try {
      const isNew = !existsSync(file);
      if (isNew) makeFolders(this.#folder);
      const descriptor = openSync(file, 'a+', 0o600);
      try {
        const { pid } = process;
        const line = `${JSON.stringify({ ...entry, state, at, pid, start: startOf(pid) })}\n`;
        // Unlike writeSync, this writes everything.
        writeFileSync(descriptor, endsInLine(descriptor) ? `\n${line}` : line);
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

  /** Entries of the last day whose line contains the text. A loop writes thousands; only the matching ones are parsed. */
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

/** Whether it is unknown if it was sent. */
export function isOpen(entry: SendEntry): boolean {
  return entry.state === 'unknown' || (entry.state === 'sending' && !isSending(entry));
}

/** Whether the file ends in the middle of a line, as after a full disk. */
function endsInLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 10;
}

function readEntries(file: string, holding: string): SendEntry[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return [];
  }
  const entries: SendEntry[] = [];
  for (const line of linesHolding(bytes, holding)) {
    // A line may be truncated by a kill or a full disk.
    try {
      const entry: SendEntry = JSON.parse(line);
      if (typeof entry.key === 'string' && typeof entry.state === 'string' && typeof entry.at === 'string')
        entries.push(entry);
    } catch {}
  }
  return entries;
}

/** Searches bytes: as text, a file of some hundred thousand sends would be too long. */
function* linesHolding(bytes: Buffer, holding: string): Generator<string> {
  if (holding === '') return;
  for (let at = bytes.indexOf(holding); at >= 0; ) {
    const end = bytes.indexOf('\n', at);
    yield bytes.toString('utf8', bytes.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
    at = end < 0 ? -1 : bytes.indexOf(holding, end);
  }
}

/** Whether that process is still running. An entry with our own id is from an earlier process, since we have not begun. */
function isSending({ pid, start }: SendEntry): boolean {
  return pid !== process.pid && isRunning(pid, start);
}
