import { Problem, problemOf } from './problem.ts';
import { type ServerEvent, ServerEventReader } from './server-events.ts';

/** Something that happened: an event of the journal, or a live frame (`live.…`), which has no id. */
export interface Change {
  readonly type: string;
  /** The event, or the frame. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** `live`: what happens arrives · `reconnecting`: it is being tried · `refused`: the browser is not signed in any more. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'refused';

export interface FollowerOptions {
  /** Opens the stream after a cursor. @throws Problem */
  readonly open: (cursor: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  /** The cursor of now. @throws Problem */
  readonly now: () => Promise<string>;
  readonly onChange: (change: Change) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The stream goes on after a cut; what was live meanwhile is lost. */
  readonly onResumed: () => void;
  /** More has happened than is kept: what is shown is out of date. */
  readonly onGap: () => void;
  /** Resolves after that time, or when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const firstRetryMs = 250;
const maxRetryMs = 5_000;
/** The server sends a heartbeat every 15 s. */
const maxSilentMs = 40_000;

/** Follows the one event stream of the console. After a cut it resumes behind the last event, so that nothing is missed. */
export class Follower {
  readonly #options: FollowerOptions;
  #cursor: string | undefined;
  #stop: AbortController | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Where the stream would resume. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Begins, or resumes. Resolves when the place to resume from is known: what is read from then on is not behind the stream. */
  async start(): Promise<void> {
    if (this.#stop) return;
    const stop = new AbortController();
    this.#stop = stop;
    const isResumed = this.#cursor !== undefined;
    if (!isResumed) await this.#place(stop.signal);
    void this.#run(stop.signal, isResumed);
  }

  /** Closes the stream, for a page that nobody looks at. `start` resumes it. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  /** Tries again now instead of later. */
  retry(): void {
    if (!this.#stop) return;
    this.stop();
    void this.start();
  }

  async #place(signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        this.#cursor = await this.#options.now();
        return;
      } catch (error) {
        if (this.#isRefused(error)) return;
        await this.#pause(tries, signal);
      }
    }
  }

  async #run(signal: AbortSignal, wasCut: boolean): Promise<void> {
    let isCut = wasCut;
    let tries = 0;
    while (!signal.aborted && this.#cursor !== undefined) {
      try {
        const stream = await this.#options.open(this.#cursor, signal);
        this.#options.onConnection('live');
        if (isCut) this.#options.onResumed();
        tries = 0;
        await this.#read(stream, signal);
      } catch (error) {
        if (signal.aborted || this.#isRefused(error)) return;
        if (problemOf(error).code === 'cursor_expired') {
          this.#cursor = undefined;
          await this.#place(signal);
          this.#options.onGap();
          await this.#options.wait(firstRetryMs, signal);
          continue;
        }
      }
      isCut = true;
      if (!signal.aborted) await this.#pause(tries++, signal);
    }
  }

  async #read(stream: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const reader = new ServerEventReader();
    const decoder = new TextDecoder();
    const iterator = stream[Symbol.asyncIterator]();
    try {
      while (!signal.aborted) {
        const chunk = await this.#next(iterator, signal);
        if (chunk === undefined) return;
        for (const event of reader.read(decoder.decode(chunk, { stream: true }))) this.#tell(event);
      }
    } finally {
      void iterator.return?.()?.catch?.(() => {});
    }
  }

  /** The next bytes; undefined at the end, and when nothing has come for too long. */
  async #next(iterator: AsyncIterator<Uint8Array>, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const heard = new AbortController();
    const silence = this.#options.wait(maxSilentMs, AbortSignal.any([signal, heard.signal])).then(() => undefined);
    try {
      const next = await Promise.race([iterator.next(), silence]);
      return next === undefined || next.done ? undefined : next.value;
    } finally {
      heard.abort();
    }
  }

  #tell({ type, data, id }: ServerEvent): void {
    if (id !== undefined) this.#cursor = id;
    this.#options.onChange({ type, data: JSON.parse(data) });
  }

  #isRefused(error: unknown): boolean {
    if (!(error instanceof Problem && error.status === 401)) return false;
    this.stop();
    this.#options.onConnection('refused');
    return true;
  }

  async #pause(tries: number, signal: AbortSignal): Promise<void> {
    this.#options.onConnection('reconnecting');
    await this.#options.wait(Math.min(maxRetryMs, firstRetryMs * 2 ** tries), signal);
  }
}
