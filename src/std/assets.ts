import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The build puts `true` here; running from source there is no such name. */
declare const BUILT_INTO_DIST: true;

/** Whether this runs from the published bundle in `dist/` rather than from `src/`. */
export const isBuilt: boolean = typeof BUILT_INTO_DIST !== 'undefined';

/** The build puts a hash of what every context of the sandbox runs here. */
declare const BUILD_STAMP: string;

/** Changes with what the build made; undefined when this runs from `src/`. */
export const buildStamp: string | undefined = typeof BUILD_STAMP !== 'undefined' ? BUILD_STAMP : undefined;

let root: string | undefined;

/** The folder of this package: the nearest one above with a package.json, from `src/` as from `dist/`. */
export function packageRoot(): string {
  if (root !== undefined) return root;
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = above;
  }
  root = folder;
  return folder;
}

/**
 * Where a file made by the build lies: `assetPath('sandbox/layer.js')` is `<package>/dist/sandbox/layer.js`.
 * Only meaningful where `isBuilt`; from source the same thing is made when it is asked for, e.g.
 * `isBuilt ? await readFile(assetPath('sandbox/layer.js'), 'utf8') : await (await import('./build.ts')).buildLayer()`.
 * `scripts/build.ts` names every asset, and leaves out what only makes them.
 */
export function assetPath(name: string): string {
  return join(packageRoot(), 'dist', name);
}

/** A file or folder that is published as it stands: `templates/…`, `docs/…`, `schema/…`, `types/…`. */
export function packageFile(name: string): string {
  return join(packageRoot(), name);
}
