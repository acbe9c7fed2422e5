import { randomBytes } from 'node:crypto';
import type { Door } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { EmulatorEvent } from '../events.ts';

type LogEvent = Extract<EmulatorEvent, { type: 'log' }>;

/** A log line for followers. */
export interface StreamedLine {
  /** Cursor for continuing after this line. */
  readonly cursor: string;
  readonly at: string;
  readonly level: LogEvent['level'];
  readonly text: string;
  readonly function: string;
  readonly invocationId: string;
}

/** Lines from before the follower connected. */
export interface Past {
  readonly lines: readonly StreamedLine[];
  /** How many lines before these are lost; null if unknown. */
  readonly missed?: number | null;
  /** Whether there are more lines than are returned at once. */
  readonly isCut?: boolean;
}

/** The list's filters, which its cursors are bound to. */
export interface Query {
  readonly app: string;
  readonly function?: string | undefined;
  readonly since?: string | undefined;
}

type Listener = (line: StreamedLine) => void;

/** Prefix of cursors of recorded lines. */
const recorded = 'recorded.0.';

export const isRecorded = ({ cursor }: StreamedLine): boolean => cursor.startsWith(recorded);

/** The end of the year 9999. */
const lastMs = Date.UTC(9999, 11, 31);

/** Limits of the lines kept for reconnecting followers, and of their characters: one line may have a million. */
const mostKept = 10_000;
const mostKeptLength = 8 * 1024 * 1024;

/** How many pages of recorded lines, 200 each, are read for one follower. */
const mostPages = 20;

/** Streams log lines to followers. A cursor is `<start of this process>.<line number>.<time>`. */
export class LogStream {
  readonly #door: Door;
  readonly #start = randomBytes(4).toString('hex');
  readonly #listeners = new Map<string, Set<Listener>>();
  #lines: (StreamedLine & { readonly app: string })[] = [];
  #count = 0;
  #length = 0;
  /** Running invocations that have logged something. */
  readonly #running = new Set<string>();

  constructor(door: Door) {
    this.#door = door;
  }

  write({ app, function: name, level, text, atMs, invocationId }: LogEvent): void {
    const cursor = `${this.#start}.${this.#count++}.${Math.round(atMs)}`;
    const line = { app, cursor, at: toTimestamp(atMs), level, text, function: name, invocationId };
    this.#lines.push(line);
    this.#running.add(invocationId);
    this.#length += text.length;
    if (this.#lines.length > 2 * mostKept || this.#length > 2 * mostKeptLength) this.#forget();
    for (const listener of this.#listeners.get(app) ?? []) listener(line);
  }

  /** Drops at least half of the lines, so that it happens rarely. */
  #forget(): void {
    let from = this.#lines.length;
    this.#length = 0;
    while (from > Math.max(0, this.#lines.length - mostKept)) {
      const { length } = this.#lines[from - 1]?.text ?? '';
      if (this.#length + length > mostKeptLength) break;
      this.#length += length;
      from--;
    }
    this.#lines = this.#lines.slice(from);
  }

  /** The invocation has ended; its lines are recorded now. */
  ended(invocationId: string): void {
    this.#running.delete(invocationId);
  }

  follow(app: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(app) ?? new Set();
    this.#listeners.set(app, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** The lines after a cursor. */
  async after(app: string, cursor: string): Promise<Past> {
    const [start, number, atMs] = cursor.split('.');
    const position = Number(number);
    if (start === this.#start && Number.isInteger(position)) {
      const first = this.#count - this.#lines.length;
      const lines = this.#lines.slice(Math.max(0, position + 1 - first)).filter((line) => line.app === app);
      return position + 1 < first ? { lines, missed: first - position - 1 } : { lines };
    }
    // The cursor is from another process: lines recorded since then are available, those of invocations that it cut off are not.
    const since = Number(atMs);
    // A cursor with an impossible time is not one of ours.
    if (!(since >= 0 && since < lastMs)) return { lines: [], missed: null };
    return { ...(await this.since(app, since + 1)), missed: null };
  }

  /** The lines after a page of the list: recorded ones, and those of running invocations. */
  async afterPage(query: Query, cursor: string): Promise<Past> {
    // Read first, so that lines of an invocation that ends meanwhile are in one of the two.
    const running = this.#lines.filter(
      (line) =>
        line.app === query.app &&
        (query.function === undefined || line.function === query.function) &&
        this.#running.has(line.invocationId),
    );
    const { lines, isCut } = await this.#recorded(query, cursor);
    const ended = new Set(lines.map(({ invocationId }) => invocationId));
    return { lines: [...lines, ...running.filter(({ invocationId }) => !ended.has(invocationId))], isCut };
  }

  /** Recorded lines since a time, oldest first, at most some thousands. */
  since(app: string, sinceMs: number): Promise<Past> {
    return this.#recorded({ app, since: toTimestamp(sinceMs) });
  }

  async #recorded(query: Query, from?: string): Promise<{ lines: StreamedLine[]; isCut: boolean }> {
    const lines: StreamedLine[] = [];
    let cursor = from;
    for (let page = 0; page < mostPages; page++) {
      const answer = await this.#door('functions.logs', {
        ...query,
        limit: 200,
        ...(cursor !== undefined && { cursor }),
      });
      for (const item of answer.items) lines.push({ ...item, cursor: `${recorded}${Date.parse(item.at)}` });
      if (answer.nextCursor === null) return { lines, isCut: false };
      cursor = answer.nextCursor;
    }
    return { lines, isCut: true };
  }

  close(): void {
    this.#listeners.clear();
  }
}
