import { SourceMap } from 'node:module';
import { type SourceLocation, sourceName } from '../../std/index.ts';

const frame = /^(?<before>.*?)\(?(?:https?:\/\/\S+?|about:srcdoc):(?<line>\d+):(?<column>\d+)\)?$/;
/** Longer lines are skipped: the pattern scans a line once for each address in it. No frame is this long. */
const longestFrame = 2_000;

/**
 * Maps a stack of the frame to the author's sources, in V8's form; Firefox and Safari write `name@address`. Positions outside the program
 * are omitted.
 */
export function mapViewStack(stack: string, sourceMap: string | undefined, programLine: number): string {
  if (sourceMap === undefined) return stack;
  const map = mapOf(sourceMap);
  const lines: string[] = [];
  for (const line of stack.split('\n')) {
    const place = line.length > longestFrame ? undefined : frame.exec(line)?.groups;
    if (!place) {
      lines.push(line);
      continue;
    }
    const found = map.findEntry(Number(place['line']) - programLine, Number(place['column']) - 1);
    if (!('originalSource' in found)) continue;
    const caller = place['before']?.replace(/^\s*at\b|@$/g, '').trim();
    const at = `${sourceName(found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    lines.push(caller ? `    at ${caller} (${at})` : `    at ${at}`);
  }
  return lines.join('\n').trimEnd();
}

/** Where a view's error was thrown, with the source line. */
export function placeInView(
  stack: string,
  sourceMap: string | undefined,
  programLine: number,
): SourceLocation | undefined {
  if (sourceMap === undefined) return undefined;
  const map = mapOf(sourceMap);
  for (const text of stack.split('\n')) {
    const place = text.length > longestFrame ? undefined : frame.exec(text)?.groups;
    const found = place && map.findEntry(Number(place['line']) - programLine, Number(place['column']) - 1);
    if (!found || !('originalSource' in found)) continue;
    const { originalSource: file, originalLine, originalColumn } = found;
    const line = linesOf(sourceMap, file)[originalLine];
    return { file, line: originalLine + 1, column: originalColumn + 1, ...(line !== undefined && { text: line }) };
  }
  return undefined;
}

let lastSource: { readonly map: string; readonly file: string; readonly lines: readonly string[] } | undefined;

/** Keeps the last one: the payload of a map is copied each time. */
function linesOf(map: string, file: string): readonly string[] {
  if (lastSource?.map !== map || lastSource.file !== file) {
    const { sources = [], sourcesContent = [] } = mapOf(map).payload;
    lastSource = { map, file, lines: (sourcesContent[sources.indexOf(file)] ?? '').split(/\r?\n/) };
  }
  return lastSource.lines;
}

let last: { readonly text: string; readonly map: SourceMap } | undefined;

/** Keeps the last one: reading it takes a tenth of a second for a large view, and a view may fail with every frame that it draws. */
function mapOf(text: string): SourceMap {
  if (last?.text !== text) last = { text, map: new SourceMap(JSON.parse(text)) };
  return last.map;
}
