import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { packageFile } from '../src/std/index.ts';

const src = packageFile('src');

/** Every source of ours below src, with `/`: `cli/run.ts`. */
export function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
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
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file) || !existsSync(join(src, file))) continue;
    if (statSync(join(src, file)).isDirectory()) {
      waiting.push(...sourceFiles().filter((below) => below.startsWith(file)));
      continue;
    }
    reached.add(file);
    waiting.push(...importsOf(file));
  }
  return sourceFiles().filter((file) => !reached.has(file));
}

/** The files of ours that a file imports. Lines of comments are left out. */
function importsOf(file: string): string[] {
  const code = readFileSync(join(src, file), 'utf8').replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  const found = code.matchAll(
    /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g,
  );
  return [...found].flatMap(([, , path = '']) => resolved(file, path) ?? []);
}

function resolved(file: string, path: string): string | undefined {
  const target = relative(src, join(src, dirname(file), path))
    .split(sep)
    .join('/');
  return target.startsWith('..') ? undefined : target;
}
