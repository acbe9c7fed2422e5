import { mkdirSync } from 'node:fs';

/** Private, and without its parent: an app that was moved away meanwhile would seem to be here still. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
