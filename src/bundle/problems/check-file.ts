import { accessSync, constants, statSync } from 'node:fs';
import { codeOf } from '../../std/index.ts';
import type { BundleLimits, FunctionSource } from '../types.ts';
import { buildFailed } from './failure.ts';
import { tooLarge, tooLargeHint } from './source-size.ts';

/**
 * Reports problems with the function's file itself, which the compiler would report about its virtual entry.
 * @throws ProjectError `build_failed` when the file is missing, a folder, too large, or unreadable
 */
export function checkFile(source: FunctionSource, path: string, file: string, limits: BundleLimits): void {
  const fail = (message: string, hint?: string) => buildFailed(source.name, [{ message, hint, location: { file } }]);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw fail('there is no such file', 'It was deleted or renamed, or it is a symlink that leads nowhere.');
  if (!stat.isFile()) throw fail(`this is a ${stat.isDirectory() ? 'folder' : 'pipe or a device'}, not a file`);
  if (stat.size > limits.sourceBytes) throw fail(tooLarge('it', stat.size, limits.sourceBytes), tooLargeHint);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw fail(`the file cannot be read (${codeOf(error) ?? ''})`, 'Check its permissions.');
  }
}
