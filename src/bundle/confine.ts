import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import type { SourceLocation } from '../std/index.ts';
import { isInside, toSlashes } from '../std/index.ts';
import { outside, type Problem } from './failure.ts';
import { isPrivate, privatePath } from './private-paths.ts';

/** The real files of a build: metafile key → absolute path. Virtual modules are left out. */
export function filesOf(metafile: Metafile, root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const key of Object.keys(metafile.inputs)) {
    // Keys of virtual modules start with their namespace; a Windows path with another drive starts with one letter.
    if (/^(?:\(disabled\)|[A-Za-z][\w-]+):|^</.test(key)) continue;
    files.set(key, resolve(root, key.replace(/[?#].*$/, '')));
  }
  return files;
}

/**
 * What a finished build took from where it may not. esbuild names files by their real paths, so a symlink that leads out shows
 * here under its target.
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

/** Where `file` names `specifier` first. The compiler knows but does not tell. */
export function locate(root: string, file: string, specifier: string): SourceLocation {
  const shown = toSlashes(file);
  try {
    const lines = readFileSync(join(root, file), 'utf8').split(/\r?\n/);
    for (const quote of ['"', "'", '`']) {
      const index = lines.findIndex((line) => line.includes(quote + specifier + quote));
      const text = lines[index];
      if (text === undefined) continue;
      return { file: shown, line: index + 1, column: text.indexOf(quote + specifier) + 1, text };
    }
  } catch {
    // A file that cannot be read again has no line to show; its name is enough.
  }
  return { file: shown };
}
