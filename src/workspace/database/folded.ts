/** Normalises a text for searches, ignoring case and the encoding of accents. Available in SQL under the same name. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
