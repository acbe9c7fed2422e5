import { isRecord } from '../../std/index.ts';

/** Characters that are not seen, or that change how a line is read: control, bidi and format characters, line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text as a literal of JavaScript in single quotes, on one line. */
export function textLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(unseen, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)}'`;
}

/** A JSON value as a literal of JavaScript. */
export function valueLiteral(value: unknown): string {
  if (typeof value === 'string') return textLiteral(value);
  if (Array.isArray(value)) return `[${value.map(valueLiteral).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${keyLiteral(name)}: ${valueLiteral(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function keyLiteral(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textLiteral(name);
}
