import type { Style } from './style.ts';

/**
 * Where a command writes. Standard output is the result and nothing else; progress, hints and notices go to standard error.
 * Whatever is written as text passes `sanitise`: no escape sequence but our own colours reaches a terminal.
 */
export interface Io {
  /** `--json` was given. */
  readonly json: boolean;
  /** Standard output, or error, is a terminal that people look at. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  /** Colours of standard output; plain text where it does not show them. */
  readonly style: Style;
  /** Colours of standard error. */
  readonly errStyle: Style;
  /** One line (or several) of the result. */
  out(text: string): void;
  /** A line of progress, hint or notice. */
  err(text: string): void;
  /** The result: one JSON document with `--json`, else the sentence for people. */
  result(value: unknown, text: () => string | undefined): void;
  /** One of many: one object a line with `--json`. */
  item(value: unknown, text: () => string | undefined): void;
  /** Bytes of the result as they are; on a terminal shown as sanitised text. Waits for a slow reader. */
  write(bytes: Uint8Array): Promise<void>;
  /** A line on standard error that the next one replaces; nothing where standard error is no terminal. Empty: clears it. */
  progress(text: string): void;
}
