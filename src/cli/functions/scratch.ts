import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Door } from '../../contract/index.ts';
import { type FunctionFile, findProject, functionNameProblem, type Project } from '../../project/index.ts';
import { isInside, ProjectError, toSlashes } from '../../std/index.ts';
import type { AwaitedDebugger } from './awaited-debugger.ts';

/** A file outside `functions/` to run, and its project. */
export interface ScratchFile {
  readonly file: FunctionFile;
  /** The app around it, or the file's folder as an app. */
  readonly project: Project;
  /** Whether there is no app around it. */
  readonly alone: boolean;
}

const source = /\.(?:js|mjs|ts|mts)$/;
const isPath = (asked: string): boolean => /^\.{0,2}[\\/]|^[A-Za-z]:[\\/]/.test(asked);

/**
 * The file that was named instead of a function: `./scratch.mjs`. Undefined if it is a function of the app.
 * @throws ProjectError `file_missing`
 */
export async function scratchFile(asked: string, cwd: string): Promise<ScratchFile | undefined> {
  if (!source.test(asked)) return undefined;
  const path = isAbsolute(asked) ? asked : resolve(cwd, asked);
  const found = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const app = await findProject(existsSync(dirname(path)) ? dirname(path) : cwd);
  if (!found) {
    // "orders/find.js" can be a function; "./orders/find.js" is a file.
    if (!isPath(asked) || (app && isInside(resolve(app.root, 'functions'), path))) return undefined;
    throw new ProjectError('file_missing', `There is no file ${asked}`, {
      hint: 'Name a function of the app, or an existing file: fn invoke ./scratch.mjs',
    });
  }
  const real = realpathSync(path);
  if (app && isInside(resolve(realpathSync(app.root), 'functions'), real)) return undefined;
  const name = basename(real).replace(source, '');
  const project = app ?? folderAsApp(dirname(real));
  const file: FunctionFile = {
    name: functionNameProblem(name) === undefined ? name : 'scratch',
    path: `${functionNameProblem(name) === undefined ? name : 'scratch'}.js`,
    file: real,
    relative: toSlashes(relative(project.root, real)),
  };
  return { file, project, alone: app === undefined };
}

function folderAsApp(root: string): Project {
  return { root, config: { version: 1, app: 'scratch' }, app: 'scratch', stateDir: resolve(root, '.fn') };
}

/** A workspace in memory, with the app's seed if there is an app. Nothing is kept, and a running `fn dev` is not affected. */
export async function openScratch(
  { file, project, alone }: ScratchFile,
  inspect?: AwaitedDebugger,
): Promise<{ door: Door; close(): Promise<void> }> {
  const { openLocal } = await import('../../emulator/index.ts');
  const local = await openLocal({ project, database: 'memory', scratch: { file, alone }, ...(inspect && { inspect }) });
  return { door: local.door(), close: local.close };
}
