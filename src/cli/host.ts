import type { Readable } from 'node:stream';
import type { Clock } from '../std/index.ts';

/** The process around a command line, handed in by `main.ts` or by a test. */
export interface Host {
  readonly out: Stream;
  readonly err: Stream;
  readonly in: { readonly isTerminal: boolean; readonly open: () => Readable };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly version: string;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Says how the process ends when it is cut off now; see `Context.ifCutOff`. */
  ifCutOff(state: CutOff | undefined): void;
}

/** Standard output or error. `write` never throws: what a closed stream would have taken is dropped, and `closed` is aborted. */
export interface Stream {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly closed: AbortSignal;
  /** Why something could not be written, other than that nobody reads it: a full disk. */
  readonly failure: Error | undefined;
  write(text: string | Uint8Array): void;
  /** Settles when everything written has left the process, or the stream is closed. */
  drained(): Promise<void>;
}

export interface CutOff {
  readonly exitCode: 8 | 10;
  readonly message: string;
}
