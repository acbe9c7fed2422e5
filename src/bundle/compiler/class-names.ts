/**
 * Gives classes their names back. The compiler renames a class that uses itself, `class _Refused`, and the second one of a name,
 * `class Refused2`, and with it `constructor.name`, which errors show and code compares. In packages compiled for old browsers, where a class
 * is a function inside the variable of its name, it renames each one. `keepNames` would restore all names, but it also
 * defines that of every function each time it is created, which makes small inner functions many times slower.
 *
 * What is added is at the end of lines, where the source map has nothing.
 */

/** The head of a class as the compiler prints it, up to what it extends; or of a function that may be one. */
const beginning = /\bclass(?: ([^\s({]+))?(?= extends | \{\n)|^ +function ([^\s(]*\d)\(/gm;
const nameBefore = /^\s*(?:(?:var|let|const) )?([^\s(=]+) = $/;
/** The compiler prints the name of a file before its code. */
const fileMark = '\n// ';

const helper = '__fn_class_name__';
/** Only a name that the compiler gave is replaced: a class may have a static `name` of its own. */
const helperCode =
  `const ${helper} = (of, was, value) => Object.getOwnPropertyDescriptor(of, "name")?.value === was && ` +
  'Object.defineProperty(of, "name", { value });';

/** @param sourceOf the text of a file, by the name that the compiler prints */
export function withClassNames(code: string, sourceOf: (file: string) => string | undefined): string {
  let named = '';
  let end = 0;
  let file = 0;
  let nextFile = code.indexOf(fileMark);
  let names: Names | undefined;
  const known = new Map<string, Names>();
  for (const { index, inner, compiled, heritage, lineEnd } of headsIn(code)) {
    if (!isWhole(heritage)) continue;
    const name = compiled ?? inner ?? nameBefore.exec(code.slice(code.lastIndexOf('\n', index) + 1, index))?.[1];
    if (name === undefined || !mayBeGiven(name)) continue;
    // A function is there before its line. It is named at the end of the line above, if a statement ends or a block begins with it.
    if (compiled !== undefined && !/[{};]/.test(code.charAt(index - 2))) continue;
    while (nextFile !== -1 && nextFile < index) {
      file = nextFile + fileMark.length;
      nextFile = code.indexOf(fileMark, file);
      names = undefined;
    }
    if (!names) {
      const path = code.slice(file, code.indexOf('\n', file));
      names = known.get(path) ?? namesIn(sourceOf(path) ?? '');
      known.set(path, names);
    }
    const original = compiled === undefined ? writtenName(name, names.classes) : compiledName(name, names);
    if (original === undefined) continue;
    const call = `${helper}(${compiled ?? 'this'}, ${JSON.stringify(name)}, ${JSON.stringify(original)});`;
    named += `${code.slice(end, lineEnd)} ${compiled === undefined ? `static { ${call} }` : call}`;
    end = lineEnd;
  }
  if (end === 0) return code;
  const firstLine = named.indexOf('\n');
  return `${named.slice(0, firstLine)} ${helperCode}${named.slice(firstLine)}${code.slice(end)}`;
}

interface Head {
  readonly index: number;
  /** The name after `class`. */
  readonly inner: string | undefined;
  /** The name of a function that may be a class. */
  readonly compiled: string | undefined;
  /** ` extends …` */
  readonly heritage: string;
  /** Where the class can be named. */
  readonly lineEnd: number;
}

/** The heads end with their lines. A long line is searched for its end once: a string may hold the minified code of a worker. */
function* headsIn(code: string): Generator<Head> {
  let lineEnd = -1;
  for (const { index, 0: text, 1: inner, 2: compiled } of code.matchAll(beginning)) {
    if (compiled !== undefined) {
      yield { index, inner, compiled, heritage: '', lineEnd: index - 1 };
      continue;
    }
    // In the head before it.
    const isPart = index < lineEnd && code.endsWith(' {', lineEnd);
    const after = index + text.length;
    if (lineEnd < after) lineEnd = endOfLine(code, after);
    if (!isPart && code.endsWith(' {', lineEnd))
      yield { index, inner, compiled, heritage: code.slice(after, lineEnd - 2), lineEnd };
  }
}

function endOfLine(code: string, from: number): number {
  const end = code.indexOf('\n', from);
  return end < 0 ? code.length : end;
}

/** Whether what a class extends ends before its brace; otherwise the brace begins an object in it. */
function isWhole(heritage: string): boolean {
  return heritage.split('(').length === heritage.split(')').length;
}

function mayBeGiven(name: string): boolean {
  return name.startsWith('_') || /\d$/.test(name);
}

/** @param classes names of the classes in the source */
function writtenName(name: string, classes: ReadonlySet<string>): string | undefined {
  if (classes.has(name)) return undefined;
  const bare = name.replace(/^_/, '');
  return [bare, bare.replace(/(?<!\d)\d+$/, ''), name.replace(/(?<!\d)\d+$/, '')].find((candidate) =>
    classes.has(candidate),
  );
}

function compiledName(name: string, { functions, compiled }: Names): string | undefined {
  const bare = name.replace(/(?<!\d)\d+$/, '');
  return functions.has(name) || !functions.has(bare) || !compiled.has(bare) ? undefined : bare;
}

/** What the source of a file calls its classes and functions. */
interface Names {
  readonly classes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** Variables set to what a function returns or is: a compiled class is such a function. */
  readonly compiled: ReadonlySet<string>;
}

function namesIn(source: string): Names {
  return {
    classes: classesIn(source),
    functions: all(source, /\bfunction\s+([^\s(]+)/g),
    compiled: all(
      source,
      /\b(?:var|let|const)\s+([^\s=(,;:.]+)\s*=\s*(?:exports\.[^\s=]+\s*=\s*)?(?:\/\*.{1,20}?\*\/\s*)?\(?function\s*\(/g,
    ),
  };
}

function all(source: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...source.matchAll(pattern)].map(([, name = '']) => name));
}

function classesIn(source: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, name] of source.matchAll(/\bclass\s+([^\s({<]+)/g)) if (name !== undefined) names.add(name);
  for (const { index } of source.matchAll(/=\s*class\b/g)) {
    const name = /([^\s(=,;:]+)\s*$/.exec(source.slice(Math.max(0, index - 100), index))?.[1];
    if (name !== undefined) names.add(name);
  }
  return names;
}
