import { accessSync, constants, statSync } from 'node:fs';
import { codeOf } from '../../std/index.ts';
import type { BundleLimits } from '../types.ts';
import type { Problem } from './failure.ts';
import { tooLarge, tooLargeHint } from './source-size.ts';

/**
 * Checks a function's file, because the compiler's errors would refer to the virtual entry.
 * @param file relative to the app's folder
 * @returns why it cannot be built: it is missing, a folder, too large, or unreadable
 */
export function fileProblem(path: string, file: string, limits: BundleLimits): Problem | undefined {
  const problem = (message: string, hint?: string): Problem => ({ message, hint, location: { file } });
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat)
    return problem('there is no such file', 'It was deleted or renamed, or it is a symlink that leads nowhere.');
  if (!stat.isFile()) return problem(`this is a ${stat.isDirectory() ? 'folder' : 'pipe or a device'}, not a file`);
  if (stat.size > limits.sourceBytes) return problem(tooLarge('it', stat.size, limits.sourceBytes), tooLargeHint);
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return problem(`the file cannot be read (${codeOf(error) ?? ''})`, 'Check its permissions.');
  }
}
