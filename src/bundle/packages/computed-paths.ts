import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Loader, PluginBuild } from 'esbuild';

/**
 * Handles packages that try several builds of an addon, `require('../build/' + name + '/addon')`, in a folder that does not exist. The compiler
 * expands such a path and fails without the folder. In Node the call fails when it runs, which the package expects.
 */
export function computedPaths(build: PluginBuild, filter: RegExp): void {
  build.onLoad({ filter, namespace: 'file' }, ({ path }) => ({
    contents: unguessable(readFileSync(path, 'utf8'), dirname(path)),
    loader: (extname(path) === '.ts' ? 'ts' : 'jsx') satisfies Loader,
  }));
}

/** Matches the compiler's message for such a path. */
export const guessedInVain = /^Could not resolve (?:require|import)\("/;

/** Rewrites paths below missing folders so that the compiler does not expand them. */
function unguessable(text: string, folder: string): string {
  return text.replace(computed, (call, opening: string, added?: string, filled?: string) => {
    const start = added ?? filled ?? '';
    const isThere = existsSync(join(folder, start.slice(0, start.lastIndexOf('/'))));
    return isThere ? call : `${opening}globalThis.undefined ?? ${call.slice(opening.length)}`;
  });
}

/** Matches `require('../build/' + …`, and the same in backquotes. */
const computed = /(\b(?:require|import)\(\s*)(?:['"`](\.\.?\/[^'"`$\\]*)['"`]\s*\+|`(\.\.?\/[^`$\\]*)\$\{)/g;
