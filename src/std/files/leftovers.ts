import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

/**
 * Removes what killed runs left behind in a folder. Entries of other running processes stay; entries with our own process id are taken
 * for those of an earlier process, so call this before creating any.
 * @param mark prefix of the names, followed by the id of the process that created them
 */
export function removeLeftovers(folder: string, mark: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(mark) ? Number.parseInt(name.slice(mark.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && (pid === process.pid || !isRunning(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
