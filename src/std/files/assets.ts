import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lazy } from '../lazy.ts';

/** Set to `true` by the build; not defined when running from source. */
declare const BUILT_INTO_DIST: true;

/** Whether this runs from the published bundle in `dist/` rather than from `src/`. */
export const isBuilt: boolean = typeof BUILT_INTO_DIST !== 'undefined';

/** Set by the build to a hash of the code that every context of the sandbox runs. */
declare const BUILD_STAMP: string;

/** Changes with the output of the build; undefined when this runs from `src/`. */
export const buildStamp: string | undefined = typeof BUILD_STAMP !== 'undefined' ? BUILD_STAMP : undefined;

/** The folder of this package: the nearest one above with a package.json, from `src/` as from `dist/`. */
export const packageRoot = lazy((): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = above;
  }
  return folder;
});

/**
 * The path of a file made by the build: `assetPath('sandbox/layer.js')` is `<package>/dist/sandbox/layer.js`.
 * Only meaningful if `isBuilt`; from source, the same content is made on demand, e.g.
 * `isBuilt ? await readFile(assetPath('sandbox/layer.js'), 'utf8') : await (await import('./build.ts')).buildLayer()`.
 * `scripts/build.ts` names every asset and leaves out the code that only makes them.
 */
export function assetPath(name: string): string {
  return join(packageRoot(), 'dist', name);
}

/** A file or folder that is published unchanged: `templates/…`, `docs/…`, `schema/…`, `types/…`. */
export function packageFile(name: string): string {
  return join(packageRoot(), name);
}
