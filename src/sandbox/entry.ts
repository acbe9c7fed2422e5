import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
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
  try {
    const require = createRequire(entry);
    readable.add(nodeModulesOf(require.resolve('isolated-vm/package.json')));
  } catch {
    // It is absent; the child says so.
  }
  // node-gyp-build looks there to tell musl from glibc.
  readable.add('/etc/alpine-release');
  return ['--permission', '--allow-addons', ...[...readable].map((path) => `--allow-fs-read=${path}`)];
}

function nodeModulesOf(path: string): string {
  const folder = `${sep}node_modules${sep}`;
  const index = path.indexOf(folder);
  return index < 0 ? dirname(path) : path.slice(0, index + folder.length - 1);
}

let folder: string | undefined;

/** An empty folder for children to live in; one per process. */
export function emptyFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'fn-sandbox-'));
  return folder;
}

/** The folder to remove at the end, if one was made. */
export function madeFolder(): string | undefined {
  const made = folder;
  folder = undefined;
  return made;
}
