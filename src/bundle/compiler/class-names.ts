/**
 * Gives classes their names back. The compiler renames a class that uses itself, `class _Refused`, and the second one of a name,
 * `class Refused2`, and with it `constructor.name`, which errors show and code compares. `keepNames` would restore all names, but it also
 * defines that of every function each time it is created, which makes small inner functions many times slower.
 *
 * What is added is at the end of lines, where the source map has nothing.
 */

/** The head of a class as the compiler prints it, up to what it extends. */
const beginning = /\bclass(?: ([^\s({]+))?(?= extends | \{\n)/g;
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
  let classes: ReadonlySet<string> | undefined;
  const known = new Map<string, ReadonlySet<string>>();
  for (const { index, inner, heritage, lineEnd } of headsIn(code)) {
    if (!isWhole(heritage)) continue;
    const name = inner ?? nameBefore.exec(code.slice(code.lastIndexOf('\n', index) + 1, index))?.[1];
    if (name === undefined || !mayBeGiven(name)) continue;
    while (nextFile !== -1 && nextFile < index) {
      file = nextFile + fileMark.length;
      nextFile = code.indexOf(fileMark, file);
      classes = undefined;
    }
    if (!classes) {
      const name = code.slice(file, code.indexOf('\n', file));
      classes = known.get(name) ?? classesIn(sourceOf(name) ?? '');
      known.set(name, classes);
    }
    const original = writtenName(name, classes);
    if (original === undefined) continue;
    const call = `${helper}(this, ${JSON.stringify(name)}, ${JSON.stringify(original)});`;
    named += `${code.slice(end, lineEnd)} static { ${call} }`;
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
  /** ` extends …` */
  readonly heritage: string;
  readonly lineEnd: number;
}

/** The heads end with their lines. A long line is searched for its end once: a string may hold the minified code of a worker. */
function* headsIn(code: string): Generator<Head> {
  let lineEnd = -1;
  for (const { index, 0: text, 1: inner } of code.matchAll(beginning)) {
    // In the head before it.
    const isPart = index < lineEnd && code.endsWith(' {', lineEnd);
    const after = index + text.length;
    if (lineEnd < after) lineEnd = endOfLine(code, after);
    if (!isPart && code.endsWith(' {', lineEnd))
      yield { index, inner, heritage: code.slice(after, lineEnd - 2), lineEnd };
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

function classesIn(source: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, name] of source.matchAll(/\bclass\s+([^\s({<]+)/g)) if (name !== undefined) names.add(name);
  for (const { index } of source.matchAll(/=\s*class\b/g)) {
    const name = /([^\s(=,;:]+)\s*$/.exec(source.slice(Math.max(0, index - 100), index))?.[1];
    if (name !== undefined) names.add(name);
  }
  return names;
}
