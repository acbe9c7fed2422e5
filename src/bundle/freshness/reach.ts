import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { isInside } from '../../std/index.ts';
import { isInstalled } from '../packages/package-folder.ts';
import { candidatesOf, rulingFiles } from './freshness.ts';

const specifiers = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?['"`]([^'"`\n]+)['"`]/g;
/** After a failed build the files to watch are estimated, up to this many. */
const maxFiles = 500;

/**
 * The author's files that a function imports, found in their text: a failed build does not report what it read. May contain too
 * many (an import in a comment), which only causes a needless build.
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
 * Finds a pipe or device in place of a file: the compiler would read it endlessly and keep all of it in memory. Called only if a
 * build takes long.
 */
export function endlessFile(entry: string, root: string, limit: string): string | undefined {
  const settings = [...rulingFiles(root, limit), ...readWith(entry, limit)];
  return [...settings, ...extendedFrom(settings, limit)].find(isEndless);
}

function* readWith(entry: string, limit: string): Generator<string> {
  for (const path of reachedFiles(entry, limit)) {
    yield path;
    yield* rulingFiles(dirname(path), limit);
    for (const specifier of specifiersIn(path)) yield* candidatesOf(specifier, path, limit);
    for (const address of specifiersIn(path, mapAddress)) yield resolve(dirname(path), address);
  }
}

const extended = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/;

/** Settings that compiler settings extend, recursively: files beside them, elsewhere on the machine, or in packages. */
function* extendedFrom(paths: Iterable<string>, limit: string): Generator<string> {
  const seen = new Set<string>();
  const open = [...paths].filter((path) => /[jt]sconfig\.json$/.test(path));
  for (let path = open.pop(); path !== undefined && seen.size < maxFiles; path = open.pop()) {
    if (seen.has(path) || !isFile(path)) continue;
    seen.add(path);
    for (const [, name = ''] of (extended.exec(readText(path))?.[1] ?? '').matchAll(/"([^"]*)"/g)) {
      const places =
        isAbsolute(name) || name.startsWith('.') ? [resolve(dirname(path), name)] : inPackages(name, path, limit);
      for (const found of places.flatMap((place) => [place, `${place}.json`, join(place, 'tsconfig.json')])) {
        yield found;
        open.push(found);
      }
    }
  }
}

function inPackages(name: string, path: string, limit: string): string[] {
  const places: string[] = [];
  for (let folder = dirname(path); isInside(limit, folder); folder = dirname(folder)) {
    places.push(join(folder, 'node_modules', name));
    if (folder === dirname(folder)) break;
  }
  return places;
}

function isEndless(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
}

function specifiersIn(path: string, pattern = specifiers): string[] {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return [...readText(path).matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Paths that would lead an import elsewhere than to the file it resolved to: `./b`, found as `b.js`, resolves to `b.ts` once that exists,
 * and a link on the way may be changed. Only for the author's own imports that do not name the file itself.
 */
export function* shadowing(metafile: Metafile, files: Map<string, string>, limit: string): Generator<string> {
  for (const [key, importer] of files) {
    if (isInstalled(importer)) continue;
    for (const { path, original } of metafile.inputs[key]?.imports ?? []) {
      const found = files.get(path);
      if (!found || !original?.startsWith('.') || found === resolve(dirname(importer), original)) continue;
      for (const candidate of candidatesOf(original, importer, limit)) {
        if (candidate === found) break;
        yield candidate;
      }
    }
  }
}

/**
 * Files that affect resolution in linked workspace packages: their `exports` and `imports`, and their compiler settings. These
 * packages are the author's own files, which change without an install.
 * @param root its own ruling files are checked anyway
 */
export function* linkedRulers(files: Map<string, string>, root: string, limit: string): Generator<string> {
  const seen = new Set<string>([root, limit]);
  for (const file of files.values()) {
    if (isInstalled(file)) continue;
    for (let folder = dirname(file); isInside(limit, folder) && !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder);
      if (!existsSync(join(folder, 'package.json'))) continue;
      yield join(folder, 'package.json');
      yield join(folder, 'tsconfig.json');
      break;
    }
  }
}
