// Control characters, and marks that change the direction of text: no refusal needs them.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Makes server text safe for our messages: no control characters, no direction marks, at most `most` characters. Line feeds stay
 * unless `oneLine`.
 */
export function plainText(text: string, most = 2_000, oneLine = false): string {
  const start = text.slice(0, most * 2);
  const plain = start.replace(unsafe, (char) => (char === '\n' || char === '\t' ? (oneLine ? ' ' : char) : ''));
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
