import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether Node takes a `.js` or `.ts` of this folder for CommonJS: its nearest `package.json` says so, as the one that `npm init` writes.
 * Where none says anything, Node tells by what is written in the file.
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
