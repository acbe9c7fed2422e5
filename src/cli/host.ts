import type { Readable } from 'node:stream';
import type { Clock, Environment } from '../std/index.ts';

/** The process around a command line, provided by `main.ts` or by a test. */
export interface Host {
  readonly out: Stream;
  readonly err: Stream;
  readonly in: { readonly isTerminal: boolean; readonly open: () => Readable };
  readonly env: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  readonly version: string;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit code for being cut off; see `Context.ifCutOff`. */
  ifCutOff(state: CutOff | undefined): void;
}

/** Standard output or error. `write` never throws: after the stream is closed, output is dropped and `closed` is aborted. */
export interface Stream {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly closed: AbortSignal;
  /** Why a write failed, other than a closed stream: for example, a full disk. */
  readonly failure: Error | undefined;
  write(text: string | Uint8Array): void;
  /** Resolves when everything has left the process, or the stream is closed. */
  drained(): Promise<void>;
}

export interface CutOff {
  readonly exitCode: 8 | 10;
  readonly message: string;
}
