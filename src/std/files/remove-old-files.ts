import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes files directly in a folder that have not been written for the given time.
 * @param ours pattern of our own file names: if the folder is a link to elsewhere, other files there are not ours to remove
 */
export function removeOldFiles(folder: string, olderThanMs: number, ours: RegExp): void {
  const now = Date.now();
  for (const name of readdirSync(folder)) {
    if (!ours.test(name)) continue;
    const file = join(folder, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found && now - found.mtimeMs > olderThanMs) rmSync(file, { force: true });
  }
}
