import { isRecord } from '../std/index.ts';
import type { Host } from './host.ts';
import { inLine, sanitise, sanitiseStyled, toJson } from './terminal/sanitise.ts';
import { coloursOf, type Style, styleFor } from './terminal/style.ts';
import { cutTo } from './terminal/width.ts';
import { stopCommandsIn, stopCommandsInJson } from './terminal/workflow-commands.ts';

/**
 * Output of a command. Standard output is for the result only; progress, hints and notices go to standard error. All text
 * passes `sanitise`, so that only the escape sequences of our own colours reach a terminal.
 */
export interface Io {
  /** Whether `--json` was given. */
  readonly json: boolean;
  /** Whether standard output or error is a terminal. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Columns of the terminal; 80 without one. */
  readonly columns: number;
  /** Style of standard output; plain text if it has no colours. */
  readonly style: Style;
  /** Style of standard error. */
  readonly errStyle: Style;
  /** Aborted when standard output is no longer read (`| head`): streams of items end, everything else continues quietly. */
  readonly closed: AbortSignal;
  /** One line (or several) of the result. */
  out(text: string): void;
  /** A line of progress, hint or notice. */
  err(text: string): void;
  /** A command of ours to the runner of GitHub Actions. In all other output such commands are made harmless. */
  annotate(line: string): void;
  /**
   * Names the workspace of the command, if it is not the local one: at once as `→ acme (live)`, with `--json` as `workspace` in each object that
   * is printed, also in that of an error.
   */
  name(slug: string, shortName: string): void;
  /** Prints something that the person has to act on before the command continues: on standard error at once, with `--json` as a JSON line. */
  urge(value: object, text: string): void;
  /** Prints the result: one JSON document with `--json`, otherwise the text. */
  result(value: unknown, text: () => string | undefined): void;
  /** Prints a list. If it is empty, that is said on standard error, because to a script each line of output is an item. */
  results(
    value: Readonly<Record<string, unknown>> & { readonly items: readonly unknown[] },
    none: string,
    text: () => string,
  ): void;
  /** Prints an answer unchanged: the workspace is named after it on standard error, not in it. */
  answer(value: unknown, text: () => string | undefined): void;
  /** Prints one item of many: with `--json` as one object per line. */
  item(value: unknown, text: () => string | undefined): void;
  /** Writes raw bytes of the result; on a terminal as sanitised text. Waits for a slow reader. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints a line on standard error that the next one replaces; nothing without a terminal. An empty text clears it. */
  progress(text: string): void;
}

/** Notices for people while the result is for machines: see `openIo`. */
export interface Notices {
  /** Slug of the workspace that the command named. */
  readonly workspace: string | undefined;
  /** Returns and clears the notices. */
  take(): string[];
}

/** How many lines are kept with `--json`; a command with more should put them into its result. */
const mostNotices = 200;

/**
 * @returns with `--json`, notices are collected: they follow the result on standard error, or become part of the error's
 * document
 */
export function openIo(host: Host, json: boolean): Io & { readonly notices: Notices } {
  const { out, err, env } = host;
  const outColours = coloursOf(env, out.isTerminal) && !json;
  const errColours = coloursOf(env, err.isTerminal);
  const draws = err.isTerminal && env['TERM'] !== 'dumb' && !json;
  let drawn = false;
  let kept: string[] = [];
  let named: { readonly slug: string; readonly shortName: string } | undefined;
  let isShown = false;

  const clear = () => {
    if (drawn) err.write('\r\u001b[2K');
    drawn = false;
  };
  const harmless = stopCommandsIn(env);
  const harmlessJson = stopCommandsInJson(env);
  const outLine = (text: string) => {
    clear();
    out.write(`${harmless(outColours ? sanitiseStyled(text) : sanitise(text))}\n`);
  };
  const print = (value: unknown, text: () => string | undefined) => {
    if (json) return outLine(harmlessJson(toJson(placed(value))));
    const line = text();
    if (line !== undefined) outLine(line);
  };

  /** A result with the workspace that it is from. */
  const placed = (value: unknown): unknown => {
    if (named === undefined || !isRecord(value)) return value;
    isShown = true;
    return 'workspace' in value ? value : { ...value, workspace: named.slug };
  };

  const errLine = (text: string) => {
    clear();
    err.write(`${harmless(errColours ? sanitiseStyled(text) : sanitise(text))}\n`);
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
      get workspace() {
        return named?.slug;
      },
      take() {
        const taken = json && named !== undefined && !isShown ? [arrow(named.shortName), ...kept] : kept;
        kept = [];
        return taken;
      },
    },
    err(text) {
      if (json) {
        if (kept.length < mostNotices) kept.push(harmless(sanitise(text)));
        return;
      }
      errLine(text);
    },
    annotate(line) {
      if (json) kept.push(inLine(line));
      else err.write(`${inLine(line)}\n`);
    },
    name(slug, shortName) {
      if (named !== undefined) return;
      named = { slug, shortName };
      if (!json) errLine(arrow(shortName));
    },
    urge: (value, text) => errLine(json ? harmlessJson(toJson(value)) : text),
    result: print,
    answer(value, text) {
      if (json) outLine(harmlessJson(toJson(value)));
      else print(value, text);
    },
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

const arrow = (shortName: string): string => inLine(`→ ${shortName}`);
