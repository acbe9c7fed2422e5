import { randomBytes } from 'node:crypto';
import { toTimestamp } from '../std/index.ts';
import type { Workspace } from '../workspace/index.ts';
import type { EmulatorEvent } from './events.ts';
import { systemCaller } from './typed.ts';

type LogEvent = Extract<EmulatorEvent, { type: 'log' }>;

/** One line as followers get it. */
export interface StreamedLine {
  /** Continue after it. */
  readonly cursor: string;
  readonly at: string;
  readonly level: LogEvent['level'];
  readonly text: string;
  readonly function: string;
  readonly invocationId: string;
}

/** What was written before somebody follows. */
export interface Past {
  readonly lines: readonly StreamedLine[];
  /** Lines in front of them are gone; how many, or null where nobody knows. */
  readonly missed?: number | null;
  /** There are more behind them than are given at once. */
  readonly isCut?: boolean;
}

/** Which lines: the list's own filters, to which its cursors are bound. */
export interface Query {
  readonly app: string;
  readonly function?: string | undefined;
  readonly since?: string | undefined;
}

type Listener = (line: StreamedLine) => void;

/** How cursors of lines begin that were read from the records. */
const recorded = 'recorded.0.';

export const isRecorded = ({ cursor }: StreamedLine): boolean => cursor.startsWith(recorded);

/** The end of the year 9999. */
const lastMs = Date.UTC(9999, 11, 31);

/** Lines remembered for followers that come back, and signs in them: one line may have a million. */
const mostKept = 10_000;
const mostKeptLength = 8 * 1024 * 1024;

/** Of recorded lines, 200 a page, that are read for one follower. */
const mostPages = 20;

/** Log lines as they are written, for those who follow them. A cursor is `<start of this process>.<number of the line>.<when>`. */
export class LogStream {
  readonly #workspace: Workspace;
  readonly #start = randomBytes(4).toString('hex');
  readonly #listeners = new Map<string, Set<Listener>>();
  #lines: (StreamedLine & { readonly app: string })[] = [];
  #count = 0;
  #length = 0;
  /** Invocations that wrote something and have not ended. */
  readonly #running = new Set<string>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
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

  /** Half of what is there at least, so that it seldom happens. */
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

  /** The invocation has ended: its lines are recorded from now on. */
  ended(invocationId: string): void {
    this.#running.delete(invocationId);
  }

  follow(app: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(app) ?? new Set();
    this.#listeners.set(app, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** What came after a cursor. */
  async after(app: string, cursor: string): Promise<Past> {
    const [start, number, atMs] = cursor.split('.');
    const position = Number(number);
    if (start === this.#start && Number.isInteger(position)) {
      const first = this.#count - this.#lines.length;
      const lines = this.#lines.slice(Math.max(0, position + 1 - first)).filter((line) => line.app === app);
      return position + 1 < first ? { lines, missed: first - position - 1 } : { lines };
    }
    // Another process wrote those lines: what was recorded since then is there, what ran when it ended is not.
    const since = Number(atMs);
    // What is no moment that can be asked for is no cursor of ours.
    if (!(since >= 0 && since < lastMs)) return { lines: [], missed: null };
    return { ...(await this.since(app, since + 1)), missed: null };
  }

  /** What came after a page of the list: what was recorded since then, and what those wrote that still run. */
  async afterPage(query: Query, cursor: string): Promise<Past> {
    // Looked at first: what ends while the records are read is in one of the two.
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

  /** Recorded lines since a moment, oldest first, at most some thousands. */
  since(app: string, sinceMs: number): Promise<Past> {
    return this.#recorded({ app, since: toTimestamp(sinceMs) });
  }

  async #recorded(query: Query, from?: string): Promise<{ lines: StreamedLine[]; isCut: boolean }> {
    const lines: StreamedLine[] = [];
    let cursor = from;
    for (let page = 0; page < mostPages; page++) {
      const answer = await this.#workspace.call(
        'functions.logs',
        { ...query, limit: 200, ...(cursor !== undefined && { cursor }) },
        systemCaller,
      );
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
