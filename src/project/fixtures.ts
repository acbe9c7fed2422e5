import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, nearest, ProjectError } from '../std/index.ts';
import { writeNewFile } from './new-file.ts';
import type { Project } from './project.ts';
import { readJsonFile, unreadable } from './read-file.ts';

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a saved input of a function: `fixtures/<function's name>/<fixture>.json`.
 * @param fixture default: `default`, which need not exist
 * @returns the JSON value; undefined when no fixture was named and there is no default
 * @throws ProjectError `fixture_missing` naming those that exist, `json_broken`, `name_invalid`, `file_outside_app`
 */
export async function readFixture(project: Project, functionName: string, fixture?: string): Promise<unknown> {
  const name = fixture ?? 'default';
  if (!/^[A-Za-z0-9_][\w.-]{0,99}$/.test(name))
    throw new ProjectError('name_invalid', `${JSON.stringify(name)} cannot be the name of a fixture`, {
      hint: `Use the name of a file in fixtures/${functionName}/, without .json.`,
    });
  const shown = `fixtures/${functionName}/${name}.json`;
  const read = await readJsonFile(join(project.root, ...shown.split('/')), shown, maxBytes, project.root);
  if (read !== undefined) return read.value;
  if (fixture === undefined) return undefined;
  const known = await listFixtures(project, functionName);
  const near = nearest(name, known);
  throw new ProjectError('fixture_missing', `There is no ${shown}`, {
    hint: near
      ? `Did you mean ${near}?`
      : known.length > 0
        ? `This function has: ${known.join(', ')}.`
        : 'Save an input there, or give one with -d.',
  });
}

/** Names of the fixtures of a function. */
export async function listFixtures(project: Project, functionName: string): Promise<string[]> {
  const folder = `fixtures/${functionName}`;
  try {
    const names = readdirSync(join(project.root, ...folder.split('/')));
    return names
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return [];
    throw unreadable(`${folder}/`, cause);
  }
}

/**
 * Saves an input as a new fixture. Nothing is overwritten, and nothing is written outside the app's folder, wherever a link leads.
 * @returns its path below the app's folder
 * @throws ProjectError fixture_exists, file_outside_app, file_unwritable
 */
export function saveFixture(project: Project, functionName: string, fixture: string, input: unknown): string {
  const path = `fixtures/${functionName}/${fixture}.json`;
  return writeNewFile(project, path, `${JSON.stringify(input, null, 2)}\n`, 'fixture_exists');
}
