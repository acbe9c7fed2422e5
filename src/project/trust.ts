import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, isRecord, replaceFile } from '../std/index.ts';
import { stateFolder } from './user-folders.ts';

/*
 * Some harnesses load packages of an app, which run outside the sandbox with all that this user may do. A cloned repository may bring
 * anything, so they are only loaded from folders that the user has named. The list lies outside of every app.
 */

/** Whether the user trusts the code in an app's folder: by `fn trust`, or by `FN_TRUST=1`. */
export function isTrusted(folder: string, env: Environment = process.env): boolean {
  return env['FN_TRUST'] === '1' || trustedFolders(env).includes(realPath(folder));
}

/** @returns the folder's real path @throws MachineError file_unwritable */
export function trustFolder(folder: string, env: Environment = process.env): string {
  const path = realPath(folder);
  const folders = trustedFolders(env);
  if (!folders.includes(path)) write([...folders, path], env);
  return path;
}

/** @returns whether it was trusted before @throws MachineError file_unwritable */
export function distrustFolder(folder: string, env: Environment = process.env): boolean {
  const path = realPath(folder);
  const folders = trustedFolders(env);
  if (!folders.includes(path)) return false;
  write(
    folders.filter((one) => one !== path),
    env,
  );
  return true;
}

/** Real paths. A list that cannot be read trusts nothing. */
export function trustedFolders(env: Environment = process.env): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(env), 'utf8'));
    if (!isRecord(value) || !Array.isArray(value['folders'])) return [];
    return value['folders'].filter((folder) => typeof folder === 'string');
  } catch {
    return [];
  }
}

const fileOf = (env: Environment): string => join(stateFolder(env), 'trusted.json');

function write(folders: readonly string[], env: Environment): void {
  replaceFile(fileOf(env), `${JSON.stringify({ version: 1, folders }, null, 2)}\n`);
}

/** A folder that is gone keeps its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
