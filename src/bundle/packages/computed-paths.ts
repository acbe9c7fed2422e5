import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Loader, PluginBuild } from 'esbuild';

/**
 * Files of packages that try builds of an addon one after the other, `require('../build/' + name + '/addon')`, in a folder that is not there. The
 * compiler looks for what such a path may mean and fails where it finds no folder; Node fails when it runs, which the package expects.
 */
export function computedPaths(build: PluginBuild, filter: RegExp): void {
  build.onLoad({ filter, namespace: 'file' }, ({ path }) => ({
    contents: unguessable(readFileSync(path, 'utf8'), dirname(path)),
    loader: (extname(path) === '.ts' ? 'ts' : 'jsx') satisfies Loader,
  }));
}

/** The compiler's message for such a path. */
export const guessedInVain = /^Could not resolve (?:require|import)\("/;

/** With each path below a folder that is not there written so that the compiler does not guess. */
function unguessable(text: string, folder: string): string {
  return text.replace(computed, (call, opening: string, added?: string, filled?: string) => {
    const start = added ?? filled ?? '';
    const isThere = existsSync(join(folder, start.slice(0, start.lastIndexOf('/'))));
    return isThere ? call : `${opening}globalThis.undefined ?? ${call.slice(opening.length)}`;
  });
}

/** `require('../build/' + …`, and the same in backquotes. */
const computed = /(\b(?:require|import)\(\s*)(?:['"`](\.\.?\/[^'"`$\\]*)['"`]\s*\+|`(\.\.?\/[^`$\\]*)\$\{)/g;
