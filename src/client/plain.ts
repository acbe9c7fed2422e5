// Control characters, and the marks that turn the direction of text: nothing of them is needed to say why something was refused.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * What a server said, made fit to stand in a message of ours: no control characters, no direction-turning marks, at most `most`
 * characters. Line feeds stay unless `oneLine`.
 */
export function plainText(text: string, most = 2_000, oneLine = false): string {
  const start = text.slice(0, most * 2);
  const plain = start.replace(unsafe, (char) => (char === '\n' || char === '\t' ? (oneLine ? ' ' : char) : ''));
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
