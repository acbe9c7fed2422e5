import { randomBytes } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { codeOf, MachineError, messageOf, removeLeftovers, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';

/**
 * Writes a user's file completely or not at all.
 * @throws UsageError `file_exists` unless `force`; MachineError `file_unwritable`
 */
export async function writeUserFile(context: Context, given: string, text: string, force: boolean): Promise<string> {
  const file = isAbsolute(given) ? given : resolve(context.cwd, given);
  const mark = `${file}.fn-draft-`;
  const draft = `${mark}${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    removeDrafts(dirname(file), basename(mark));
    await writeFile(draft, text, { flag: 'wx' });
    // `link` atomically refuses an existing name; `rename` would replace it.
    if (force) await rename(draft, file);
    else await link(draft, file);
    return file;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new UsageError('file_exists', `${given} already exists`, {
        hint: 'Choose another name, or replace it with --force.',
      });
    }
    throw new MachineError('file_unwritable', `Cannot write ${given}: ${messageOf(error)}`, {
      hint: 'Check the permissions of the folder and the space on the disk.',
      cause: error,
    });
  } finally {
    await rm(draft, { force: true });
  }
}

function removeDrafts(folder: string, mark: string): void {
  try {
    removeLeftovers(folder, mark);
  } catch {
    // The folder cannot be listed, or belongs to somebody else: a file can be written without that.
  }
}
