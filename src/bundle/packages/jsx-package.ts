import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../std/index.ts';

const runtimes = ['preact', 'react'] as const;

/**
 * What JSX is compiled for: what is installed of preact and react. Where both are – another package may have brought one along – it
 * is the one that the nearest manifest with either of them names; preact where that names both, or none does, or nothing is installed.
 */
export function jsxPackage(root: string, limit: string): string {
  const folders = [...foldersUp(root, limit)];
  const installed = runtimes.filter((name) =>
    folders.some((folder) => existsSync(join(folder, 'node_modules', name, 'package.json'))),
  );
  if (installed.length < 2) return installed[0] ?? 'preact';
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
    // None there, or half written: the build that comes next sees it.
    return [];
  }
  const { dependencies, devDependencies, peerDependencies } = fields ?? {};
  const names = { ...dependencies, ...devDependencies, ...peerDependencies };
  return runtimes.filter((name) => Object.hasOwn(names, name));
}
