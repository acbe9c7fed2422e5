import { isAbsolute, resolve } from 'node:path';
import type { Seed } from '../contract/shapes/index.ts';
import { nearest, ProjectError } from '../std/index.ts';
import { placeInJson } from './json-text.ts';
import type { Project } from './project.ts';
import { readJsonFile } from './read-file.ts';

/** The name under which an app keeps its seed. */
export const seedFile = 'seed.json';

/** A seed of 100,000 customers with conversations stays below this. */
const mostBytes = 256 * 1024 * 1024;

/**
 * The workspace that an app wants to begin with.
 * @param file without: `seed.json` of the app. Relative paths begin at the app's root
 * @returns undefined when no file was named and the app has none
 * @throws ProjectError `seed_missing`, `seed_invalid`, `json_broken`, with the line
 */
export async function readSeed(project: Project, file?: string): Promise<Seed | undefined> {
  const shown = file ?? seedFile;
  const read = await readJsonFile(isAbsolute(shown) ? shown : resolve(project.root, shown), shown, mostBytes);
  if (read === undefined) {
    if (file === undefined) return undefined;
    throw new ProjectError('seed_missing', `There is no ${file}`, { hint: 'Name a seed that exists.' });
  }
  return parseSeed(read.value, read.text, shown);
}

/** @throws ProjectError `seed_invalid` with the first problem and its line */
export async function parseSeed(value: unknown, text: string, shown: string): Promise<Seed> {
  // The schema library costs some 40 ms: it is loaded where a seed is really read.
  const { seed } = await import('../contract/shapes/index.ts');
  const parsed = seed.safeParse(value);
  // What the file says, not what parsing made of it: the workspace parses it again when it plants it.
  if (parsed.success) return value as Seed;
  const [issue] = parsed.error.issues;
  const steps = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? []);
  const path = steps.reduce<string>(
    (before, step) =>
      typeof step === 'number' ? `${before}[${step}]` : before === '' ? String(step) : `${before}.${String(step)}`,
    '',
  );
  const unknown = issue?.code === 'unrecognized_keys';
  const meant = unknown && issue.path.length === 0 ? nearest(issue.keys[0] ?? '', Object.keys(seed.shape)) : undefined;
  throw new ProjectError(
    'seed_invalid',
    unknown ? `${shown}: ${path} is not known` : `${shown}: ${path === '' ? '' : `${path}: `}${issue?.message}`,
    {
      hint: meant ? `Did you mean "${meant}"?` : `Correct it and save. What a seed may hold: "fn docs seed".`,
      location: { file: shown, ...placeInJson(text, path) },
    },
  );
}
