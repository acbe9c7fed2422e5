import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Project, requireProject } from '../../src/project/index.ts';
import { FnError } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A folder of its own for one test, removed afterwards. */
export const aFolder = (): string => temporaryFolder('convo-fn-project');

/** Writes files, by their path below the folder; what is no text is written as JSON. */
export async function write(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/** An app with these files. */
export async function anApp(files: Record<string, unknown> = {}): Promise<Project> {
  const root = aFolder();
  await write(root, { 'fn.config.json': { version: 1, app: 'order-desk' }, ...files });
  return requireProject(root);
}

/** The error for people that a promise is refused with. */
export async function refusalOf(promise: Promise<unknown>): Promise<FnError> {
  const error = await promise.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FnError, `not an error for people: ${String(error)}`);
  return error;
}
