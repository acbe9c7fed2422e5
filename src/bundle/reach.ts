import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { candidatesOf, rulingFiles } from './freshness.ts';
import { isInstalled } from './package-folder.ts';

const specifiers = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]([^'"`\n]+)['"`]/g;
/** A failed build is watched by a guess; past this many files the guess is good enough. */
const maxFiles = 500;

/**
 * The author's files that a function reaches, read off their text: a build that fails does not tell what it read. May hold too
 * many (an import in a comment), which costs a needless build at most.
 */
export function reachedFiles(entry: string, limit: string): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined && reached.size < maxFiles; path = open.pop()) {
    if (reached.has(path) || isInstalled(path)) continue;
    reached.add(path);
    for (const specifier of specifiersIn(path)) {
      const found = candidatesOf(specifier, path, limit).find(isFile);
      if (found) open.push(found);
    }
  }
  return reached;
}

const mapAddress = /[#@] sourceMappingURL=([^\s'"]+)/g;

/**
 * A pipe or a device where the compiler looks for a file: it would read it without end, and hold all of it. Looked for only when a
 * build takes long.
 */
export function endlessFile(entry: string, root: string, limit: string): string | undefined {
  return [...rulingFiles(root, limit), ...readWith(entry, limit)].find(isEndless);
}

function* readWith(entry: string, limit: string): Generator<string> {
  for (const path of reachedFiles(entry, limit)) {
    yield path;
    for (const specifier of specifiersIn(path)) yield* candidatesOf(specifier, path, limit);
    for (const address of specifiersIn(path, mapAddress)) yield resolve(dirname(path), address);
  }
}

function isEndless(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
}

function specifiersIn(path: string, pattern = specifiers): string[] {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  try {
    return [...readFileSync(path, 'utf8').matchAll(pattern)].flatMap((match) => match[1] ?? []);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Paths where a new file would take an import away from the one that it got: `./b` found as `b.js` goes to `b.ts` when that
 * appears. Only of the author's own imports that leave something to the search.
 */
export function* shadowing(metafile: Metafile, files: Map<string, string>, limit: string): Generator<string> {
  for (const [key, importer] of files) {
    if (isInstalled(importer)) continue;
    for (const { path, original } of metafile.inputs[key]?.imports ?? []) {
      const found = files.get(path);
      if (!found || !original?.startsWith('.') || basename(found) === basename(original)) continue;
      for (const candidate of candidatesOf(original, importer, limit)) {
        if (candidate === found) break;
        yield candidate;
      }
    }
  }
}
