import { sourceName } from '../std/index.ts';
import type { CoveredRange, FunctionCoverage, Program, SourceCoverage } from './types.ts';

/** Length of the text in front of the program in its script (child/supervisor.ts). */
const before = '__begin(\n'.length;

/** A position in the code and its position in a source. */
interface Mark {
  readonly at: number;
  readonly source: number;
  readonly from: number;
}

/**
 * Translates V8's coverage of a program's script to the author's sources, as if Node had run those. Code that the bundler left out is in no
 * range, because nothing is known about it.
 */
export function sourceCoverage(program: Program, counted: readonly FunctionCoverage[]): SourceCoverage[] {
  const map = parsed(program.sourceMap);
  if (!map) return [];
  const places = new Places(program.code, map);
  const found = new Map<number, FunctionCoverage[]>();
  for (const { functionName, isBlockCoverage, ranges } of counted) {
    const [whole] = ranges;
    // The script, and the function around all of the program.
    if (!whole || whole.startOffset <= before + 1) continue;
    const source = places.sourceAt(whole);
    if (source === undefined || !isOwn(map.sources[source]) || places.isGetter(whole)) continue;
    const mapped = nested(ranges.flatMap((range) => places.inSource(source, range) ?? []));
    const name = nameIn(map.sourcesContent[source] ?? '', functionName);
    if (mapped.length > 0) listIn(found, source).push({ functionName: name, isBlockCoverage, ranges: mapped });
  }
  for (const source of places.sources) if (isOwn(map.sources[source])) listIn(found, source);
  return [...found].map(([source, functions]) => {
    const all = { startOffset: 0, endOffset: map.sourcesContent[source]?.length ?? 0, count: 1 };
    const module = { functionName: '', isBlockCoverage: true, ranges: [all] };
    return { source: map.sources[source] ?? '', functions: [module, ...functions] };
  });
}

/** The bundler names an anonymous default export after its file, `find_default`; Node calls it `default`. */
function nameIn(text: string, name: string): string {
  return name.endsWith('_default') && !text.includes(name) ? 'default' : name;
}

function listIn<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

const isOwn = (source: string | undefined) => source !== undefined && !/(^|\/)node_modules\//.test(source);

/** Translates positions in the code by the source map, which gives the beginning of each piece. */
class Places {
  readonly #code: string;
  readonly #texts: readonly string[];
  readonly #marks: readonly Mark[];

  constructor(code: string, { mappings, sourcesContent }: SourceMap) {
    this.#code = code;
    this.#texts = sourcesContent.map((text) => text ?? '');
    this.#marks = marksOf(mappings, code, this.#texts);
  }

  get sources(): Set<number> {
    return new Set(this.#marks.map(({ source }) => source));
  }

  sourceAt({ startOffset, endOffset }: CoveredRange): number | undefined {
    const first = this.#marks[this.#firstAt(startOffset - before)];
    return first && first.at < endOffset - before ? first.source : undefined;
  }

  /** Whether the bundler made this function: it gives an export its value, `config: () => config`. */
  isGetter({ startOffset, endOffset }: CoveredRange): boolean {
    const code = this.#code.slice(startOffset - before, endOffset - before);
    if (!/^\(\)\s*=>\s*[\w$]+$/.test(code)) return false;
    const first = this.#marks[this.#firstAt(startOffset - before)];
    const text = this.#texts[first?.source ?? -1] ?? '';
    return !text.startsWith('(', first?.from);
  }

  /** Undefined if no part of the range is in the source. */
  inSource(source: number, { startOffset, endOffset, count }: CoveredRange): CoveredRange | undefined {
    const [begin, end] = [startOffset - before, endOffset - before];
    const index = this.#firstAt(begin);
    const next = this.#firstAt(end);
    const first = this.#marks[index];
    const last = this.#marks[next - 1];
    if (!first || !last || next <= index || first.source !== source || last.source !== source) return undefined;
    const text = this.#texts[source] ?? '';
    const lead = this.#code.slice(begin, first.at);
    const isWritten = text.slice(0, first.from).endsWith(lead);
    return {
      startOffset: isWritten ? first.from - lead.length : first.from,
      endOffset: this.#endOf(last, end, text),
      count,
    };
  }

  /** The exact end if the last piece is unchanged from the source; otherwise where the next piece begins. */
  #endOf(last: Mark, end: number, text: string): number {
    const piece = this.#code.slice(last.at, end);
    if (text.startsWith(piece, last.from)) return last.from + piece.length;
    const following = this.#marks.find(
      ({ at, source, from }) => at >= end && source === last.source && from > last.from,
    );
    return text.slice(0, following?.from ?? text.length).trimEnd().length;
  }

  /** Index of the first mark at or after the position. */
  #firstAt(place: number): number {
    let low = 0;
    let high = this.#marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#marks[middle]?.at ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Tools that merge coverage expect nested blocks. A moved piece can make a block overlap the end of its parent, so it is cut there. */
function nested(ranges: readonly CoveredRange[]): CoveredRange[] {
  const around: CoveredRange[] = [];
  const kept: CoveredRange[] = [];
  for (const range of ranges) {
    while (around.length > 1 && (around.at(-1)?.endOffset ?? 0) <= range.startOffset) around.pop();
    const outer = around.at(-1) ?? range;
    const startOffset = Math.max(range.startOffset, outer.startOffset);
    const endOffset = Math.min(range.endOffset, outer.endOffset);
    if (endOffset <= startOffset) continue;
    const cut = { startOffset, endOffset, count: range.count };
    around.push(cut);
    kept.push(cut);
  }
  return kept;
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
  readonly mappings: string;
}

function parsed(text: string | undefined): SourceMap | undefined {
  if (text === undefined) return undefined;
  const { sources, sourcesContent, mappings } = JSON.parse(text) as Partial<SourceMap>;
  if (!sources || !sourcesContent || mappings === undefined) return undefined;
  return { sources: sources.map(sourceName), sourcesContent, mappings };
}

function marksOf(mappings: string, code: string, texts: readonly string[]): Mark[] {
  const codeLines = lineStarts(code);
  const textLines = texts.map(lineStarts);
  const marks: Mark[] = [];
  let [source, line, column] = [0, 0, 0];
  for (const [at, pieces] of mappings.split(';').entries()) {
    let codeColumn = 0;
    for (const piece of pieces === '' ? [] : pieces.split(',')) {
      const [ahead = 0, sources, lines = 0, columns = 0] = numbers(piece);
      codeColumn += ahead;
      if (sources === undefined) continue;
      source += sources;
      line += lines;
      column += columns;
      marks.push({ at: (codeLines[at] ?? 0) + codeColumn, source, from: (textLines[source]?.[line] ?? 0) + column });
    }
  }
  return marks;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const digits = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, value) => [digit, value]),
);

/** Decodes the base64 VLQ numbers of a source map segment: five bits per digit, lowest first; the lowest bit is the sign. */
function numbers(piece: string): number[] {
  const found: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of piece) {
    const bits = digits.get(digit) ?? 0;
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    found.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return found;
}
