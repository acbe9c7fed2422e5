import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside, toSlashes } from '../../std/index.ts';
import { manifestOf } from '../packages/manifest.ts';
import { isInstalled } from '../packages/package-folder.ts';

/** Hint for a fresh clone. */
export const installFirst = 'What package.json names is not installed here yet: npm install';

const plugAndPlay =
  "Yarn's Plug'n'Play keeps packages in archives, where functions cannot be built from. Write nodeLinker: node-modules in .yarnrc.yml, and run: yarn install";

/**
 * Advice for an unresolved import of a package that the project names; undefined for any other.
 * @param folder folder of the importing file
 * @param limit  folder that imports may not leave
 */
export function knownPackage(name: string, folder: string, limit: string): string | undefined {
  let isDeclared = false;
  // Hoisted packages are installed above the package.json that names them.
  for (let at = folder; isInside(limit, at); at = dirname(at)) {
    const installed = join(at, 'node_modules', name);
    if (existsSync(join(installed, 'package.json'))) return incomplete(name, installed, limit);
    isDeclared ||= declares(manifestOf(at), name);
    if (at === dirname(at)) break;
  }
  if (!isDeclared) return undefined;
  return existsSync(join(limit, '.pnp.cjs')) ? plugAndPlay : installFirst;
}

/** Advice for a linked package of the workspace, which may have to be built first. */
function incomplete(name: string, installed: string, limit: string): string {
  const folder = realpathSync(installed);
  if (isInstalled(join(folder, 'package.json')) || !isInside(limit, folder))
    return `${name} is installed, and has no such file: check the path behind its name.`;
  const place = toSlashes(relative(limit, folder));
  return `${name} is ${place} of this project, and has no such file yet: build that package first, or check what its package.json names.`;
}

function declares(manifest: Record<string, unknown>, name: string): boolean {
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].some((field) =>
    Object.hasOwn(Object(manifest[field]), name),
  );
}
