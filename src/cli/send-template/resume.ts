import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import {
  type Clock,
  ConflictError,
  codeOf,
  MachineError,
  messageOf,
  sha256Hex,
  withFileLock,
} from '../../std/index.ts';
import type { SendState } from './outbox.ts';

/** State of one line of the file. */
export interface LineState {
  readonly line: number;
  readonly key: string;
  readonly state: SendState;
  /** How often it was refused. A refusal is certain, so the next attempt is a new send. */
  readonly tries: number;
  /** RFC 3339 in UTC. If it may have been sent: the first time that may have happened. */
  readonly at: string;
}

/** A workspace remembers keys for a day, minus an hour for differing clocks. */
const repeatableMs = 23 * 3_600_000;

interface Heading {
  readonly version: 1;
  /** Created once. Each line's key is derived from it and stays the same across repeats. */
  readonly campaign: string;
  /** Fingerprint of file, template and flags. If any of them changes, it is another campaign. */
  readonly fingerprint: string;
}

interface Opened {
  readonly path: string;
  readonly clock: Clock;
  readonly descriptor: number;
  readonly campaign: string;
  readonly states: Map<number, LineState>;
  readonly resumed: boolean;
}

/** The file next to the list that records the state of each recipient. Lines are synced before their message is sent. */
export class ResumeFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #descriptor: number;
  readonly #campaign: string;
  readonly states: Map<number, LineState>;
  readonly resumed: boolean;

  private constructor({ path, clock, descriptor, campaign, states, resumed }: Opened) {
    this.#path = path;
    this.#clock = clock;
    this.#descriptor = descriptor;
    this.#campaign = campaign;
    this.states = states;
    this.resumed = resumed;
  }

  /**
   * Locks the file while `run` is running, so that two processes do not send the same list.
   * @throws ConflictError resume_mismatch if it belongs to another list or other flags; MachineError if it cannot be written
   */
  static async with<T>(
    path: string,
    fingerprint: string,
    clock: Clock,
    run: (file: ResumeFile) => Promise<T>,
  ): Promise<T> {
    let text = '';
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw unwritable(path, error);
    }
    const { heading, states, cut } = parse(text, path);
    if (heading !== undefined && heading.fingerprint !== fingerprint) {
      throw new ConflictError('resume_mismatch', `${path} belongs to another list or template, or to other flags`, {
        hint: 'Repeat the original command exactly, and put new or corrected lines into a new list. --resume FILE starts over: everybody who already got the message gets it again.',
      });
    }
    let descriptor: number;
    try {
      descriptor = openSync(path, 'a', 0o600);
    } catch (error) {
      throw unwritable(path, error);
    }
    try {
      const campaign = heading?.campaign ?? randomUUID();
      const file = new ResumeFile({ path, clock, descriptor, campaign, states, resumed: heading !== undefined });
      if (cut) writeFileSync(descriptor, '\n');
      if (heading === undefined) {
        const first: Heading = { version: 1, campaign, fingerprint };
        try {
          writeFileSync(descriptor, `${JSON.stringify(first)}\n`);
          fsyncSync(descriptor);
        } catch (error) {
          ftruncateSync(descriptor);
          throw unwritable(path, error);
        }
      }
      return await run(file);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Whether it may have been sent so long ago that the workspace no longer knows its key. */
  isTooOld(line: number): boolean {
    const before = this.states.get(line);
    return before !== undefined && isOpen(before) && !(this.#clock.now() - Date.parse(before.at) < repeatableMs);
  }

  /** Whether it may have been sent by an earlier run. */
  isOpen(line: number): boolean {
    const before = this.states.get(line);
    return before !== undefined && isOpen(before);
  }

  /** The key of a line. It stays the same in every repeat until a refusal. */
  keyOf(line: number): string {
    const before = this.states.get(line);
    const tries = before?.tries ?? 0;
    return `csv-${sha256Hex(`${this.#campaign} ${line} ${tries}`).slice(0, 40)}`;
  }

  /**
   * Records a state. If a note is lost, a repeat just sends again with the same key; only the note before sending is essential.
   * @throws MachineError resume_unwritable for `sending`; then the message must not be sent
   */
  note(line: number, key: string, state: SendState): void {
    const before = this.states.get(line);
    const tries = (before?.tries ?? 0) + (state === 'refused' ? 1 : 0);
    // The workspace remembers a key for a day from its first use.
    const first = before !== undefined && isOpen(before) && isOpen({ state }) ? before.at : undefined;
    const entry: LineState = { line, key, state, tries, at: first ?? new Date(this.#clock.now()).toISOString() };
    this.states.set(line, entry);
    try {
      // Unlike writeSync, goes on until everything is written.
      writeFileSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
      if (state === 'sending') fsyncSync(this.#descriptor);
    } catch (cause) {
      if (state !== 'sending') return;
      throw new MachineError('resume_unwritable', `${this.#path} cannot be written: ${messageOf(cause)}`, {
        hint: 'This message was not sent. Free some disk space, then run the same command again: it continues where it stopped.',
        cause,
      });
    }
  }
}

/** Whether it is unknown if it was sent. "sending" comes from a run that has ended. */
function isOpen({ state }: Pick<LineState, 'state'>): boolean {
  return state === 'sending' || state === 'unknown';
}

/** Only one process at a time sends a list. */
export async function holdingList<T>(path: string, run: () => Promise<T>): Promise<T> {
  // Usually such locks are held briefly. A list takes minutes, so this one is only broken if its process has ended.
  return await withFileLock(`${path}.lock`, run, { forLong: true });
}

function parse(
  text: string,
  path: string,
): { heading: Heading | undefined; states: Map<number, LineState>; cut: boolean } {
  const states = new Map<number, LineState>();
  const lines = text.split('\n');
  const cut = lines.at(-1) !== '';
  let heading: Heading | undefined;
  for (const line of lines) {
    if (line === '') continue;
    let value: Partial<Heading & LineState>;
    try {
      value = Object(JSON.parse(line));
    } catch (cause) {
      // A line truncated by a kill is ignored; the line before it is "sending".
      if (heading !== undefined) continue;
      throw new ConflictError('resume_broken', `${path} is not a progress file of this command`, {
        hint: 'Choose another one with --resume FILE.',
        cause,
      });
    }
    if (heading === undefined) {
      if (value.version !== 1 || typeof value.campaign !== 'string' || typeof value.fingerprint !== 'string') {
        throw new ConflictError('resume_broken', `${path} is not a progress file of this command`, {
          hint: 'Choose another one with --resume FILE.',
        });
      }
      heading = { version: 1, campaign: value.campaign, fingerprint: value.fingerprint };
    } else if (typeof value.line === 'number' && typeof value.key === 'string' && value.state !== undefined) {
      states.set(value.line, {
        line: value.line,
        key: value.key,
        state: value.state,
        tries: value.tries ?? 0,
        at: value.at ?? '',
      });
    }
  }
  return { heading, states, cut };
}

function unwritable(path: string, cause: unknown): MachineError {
  return new MachineError('resume_unwritable', `${path} cannot be written: ${messageOf(cause)}`, {
    hint: 'Nothing was sent. Choose another file with --resume FILE.',
    cause,
  });
}
