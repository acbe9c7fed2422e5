import { existsSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lockfiles } from '../../std/index.ts';

/**
 * The folder that an app's imports may not leave: the nearest one with a lockfile, at or above the app. The search stops at the
 * top of the repository, and below the home folder and the folder for temporary files, so that a stray lockfile there does not
 * open everything to functions. Without a lockfile, the app's own folder is the limit.
 * @param root absolute, real path of the app's folder
 */
export function findWorkspaceRoot(root: string): string {
  const shared = [homedir(), tmpdir()].flatMap((folder) => [folder, realOf(folder)]);
  for (let folder = root; !shared.includes(folder) && folder !== dirname(folder); folder = dirname(folder)) {
    if (lockfiles.some((name) => existsSync(join(folder, name)))) return folder;
    if (existsSync(join(folder, '.git'))) break;
  }
  return root;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
