import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../std/index.ts';
import { changed, type Look, type Stamp, stampsTakenOnce } from '../freshness/stamps.ts';

/**
 * A folder that has just changed may change again within the same tick of the file system's clock, and would then look the same. The coarsest
 * clocks tick every second or two (ext3, FAT, some network shares).
 */
const settledMs = 2_000;

/**
 * Paths at which a build found nothing; a function with two imports has about sixty. As long as the folders in which they would appear have
 * not changed, none of them has appeared.
 */
export class Absent {
  readonly paths: readonly string[];
  /** Stamps of the folders; undefined while one of them is too recent to be reliable. */
  #folders: ReadonlyMap<string, Stamp> | undefined;

  constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  appeared(look: Look): boolean {
    if (this.#folders && !changed(this.#folders, look)) return false;
    // Checked before the paths: anything that appears in between changes the folders.
    const places = placesOf(this.paths, stampsTakenOnce(look));
    if (this.appearedNow(look)) return true;
    this.#folders = places && [...places.entries].every(isNothing) ? places.folders : undefined;
    return false;
  }

  /** Checks each path. */
  appearedNow(look: Look): boolean {
    return this.paths.some((path) => look(path) !== '');
  }
}

/**
 * For each path, the nearest existing folder and the missing name in it.
 * @returns undefined if a folder has changed too recently
 */
function placesOf(
  paths: readonly string[],
  look: Look,
): { folders: Map<string, Stamp>; entries: Set<string> } | undefined {
  const folders = new Map<string, Stamp>();
  const entries = new Set<string>();
  for (const path of paths) {
    let entry = path;
    let folder = dirname(path);
    while (look(folder) === '' && folder !== dirname(folder)) {
      entry = folder;
      folder = dirname(folder);
    }
    const stamp = look(folder);
    if (!isSettled(stamp)) return undefined;
    folders.set(folder, stamp);
    entries.add(entry);
  }
  return { folders, entries };
}

function isSettled(stamp: Stamp): boolean {
  const changedAt = Number(stamp.slice(stamp.lastIndexOf(':') + 1));
  return stamp !== '' && Date.now() - changedAt > settledMs;
}

/** Whether there is nothing, not even a broken link: its target could appear in a folder that is not checked. */
function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return codeOf(error) === 'ENOTDIR'; // a file, where a folder would have to be
  }
}
