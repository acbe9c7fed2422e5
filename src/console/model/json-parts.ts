/** A part of a JSON text, for its colour: key, string, number, word, or nothing special. */
export interface JsonPart {
  readonly kind: 'k' | 's' | 'n' | 'w' | '';
  readonly text: string;
}

/** More parts would slow the page down; the rest stays in one colour. */
const maxParts = 4_000;

/** Cuts a JSON text into parts. Any text is taken, also one that is cut off; all parts together are the text. */
export function jsonPartsOf(text: string): JsonPart[] {
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;
  const parts: JsonPart[] = [];
  let end = 0;
  for (let match = token.exec(text); match && parts.length < maxParts; match = token.exec(text)) {
    if (match.index > end) parts.push({ kind: '', text: text.slice(end, match.index) });
    const [whole, string, colon, number] = match;
    if (string !== undefined) {
      parts.push({ kind: colon === undefined ? 's' : 'k', text: string });
      if (colon !== undefined) parts.push({ kind: '', text: colon });
    } else parts.push({ kind: number === undefined ? 'w' : 'n', text: whole });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ kind: '', text: text.slice(end) });
  return parts;
}
