import { existsSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assetPath, isBuilt, lazy, packageRoot } from '../std/index.ts';

/** The child's program: a bundle of its own, and in development the TypeScript sources where they are newer than the bundle. */
export function childEntry(): string {
  return isBuilt ? assetPath('sandbox/child.js') : developmentEntry();
}

const developmentEntry = lazy(() => newestChild(packageRoot()));

/**
 * The bundle starts in a tenth of the time of the sources.
 * @param root a folder with `src`, and with `dist` if it was built
 * @returns the path of `dist/sandbox/child.js` if nothing that is built into it has changed since, else that of the sources
 */
export function newestChild(root: string): string {
  const source = join(root, 'src/sandbox/child/main.ts');
  const built = join(root, 'dist/sandbox/child.js');
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // All that the child imports: of this room and of the one below it.
  const changedAt = ['src/sandbox', 'src/std'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  );
  return Math.max(...changedAt) <= builtAt ? built : source;
}

/**
 * The web layer for a child that cannot read it from a file: in development it is built from source.
 * @returns undefined in the published package, where the built file is next to the child's program
 */
export async function developmentLayer(): Promise<string | undefined> {
  if (isBuilt) return undefined;
  const build = await import('./web/build.ts');
  return build.cachedLayer();
}

/** Flags of Node's permission model, a second line of defence: the child may read our code and isolated-vm, and nothing else. */
export function permissionFlags(entry: string): string[] {
  const readable = new Set<string>([isBuilt ? dirname(entry) : packageRoot()]);
  for (const folder of foldersOf('isolated-vm', entry)) {
    readable.add(folder);
    for (const below of foldersOf('node-gyp-build', join(folder, 'isolated-vm', 'package.json'))) readable.add(below);
  }
  // node-gyp-build checks this file to tell musl from glibc.
  readable.add('/etc/alpine-release');
  return ['--permission', '--allow-addons', ...[...readable].map((path) => `--allow-fs-read=${path}`)];
}

/**
 * The node_modules folders that lead from a file to a package: the one where it is looked up, and the one where it really is,
 * which differs if packages are linked from a store. Empty if it is missing; the child reports that.
 */
function foldersOf(name: string, from: string): string[] {
  const looked = createRequire(from).resolve.paths(name) ?? [];
  const found = looked.find((folder) => existsSync(join(folder, name, 'package.json')));
  return found === undefined ? [] : [found, dirname(realpathSync(join(found, name)))];
}

let folder: string | undefined;

/**
 * An empty working folder for the children; one per process. Old ones are left to the system's clean-up of temporary files. If none can be
 * created, the children run in the folder of their program, which is all that they may read.
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

/** The folder to remove at the end, if one was created. */
export function madeFolder(): string | undefined {
  const made = folder;
  folder = undefined;
  return made;
}
