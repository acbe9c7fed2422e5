import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { isInside } from '../../std/index.ts';
import { isPrivate } from '../problems/private-paths.ts';

interface SourceMap {
  sources: string[];
  sourcesContent?: (string | null)[];
}

/** How esbuild begins a map: the names alone are enough to see that nothing has to be done. */
const beginning = /^\{\s*"version": 3,\s*"sources": (\[[^\]]*\])/;

/**
 * The map as it may leave this machine. A package brings maps of its own, and the compiler reads whatever file such a map names as a
 * source: what lies outside the project or holds secrets loses its text and its place.
 */
export function confinedMap(text: string, { inputs }: Metafile, root: string, limit: string): string {
  const isInput = (source: string) => source in inputs || source.replace(/^\.\//, '') in inputs;
  const named = beginning.exec(text)?.[1];
  if (named !== undefined && (JSON.parse(named) as string[]).every(isInput)) return text;
  if (text === '') return text;
  const map = JSON.parse(text) as SourceMap;
  map.sources.forEach((source, index) => {
    if (isInput(source) || !leadsOut(resolve(root, source), limit)) return;
    map.sources[index] = basename(source);
    if (map.sourcesContent) map.sourcesContent[index] = null;
  });
  return JSON.stringify(map);
}

/** The script's map with the texts of its style sheets: the compiler rewrites a sheet, and a pull brings back what was written. */
export function withStyles(script: string, styles: string): string {
  const map = JSON.parse(script) as SourceMap;
  const { sources, sourcesContent = [] } = JSON.parse(styles) as SourceMap;
  const contents = map.sourcesContent ?? [];
  return JSON.stringify({
    ...map,
    sources: [...map.sources, ...sources],
    sourcesContent: [
      ...map.sources.map((_, index) => contents[index] ?? null),
      ...sources.map((_, index) => sourcesContent[index] ?? null),
    ],
  });
}

function leadsOut(path: string, limit: string): boolean {
  const real = realOf(path);
  return !isInside(limit, real) || isPrivate(real.slice(limit.length));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the map names what was there when the package was built, and holds its text
  }
}
