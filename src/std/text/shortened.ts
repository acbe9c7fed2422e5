/** Shortens a text that is too long to its beginning and an ellipsis. Surrogate pairs are not cut in half. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
