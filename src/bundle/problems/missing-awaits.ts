import { operationNames, operations } from '../../contract/index.ts';
import type { BuildWarning } from '../types.ts';

/** What a promise has; whatever else is read from one is undefined. */
const own = String.raw`(?!(?:then|catch|finally)\b)`;
const call = String.raw`sdk\.(?:${calls().join('|')})\(`;
/** Arguments without further parentheses. */
const plain = String.raw`[^()]{0,200}\)`;
const annotation = String.raw`(?:\s*:[^=;\n]{1,200})?`;
/** A longer text was generated. */
const maxTextLength = 256 * 1024;

const destructured = new RegExp(String.raw`\b(?:const|let|var)\s*\{[^{}=]{0,1000}\}${annotation}\s*=\s*(${call})`, 'g');
const chained = new RegExp(String.raw`(${call})${plain}\??\.${own}[\w$]`, 'g');
const named = new RegExp(String.raw`\b(?:const|let|var)\s+([\w$]+)${annotation}\s*=\s*(${call})`, 'g');

/** `request.json`, `customers.find` … */
function calls(): string[] {
  const ofSdk = operationNames.filter((name) => (operations[name].faces as readonly string[]).includes('sdk'));
  const ofRequest = ['json', 'text', 'formData', 'arrayBuffer', 'blob', 'bytes'].map((name) => `request.${name}`);
  return [...ofSdk, ...ofRequest].map((name) => name.replace('.', '\\.'));
}

/**
 * Warns of calls of `sdk` whose promise is used as if it were the answer: whatever is read from it is undefined, without an error.
 * Only where that is certain from the text; types say it in an editor, but not everybody checks them.
 */
export function missingAwaits(file: string, text: string | undefined): BuildWarning[] {
  if (text === undefined || text.length > maxTextLength || !text.includes('sdk.')) return [];
  const found = new Map<number, string>();
  const add = (match: RegExpExecArray, said = '') => found.set(match.index + match[0].indexOf(said), said);
  for (const match of text.matchAll(destructured)) add(match, match[1]);
  for (const match of text.matchAll(chained)) add(match, match[1]);
  for (const match of text.matchAll(named)) if (isReadAtOnce(text, match[1] ?? '')) add(match, match[2]);
  return [...found]
    .filter(([at]) => !isInComment(text, at))
    .toSorted(([a], [b]) => a - b)
    .map(([at, said]) => ({
      code: 'await_missing',
      message: `${said}…) returns a promise. Is an "await" missing?`,
      location: placeOf(file, text, at),
    }));
}

/** Whether a variable is used at least once after its declaration, and each time to read a property of an answer. */
function isReadAtOnce(text: string, name: string): boolean {
  const word = RegExp.escape(name);
  const uses = text.match(new RegExp(String.raw`(?<![\w$.])${word}(?![\w$])`, 'g'))?.length ?? 0;
  const reads = text.match(new RegExp(String.raw`(?<![\w$.]|await\s+)${word}\??\.${own}[\w$]`, 'g'))?.length ?? 0;
  return reads > 0 && reads === uses - 1;
}

/** Whether its line is a comment up to there; code is often kept as one. */
function isInComment(text: string, at: number): boolean {
  return /^\s*(?:\/?\*)|(?:^|\s)\/\//.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
}

function placeOf(file: string, text: string, at: number): NonNullable<BuildWarning['location']> {
  const before = text.slice(0, at).split(/\r?\n/);
  const line = before.length;
  return { file, line, column: (before.at(-1)?.length ?? 0) + 1, text: text.split(/\r?\n/)[line - 1] ?? '' };
}
