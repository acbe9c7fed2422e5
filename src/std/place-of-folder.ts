import { statSync } from 'node:fs';

/** The folder as this machine made it: no copy and no repository can bring that along. */
export function placeOfFolder(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${ino} ${birthtimeMs}`;
}
