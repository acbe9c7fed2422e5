import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What lies directly in a folder and was not written for so long.
 * @param ours names that we give: where a link leads the folder elsewhere, the files there are not ours to remove
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
