import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

/**
 * Removes what runs that were killed left behind in a folder, so that nobody has to. What another process that still lives has made is left
 * alone; what bears our own number is of an earlier process: ask before making one.
 * @param mark names begin with it and go on with the number of the process that made them
 */
export function removeLeftovers(folder: string, mark: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(mark) ? Number.parseInt(name.slice(mark.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && (pid === process.pid || !isRunning(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
