/** A position in a JSON text. Only needed for errors: reading itself uses `JSON.parse`. */
export interface JsonPlace {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The source line itself, at most 200 characters. */
  readonly text: string;
}

/** Describes for a person why a text is not valid JSON. */
export interface JsonProblem extends JsonPlace {
  readonly message: string;
  readonly hint: string | undefined;
}

/** Maximum nesting of an app's JSON file; the same as for a request (contract 3). */
const maxDepth = 200;

/**
 * Finds the first problem of a text as JSON.
 * @returns undefined when the text is JSON, no object names a field twice, and nothing is nested deeper than 200 levels
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (!(error instanceof ScanProblem)) throw error;
    return { message: error.message, hint: error.hint, ...placeOf(text, error.offset) };
  }
}

/**
 * Finds where the value at a path begins; if the last part of the path is a named field, the position of that name.
 * @param path as in a field problem: `limits.wallMs`, `agents[0].email`; empty: the whole document
 * @returns undefined when there is no such value
 */
export function placeInJson(text: string, path: string): JsonPlace | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.document();
  } catch {
    return undefined;
  }
  const offset = scanner.offsets.get(path);
  return offset === undefined ? undefined : placeOf(text, offset);
}

function placeOf(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = text.indexOf('\n', offset);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).replace(/\r$/, '');
  return { line: before.split('\n').length, column: offset - lineStart + 1, text: line.slice(0, 200) };
}

class ScanProblem extends Error {
  readonly offset: number;
  readonly hint: string | undefined;
  constructor(offset: number, message: string, hint?: string) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}

const word = /[^\s,:[\]{}"]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Walks a JSON text once and notes where each value begins. Small rather than fast. */
class Scanner {
  readonly offsets = new Map<string, number>();
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#space();
    if (this.#at === this.#text.length)
      throw new ScanProblem(
        this.#at,
        'the file is empty',
        'It must contain JSON; if you do not need the file, delete it.',
      );
    this.#value('', 0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the file');
  }

  #value(path: string, depth: number): void {
    if (!this.offsets.has(path)) this.offsets.set(path, this.#at);
    if (depth > maxDepth) throw new ScanProblem(this.#at, `nested deeper than ${maxDepth} levels`);
    const char = this.#text[this.#at];
    if (char === '{') {
      this.#object(path, depth);
      return;
    }
    if (char === '[') {
      this.#array(path, depth);
      return;
    }
    if (char === '"') {
      this.#string();
      return;
    }
    number.lastIndex = this.#at;
    const found = number.exec(this.#text)?.[0] ?? this.#word();
    if (found === '' || !(found in { true: 1, false: 1, null: 1 } || /\d$/.test(found)))
      throw this.#unexpected('a value');
    this.#at += found.length;
  }

  #object(path: string, depth: number): void {
    const names = new Set<string>();
    this.#at += 1;
    for (this.#space(); this.#text[this.#at] !== '}'; this.#space()) {
      const start = this.#at;
      if (this.#text[start] !== '"') throw this.#unexpected('a field name in double quotes, or }');
      const name = this.#string();
      const inner = path === '' ? name : `${path}.${name}`;
      if (names.has(name))
        throw new ScanProblem(start, `the field "${name}" appears twice`, 'Keep one of the two; the other is lost.');
      names.add(name);
      this.offsets.set(inner, start);
      this.#space();
      if (this.#text[this.#at] !== ':') throw this.#unexpected(`: after "${name}"`);
      this.#at += 1;
      this.#space();
      this.#value(inner, depth + 1);
      if (this.#more('}')) throw this.#surplus();
    }
    this.#at += 1;
  }

  #array(path: string, depth: number): void {
    this.#at += 1;
    let index = 0;
    for (this.#space(); this.#text[this.#at] !== ']'; this.#space()) {
      this.#value(`${path}[${index}]`, depth + 1);
      index += 1;
      if (this.#more(']')) throw this.#surplus();
    }
    this.#at += 1;
  }

  /** Consumes the comma after a value. @returns whether a closing bracket follows the comma, which JSON does not allow */
  #more(end: '}' | ']'): boolean {
    this.#space();
    if (this.#text[this.#at] === end) return false;
    if (this.#text[this.#at] !== ',') throw this.#unexpected(`a comma or ${end}`);
    this.#at += 1;
    const comma = this.#at - 1;
    this.#space();
    if (this.#text[this.#at] !== end) return false;
    this.#at = comma;
    return true;
  }

  #surplus(): ScanProblem {
    return new ScanProblem(this.#at, 'a comma after the last value', 'Remove it: JSON allows none there.');
  }

  #string(): string {
    const start = this.#at;
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === undefined || char === '\n')
        throw new ScanProblem(start, 'a text without a closing quotation mark', 'Close it with " on the same line.');
      if (char < ' ') throw new ScanProblem(this.#at, 'a control character in a text', 'Write it as \\t, \\u001b, ….');
      if (char !== '\\') continue;
      this.#at += 1;
      const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
      escaped.lastIndex = this.#at;
      const found = escaped.exec(this.#text)?.[0];
      if (found === undefined)
        throw new ScanProblem(this.#at - 1, 'an unknown escape in a text', 'Write a backslash as \\\\.');
      this.#at += found.length - 1;
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #word(): string {
    word.lastIndex = this.#at;
    return word.exec(this.#text)?.[0] ?? '';
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '-')) this.#at += 1;
  }

  #unexpected(wanted: string): ScanProblem {
    const rest = this.#text.slice(this.#at);
    if (rest === '') return new ScanProblem(this.#at, `the file ends where ${wanted} should be`);
    if (rest.startsWith('//') || rest.startsWith('/*'))
      return new ScanProblem(this.#at, 'a comment', 'Remove it: JSON has no comments.');
    if (rest.startsWith("'")) return new ScanProblem(this.#at, 'a single quote', 'JSON requires double quotes.');
    if (/^(<{7}|={7}|>{7})/.test(rest))
      return new ScanProblem(this.#at, 'a merge conflict', 'Resolve the merge conflict and save.');
    const found = [...(this.#word() || rest)].slice(0, this.#word() === '' ? 1 : 30).join('');
    return new ScanProblem(this.#at, `${found} where ${wanted} should be`);
  }
}
