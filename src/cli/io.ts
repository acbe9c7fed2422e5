import type { Host } from './host.ts';
import { inLine, sanitise, sanitiseStyled, toJson } from './terminal/sanitise.ts';
import { coloursOf, type Style, styleFor } from './terminal/style.ts';
import { cutTo } from './terminal/width.ts';

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
  /** Aborted when nobody reads standard output any more (`| head`): a stream of items ends there, anything else goes on quietly. */
  readonly closed: AbortSignal;
  /** One line (or several) of the result. */
  out(text: string): void;
  /** A line of progress, hint or notice. */
  err(text: string): void;
  /** What somebody has to act on before the command goes on: on standard error at once, with `--json` as an object in a line. */
  urge(value: object, text: string): void;
  /** The result: one JSON document with `--json`, else the sentence for people. */
  result(value: unknown, text: () => string | undefined): void;
  /** A result of many. That there are none is said on standard error: to a script each line is one of them. */
  results(
    value: Readonly<Record<string, unknown>> & { readonly items: readonly unknown[] },
    none: string,
    text: () => string,
  ): void;
  /** One of many: one object a line with `--json`. */
  item(value: unknown, text: () => string | undefined): void;
  /** Bytes of the result as they are; on a terminal shown as sanitised text. Waits for a slow reader. */
  write(bytes: Uint8Array): Promise<void>;
  /** A line on standard error that the next one replaces; nothing where standard error is no terminal. Empty: clears it. */
  progress(text: string): void;
}

/** What was said for people beside a result for machines: see `openIo`. */
export interface Notices {
  /** Hands them over, once. */
  take(): string[];
}

/** Most lines that are kept with `--json`; a command that says more says it in its result. */
const mostNotices = 200;

/**
 * @returns with `--json` notices are kept: they follow the result on standard error, or are part of the one document that an
 * error is
 */
export function openIo(host: Host, json: boolean): Io & { readonly notices: Notices } {
  const { out, err, env } = host;
  const outColours = coloursOf(env, out.isTerminal) && !json;
  const errColours = coloursOf(env, err.isTerminal);
  const draws = err.isTerminal && env['TERM'] !== 'dumb' && !json;
  let drawn = false;
  let kept: string[] = [];

  const clear = () => {
    if (drawn) err.write('\r\u001b[2K');
    drawn = false;
  };
  const outLine = (text: string) => {
    clear();
    out.write(`${outColours ? sanitiseStyled(text) : sanitise(text)}\n`);
  };
  const print = (value: unknown, text: () => string | undefined) => {
    if (json) return outLine(toJson(value));
    const line = text();
    if (line !== undefined) outLine(line);
  };

  const errLine = (text: string) => {
    clear();
    err.write(`${errColours ? sanitiseStyled(text) : sanitise(text)}\n`);
  };

  return {
    json,
    outIsTerminal: out.isTerminal,
    errIsTerminal: err.isTerminal,
    get columns() {
      return out.columns;
    },
    style: styleFor(outColours),
    errStyle: styleFor(errColours),
    closed: out.closed,
    out: outLine,
    notices: {
      take() {
        const taken = kept;
        kept = [];
        return taken;
      },
    },
    err(text) {
      if (json) {
        if (kept.length < mostNotices) kept.push(sanitise(text));
        return;
      }
      errLine(text);
    },
    urge: (value, text) => errLine(json ? toJson(value) : text),
    result: print,
    results(value, none, text) {
      if (json || value.items.length > 0) print(value, text);
      else errLine(none);
    },
    item: print,
    async write(bytes) {
      clear();
      out.write(out.isTerminal ? sanitise(new TextDecoder().decode(bytes)) : bytes);
      await out.drained();
    },
    progress(text) {
      if (!draws) return;
      clear();
      if (text === '') return;
      err.write(cutTo(inLine(text), Math.max(1, err.columns - 1)));
      drawn = true;
    },
  };
}
