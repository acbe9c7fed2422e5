import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, isInside, ProjectError } from '../std/index.ts';
import type { Project } from './project.ts';

/**
 * Writes a file that is not there yet. Nothing is overwritten, and nothing is written outside the app's folder, wherever a link leads.
 * @param path below the app's folder, with slashes
 * @param existsCode the code of the error if there is such a file
 * @returns the path @throws ProjectError existsCode, file_outside_app, file_unwritable
 */
export function writeNewFile(
  project: Project,
  path: string,
  text: string,
  existsCode: 'fixture_exists' | 'test_exists',
): string {
  const full = join(project.root, ...path.split('/'));
  try {
    requireInside(project, dirname(full), path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text, { flag: 'wx' });
  } catch (cause) {
    if (cause instanceof ProjectError) throw cause;
    if (codeOf(cause) === 'EEXIST')
      throw new ProjectError(existsCode, `${path} exists already`, { hint: 'Choose another name.', cause });
    throw new ProjectError('file_unwritable', `${path} cannot be written: ${String(codeOf(cause))}`, { cause });
  }
  return path;
}

/** The part of a folder that exists must lie in the app's. */
function requireInside(project: Project, folder: string, shown: string): void {
  try {
    if (isInside(realpathSync(project.root), realpathSync(folder))) return;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return requireInside(project, join(folder, '..'), shown);
    throw error;
  }
  throw new ProjectError('file_outside_app', `${shown.split('/')[0]}/ leads out of the app’s folder`, {
    hint: 'Replace the link by a folder.',
  });
}
