import { accessSync, constants, type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../contract/index.ts';
import { codeOf, isInside, ProjectError } from '../std/index.ts';
import { functionNameProblem } from './names.ts';
import type { Project } from './project.ts';
import { unreadable } from './read-file.ts';

/** A file below functions/ that is a function. Its type is known once its `config` has been read in the sandbox. */
export interface FunctionFile {
  /** Path below functions/ without the extension: `api/orders/find`. */
  readonly name: string;
  /** Path on the platform: `api/orders/find.js`, whatever the local extension. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** Below the app's root, with `/`: `functions/api/orders/find.ts`. */
  readonly relative: string;
}

const commonJs = /(?<!\.d)\.c[jt]s$/;
const source = /\.(?:js|mjs|jsx|ts|mts|tsx)$/;

/**
 * Lists the functions of an app, sorted by name. Files and folders with a leading `_` or `.`, `.test.` and `.d.ts` files, and files
 * that are neither JavaScript nor TypeScript are not functions.
 * @throws ProjectError `app_gone`, `function_ending` (.cjs and .cts), `function_path_taken` (two of one path), `name_invalid`, `name_reserved`, `name_too_long`,
 * `function_too_large`, `function_outside_app` (a link that points outside the app), `functions_too_many`, `file_unreadable`
 */
export async function listFunctionFiles(project: Project): Promise<FunctionFile[]> {
  // Synchronous: for a hundred files this takes 1 ms, awaiting each file takes some 20 ms, and every reload does it.
  const root = realRoot(project);
  const found: FunctionFile[] = [];
  walk({ project, root, found, visited: new Set() }, 'functions');
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  refuseSamePath(found);
  return found;
}

function realRoot({ root }: Project): string {
  try {
    return realpathSync(root);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw unreadable(root, cause);
    throw new ProjectError('app_gone', `The app folder no longer exists: ${root}`, {
      hint: 'Restore it, or stop the fn that runs there.',
      cause,
    });
  }
}

interface Walk {
  readonly project: Project;
  /** The app's root with links resolved. */
  readonly root: string;
  readonly found: FunctionFile[];
  /** Visited folders with links resolved, so that a link to a parent folder does not loop for ever. */
  readonly visited: Set<string>;
}

function walk(state: Walk, folder: string): void {
  const real = realFolder(state, folder);
  if (real === undefined || state.visited.has(real)) return;
  state.visited.add(real);
  let entries: Dirent[];
  try {
    entries = readdirSync(real, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(`${folder}/`, cause);
  }
  for (const entry of entries) {
    if (entry.name.startsWith('_') || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const at = `${folder}/${entry.name}`;
    const kind = entry.isSymbolicLink() ? kindOfLink(state, at) : entry;
    if (kind.isDirectory()) walk(state, at);
    else if (isFunction(entry.name)) take(state, at, kind.isFile());
    else if (commonJs.test(entry.name) && !entry.name.includes('.test.')) throw wrongEnding(at);
  }
}

function isFunction(name: string): boolean {
  return source.test(name) && !name.includes('.test.') && !/\.d\.m?ts$/.test(name);
}

function take(state: Walk, at: string, isFile: boolean): void {
  const name = at.slice('functions/'.length).replace(source, '');
  const problem = functionNameProblem(name);
  if (problem !== undefined)
    throw new ProjectError(problem.code, `${oneLine(at)}: ${problem.message}`, {
      hint: problem.hint,
      location: { file: at },
    });
  if (!isFile)
    throw new ProjectError('file_unreadable', `${at} is not a file`, {
      hint: 'Replace it with a file, or rename it.',
      location: { file: at },
    });
  const file = join(state.project.root, ...at.split('/'));
  const bytes = sizeOf(file, at);
  if (bytes > limits.deployment.fileBytes)
    throw new ProjectError(
      'function_too_large',
      `${at} has ${bytes} bytes; a function may have ${limits.deployment.fileBytes}`,
      { hint: 'Keep data in the store, or fetch it from an address.', location: { file: at } },
    );
  if (state.found.length === limits.deployment.files)
    throw new ProjectError('functions_too_many', `There are more than ${limits.deployment.files} functions`, {
      hint: 'Put shared code into files or folders that start with an underscore, such as functions/_shared/.',
    });
  state.found.push({ name, path: `${name}.js`, file, relative: at });
}

/** A path for a message, which a line feed in the path would break into two lines. */
function oneLine(path: string): string {
  return path.replace(/\p{Cc}/gu, (one) => JSON.stringify(one).slice(1, -1));
}

/** An error, because silently ignoring the file would look as if `fn` did not see it. */
function wrongEnding(at: string): ProjectError {
  return new ProjectError(
    'function_ending',
    `${at}: a function's file cannot end in ${at.slice(at.lastIndexOf('.'))}`,
    {
      hint: `Name it ${at.replace(/\.c([jt]s)$/, '.$1')}, or start its name with an underscore if it is not a function.`,
      location: { file: at },
    },
  );
}

function sizeOf(file: string, shown: string): number {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).size;
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}

function realFolder(state: Walk, folder: string): string | undefined {
  try {
    const real = realpathSync(join(state.project.root, ...folder.split('/')));
    if (!isInside(state.root, real)) throw outside(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (cause) {
    if (cause instanceof ProjectError) throw cause;
    if (codeOf(cause) === 'ENOENT' && folder === 'functions') return undefined;
    throw unreadable(`${folder}/`, cause);
  }
  throw new ProjectError('file_unreadable', `${folder} is not a folder`, {
    hint: 'Functions belong in a folder of this name.',
    location: { file: folder },
  });
}

function kindOfLink(state: Walk, at: string): { isDirectory(): boolean; isFile(): boolean } {
  try {
    const real = realpathSync(join(state.project.root, ...at.split('/')));
    if (!isInside(state.root, real)) throw outside(at);
    return statSync(real);
  } catch (cause) {
    if (cause instanceof ProjectError) throw cause;
    // ELOOP: links that lead to each other.
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ELOOP')
      throw new ProjectError('file_unreadable', `${at} is a broken link`, {
        hint: 'Remove it, or restore its target.',
        location: { file: at },
      });
    throw unreadable(at, cause);
  }
}

function outside(at: string): ProjectError {
  return new ProjectError('function_outside_app', `${at} is a link that points outside the app`, {
    hint: 'Copy what it points to into the app.',
    location: { file: at },
  });
}

function refuseSamePath(found: readonly FunctionFile[]): void {
  const seen = new Map<string, FunctionFile>();
  for (const one of found) {
    const other = seen.get(one.path.toLowerCase());
    if (other === undefined) {
      seen.set(one.path.toLowerCase(), one);
      continue;
    }
    const same = other.path === one.path;
    throw new ProjectError(
      'function_path_taken',
      same
        ? `${other.relative} and ${one.relative} are both the function ${one.path}`
        : `${other.relative} and ${one.relative} differ in capitals only: many machines cannot hold both`,
      {
        hint: 'Rename one of them, or start its name with an underscore if it is not a function.',
        location: { file: one.relative },
      },
    );
  }
}
