import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assetPath, isBuilt, packageFile, packageRoot } from '../std/index.ts';

/** The child's program: TypeScript source in development, a bundle of its own in the published package. */
export function childEntry(): string {
  return isBuilt ? assetPath('sandbox/child.js') : packageFile('src/sandbox/child/main.ts');
}

/**
 * The web layer, where the child cannot read it itself: in development it is built from source.
 * @returns undefined in the published package, whose child has the built file beside it
 */
export async function developmentLayer(): Promise<string | undefined> {
  if (isBuilt) return undefined;
  const build = await import('./web/build.ts');
  return build.cachedLayer();
}

/** Node's permission model, as a second line: the child may read our own code and isolated-vm, and nothing else. */
export function permissionFlags(entry: string): string[] {
  const readable = new Set<string>([isBuilt ? dirname(entry) : packageRoot()]);
  for (const folder of foldersOf('isolated-vm', entry)) {
    readable.add(folder);
    for (const below of foldersOf('node-gyp-build', join(folder, 'isolated-vm', 'package.json'))) readable.add(below);
  }
  // node-gyp-build looks there to tell musl from glibc.
  readable.add('/etc/alpine-release');
  return ['--permission', '--allow-addons', ...[...readable].map((path) => `--allow-fs-read=${path}`)];
}

/**
 * The node_modules folders through which a package is found from a file: the one where it is looked up, and the one where it
 * really lies – another one where packages are linked from a store. None when it is absent; the child says so.
 */
function foldersOf(name: string, from: string): string[] {
  const looked = createRequire(from).resolve.paths(name) ?? [];
  const found = looked.find((folder) => existsSync(join(folder, name, 'package.json')));
  return found === undefined ? [] : [found, dirname(realpathSync(join(found, name)))];
}

let folder: string | undefined;

/**
 * An empty folder for children to live in; one per process. What cleans up temporary files takes old ones away. Where none can be made they
 * live beside their own program, which is all that they may read.
 */
export function emptyFolder(): string {
  if (folder !== undefined && existsSync(folder)) return folder;
  try {
    folder = mkdtempSync(join(tmpdir(), 'fn-sandbox-'));
    return folder;
  } catch {
    return dirname(childEntry());
  }
}

/** The folder to remove at the end, if one was made. */
export function madeFolder(): string | undefined {
  const made = folder;
  folder = undefined;
  return made;
}
