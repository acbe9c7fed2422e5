/** A text as it is compared in a search: whichever case, and however its accents are written. In SQL by the same name. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
