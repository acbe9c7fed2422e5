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

type Listener = (line: StreamedLine) => void;

/** Lines remembered for followers that come back. */
const mostKept = 10_000;

/** Log lines as they are written, for those who follow them. A cursor is `<start of this process>.<number of the line>.<when>`. */
export class LogStream {
  readonly #workspace: Workspace;
  readonly #start = randomBytes(4).toString('hex');
  readonly #listeners = new Map<string, Set<Listener>>();
  #lines: (StreamedLine & { readonly app: string })[] = [];
  #count = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  write({ app, function: name, level, text, atMs, invocationId }: LogEvent): void {
    const cursor = `${this.#start}.${this.#count++}.${Math.round(atMs)}`;
    const line = { app, cursor, at: toTimestamp(atMs), level, text, function: name, invocationId };
    this.#lines.push(line);
    if (this.#lines.length > 2 * mostKept) this.#lines = this.#lines.slice(-mostKept);
    for (const listener of this.#listeners.get(app) ?? []) listener(line);
  }

  follow(app: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(app) ?? new Set();
    this.#listeners.set(app, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** What came after a cursor. `missed`: lines are gone; how many, or null where nobody knows. */
  async after(app: string, cursor: string): Promise<{ lines: StreamedLine[]; missed?: number | null }> {
    const [start, number, atMs] = cursor.split('.');
    const position = Number(number);
    if (start === this.#start && Number.isInteger(position)) {
      const first = this.#count - this.#lines.length;
      const lines = this.#lines.slice(Math.max(0, position + 1 - first)).filter((line) => line.app === app);
      return position + 1 < first ? { lines, missed: first - position - 1 } : { lines };
    }
    // Another process wrote those lines: what was recorded since then is there, what ran when it ended is not.
    const since = Number(atMs);
    if (!Number.isFinite(since)) return { lines: [], missed: null };
    return { lines: await this.since(app, since + 1), missed: null };
  }

  /** Recorded lines since a moment, oldest first, at most some thousands. */
  async since(app: string, sinceMs: number): Promise<StreamedLine[]> {
    const lines: StreamedLine[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++) {
      const answer = await this.#workspace.call(
        'functions.logs',
        { app, since: toTimestamp(sinceMs), limit: 200, ...(cursor !== undefined && { cursor }) },
        systemCaller,
      );
      for (const item of answer.items) lines.push({ ...item, cursor: `recorded.0.${Date.parse(item.at)}` });
      if (answer.nextCursor === null) break;
      cursor = answer.nextCursor;
    }
    return lines;
  }

  close(): void {
    this.#listeners.clear();
  }
}
