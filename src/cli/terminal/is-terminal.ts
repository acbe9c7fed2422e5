import { fstatSync, statSync } from 'node:fs';

/**
 * Whether a descriptor is a terminal. `node:tty` loads all of Node's streams and sockets, some 7 ms, so it is only used for descriptors
 * that may be a terminal, unlike a pipe, a file or /dev/null.
 */
export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice()) return false;
    if (process.platform !== 'win32' && stat.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // A closed descriptor, or no /dev/null: let Node decide.
  }
  return process.getBuiltinModule('node:tty').isatty(fd);
}
