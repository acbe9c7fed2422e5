import { isAbsolute, resolve } from 'node:path';
import type { Seed } from '../contract/shapes/index.ts';
import { ProjectError, WorkspaceError } from '../std/index.ts';
import { placeInJson } from './json-text.ts';
import type { Project } from './project.ts';
import { readJsonFile } from './read-file.ts';

/** The name under which an app keeps its seed. */
export const seedFile = 'seed.json';

/** A seed of 100,000 customers with conversations stays below this. */
export const maxSeedBytes = 256 * 1024 * 1024;

/**
 * Reads the workspace contents that an app starts with.
 * @param file default: `seed.json` of the app. Relative paths are resolved against the app's root
 * @returns undefined when no file was named and the app has none
 * @throws ProjectError `seed_missing`, `seed_invalid`, `json_broken`, with the line; `file_outside_app`
 */
export async function readSeed(project: Project, file?: string): Promise<Seed | undefined> {
  const shown = file ?? seedFile;
  const path = isAbsolute(shown) ? shown : resolve(project.root, shown);
  // A file named on the command line is the user's own choice; the app's file may come from a stranger.
  const read = await readJsonFile(path, shown, maxSeedBytes, file === undefined ? project.root : undefined);
  if (read === undefined) {
    if (file === undefined) return undefined;
    throw new ProjectError('seed_missing', `There is no ${file}`, { hint: 'Name a seed that exists.' });
  }
  return parseSeed(read.value, read.text, shown);
}

/**
 * Reads the app's `seed.json`, valid or not; undefined when there is none.
 * @throws ProjectError when it cannot be read; `json_broken`; `file_outside_app`
 */
export async function readSeedUnchecked({ root }: Project): Promise<unknown> {
  return (await readJsonFile(resolve(root, seedFile), seedFile, maxSeedBytes, root))?.value;
}

/** @throws ProjectError `seed_invalid` with the first problem and its line */
export async function parseSeed(value: unknown, text: string, shown: string): Promise<Seed> {
  // The schema library takes some 40 ms to load, so it is loaded only when a seed is really read.
  const { checkSeed } = await import('../contract/shapes/index.ts');
  const checked = checkSeed(value);
  // Returns the original value, not the parsed one: the workspace parses it again when it applies the seed.
  if (checked.fits) return value as Seed;
  const [problem] = checked.problems;
  const path = problem?.path ?? '';
  const message = problem?.message ?? 'is not valid';
  throw new ProjectError('seed_invalid', `${shown}: ${path === '' ? 'the seed' : path} ${message}`, {
    hint: 'Correct it and save. For the format of a seed: "fn docs seed".',
    location: { file: shown, ...placeInJson(text, path) },
  });
}

/**
 * Adds the place in the file to a workspace's refusal of a seed: an invalid phone number, an undefined channel. Any other error is
 * returned unchanged.
 */
export async function placedSeedProblem(
  error: unknown,
  { root }: Pick<Project, 'root'>,
  file?: string,
): Promise<unknown> {
  if (!(error instanceof WorkspaceError) || error.code !== 'seed_invalid') return error;
  const [first, ...more] = error.errors ?? [];
  if (first === undefined) return error;
  const shown = file ?? seedFile;
  const path = isAbsolute(shown) ? shown : resolve(root, shown);
  const read = await readJsonFile(path, shown, maxSeedBytes).catch(() => undefined);
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new ProjectError('seed_invalid', `${shown}: ${first.path} ${first.message}${others}`, {
    hint: 'Correct it and save. For the format of a seed: "fn docs seed".',
    location: { file: shown, ...(read && placeInJson(read.text, first.path)) },
    cause: error,
  });
}
