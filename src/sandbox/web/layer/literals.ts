// Primitive values in JavaScript notation.

export function symbolText(value: symbol): string {
  return Symbol.prototype.toString.call(value);
}

/** @param most characters that are shown */
export function quote(text: string, most: number): string {
  let shown = text;
  let more = '';
  if (text.length > most) {
    shown = text.slice(0, most);
    more = `... ${text.length - most} more characters`;
  }
  const mark = !shown.includes("'") ? "'" : !shown.includes('"') ? '"' : !shown.includes('`') ? '`' : "'";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  const escaped = shown.replace(/[\0-\x1f\x7f-\x9f\\]|[\ud800-\udfff]/gu, escape_);
  return `${mark}${mark === "'" ? escaped.replaceAll("'", "\\'") : escaped}${mark}${more}`;
}

const escapes: Record<string, string> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\\': '\\\\',
};

function escape_(character: string): string {
  const code = character.charCodeAt(0);
  return (
    escapes[character] ??
    (code > 255 ? `\\u${code.toString(16)}` : `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`)
  );
}

export function showPrimitive(value: unknown): string {
  return Object.is(value, -0)
    ? '-0'
    : typeof value === 'bigint'
      ? `${value}n`
      : typeof value === 'symbol'
        ? symbolText(value)
        : `${value as string}`;
}
