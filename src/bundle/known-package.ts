import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../std/index.ts';
import { manifestOf } from './manifest.ts';

/** What to do after a clone. */
export const installFirst = 'What package.json names is not installed here yet: npm install';

/**
 * What to do about an import that leads nowhere, of a package that the project knows; undefined of any other.
 * @param folder of the file that imports it
 * @param limit  the folder that imports may not leave
 */
export function knownPackage(name: string, folder: string, limit: string): string | undefined {
  for (let at = folder; isInside(limit, at); at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name, 'package.json')))
      return `${name} is installed, and has no such file: check the path behind its name.`;
    if (declares(manifestOf(at), name)) return installFirst;
    if (at === dirname(at)) break;
  }
  return undefined;
}

function declares(manifest: Record<string, unknown>, name: string): boolean {
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].some((field) =>
    Object.hasOwn(Object(manifest[field]), name),
  );
}
