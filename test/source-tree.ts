import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside, packageFile, packageRoot, toSlashes } from '../src/std/index.ts';

const src = packageFile('src');

/** Every source of ours below src, with `/`: `cli/run.ts`. */
export function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map(toSlashes)
    .filter((path) => /\.(ts|tsx|js|mjs|cjs|jsx)$/.test(path) && !path.endsWith('.d.ts'))
    .sort();
}

/** `cli/run.ts` → `cli`; a file that lies in src itself is a room of its own. */
export function roomOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
}

interface RoomImport {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The file that is imported, below src. */
  readonly target: string;
}

/** Imports from one room into another, of values and of types, static and dynamic. */
export function importsBetweenRooms(): RoomImport[] {
  return sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((target) => roomOf(target) !== roomOf(file))
      .map((target) => ({ file, from: roomOf(file), to: roomOf(target), target })),
  );
}

/** Files below src that cannot be reached by imports from `entries`: files, or folders of which everything is one. */
export function unreachableFiles(entries: readonly string[]): string[] {
  const begun = sourceFiles().filter((file) =>
    entries.some((entry) => file === entry || (entry.endsWith('/') && file.startsWith(entry))),
  );
  const reached = new Set([...begun, ...reachedFrom(begun, importsOf)]);
  return sourceFiles().filter((file) => !reached.has(file));
}

/** Libraries that sources name, SQLite of Node among them; not those that are bundled for functions in the place of Node's modules. */
export function libraryImports(): { file: string; name: string }[] {
  return sourceFiles()
    .filter((file) => !file.startsWith('bundle/shims/'))
    .flatMap((file) => packagesOf(file).map((name) => ({ file, name })));
}

/** Files that cannot be loaded without each other, each group in alphabetical order. What is imported as a type or later does not count. */
export function circles(): string[][] {
  const imports = new Map(sourceFiles().map((file) => [file, importsAtLoad(file)]));
  const reached = new Map(sourceFiles().map((file) => [file, reachedFrom([file], (from) => imports.get(from) ?? [])]));
  return sourceFiles().flatMap((file) => {
    const group = [...(reached.get(file) ?? [])].filter((other) => reached.get(other)?.has(file)).sort();
    return group[0] === file ? [group] : [];
  });
}

/** The libraries that are loaded with a file. What is imported as a type or later does not count. */
export function librariesAtLoad(file: string): string[] {
  const loaded = [file, ...reachedFrom([file], importsAtLoad)];
  return [...new Set(loaded.flatMap(packagesAtLoad))].sort();
}

/** Functions, classes and values that a file of src exports and no other file names: `std/ids.ts newId`. */
export function unusedExports(): string[] {
  const root = packageRoot();
  const own = globSync('{src,bin,scripts,bench,test}/**/*.{ts,tsx,js,cjs}', {
    cwd: root,
    exclude: (path) => path.endsWith('node_modules'),
  });
  const words = own.map((path) => {
    const file = join(root, path);
    return { file, names: new Set(readFileSync(file, 'utf8').match(/[\w$]+/g)) };
  });
  return sourceFiles().flatMap((file) => {
    const others = words.filter((other) => other.file !== join(src, file));
    return exportsOf(file)
      .filter((name) => !others.some(({ names }) => names.has(name)))
      .map((name) => `${file} ${name}`);
  });
}

function exportsOf(file: string): string[] {
  const found = codeOf(file).matchAll(/^export (?:abstract |async )?(?:class|const|function\*?|let) (\w+)/gm);
  return [...found].map(([, name = '']) => name);
}

/** What the files import, and what that imports; themselves only when something leads back to them. */
function reachedFrom(files: readonly string[], importsIn: (file: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const next of importsIn(file)) {
      if (!reached.has(next)) waiting.push(next);
      reached.add(next);
    }
  }
  return reached;
}

/** Lines of comments are left out. */
function codeOf(file: string): string {
  return readFileSync(join(src, file), 'utf8').replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
}

/** The files of ours that are loaded with a file, before it. */
function importsAtLoad(file: string): string[] {
  const found = codeOf(file).matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'(\.{1,2}\/[^'\n]+)'/gm);
  return [...found].flatMap(([, path = '']) => resolved(file, path) ?? []);
}

function packagesAtLoad(file: string): string[] {
  const found = codeOf(file).matchAll(
    /^import\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'((?:@[^/'\n]+\/)?[^./'\n][^/'\n]*)/gm,
  );
  return [...found].map(([, name = '']) => name).filter((name) => !name.startsWith('node:'));
}

/** `@scope/name` of `@scope/name/deep/path`, and of `internal:@scope/name/a/file/that/it/does/not/export.js`. */
function packagesOf(file: string): string[] {
  const found = codeOf(file).matchAll(
    /(?:^(?:import|export)\s[^'";]*\bfrom\s+|^import\s+|\b(?:import|require|getBuiltinModule)\(\s*)'(?:internal:)?((?:@[^/'\n]+\/)?[^./'\n][^/'\n]*)[^'\n]*'/gm,
  );
  return [...found].flatMap(([, name = '']) => (/^node:(?!sqlite$)/.test(name) ? [] : name));
}

/** The files of ours that a file imports. */
function importsOf(file: string): string[] {
  const found = codeOf(file).matchAll(
    /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g,
  );
  return [...found].flatMap(([, , path = '']) => resolved(file, path) ?? []);
}

/** Undefined when it lies elsewhere, or is no file: a text with a placeholder looks like an import, too. */
function resolved(file: string, path: string): string | undefined {
  const target = join(src, dirname(file), path);
  return isInside(src, target) && existsSync(target) ? toSlashes(relative(src, target)) : undefined;
}
