import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { isRecord } from '../../std/index.ts';

/**
 * Finds where the packages of an app will be installed: npm, yarn and bun install those of a workspace at its top.
 * @param root of the app, absolute; it need not exist
 * @returns relative to the app, with `/`: `./node_modules`, or `../../node_modules`
 */
export function packagesFolder(root: string): string {
  for (let top = dirname(root); ; top = dirname(top)) {
    const path = relative(top, root).replaceAll('\\', '/');
    const patterns = workspacePatterns(top).map((pattern) => pattern.replace(/^\.\/|\/$/g, ''));
    if (patterns.some((pattern) => matchesGlob(path, pattern))) {
      return `${relative(root, top).replaceAll('\\', '/')}/node_modules`;
    }
    if (top === dirname(top)) return './node_modules';
  }
}

function workspacePatterns(folder: string): string[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return [];
  }
  const given = isRecord(manifest) ? manifest['workspaces'] : undefined;
  const patterns = isRecord(given) ? given['packages'] : given;
  return Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === 'string') : [];
}
