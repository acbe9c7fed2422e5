import { lazy } from '../../std/index.ts';
/*
 * Width of text on a terminal. What a person sees as one character may be several code points: a flag, a family, a letter with accents.
 * Terminals draw these as a unit, so text is measured and cut by such units.
 */

/** Number of columns of a single-line text. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter().segment(text)) width += widthOfOne(segment);
  return width;
}

/** Truncates a single-line text to a width, with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let shown = '';
  let taken = 1;
  for (const { segment } of segmenter().segment(text)) {
    taken += widthOfOne(segment);
    if (taken > width) break;
    shown += segment;
  }
  return `${shown.trimEnd()}…`;
}

/** Pads the text with spaces to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Wraps text at spaces to a width; longer words are not broken. Colour sequences have no width. */
export function wrap(text: string, width: number): string {
  const lines: string[] = [];
  for (const given of text.split('\n')) {
    let line = '';
    let taken = 0;
    for (const word of given.split(' ')) {
      const more = widthOf(word.replace(colours, ''));
      if (line !== '' && taken + 1 + more > width) {
        lines.push(line);
        line = word;
        taken = more;
      } else {
        taken += more + (line === '' ? 0 : 1);
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** Wraps the lines that are longer than a width; the others stay as they are, with their indents. */
export function wrapLongLines(text: string, width: number): string {
  const lines = text.split('\n');
  return lines.map((line) => (widthOf(line.replace(colours, '')) > width ? wrap(line, width) : line)).join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what our own styles write
const colours = /\u001b\[\d+m/g;

/** Matches most text, which can be measured without the Unicode tables, since these take a while to load. */
const plain = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2015\u2018-\u201f\u2026\u2190-\u2193]*$/;

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Matches joined emoji, flags, keycaps, and characters in emoji presentation. */
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\u20e3/u;
/** Marks, joiners, and vowels and finals of Hangul are drawn into the preceding character. */
const none = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;

function widthOfOne(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  let width = 0;
  for (const char of grapheme) width += none.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return width;
}
