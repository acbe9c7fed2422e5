import { existsSync } from 'node:fs';
import { access, constants, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configFile, hintOfAppsBelow, listFunctionFiles, type Project, readSeed } from '../../project/index.ts';
import { FnError, messageOf } from '../../std/index.ts';
import type { Context } from '../context.ts';
import type { Found } from './findings.ts';

export async function appConfig(context: Context): Promise<Found> {
  const project = await context.project();
  if (project === undefined) {
    return {
      state: 'warning',
      message: `there is no ${configFile} in ${context.cwd} or above it`,
      hint: (await hintOfAppsBelow(context.cwd, context.startedIn)) ?? 'Create an app: fn init',
    };
  }
  return { state: 'ok', message: `${project.app} in ${project.root}` };
}

export async function appFunctions(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const files = await listFunctionFiles(project);
  if (files.length === 0)
    return { state: 'warning', message: 'there are no functions yet', hint: 'Create one: fn init' };
  return {
    state: 'ok',
    message: `${files.length} ${files.length === 1 ? 'function' : 'functions'}; to check that they build: fn build`,
  };
}

export async function seedAndFixtures(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const seed = await readSeed(project);
  return {
    state: 'ok',
    message: seed === undefined ? 'no seed.json; the built-in sample data is used' : 'seed.json is valid',
  };
}

/** The error with which commands fail to open the database. */
async function brokenDatabase(file: string): Promise<FnError | undefined> {
  if (!existsSync(file)) return undefined;
  const { checkDatabase } = await import('../../workspace/index.ts');
  try {
    checkDatabase(file);
    return undefined;
  } catch (error) {
    if (error instanceof FnError) return error;
    throw error;
  }
}

/** Checks `.fn`: writable, database intact, private, and not in version control. */
export async function localState(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const present = await stat(project.stateDir).then(
    () => true,
    () => false,
  );
  try {
    if (present) await tryToWrite(project.stateDir);
    else await access(project.root, constants.W_OK);
  } catch (error) {
    return {
      state: 'wrong',
      message: `${project.stateDir} cannot be written: ${messageOf(error)}`,
      hint: 'The local workspace is stored there: check the permissions of the folder and the space on the disk.',
    };
  }
  const broken = await brokenDatabase(join(project.stateDir, 'workspace.db'));
  if (broken)
    return { state: 'wrong', message: broken.message, ...(broken.hint !== undefined && { hint: broken.hint }) };
  for (const name of ['local-token', 'secrets.json']) {
    const mode = await stat(join(project.stateDir, name)).then(
      (found) => found.mode,
      () => 0,
    );
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return {
        state: 'wrong',
        message: `.fn/${name} can be read by other users`,
        hint: `chmod 600 ${join(project.stateDir, name)}`,
      };
    }
  }
  if (present && !(await isIgnored(project))) {
    return {
      state: 'warning',
      message: 'git does not ignore .fn',
      hint: 'Add a line ".fn/" to .gitignore: it holds the local token, secrets and data.',
    };
  }
  return {
    state: 'ok',
    message: present ? '.fn is writable and private' : '.fn will be created when needed',
  };
}

/** Permissions say nothing about a full disk. */
async function tryToWrite(folder: string): Promise<void> {
  const file = join(folder, `doctor-${process.pid}`);
  try {
    await writeFile(file, Buffer.alloc(4096), { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
}

/** Whether it is ignored by its own `.gitignore`, which `fn` creates, or by the app's, or there is no repository. */
async function isIgnored({ root, stateDir }: Project): Promise<boolean> {
  const says = (file: string, line: RegExp) =>
    readFile(file, 'utf8').then(
      (text) => line.test(text),
      () => false,
    );
  const isRepository = await stat(join(root, '.git')).then(
    () => true,
    () => false,
  );
  return (
    !isRepository ||
    (await says(join(stateDir, '.gitignore'), /^\*\s*$/m)) ||
    (await says(join(root, '.gitignore'), /^\/?\.fn\/?\s*$/m))
  );
}
