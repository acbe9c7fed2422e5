import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './errors.ts';

/** Private, and without its parent: an app that was moved away meanwhile would seem to be here still. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Private, with every parent that is missing. Not by Node's `recursive`: that goes round for ever where a file system does not let a folder
 * be made in one that is there, as below `/proc`.
 */
export function makeFolders(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const parent = dirname(folder);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolders(parent);
    makeFolder(folder);
  }
}
