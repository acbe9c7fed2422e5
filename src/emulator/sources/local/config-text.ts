/**
 * Whether the config of a function may have a field, judged by the text of its file alone. `false` is certain: only a config that is written as one
 * literal in the file says what it does not have. One that is imported, spread from elsewhere or changed later may have anything.
 */
export function mayHaveField(text: string, field: string): boolean {
  if (text.includes(field)) return true;
  const begin = /\bexport\s+const\s+config\b[^=;]*=\s*\{/.exec(text);
  if (begin === null) return true;
  const from = begin.index + begin[0].length;
  const literal = literalFrom(text, from);
  if (literal === undefined || /\.\.\.|[{,]\s*\[|\\u|\//.test(literal.code)) return true;
  const elsewhere = text.slice(0, begin.index) + text.slice(literal.end);
  return /\bconfig\b/.test(elsewhere.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));
}

/** The code of an object literal behind its first brace, without strings and comments; undefined if it has no end. */
function literalFrom(text: string, from: number): { code: string; end: number } | undefined {
  const token = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[{}]/g;
  token.lastIndex = from;
  let code = '{';
  let last = from;
  let depth = 1;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [part] = found;
    code += text.slice(last, found.index);
    last = token.lastIndex;
    if (part === '{') depth++;
    else if (part === '}') depth--;
    // An escape in a key could spell the field.
    else code += part.includes('\\u') || part.includes('\\x') ? '\\u' : part.startsWith('/') ? '' : '""';
    if (part === '{' || part === '}') code += part;
    if (depth === 0) return { code, end: last };
  }
  return undefined;
}
