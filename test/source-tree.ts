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

/** Files that cannot be loaded without each other, each group in alphabetical order. What is imported as a type or later does not count. */
export function circles(): string[][] {
  const needs = new Map(sourceFiles().map((file) => [file, new Set(importsAtLoad(file))]));
  const reach = (from: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const waiting = [from];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const next of needs.get(file) ?? []) {
        if (!reached.has(next)) waiting.push(next);
        reached.add(next);
      }
    }
    return reached;
  };
  const reached = new Map(sourceFiles().map((file) => [file, reach(file)]));
  return sourceFiles().flatMap((file) => {
    const others = [...(reached.get(file) ?? [])].filter((other) => reached.get(other)?.has(file)).sort();
    return others.length > 0 && others[0] === file ? [others] : [];
  });
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

/** The files of ours that a file imports. */
function importsOf(file: string): string[] {
  const found = codeOf(file).matchAll(
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
