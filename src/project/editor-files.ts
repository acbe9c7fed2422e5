import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, packageFile } from '../std/index.ts';
import type { Project } from './project.ts';

/** Below the state folder: what editors and compilers take `convo-fn` and the schemas of JSON files from. */
const folders = { types: /\.d\.ts$/, schema: /\.json$/ } as const;

/**
 * Without a `type`, so that files of CommonJS may import the types as well as modules may.
 * Named, so that whoever finds it knows where it comes from.
 */
const manifest = `${JSON.stringify({ name: 'convo-fn', private: true, types: './index.d.ts' }, null, 2)}\n`;

/**
 * Writes the types and schemas of this `fn` into the app, for its editor: `jsconfig.json`, `tsconfig.json` and `$schema` name them, so no
 * package has to be installed. What is up to date stays untouched: an editor would read it again.
 * If they cannot be written, nothing else is affected, and `fn doctor` tells.
 */
export function writeEditorFiles({ stateDir }: Pick<Project, 'stateDir'>): void {
  try {
    makeFolder(stateDir);
    place(join(stateDir, '.gitignore'), '*\n', true);
    for (const [name, pattern] of Object.entries(folders)) {
      const folder = join(stateDir, name);
      // A link may have come with the app and would lead out of it.
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
      makeFolder(folder);
      for (const file of readdirSync(packageFile(name)).filter((one) => pattern.test(one)))
        place(join(folder, file), readFileSync(packageFile(`${name}/${file}`), 'utf8'));
    }
    place(join(stateDir, 'types/package.json'), manifest);
  } catch {
    // As said above.
  }
}

function place(file: string, text: string, keep = false): void {
  const there = textOf(file);
  if (there === text || (keep && there)) return;
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whether the app's editor files are those of this `fn`. */
export function areEditorFilesCurrent({ stateDir }: Pick<Project, 'stateDir'>): boolean {
  return Object.entries(folders).every(([name, pattern]) =>
    readdirSync(packageFile(name))
      .filter((file) => pattern.test(file))
      .every((file) => textOf(join(stateDir, name, file)) === readFileSync(packageFile(`${name}/${file}`), 'utf8')),
  );
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
