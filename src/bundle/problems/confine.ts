import type { Metafile } from 'esbuild';
import { isInside } from '../../std/index.ts';
import { outside, type Problem } from './failure.ts';
import { locate } from './locate.ts';
import { isPrivate, privatePath } from './private-paths.ts';

/**
 * Finds files in a finished build that functions may not use. esbuild uses real paths, so a symlink that leads out of the project
 * appears as its target.
 */
export function trespasses(metafile: Metafile, files: Map<string, string>, root: string, limit: string): Problem[] {
  const problems: Problem[] = [];
  for (const [key, path] of files) {
    const inside = isInside(limit, path);
    const within = inside ? path.slice(limit.length) : path;
    if (inside && !isPrivate(within)) continue;
    const importer = importerOf(metafile, key);
    const from = importer && files.get(importer.file);
    if (from && !isInside(limit, from)) continue; // follows from what is told about its importer
    const specifier = importer?.specifier ?? key;
    const location = importer && locate(root, importer.file, specifier);
    if (!inside) problems.push(outside(specifier, limit, location, path));
    else problems.push(privatePath(specifier, within.slice(1), location));
  }
  return problems;
}

function importerOf(metafile: Metafile, key: string): { file: string; specifier: string } | undefined {
  for (const [file, input] of Object.entries(metafile.inputs)) {
    const found = input.imports.find((entry) => entry.path === key);
    if (found) return { file, specifier: found.original ?? found.path };
  }
  return undefined;
}
