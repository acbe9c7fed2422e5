import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors/errors.ts';

/** Makes a private folder, but no parents: otherwise an app that was moved away meanwhile would seem to be still here. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a private folder with every missing parent. Node's `recursive` is avoided: it loops for ever where a file system does not allow
 * new folders in an existing one, as below `/proc`.
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
