import type { Metafile } from 'esbuild';
import { toSlashes } from '../../std/index.ts';
import { isInstalled } from '../packages/package-folder.ts';
import type { BuildWarning } from '../types.ts';
import { locate } from './locate.ts';

/** How many are shown: people fix one at a time. */
const maxShown = 5;

/**
 * Finds circular static imports among the author's own files. They build, and work if the imported names are used later. But while
 * the files load, a name from a file that has not run yet is undefined, for which bundled code has no specific error.
 * @param entry the function's file, relative to the app's folder
 */
export function importCycles(
  metafile: Metafile,
  files: Map<string, string>,
  root: string,
  entry: string,
): BuildWarning[] {
  const own = (key: string) => {
    const path = files.get(key);
    return path !== undefined && !isInstalled(path);
  };
  const warnings: BuildWarning[] = [];
  const done = new Set<string>();
  const way: string[] = [];

  const visit = (key: string): void => {
    if (warnings.length >= maxShown) return;
    const at = way.indexOf(key);
    if (at >= 0) {
      warnings.push(warn(way.slice(at), key));
      return;
    }
    if (done.has(key)) return;
    way.push(key);
    for (const { path, kind } of metafile.inputs[key]?.imports ?? []) {
      if (kind === 'import-statement' && own(path)) visit(path);
    }
    way.pop();
    done.add(key);
  };

  const warn = (circle: string[], first: string): BuildWarning => {
    const last = circle.at(-1) ?? first;
    const specifier = metafile.inputs[last]?.imports.find((entry) => entry.path === first)?.original ?? first;
    const names = [...circle, first].map(toSlashes);
    const self = circle.includes(entry);
    return {
      code: 'import_cycle',
      message: self
        ? `${names.join(' → ')}: the function is imported by what it imports; while they load, its exports are still undefined. Move what both need into a file of its own.`
        : `${names.join(' → ')}: these files import each other; while they load, some of their exports are still undefined. Move what they share into a file of its own.`,
      location: locate(root, last, specifier),
    };
  };

  visit(entry);
  return warnings;
}
