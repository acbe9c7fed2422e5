import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether Node treats a `.js` or `.ts` file of this folder as CommonJS because the nearest `package.json` says so, like the one that
 * `npm init` writes. If none says anything, Node decides by the contents of the file.
 */
export function isCommonJs(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return dirname(folder) !== folder && isCommonJs(dirname(folder));
  try {
    return JSON.parse(readFileSync(file, 'utf8'))?.type === 'commonjs';
  } catch {
    return false;
  }
}
