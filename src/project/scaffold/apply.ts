import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, isInside, MachineError, messageOf, ProjectError, removeLeftovers } from '../../std/index.ts';
import type { PlannedFile, ScaffoldPlan } from './plan.ts';

export interface ScaffoldResult {
  /** Written files, relative to the root. */
  readonly written: readonly string[];
  /** Files that already existed and stay unchanged. */
  readonly kept: readonly string[];
}

/**
 * Writes the files of a plan, all or nothing: they are staged first, then moved into place one by one; a failure midway is undone.
 * A killed process leaves only complete files, and a staging folder that the next run removes.
 * Synchronous on purpose: nothing can happen in between, and it is three times as fast.
 * @throws ProjectError `file_exists` naming the files, before anything is written
 * @throws MachineError `cannot_write`
 */
export function applyScaffold(plan: ScaffoldPlan, options: { readonly force?: boolean } = {}): ScaffoldResult {
  const present = (file: PlannedFile) => lstatOf(join(plan.root, file.path)) !== undefined;
  const kept = plan.files.filter((file) => file.shared && present(file));
  const wanted = plan.files.filter((file) => !kept.includes(file));
  if (!options.force) refuseExisting(wanted.filter(present), plan);
  try {
    if (existsSync(plan.root)) placeEach(plan.root, wanted);
    else placeWhole(plan.root, wanted);
  } catch (cause) {
    if (cause instanceof ProjectError) throw cause;
    throw new MachineError('cannot_write', `Nothing was created in ${plan.root}: ${messageOf(cause)}`, {
      hint:
        codeOf(cause) === 'ENOSPC'
          ? 'Make room on the disk, then run it again.'
          : 'Check who may write there, then run it again.',
      cause,
    });
  }
  return { written: wanted.map(({ path }) => path), kept: kept.map(({ path }) => path) };
}

function refuseExisting(there: readonly PlannedFile[], plan: ScaffoldPlan): void {
  const [first] = there;
  if (first === undefined) return;
  const others = there.length > 1 ? ` and ${there.length - 1} more` : '';
  throw new ProjectError('file_exists', `${first.path}${others} already ${others ? 'exist' : 'exists'}`, {
    hint: `${plan.functions.length > 0 ? 'Choose another name, or overwrite with --force.' : 'Choose another folder, or overwrite with --force.'}`,
    location: { file: first.path },
  });
}

const mark = '.fn-init-';

/** Makes a new folder appear at once, complete. */
function placeWhole(root: string, files: readonly PlannedFile[]): void {
  const parent = dirname(root);
  mkdirSync(parent, { recursive: true });
  removeLeftovers(parent, mark);
  const staging = join(parent, `${mark}${process.pid}-${basename(root)}`);
  try {
    mkdirSync(staging);
    for (const { path, text } of files) {
      const file = join(staging, ...path.split('/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: 'wx' });
    }
    renameSync(staging, root);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw error;
  }
}

function placeEach(root: string, files: readonly PlannedFile[]): void {
  removeLeftovers(root, mark);
  const staging = join(root, `${mark}${process.pid}`);
  const undo: (() => void)[] = [];
  try {
    mkdirSync(staging);
    for (const [index, { text }] of files.entries()) writeFileSync(join(staging, `new-${index}`), text, { flag: 'wx' });
    files.forEach(({ path }, index) => {
      const target = join(root, ...path.split('/'));
      makeFolder(root, dirname(target), undo);
      if (lstatOf(target) !== undefined) {
        // Only with --force. Renaming replaces a link instead of writing through it.
        renameSync(target, join(staging, `old-${index}`));
        undo.push(() => renameSync(join(staging, `old-${index}`), target));
      }
      putInPlace(join(staging, `new-${index}`), target);
      undo.push(() => rmSync(target, { force: true }));
    });
  } catch (error) {
    for (const step of undo.reverse()) quietly(step);
    throw error;
  } finally {
    quietly(() => rmSync(staging, { recursive: true, force: true }));
  }
}

/** Moves a file into place, never over one that appeared meanwhile, if the file system can guarantee that. */
function putInPlace(staged: string, target: string): void {
  try {
    linkSync(staged, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    renameSync(staged, target);
  }
}

/** Creates the folders of a file one by one, so that they can be removed again; refuses a link that leads out of the app. */
function makeFolder(root: string, folder: string, undo: (() => void)[]): void {
  if (lstatOf(folder) === undefined) {
    makeFolder(root, dirname(folder), undo);
    mkdirSync(folder);
    undo.push(() => rmdirSync(folder));
    return;
  }
  if (!isInside(realpathSync(root), realpathSync(folder)))
    throw new ProjectError('function_outside_app', `${folder} is a link that points outside the app`, {
      hint: 'Replace it with a folder.',
    });
}

/** Like lstat; undefined if nothing is there, also when a parent of the path is a file. */
function lstatOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Continue to undo the rest.
  }
}
