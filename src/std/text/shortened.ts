/** Shortens a text that is too long to its beginning and an ellipsis. Surrogate pairs are not cut in half. */
export function shortened(text: string, mostLength: number): string {
  if (text.length <= mostLength) return text;
  return `${text.slice(0, mostLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
