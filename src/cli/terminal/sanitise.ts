const ESC = '\\u001b';
// C0 and C1 controls except tab and line feed, DEL, line and paragraph separators, bidirectional controls, byte order mark.
const unsafeRanges = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
  '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff',
];
const unsafe = new RegExp(`[${unsafeRanges.join('')}]`, 'g');
// CSI; the strings OSC, DCS, PM, APC, SOS up to their end; two-character escapes.
const sequences = new RegExp(
  [
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${ESC}[\\]P^_X]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESC}\\\\|\\u009c)?`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
// Only the sequences of our own styles (style.ts): bold, dim, underline, the colours, and their ends.
const own = new RegExp(`${ESC}\\[(?:1|2|4|22|24|3[1-6]|39)m`, 'g');

/**
 * Cleans text from a workspace, a function or a file name: removes anything that could move the cursor, change colours or the
 * title, write to the clipboard or change the reading direction. A carriage return becomes a line feed, so that it cannot overwrite a line.
 */
export function sanitise(text: string): string {
  return text.replace(sequences, '').replace(/\r\n?/g, '\n').replace(unsafe, '');
}

/** The same for text within one of our lines: without line breaks, so that it cannot forge a line. */
export function inLine(text: string): string {
  return sanitise(text).replace(/[\n\t]/g, ' ');
}

/** The same for finished text, but keeps our own colours. */
export function sanitiseStyled(text: string): string {
  if (!text.includes('\u001b')) return sanitise(text);
  let clean = '';
  let from = 0;
  for (const match of text.matchAll(own)) {
    clean += sanitise(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return clean + sanitise(text.slice(from));
}

/** JSON that is safe on a terminal: control and bidirectional characters are written as `\u…`, so the value is the same. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(unsafe, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
