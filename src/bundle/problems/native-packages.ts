import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { toSlashes } from '../../std/index.ts';
import { manifestOf } from '../packages/manifest.ts';
import { isInstalled } from '../packages/package-folder.ts';
import { alternativeTo } from './alternatives.ts';
import type { Problem } from './failure.ts';
import { locate } from './locate.ts';

/** Dependencies that find or build a native addon. */
const loadersOfAddons = [
  '@mapbox/node-pre-gyp',
  'bindings',
  'detect-libc',
  'ffi-napi',
  'node-addon-api',
  'node-gyp-build',
  'node-pre-gyp',
  'prebuild-install',
];

/**
 * Finds packages with native code that the author imports. They build, but fail at run time with messages about compilers and
 * platforms. Only direct imports count: packages often work without their own native dependencies.
 */
export function nativePackages(metafile: Metafile, files: Map<string, string>, root: string): Problem[] {
  const problems: Problem[] = [];
  for (const [key, { imports }] of Object.entries(metafile.inputs)) {
    const importer = files.get(key);
    if (importer === undefined || isInstalled(importer)) continue;
    for (const { path, original } of imports) {
      const file = files.get(path);
      const name = original === undefined ? undefined : /^(?:@[^/]+\/)?[^./][^/]*/.exec(original)?.[0];
      if (name === undefined || file === undefined || !isInstalled(file) || !isNative(name, file)) continue;
      problems.push({
        message: `"${name}" contains native code, and functions can only run JavaScript`,
        hint: alternativeTo(name) ?? 'Use a package written in JavaScript.',
        location: locate(root, key, original ?? name),
      });
    }
  }
  return problems;
}

function isNative(name: string, file: string): boolean {
  for (let folder = dirname(file); isInstalled(folder); folder = dirname(folder)) {
    if (!toSlashes(folder).endsWith(`/node_modules/${name}`) || !existsSync(join(folder, 'package.json'))) continue;
    const { gypfile, dependencies, browser } = manifestOf(folder);
    // Its build for browsers is JavaScript. Where we know a better package, that build needs a page.
    const builds = Object.values(typeof browser === 'string' ? { browser } : Object(browser));
    const isForBrowsers = builds.some((build) => typeof build === 'string' && join(folder, build) === file);
    if (isForBrowsers && alternativeTo(name) === undefined) return false;
    return gypfile === true || loadersOfAddons.some((loader) => Object.hasOwn(Object(dependencies), loader));
  }
  return false;
}
