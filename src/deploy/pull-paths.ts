import { posix } from 'node:path';
import { appFileKindNames, appFileKinds } from '../contract/index.ts';
import { codeEndings, isWindowsDevice, textEndings } from '../std/index.ts';

/** A part of a path: letters, digits and what people put in file names. Nothing hidden, invisible, or special to shells or Windows. */
const harmless = /^[\p{L}\p{N}_@\[\(][\p{L}\p{M}\p{N}_ .@\[\]\(\)+,=~\-]*$/v;
/** Extensions of everything a function may import except images, which are in no source map. */
const endings: readonly string[] = [...codeEndings, ...textEndings, '.svg'];

/** Why a path that a server named may not even be listed as a file of the app; undefined when it is harmless. */
export function pathProblem(path: string): string | undefined {
  if (path.length > 300) return 'it is too long';
  const segments = path.split('/');
  if (!segments.every((segment) => harmless.test(segment)) || !endings.includes(posix.extname(path)))
    return 'it is not the path of a source file below the app';
  if (segments.some((segment) => nameOnDisk(segment) === 'node_modules')) return 'it lies in node_modules';
  if (segments.some(isWindowsDevice)) return 'it is a name that Windows keeps for itself';
  if (segments.some((segment) => /[. ]$/.test(segment))) return 'a part of it ends in a dot or a space';
  return undefined;
}

/** Whether a pull may write a file there at all. */
export const isPulled = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder}/`));

const folders = ['functions', ...appFileKindNames.map((kind) => appFileKinds[kind].folder)];

/** Folders whose files test runners execute. */
const folderOfTests = /^(?:tests?|specs?|e2e|cypress|__(?:tests|mocks|snapshots|fixtures)__)$/;
/** Names that test runners and other tools execute, in whatever folder they find them. */
const executedByName =
  /^(?:tests?|specs?)$|^tests?[-_]|[-_](?:tests?|specs?|bench)$|^(?:setuptests|gulpfile|gruntfile|jakefile|knexfile|dangerfile|wallaby)$/;
/** Parts between dots that no tool looks for: `orders.v2.js`. Every other one may be the mark of some tool: `.test.`, `.config.`, `.stories.` */
const version = /^v?\d+$/;
/** Files that package managers, compilers, editors, containers and coding assistants obey, without extension. */
const obeyed =
  /^(?:package|package-lock|npm-shrinkwrap|[tj]sconfig.*|.*\.config|.*rc|deno|nx|project|workspace|turbo|lerna|biome|angular|import_map|pnpm-.*|(?:docker-)?compose.*|taskfile|lefthook|requirements|cmakelists|agents|claude|gemini|skill)$/;

/**
 * Why a pull does not write a file below functions/; undefined when it does. Whatever a server sends runs in the sandbox, as long as no
 * tool outside of it takes the file for its own: a test, a configuration, a package.
 */
export function writeProblem(path: string): string | undefined {
  const why = pathProblem(path);
  if (why !== undefined) return why;
  const folders = nameOnDisk(path).split('/').slice(1);
  const file = folders.pop() ?? '';
  const ending = posix.extname(file);
  const name = posix.basename(file, ending);
  if (folders.some((folder) => folderOfTests.test(folder))) return 'it lies in a folder that test runners execute';
  if (!/^\.[cm]?[jt]sx?$/.test(ending)) {
    return obeyed.test(name) ? 'tools on this machine read a file with this name' : undefined;
  }
  const [first = '', ...marks] = name.split('.');
  return executedByName.test(first) || !marks.every((mark) => version.test(mark))
    ? 'tools on this machine may execute a file with this name'
    : undefined;
}

/**
 * What file systems make of a path at their most forgiving. Upper case first, since only that turns a long s into an s, and a ligature into
 * its letters.
 */
export const nameOnDisk = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase();
