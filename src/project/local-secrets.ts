import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, ProjectError } from '../std/index.ts';
import { placeInJson } from './json-text.ts';
import type { Project } from './project.ts';
import { type JsonFile, readJsonFile } from './read-file.ts';

const shown = '.fn/secrets.json';
const name = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/**
 * Reads the secrets of an app for the local workspace: `.fn/secrets.json`, overridden by `FN_SECRET_<NAME>` of the environment.
 * A file that others can read is made private first.
 * @throws ProjectError `secrets_invalid`, `json_broken`, `file_outside_app`
 */
export async function readLocalSecrets(
  project: Project,
  environment: Environment = {},
): Promise<ReadonlyMap<string, string>> {
  const secrets = new Map<string, string>();
  const file = join(project.stateDir, 'secrets.json');
  const read = await readSecretsFile(file, project.stateDir);
  if (read !== undefined) {
    const mode = statSync(file).mode;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(file, 0o600);
    for (const [key, value] of entriesOf(read.value, read.text)) secrets.set(key, value);
  }
  for (const [variable, value] of Object.entries(environment)) {
    const key = variable.slice('FN_SECRET_'.length);
    if (variable.startsWith('FN_SECRET_') && name.test(key) && value) secrets.set(key, value);
  }
  return secrets;
}

/** Like any JSON file, except that no message shows a line of it. */
async function readSecretsFile(file: string, folder: string): Promise<JsonFile | undefined> {
  try {
    return await readJsonFile(file, shown, 1024 * 1024, folder);
  } catch (error) {
    if (!(error instanceof ProjectError) || error.code !== 'json_broken') throw error;
    const { line, column } = error.location ?? {};
    throw new ProjectError('json_broken', `${shown} is not JSON`, {
      hint: 'Its format is {"NAME": "value"}.',
      location: { file: shown, ...(line !== undefined && column !== undefined && { line, column }) },
    });
  }
}

function entriesOf(value: unknown, text: string): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(text, '', 'must be an object');
  return Object.entries(value).map(([key, secret]) => {
    if (!name.test(key))
      throw invalid(text, key, `${JSON.stringify(key)} is not a name of letters, digits and underscores`);
    if (typeof secret !== 'string' || secret === '') throw invalid(text, key, `${key} must be a text`);
    return [key, secret];
  });
}

function invalid(text: string, path: string, message: string): ProjectError {
  const place = placeInJson(text, path);
  // The source line is left out: it holds a secret.
  const at = place === undefined ? {} : { line: place.line, column: place.column };
  return new ProjectError('secrets_invalid', `${shown}: ${message}`, {
    hint: 'Its format is {"NAME": "value"}. Set a secret with "fn secret set NAME".',
    location: { file: shown, ...at },
  });
}

type Names = Pick<ReadonlySet<string>, 'has'>;

/** The secrets of fn.config.json that have no value: none on this machine, and none in the workspace. */
export function secretsWithout({ config }: Project, given: Names, stored: Names): readonly string[] {
  return (config.secrets ?? []).filter((name) => !given.has(name) && !stored.has(name));
}
