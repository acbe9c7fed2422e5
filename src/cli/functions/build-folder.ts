import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isInside, UsageError } from '../../std/index.ts';

/** The last line of a bundle in a build folder. */
export const mapLine = (file: string): string => `//# sourceMappingURL=${basename(file)}.map\n`;

/**
 * Refuses to write bundles over sources: into the folder of the functions, or over a script that is no earlier build.
 * @param folder absolute; it need not exist
 * @param paths of the bundles, below the folder
 * @throws UsageError out_in_sources, out_taken
 */
export function refuseOverSources(root: string, folder: string, paths: readonly string[]): void {
  const hint = 'Nothing was written. Choose another folder: --out build';
  const sources = realpathOf(join(root, 'functions'));
  const target = realpathOf(folder);
  if (isInside(sources, target)) {
    throw new UsageError('out_in_sources', `--out cannot be ${folder}: it would replace the sources of the functions`, {
      hint,
    });
  }
  const taken = paths.map((path) => join(folder, path)).find((file) => existsSync(file) && !isBuild(file));
  if (taken !== undefined)
    throw new UsageError('out_taken', `${taken} exists, and fn build did not write it`, { hint });
}

function isBuild(file: string): boolean {
  return readFileSync(file, 'utf8').endsWith(mapLine(file));
}

/** The real path of what may not exist yet. */
function realpathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : join(realpathOf(above), relative(above, path));
}
