import { statSync } from 'node:fs';

/** Identifies a folder as created on this machine: neither a copy nor a repository can reproduce this. */
export function placeOfFolder(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${ino} ${birthtimeMs}`;
}
