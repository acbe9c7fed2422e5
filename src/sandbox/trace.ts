import { SourceMap } from 'node:module';
import { type SourceLocation, sourceName } from '../std/index.ts';
import * as authorNames from './author-names.ts';
import type { ErrorCause, Program } from './types.ts';

/** File name of our own code inside an isolate (child/base.ts). */
const ownFile = 'fn:sandbox';
/** Number of lines in front of the program in its script (child/supervisor.ts). */
const linesBefore = 1;
/** Characters of a program's sources whose names are kept: they may take twenty times as many bytes. */
const mostNamedLength = 2 * 1024 * 1024;

/** Maps positions in the bundle to positions in the author's files, and drops our own frames. */
export class Trace {
  /** The script's file name inside the isolate. */
  readonly url: string;
  readonly #program: Program;
  #pattern: RegExp | undefined;
  #map: SourceMap | null | undefined;
  /** Text of each source. Kept because SourceMap returns a copy of its payload each time. */
  #sources: ReadonlyMap<string, string | null> | undefined;
  readonly #names = new Map<string, ReadonlySet<string>>();
  /** Characters of the sources in `#names`. */
  #namedLength = 0;

  constructor(program: Program) {
    this.#program = program;
    this.url = scriptUrl(program);
  }

  /** Created on first use: most programs never fail. */
  get #position(): RegExp {
    this.#pattern ??= new RegExp(`${RegExp.escape(this.url)}:(\\d+):(\\d+)`, 'g');
    return this.#pattern;
  }

  /** Maps a stack, or any text that may contain one. */
  text(text: string): string {
    if (!text.includes(this.url) && !text.includes(ownFile)) return text;
    const lines = text.split('\n');
    return lines
      .filter((line, at) => !isOurPromise(line, lines[at - 1], lines[at + 1]))
      .flatMap((line) => this.#line(line))
      .join('\n');
  }

  error<T extends ErrorCause>(error: T): T {
    const name = authorNames.className(error.name, (word) => this.#isWritten(word));
    const { stack } = error;
    return {
      ...error,
      name,
      ...(stack !== undefined && {
        stack: this.text(stack.startsWith(error.name) ? name + stack.slice(error.name.length) : stack),
      }),
      ...(error.cause && { cause: this.error(error.cause) }),
      ...(error.errors && { errors: error.errors.map((one) => this.error(one)) }),
    };
  }

  /** The first position in the author's files in a raw stack. */
  location(stack: string | undefined): SourceLocation | undefined {
    for (const [, line, column] of (stack ?? '').matchAll(this.#position)) {
      const origin = this.#origin(Number(line), Number(column));
      if (origin) return { ...origin, ...this.#sourceLine(origin.file, origin.line) };
    }
    return undefined;
  }

  #line(line: string): string[] {
    if (!/^\s*at /.test(line))
      return [
        line.replace(this.#position, (_, at, column) => this.#place(Number(at), Number(column)) ?? this.#program.name),
      ];
    if (line.includes(ownFile)) return [];
    let known = true;
    let source: string | undefined;
    const mapped = line.replace(this.#position, (_, at, column) => {
      const origin = this.#origin(Number(at), Number(column));
      known &&= origin !== undefined;
      source = origin?.file;
      return origin ? placeOf(origin) : '';
    });
    if (!known) return [];
    return [authorNames.frame(mapped, (name) => source === undefined || (this.#namesIn(source)?.has(name) ?? true))];
  }

  #place(line: number, column: number): string | undefined {
    const origin = this.#origin(line, column);
    return origin && placeOf(origin);
  }

  /** Undefined for code without a source, such as the bundler's helpers. */
  #origin(line: number, column: number): { file: string; line: number; column: number } | undefined {
    const map = this.#sourceMap();
    if (!map) return { file: `${this.#program.name}.js`, line: line - linesBefore, column };
    // Not `findOrigin`: it adds the offset within the generated segment, which may be longer than what the author wrote.
    const entry = map.findEntry(line - linesBefore - 1, column - 1);
    if (!('originalSource' in entry) || !entry.originalSource) return undefined;
    return { file: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }

  #sourceMap(): SourceMap | null {
    if (this.#map !== undefined) return this.#map;
    this.#map = null;
    if (this.#program.sourceMap !== undefined) {
      try {
        this.#map = readMap(this.#program.sourceMap);
      } catch {
        // Not a valid source map: positions in the bundle are better than nothing.
      }
    }
    return this.#map;
  }

  #sourceLine(file: string, line: number): { text?: string } {
    const text = this.#sourceOf(file)?.split(/\r?\n/)[line - 1];
    return text === undefined ? {} : { text };
  }

  #sourceOf(file: string): string | undefined {
    return this.#texts().get(file) ?? undefined;
  }

  /** The names in a source; undefined if it is unknown or too large. A log may contain ten thousand frames, so none of them searches the text. */
  #namesIn(file: string): ReadonlySet<string> | undefined {
    const known = this.#names.get(file);
    if (known) return known;
    const text = this.#sourceOf(file);
    if (text === undefined || this.#namedLength + text.length > mostNamedLength) return undefined;
    this.#namedLength += text.length;
    const names = new Set(text.match(/[\w$]+/g));
    this.#names.set(file, names);
    return names;
  }

  /** Whether a source contains the words; true if the sources are unknown. */
  #isWritten(words: string): boolean {
    const texts = [...this.#texts().values()];
    return texts.length === 0 || texts.some((text) => text?.includes(words) ?? true);
  }

  #texts(): ReadonlyMap<string, string | null> {
    if (!this.#sources) {
      const { sources = [], sourcesContent = [] } = this.#sourceMap()?.payload ?? {};
      this.#sources = new Map(sources.map((file, at) => [file, sourcesContent[at] ?? null]));
    }
    return this.#sources;
  }
}

/** @throws if it is not a source map: it came with a deployment, and may be any text */
function readMap(text: string): SourceMap {
  const payload = JSON.parse(text);
  const { sources = [], sourcesContent = [] } = payload;
  const isText = (value: unknown) => typeof value === 'string';
  const fits =
    Array.isArray(sources) &&
    sources.every(isText) &&
    Array.isArray(sourcesContent) &&
    sourcesContent.every((content) => content === null || isText(content));
  if (!fits) throw new TypeError('its sources are no texts');
  return new SourceMap({ ...payload, sources: sources.map(sourceName) });
}

function placeOf({ file, line, column }: { file: string; line: number; column: number }): string {
  return `${file}:${line}:${column}`;
}

/** Whether this is the frame of the promise that our code makes of the function's result: it is next to one of our frames. */
function isOurPromise(line: string, before = '', after = ''): boolean {
  return line.trim() === 'at new Promise (<anonymous>)' && (before.includes(ownFile) || after.includes(ownFile));
}

export function scriptUrl({ app, name }: Program): string {
  return encodeURI(`file:///${app}/${name}.js`);
}
