import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What lies directly in a folder and was not written for so long. */
export function removeOldFiles(folder: string, olderThanMs: number): void {
  const now = Date.now();
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && now - found.mtimeMs > olderThanMs) rmSync(file, { force: true });
  }
}
