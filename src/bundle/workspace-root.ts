import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Names under which package managers write down what is installed. */
export const lockfiles = [
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'npm-shrinkwrap.json',
];

/**
 * The folder that an app's imports may not leave: the nearest one with a lockfile, at or above the app. The search ends at the
 * repository's top and below the home folder, so that a stray lockfile there does not open everything to a function; without
 * a lockfile the app's own folder is the limit.
 * @param root the app's folder, absolute and real
 */
export function findWorkspaceRoot(root: string): string {
  const home = homedir();
  for (let folder = root; folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    if (lockfiles.some((name) => existsSync(join(folder, name)))) return folder;
    if (existsSync(join(folder, '.git'))) break;
  }
  return root;
}
