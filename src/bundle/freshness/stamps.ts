import { statSync } from 'node:fs';

/** A file's stamp, which changes whenever its content may have changed. Empty if there is no such file. */
export type Stamp = string;

export type Look = (path: string) => Stamp;

/**
 * Modification time and size see an edit; the inode sees a rename-save that kept both; the change time sees a tool that set the
 * modification time back.
 */
export function stampOf(path: string): Stamp {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}:${stat.ctimeMs}` : '';
  } catch {
    return ''; // not a folder on the way, no permission, a name too long: for a build it is not there
  }
}

/** Whether one of the stamps has changed. */
export function changed(stamps: ReadonlyMap<string, Stamp>, look: Look): boolean {
  for (const [path, stamp] of stamps) if (look(path) !== stamp) return true;
  return false;
}

/** Stamps each file once, for functions that were built together and depend on the same dozen manifests and lockfiles. */
export function stampsTakenOnce(look: Look = stampOf): Look {
  const taken = new Map<string, Stamp>();
  return (path) => {
    let stamp = taken.get(path);
    if (stamp === undefined) {
      stamp = look(path);
      taken.set(path, stamp);
    }
    return stamp;
  };
}

/** Never equals a real stamp, so a file with this stamp counts as changed. */
export const unsure: Stamp = '?';
