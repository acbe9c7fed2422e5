import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => {
  for (const folder of made) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // What is left behind fails no test.
    }
  }
});

/**
 * An empty folder that goes when the process ends. Not earlier: whatever a test opened may still write to it, and hooks
 * of a test run in the order in which they were registered.
 * @param name what its name begins with, so that a folder that stayed says whose it was
 * @param parent a folder that is there
 * @returns its path, without symbolic links
 */
export function temporaryFolder(name: string, parent: string = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, `${name}-`)));
  made.push(folder);
  return folder;
}
