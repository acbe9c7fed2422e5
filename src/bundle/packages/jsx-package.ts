import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../std/index.ts';

const runtimes = ['preact', 'react'] as const;

/**
 * The package that JSX is compiled for: preact or react, whichever is installed. If both are (one may be a dependency of another package),
 * or neither is yet, the nearest manifest that names either decides; preact if it names both, or if no manifest names one.
 */
export function jsxPackage(root: string, limit: string): string {
  const folders = [...foldersUp(root, limit)];
  const installed = runtimes.filter((name) =>
    folders.some((folder) => existsSync(join(folder, 'node_modules', name, 'package.json'))),
  );
  if (installed.length === 1) return installed[0] as string;
  for (const folder of folders) {
    const named = namedIn(join(folder, 'package.json'));
    if (named.length > 0) return named[0] as string;
  }
  return 'preact';
}

function* foldersUp(root: string, limit: string): Generator<string> {
  for (let folder = root; isInside(limit, folder); folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

function namedIn(manifest: string): readonly string[] {
  let fields: Partial<Record<string, Record<string, unknown>>>;
  try {
    fields = JSON.parse(readFileSync(manifest, 'utf8'));
  } catch {
    // Missing or half written: the next build will see it.
    return [];
  }
  const { dependencies, devDependencies, peerDependencies } = fields ?? {};
  const names = { ...dependencies, ...devDependencies, ...peerDependencies };
  return runtimes.filter((name) => Object.hasOwn(names, name));
}
