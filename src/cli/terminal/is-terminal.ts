import { fstatSync, statSync } from 'node:fs';

/**
 * Whether a descriptor is a terminal. `node:tty` brings all of Node's streams and sockets with it, some 7 ms: it is asked only about
 * what may be one, which a pipe, a file and /dev/null are not.
 */
export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice()) return false;
    if (process.platform !== 'win32' && stat.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // A closed descriptor, or no /dev/null: Node knows.
  }
  return process.getBuiltinModule('node:tty').isatty(fd);
}
