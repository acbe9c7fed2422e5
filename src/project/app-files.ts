import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AppFileKind, appFileKinds } from '../contract/index.ts';
import type { AppFileContent } from '../contract/shapes/index.ts';
import { codeOf, FnError, ProjectError, sha256Hex } from '../std/index.ts';
import { companionsOf } from './app-file-companions.ts';
import { placeInJson } from './json-text.ts';
import type { Project } from './project.ts';
import { readJsonFile, readTextFile, unreadable } from './read-file.ts';

/** A JSON file that an app ships beside its functions: `agents/nora.json`. */
export interface AppFile<K extends AppFileKind = AppFileKind> {
  readonly kind: K;
  /** Without folder and ending: `nora`. */
  readonly name: string;
  /** Below the app's root, with `/`. */
  readonly path: string;
  /** Undefined if it is wrong. What it reads from files beside it is filled in. */
  readonly config: AppFileContent<K> | undefined;
  readonly problem: FnError | undefined;
  /** Its own text, and the files beside it that belong to it; by path below the app's root. */
  readonly texts: ReadonlyMap<string, string>;
  /** A hash of all of them. */
  readonly content: string;
}

const maxBytes = 1024 * 1024;
const maxFiles = 1_000;
const fileName = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Reads the files of one kind, and reads them again only when one of the folder has changed. */
export class AppFileReader {
  readonly #known = new Map<AppFileKind, { stamp: string; files: Promise<readonly AppFile[]> }>();

  /**
   * All files of a kind, by name; one that is wrong has its problem.
   * @throws ProjectError file_unreadable, files_too_many
   */
  async list<K extends AppFileKind>(project: Project, kind: K): Promise<readonly AppFile<K>[]> {
    const { folder } = appFileKinds[kind];
    const names = namesIn(join(project.root, folder), folder);
    const stamp = names === undefined ? '' : stampOf(join(project.root, folder), names);
    const known = this.#known.get(kind);
    if (known?.stamp === stamp) return known.files as Promise<readonly AppFile<K>[]>;
    const own = (names ?? []).filter((name) => name.endsWith('.json') && !name.slice(0, -5).includes('.'));
    if (own.length > maxFiles)
      throw new ProjectError('files_too_many', `There are more than ${maxFiles} files in ${folder}/`);
    const files = Promise.all(own.map((name) => readAppFile(project, kind, name.slice(0, -5))));
    this.#known.set(kind, { stamp, files });
    files.catch(() => this.#known.delete(kind));
    return files;
  }
}

function namesIn(folder: string, shown: string): string[] | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw unreadable(`${shown}/`, cause);
  }
  return entries
    .filter((entry) => !entry.isDirectory() && !/^[._]/.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** Differs once a file of the folder was changed, added or removed. */
function stampOf(folder: string, names: readonly string[]): string {
  const stamps = names.map((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return `${name} ${found?.mtimeMs} ${found?.size} ${found?.ino}`;
  });
  return stamps.join('\n');
}

async function readAppFile<K extends AppFileKind>(project: Project, kind: K, name: string): Promise<AppFile<K>> {
  const { folder, noun } = appFileKinds[kind];
  const path = `${folder}/${name}.json`;
  const texts = new Map<string, string>();
  const made = (rest: Pick<AppFile<K>, 'config' | 'problem'>): AppFile<K> => {
    return { kind, name, path, ...rest, texts, content: sha256Hex(JSON.stringify([...texts])) };
  };
  try {
    if (!fileName.test(name)) {
      throw new ProjectError('name_invalid', `${path}: an ${noun} is named in lower case letters, digits, - and _`, {
        hint: 'Rename the file.',
        location: { file: path },
      });
    }
    const read = await readJsonFile(join(project.root, path), path, maxBytes, project.root);
    if (read === undefined) throw unreadable(path, new Error('it is gone'));
    texts.set(path, read.text);
    // The schema library takes some 40 ms to load, so it is loaded only when there is such a file.
    const { checkAppFile } = await import('../contract/shapes/index.ts');
    const checked = checkAppFile(kind, read.value);
    if (!checked.fits) {
      const [problem] = checked.problems;
      throw invalidFile(path, read.text, problem?.path ?? '', problem?.message ?? 'is not valid');
    }
    const beside = (file: string) => {
      const at = `${folder}/${file}`;
      const text = readTextFile(join(project.root, at), at, maxBytes, project.root);
      if (text !== undefined) texts.set(at, text);
      return text;
    };
    const refuse = (at: string, message: string) => invalidFile(path, read.text, at, message);
    return made({ config: companionsOf[kind](checked.value, { name, beside, refuse }), problem: undefined });
  } catch (error) {
    if (!(error instanceof FnError)) throw error;
    return made({ config: undefined, problem: error });
  }
}

function invalidFile(path: string, text: string, at: string, message: string): ProjectError {
  return new ProjectError('app_file_invalid', `${path}: ${at === '' ? 'the file' : at} ${message}`, {
    hint: 'Correct it and save.',
    location: { file: path, ...placeInJson(text, at) },
  });
}
