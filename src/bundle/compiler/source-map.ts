import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { isInside, sourceName } from '../../std/index.ts';
import { isPrivate } from '../problems/private-paths.ts';

interface SourceMap {
  sources: string[];
  sourcesContent?: (string | null)[];
}

/** Beginning of an esbuild source map. The names of the sources usually show that nothing has to be changed. */
const beginning = /^\{\s*"version": 3,\s*"sources": (\[[^\]]*\])/;

/**
 * The source map in a form that may leave this machine. Packages contain source maps, and the compiler reads any file that they name as a
 * source. Sources outside the project, or with secrets, lose their text and path.
 */
export function confinedMap(text: string, { inputs }: Metafile, root: string, limit: string): string {
  const mayStay = (source: string) => {
    const path = sourceName(source);
    return path in inputs || path.replace(/^\.\//, '') in inputs || !leadsOut(resolve(root, path), limit);
  };
  // Parsing a map with many packages takes longer than the rest of a build here.
  const named = beginning.exec(text)?.[1];
  if (text === '' || (named !== undefined && (JSON.parse(named) as string[]).every(mayStay))) return text;
  const map = JSON.parse(text) as SourceMap;
  map.sources.forEach((source, index) => {
    if (mayStay(source)) return;
    map.sources[index] = basename(source);
    if (map.sourcesContent) map.sourcesContent[index] = null;
  });
  return JSON.stringify(map);
}

/** Adds the original style sheets to the script's map: the compiler rewrites them, and a pull has to restore what the author wrote. */
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
