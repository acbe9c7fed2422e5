import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../std/index.ts';
import { changed, type Look, type Stamp, stampsTakenOnce } from '../freshness/stamps.ts';

/**
 * A folder that changed less than this long ago may change again within the same tick of the file system's clock, and would look the same
 * after it. Coarse clocks of today tick every second or two (ext3, FAT, some network shares).
 */
const settledMs = 2_000;

/**
 * Paths at which a build found nothing: a function that imports two files has some sixty. While the folders in which they would appear look
 * as they did, none of them has.
 */
export class Absent {
  readonly paths: readonly string[];
  /** What the folders looked like when nothing was there; undefined while one of them says too little. */
  #folders: ReadonlyMap<string, Stamp> | undefined;

  constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  appeared(look: Look): boolean {
    if (this.#folders && !changed(this.#folders, look)) return false;
    // Looked at before the paths: what appears in between has changed them.
    const places = placesOf(this.paths, stampsTakenOnce(look));
    if (this.appearedNow(look)) return true;
    this.#folders = places && [...places.entries].every(isNothing) ? places.folders : undefined;
    return false;
  }

  /** Looks at each path. */
  appearedNow(look: Look): boolean {
    return this.paths.some((path) => look(path) !== '');
  }
}

/**
 * Of each path the nearest folder that is there, and in it the name that is missing.
 * @returns undefined when a folder has changed too recently
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

/** Also no link whose target is missing: that could appear in a folder that nobody looks at. */
function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return codeOf(error) === 'ENOTDIR'; // a file, where a folder would have to be
  }
}
