import { charCodeAt } from './primordials.ts';

/** Length of a text in UTF-8; a lone surrogate counts as its replacement character. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = charCodeAt(text, i + 1);
      if (next >= 0xdc00 && next < 0xe000) i++;
    }
  }
  return bytes;
}
